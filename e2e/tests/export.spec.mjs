// Exported files: SVG that stands alone and looks the same elsewhere, CSV with the page's numbers.
import { test, expect } from '../fixtures.mjs';
import { inkOf, read, saved } from '../exported.mjs';
import { CHAPTER, CONTEXTS, FIRST, figures, follow, open, scenes, STAGE } from '../reading.mjs';

const CHART = '[data-testid="charts"]';
const FILES = { 'save-still': `one-token-eight-gpus-${CHAPTER}.svg`, 'save-chart': 'one-token-eight-gpus-cache.svg' };
const CARD = { light: [255, 255, 255], dark: [26, 32, 39] };
const chinese = /\p{Script=Han}/u;

for (const theme of ['light', 'dark']) {
  for (const lang of ['zh', 'en']) {
    test(`exported pictures stand alone (${theme}, ${lang})`, async ({ page, baseURL }) => {
      await open(page, `context=131072&batch=9&lang=${lang}&theme=${theme}`);
      for (const [testid, name] of Object.entries(FILES)) {
        const { name: given, text } = await saved(page, testid);
        expect(given).toBe(name);
        const file = await read(page, text);
        expect(file).toMatchObject({ wellFormed: true, outside: [], foreign: [] });
        expect(text).not.toMatch(/var\(|\bNaN\b|\binf\b|undefined|--[a-z]/);
        expect(file.fonts).toMatch(/Noto Sans CJK SC|Noto Sans SC/);
        expect(file.description.length).toBeGreaterThan(10);
        const words = [file.title, file.description, ...file.texts].join('\n');
        if (lang === 'en') expect(words).not.toMatch(chinese);
        expect(chinese.test(file.title) && chinese.test(file.texts.join())).toBe(lang === 'zh');
        expect(Object.fromEntries(new URLSearchParams(file.scenario))).toEqual({ context: '131072', batch: '9' });
        expect(file.link.startsWith(baseURL)).toBe(true);
        expect(new URL(file.link).searchParams.get('context')).toBe('131072');
        expect(file.figures.length).toBeGreaterThan(0);
        expect(await figures(page, testid === 'save-still' ? STAGE : `${CHART} svg`)).toEqual(expect.arrayContaining(file.figures));
        const ink = await inkOf(page, text);
        expect(ink, 'pixels outside the viewBox and without ground').toMatchObject({ outside: 0, holes: 0, ground: CARD[theme] });
        expect(ink.colours).toBeGreaterThan(20);
      }
    });
  }
}

for (const [ledger, load] of [['tutorial', 'context=1&batch=1&tp=1&gpu_memory_gib=8'], ['report', ''], ['exact', 'context=1048576&batch=1024&tp=16&gpu_memory_gib=1024']]) {
  test(`all ink lies inside the files of the ${ledger} ledger with ${load || 'its defaults'}`, async ({ page }) => {
    for (const lang of ['zh', 'en']) {
      await open(page, [`ledger=${ledger}&lang=${lang}`, load].filter(Boolean).join('&'));
      for (const testid of Object.keys(FILES)) {
        const { text } = await saved(page, testid);
        expect((await read(page, text)).wellFormed).toBe(true);
        expect(await inkOf(page, text), `${testid}, ${lang}`).toMatchObject({ outside: 0, holes: 0 });
      }
    }
  });
}

for (const lang of ['zh', 'en']) {
  test(`a still of every scene stands alone (${lang})`, async ({ page }) => {
    await open(page, `lang=${lang}&theme=dark`);
    for (const scene of await scenes(page)) {
      await test.step(scene, async () => {
        await follow(page, `scene=${scene}`);
        const { name, text } = await saved(page, 'save-still');
        expect(name).toBe(`one-token-eight-gpus-${scene}.svg`);
        expect(text).not.toMatch(/var\(|\bNaN\b|\binf\b|undefined/);
        const file = await read(page, text);
        expect(file).toMatchObject({ wellFormed: true, outside: [], foreign: [] });
        expect(new URL(file.link).searchParams.get('scene') ?? FIRST).toBe(scene);
        expect(await inkOf(page, text)).toMatchObject({ outside: 0, holes: 0 });
      });
    }
  });
}

test('a still of a phone is the phone\'s picture, and of a moment that moment', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'step=3&t=0.5');
  const { text } = await saved(page, 'save-still');
  const { viewBox, figures: parts } = await read(page, text);
  const shown = await page.locator(STAGE).first().getAttribute('viewBox');
  expect(viewBox).toEqual(shown.split(' ').map(Number));
  expect(viewBox[2]).toBe(720);
  expect(await inkOf(page, text)).toMatchObject({ outside: 0, holes: 0 });
  expect(parts.length).toBeGreaterThan(0);
  const heights = (source) =>
    page.evaluate((source) => {
      const root = source.startsWith('<svg') ? new DOMParser().parseFromString(source, 'image/svg+xml') : document.querySelector(source);
      return [...root.querySelectorAll('[data-figure="weights.routed.bytes_per_gpu"]')].map((e) => e.getAttribute('height'));
    }, source);
  expect(await heights(text)).toEqual(await heights(STAGE));
  expect(new Set(await heights(text)).size, 'cards at different moments').toBeGreaterThan(1);
});

