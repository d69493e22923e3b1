// The element <one-token-scene>: one scene of this site inside another page. Beside boot.js the only script here.
//
//   <script type="module" src="https://…/embed.js"></script>
//   <one-token-scene scene="allreduce" lang="zh" theme="dark" scenario="tp=8&batch=8" step="3"></one-token-scene>
//
// Attributes: scene, step, t, lang, theme, ledger, units, scenario (a query string of scenario keys), label (the
// frame's title). Changing one shows it at once. Events: "refused" with what could not be taken in event.detail.
(() => {
  const NAME = 'one-token-eight-gpus';
  const VERSION = 1;
  const VIEW = ['step', 't', 'lang', 'theme', 'ledger', 'units'];
  const SITE = new URL('./', import.meta.url);

  class OneTokenScene extends HTMLElement {
    static observedAttributes = ['scene', 'scenario', 'label', ...VIEW];
    #frame;
    #ready = false;
    #hear = (event) => this.#take(event);

    connectedCallback() {
      this.#frame = document.createElement('iframe');
      const style = this.#frame.style;
      Object.assign(style, { display: 'block', width: '100%', border: '0', height: '420px', colorScheme: 'normal' });
      this.#frame.allow = 'fullscreen';
      this.#frame.loading = 'lazy';
      this.#name();
      this.#frame.src = `${SITE}?${this.#query()}`;
      addEventListener('message', this.#hear);
      this.append(this.#frame);
    }

    disconnectedCallback() {
      removeEventListener('message', this.#hear);
      this.#frame.remove();
      this.#frame = undefined;
      this.#ready = false;
    }

    attributeChangedCallback() {
      if (!this.#frame) return;
      this.#name();
      // Before the frame is ready its address says the same.
      if (this.#ready) this.#frame.contentWindow.postMessage({ name: NAME, version: VERSION, show: this.#query() }, '*');
      else this.#frame.src = `${SITE}?${this.#query()}`;
    }

    #name() {
      this.#frame.title = this.getAttribute('label') || `One Token, Eight GPUs: ${this.getAttribute('scene') || 'place'}`;
    }

    #query() {
      const query = new URLSearchParams(this.getAttribute('scenario') || '');
      query.set('embed', this.getAttribute('scene') || 'place');
      for (const name of VIEW) if (this.hasAttribute(name)) query.set(name, this.getAttribute(name));
      return query.toString();
    }

    #take({ source, data }) {
      // Frames with an opaque origin exist: who sent it is told by the window, not by the origin.
      if (source !== this.#frame?.contentWindow || data?.name !== NAME || data.version !== VERSION) return;
      if (data.ready) this.#ready = true;
      if (Number.isFinite(data.height) && data.height > 0) this.#frame.style.height = `${Math.ceil(data.height)}px`;
      if (data.refused) this.dispatchEvent(new CustomEvent('refused', { detail: String(data.refused), bubbles: true }));
    }
  }

  if (!customElements.get('one-token-scene')) customElements.define('one-token-scene', OneTokenScene);
})();
