// Room for everything: nothing sticks out, nothing overlaps, everything can be hit.
import { test, expect } from '../fixtures.mjs';
import { FIRST, open, scenes, STAGE, usable } from '../reading.mjs';

const LOADS = ['', 'context=1&batch=1&tp=1&gpu_memory_gib=8', 'context=1048576&batch=1024&tp=16&gpu_memory_gib=1024'];
const QUERIES = {
  tutorial: LOADS,
  report: LOADS,
  exact: [...LOADS, 'layout=dp_attention_ep&ep=16&batch=64&mtp=true'],
};

/** Every ledger at its default, smallest and largest load, in both units. */
const scenarios = (lang, ledgers = Object.keys(QUERIES)) =>
  ledgers.flatMap((ledger) =>
    QUERIES[ledger].flatMap((load) => ['gib', 'gb'].map((units) => [`ledger=${ledger}&lang=${lang}&units=${units}`, load].filter(Boolean).join('&'))),
  );

/** Every scene for the queries. GB and the smallest load shorten numbers: their last steps will do. */
async function everyStep(page, queries) {
  const names = await scenes(page);
  return names.flatMap((scene) => queries.map((query) => ({ query: `scene=${scene}&${query}`, all: !/units=gb|context=1&/.test(query) })));
}

/** Every load in the first scene; what the others have of their own, their controls, with the defaults of each ledger. */
async function everyPage(page, lang) {
  const others = (await scenes(page)).filter((scene) => scene !== FIRST);
  const more = Object.keys(QUERIES).flatMap((ledger) => others.map((scene) => `scene=${scene}&ledger=${ledger}&lang=${lang}`));
  return [...scenarios(lang), ...more].map((query) => ({ query, all: false }));
}

/**
 * Goes through views and looks at each, all inside the page: at the last step, or at all. `look` gives back what is
 * wrong; the answer is a list of it with the view where it showed first.
 */
async function problemsOf(page, views, look, argument) {
  await page.evaluate(() => document.fonts.ready);
  return page.evaluate(
    async ([views, look, argument]) => {
      const problems = new Map();
      const see = new Function('argument', `return (${look})(argument)`);
      for (const { query, all } of views) {
        history.replaceState(null, '', `?${query}`);
        dispatchEvent(new PopStateEvent('popstate'));
        await turn();
        const shown = document.querySelector('[data-ledger][aria-pressed="true"]').dataset.ledger;
        if (shown !== new URLSearchParams(query).get('ledger')) throw new Error(`not shown: ${query}`);
        const steps = [...document.querySelectorAll('[data-step]')];
        for (const [index, step] of steps.entries()) {
          if (!all && index < steps.length - 1) continue;
          step.click();
          await turn();
          if (step.getAttribute('aria-current') !== 'step') throw new Error(`not shown: ${query}, step ${index + 1}`);
          for (const problem of see(argument)) {
            // Alike but for a number or for what it runs into: once is enough.
            const kind = problem.replace(/ \| .*/, '').replace(/\d+/g, '#');
            if (!problems.has(kind)) problems.set(kind, `${problem}   (${query}&step=${index + 1})`);
          }
        }
      }
      return [...problems.values()];
    },
    [views, String(look), argument],
  );
}

/** Texts of the stage that lie outside the picture, over one another or over the edge of their card, by their ink. */
function crowded(stage) {
  const svg = document.querySelector(stage);
  const { width, height } = svg.viewBox.baseVal;
  const place = document.querySelector('[data-step="verdict"]');
  const cards = place ? [...svg.querySelectorAll('rect[stroke]')].map((card) => card.getBBox()) : [];
  const texts = [...svg.querySelectorAll('text')].filter((text) => text.getAttribute('opacity') !== '0' && text.textContent.trim());
  const boxes = texts.map((text) => {
    const { x, width } = text.getBBox();
    // A line's box is higher than its letters: ink reaches from the top of a Chinese character to a descender.
    const [baseline, size] = [Number(text.getAttribute('y')), Number(text.getAttribute('font-size'))];
    return { text: text.textContent, left: x, right: x + width, top: baseline - 0.86 * size, bottom: baseline + 0.22 * size };
  });
  const found = boxes.length < 4 ? ['hardly any text'] : [];
  for (const [index, a] of boxes.entries()) {
    if (a.left < 0 || a.top < 0 || a.right > width || a.bottom > height) found.push(`outside: ${a.text}`);
    const home = cards.find((card) => a.left >= card.x && a.left < card.x + card.width && a.top >= card.y && a.top < card.y + card.height);
    if (home && a.right > home.x + home.width) found.push(`leaves its card: ${a.text}`);
    for (const b of boxes.slice(index + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 0.5 && high > 0.5) found.push(`over one another: ${a.text} | ${b.text}`);
    }
  }
  return found;
}