test('a file opened on its own shows what the page shows', async ({ page, context }) => {
  await open(page, 'lang=en');
  const { text } = await saved(page, 'save-still');
  const alone = await context.newPage();
  const asked = [];
  alone.on('request', (request) => asked.push(request.url()));
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await alone.goto(address);
  const texts = (where) => [...where.querySelectorAll('text')].filter((e) => e.getAttribute('display') !== 'none').map((e) => e.textContent);
  expect(await alone.evaluate(`(${texts})(document)`)).toEqual(await page.evaluate(`(${texts})(document.querySelector('${STAGE}'))`));
  expect(asked.filter((url) => url !== address)).toEqual([]);
  const outside = await alone.evaluate(() => {
    const { width, height } = document.documentElement.viewBox.baseVal;
    const marks = [...document.querySelectorAll('svg > :is(rect, path, circle, text)')];
    const sides = marks.map((e) => [e, e.getBBox()]).filter(([, box]) => box.x < -0.5 || box.x + box.width > width + 0.5 || box.y < -0.5 || (box.y + box.height > height + 0.5));
    return { marks: marks.length, outside: sides.map(([e]) => e.outerHTML) };
  });
  expect(outside.marks).toBeGreaterThan(100);
  expect(outside.outside).toEqual([]);
  await alone.close();
});

for (const query of ['', 'ledger=report&context=4096', 'ledger=exact&mtp=true&units=gb&lang=en']) {
  test(`the chart's CSV holds the page's numbers (${query || 'default'})`, async ({ page }) => {
    await open(page, query);
    const { name, text } = await saved(page, 'save-csv');
    expect(name).toBe('one-token-eight-gpus-cache.csv');
    expect(text.endsWith('\n')).toBe(true);
    const [head, ...rows] = text.trimEnd().split('\n').map((line) => line.split(','));
    expect(head.at(0)).toBe('context');
    expect(head.at(-1)).toBe('total');
    const table = new Map(rows.map((row) => [row[0], row.map(Number)]));
    for (const row of table.values()) {
      expect(row.length).toBe(head.length);
      expect(row.every(Number.isFinite)).toBe(true);
      expect(row.slice(1, -1).reduce((sum, part) => sum + part, 0)).toBe(row.at(-1));
    }
    // At the scenario's own context: what the chart marks.
    const here = await page.locator('[data-control="context"]').getByRole('textbox').inputValue();
    const own = table.get(here.replace(/\D/g, ''));
    expect(await figures(page, `${CHART} svg`)).toEqual([`cache.request.bytes = ${own.at(-1)}`]);
    // And at the contexts of the other table.
    for (const line of await page.locator(`${CONTEXTS} [data-context]`).all()) {
      const total = await line.locator('[data-figure="cache.request.bytes"]').getAttribute('data-value');
      expect(table.get(await line.getAttribute('data-context')).at(-1)).toBe(Number(total));
    }
  });
}
