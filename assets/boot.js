// Before anything is drawn: language and theme. Then: fetches the application while the page is still being read, shows
// how far it has come, and says so if it cannot run. The only script beside it is embed.js.
(() => {
  const query = new URLSearchParams(location.search);
  const root = document.documentElement;
  const language = query.get('lang');
  const chinese = language === 'zh' || (language !== 'en' && /^zh\b/i.test(navigator.language || ''));
  root.lang = chinese ? 'zh-CN' : 'en';
  const theme = query.get('theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  // The first view of an embedded scene or of the classroom is not the whole page's.
  for (const view of ['embed', 'present']) if (query.has(view)) root.dataset.view = view;

  const show = (id) => {
    const message = document.getElementById(id);
    if (message) message.hidden = false;
  };

  const fetchWithProgress = async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${response.status} ${address}`);
    // Compressed transfers do not tell the size of what arrives; the bar then moves without a scale.
    const size = Number(response.headers.get('content-length'));
    if (!response.body || !size || response.headers.get('content-encoding')) return response;
    let seen = 0;
    const counted = response.body.pipeThrough(new TransformStream({
      transform(chunk, out) {
        seen += chunk.length;
        // The bar may not have been read yet.
        const bar = document.querySelector('#progress span');
        if (bar) bar.style.transform = `scaleX(${Math.min(1, seen / size)})`;
        out.enqueue(chunk);
      },
    }));
    return new Response(counted, { headers: response.headers });
  };

  const fetchCompiled = async (address) => {
    if (typeof WebAssembly !== 'object') throw new Error('no WebAssembly');
    const response = await fetchWithProgress(address);
    const streams = /^application\/wasm\b/i.test(response.headers.get('content-type') || '');
    return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  };

  // The first picture comes first: compiling would hold it up.
  const seen = new Promise((resolve) => {
    addEventListener('DOMContentLoaded', resolve);
    if (typeof PerformanceObserver !== 'function') return;
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
  });
  const { js, wasm, later } = document.currentScript.dataset;
  const address = (file) => new URL(file, document.baseURI).href;
  // A first visit does without the later part; an address of another scene or room needs it as soon as it runs.
  if (['scene', 'room', 'present'].some((part) => query.has(part)) && later) {
    const wanted = { rel: 'preload', as: 'fetch', type: 'application/wasm', crossOrigin: 'anonymous', href: address(later) };
    seen.then(() => document.head.append(Object.assign(document.createElement('link'), wanted)));
  }
  const parts = seen.then(() => Promise.all([import(address(js)), fetchCompiled(address(wasm))]));
  // It is told when there is a place to tell it in.
  parts.catch(() => {});

  addEventListener('DOMContentLoaded', async () => {
    document.getElementById('reload')?.addEventListener('click', () => location.reload());
    try {
      const [application, module] = await parts;
      // A turn later, or the browser would lay the new page out within its own loading.
      await new Promise((resolve) => setTimeout(resolve));
      await application.default({ module_or_path: module });
    } catch (error) {
      console.warn(String(error));
      if (root.dataset.ready === undefined) show('no-wasm');
    }
  });
})();