/** Whatever is wider than the window, or than the box it stands in. */
function tooWide() {
  const over = document.scrollingElement.scrollWidth - innerWidth;
  const boxes = [...document.querySelectorAll('header, main section, main section > div, main td, main th')];
  const overfull = boxes.filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX === 'visible');
  const name = (box) => `${box.tagName.toLowerCase()} ${box.dataset.testid ?? box.dataset.control ?? box.className}`;
  return [...(over > 0 ? ['the page scrolls sideways'] : []), ...overfull.map((box) => `overfull: ${name(box)} “${box.innerText.slice(0, 40)}”`)];
}

for (const [width, layout] of [[390, 'narrow'], [1440, 'wide']]) {
  for (const lang of ['zh', 'en']) {
    for (const ledger of Object.keys(QUERIES)) {
      test(`the ${layout} stage has room for all its words in the ${ledger} ledger (${lang})`, async ({ page }) => {
        await page.setViewportSize({ width, height: 900 });
        await open(page, `lang=${lang}`);
        const views = await everyStep(page, scenarios(lang, [ledger]));
        expect(await problemsOf(page, views, crowded, STAGE)).toEqual([]);
      });
    }
  }
}

for (const width of [320, 390, 768, 1440]) {
  for (const lang of ['zh', 'en']) {
    test(`at ${width} px nothing is wider than its place (${lang})`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page, `lang=${lang}`);
      await page.locator('summary').evaluateAll((all) => all.forEach((e) => e.click()));
      expect(await problemsOf(page, await everyPage(page, lang), tooWide)).toEqual([]);
    });
  }
}

for (const width of [320, 1440]) {
  test(`at ${width} px everything that can be pressed is at least 24 px high and wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, 'lang=en&batch=abc');
    await page.locator('summary').evaluateAll((all) => all.forEach((e) => e.click()));
    /** Marks of pictures are left out: a part is as high as it is large. The same figures stand in the tables. */
    const small = () =>
      [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
        .filter((e) => e.checkVisibility() && !e.closest('svg'))
        .map((e) => ({ e, box: e.getBoundingClientRect() }))
        .filter(({ box }) => box.width < 23.99 || box.height < 23.99)
        .map(({ e, box }) => `${e.tagName.toLowerCase()} ${e.dataset.testid ?? e.dataset.figure ?? e.className}: ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`);
    expect(await page.evaluate(small)).toEqual([]);
    expect(await problemsOf(page, await everyPage(page, 'en'), small)).toEqual([]);
  });
}

test('the picture keeps its proportions and its place while steps change', async ({ page }) => {
  for (const [width, shape] of [[390, /^0 0 720 \d+$/], [1440, /^0 0 1600 900$/]]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, 'step=1');
    const svg = page.locator(STAGE).first();
    await expect(svg).toHaveAttribute('viewBox', shape);
    const box = await svg.boundingBox();
    const [, , wide, high] = (await svg.getAttribute('viewBox')).split(' ').map(Number);
    expect(box.width / box.height).toBeCloseTo(wide / high, 2);
    for (let step = 2; step <= 6; step++) {
      await page.getByTestId('next').click();
      expect(await svg.boundingBox()).toEqual(box);
    }
  }
});

for (const width of [390, 768, 1440]) {
  test(`nothing moves while the page comes, and the present chapter is in sight in its list (${width} px)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(() => {
      globalThis.__moved = [];
      const note = (list) => {
        for (const shift of list.getEntries())
          globalThis.__moved.push(`${shift.value.toFixed(4)} ${shift.sources.map(({ node }) => node?.className ?? node?.nodeName)}`);
      };
      new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true });
    });
    for (const query of ['lang=en', 'lang=zh', 'lang=en&scene=dispatch', 'lang=zh&room=calculate']) {
      await page.goto(`./?${query}`);
      await usable(page);
      await page.waitForTimeout(500);
      expect(await page.evaluate(() => globalThis.__moved), query).toEqual([]);
      const present = page.locator('.chapters [aria-current]');
      if (!query.includes('room')) await expect(present, query).toBeInViewport({ ratio: 0.95 });
    }
  });
}
