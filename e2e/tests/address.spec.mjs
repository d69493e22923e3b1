// The address holds the view: only what differs from the default, again after reload and elsewhere; Back undoes.
import { test, expect } from '../fixtures.mjs';
import { atSpeed, CHAPTER, complete, drag, entry, expectKeys, figures, KEYS, moment, open, scenes, slider, SLOW, stage, type, view } from '../reading.mjs';

/** Everything changed once, by hand. */
const CHANGED = { ledger: 'exact', context: '200000', batch: '16', tp: '16', gpu_memory_gib: '96', units: 'gb', lang: 'en', theme: 'dark', step: '3' };

async function changeEverything(page) {
  await page.locator('[data-ledger="exact"]').click();
  for (const key of KEYS) await type(page, key, CHANGED[key]);
  await page.getByRole('button', { name: 'GB', exact: true }).click();
  await page.getByTestId('language').click();
  await page.getByTestId('theme').click();
  await page.locator('[data-step="experts"]').click();
  await expectKeys(page, CHANGED);
}

const historyLength = (page) => page.evaluate(() => history.length);

test('the address holds what differs from the default and nothing else', async ({ page }) => {
  await open(page);
  await expectKeys(page, {});
  await changeEverything(page);
  await page.getByTestId('reset').click();
  await expectKeys(page, { ledger: 'exact', units: 'gb', lang: 'en', theme: 'dark', step: '3' });
  await page.locator('[data-ledger="tutorial"]').click();
  await page.getByRole('button', { name: 'GiB', exact: true }).click();
  await page.locator('[data-step="verdict"]').click();
  await expectKeys(page, { lang: 'en', theme: 'dark' });
});

test('what a link spells out though it is the default falls away with the next change', async ({ page }) => {
  await open(page, 'ledger=tutorial&context=32768&batch=9&tp=8&units=gib&scene=journey&step=8&t=1');
  await page.getByTestId('theme').click();
  await expectKeys(page, { batch: '9', theme: 'dark', scene: undefined });
});

test('reload and another browser show the same view', async ({ page, browser }) => {
  await open(page);
  await changeEverything(page);
  const before = await view(page);
  await page.reload();
  await complete(page);
  expect(await view(page)).toEqual(before);
  const other = await browser.newContext({ locale: 'zh-CN', colorScheme: 'light', viewport: { width: 1440, height: 900 } });
  const there = await other.newPage();
  await there.goto(page.url());
  await complete(there);
  expect(await view(there)).toEqual(before);
  await other.close();
});

test('a step stopped on its way comes back where it stood', async ({ page }) => {
  await atSpeed(page, SLOW);
  await open(page, 'step=2');
  await page.getByTestId('play').click();
  await expect.poll(async () => (await moment(page)).t).toBeGreaterThan(0.01);
  await page.getByTestId('play').click();
  const before = await view(page);
  expect(before.moment.step).toBe(3);
  expect(before.moment.t).toBeLessThan(1);
  await expectKeys(page, { step: '3', t: before.moment.t.toFixed(3) });
  await page.reload();
  await complete(page);
  expect(await view(page)).toEqual(before);
});

test('a drag is one entry of the history, and Back returns to the value before it', async ({ page }) => {
  await open(page, 'context=1000&batch=3');
  const [before, entries] = [await view(page), await historyLength(page)];
  await drag(page, 'context', [0.3, 0.4, 0.7, 0.5, 0.9]);
  const value = await entry(page, 'context').inputValue();
  const after = await view(page);
  await expect.poll(() => new URL(page.url()).searchParams.get('context')).toBe(value.replace(/\D/g, ''));
  expect(await historyLength(page)).toBe(entries + 1);
  await page.goBack();
  await expect.poll(() => view(page)).toEqual(before);
  await expectKeys(page, { context: '1000', batch: '3' });
  await page.goForward();
  await expect.poll(() => view(page)).toEqual(after);
});

test('a key held down is one entry too', async ({ page }) => {
  await open(page);
  const [before, entries] = [await figures(page), await historyLength(page)];
  await slider(page, 'context').focus();
  for (let repeat = 0; repeat < 6; repeat++) await page.keyboard.down('ArrowRight');
  await page.keyboard.up('ArrowRight');
  await expect.poll(() => figures(page)).not.toEqual(before);
  expect(await historyLength(page)).toBe(entries + 1);
  await page.goBack();
  await expect.poll(() => figures(page)).toEqual(before);
});

test('a drag that ends where it began does not swallow the next one', async ({ page }) => {
  await open(page);
  const before = await view(page);
  // Taken at the thumb, away and back.
  const at = await slider(page, 'context').evaluate((e) => (12 + (e.value / e.max) * (e.clientWidth - 24)) / e.clientWidth);
  await drag(page, 'context', [at, at - 0.2, at]);
  expect((await view(page)).entries).toEqual(before.entries);
  await drag(page, 'batch', [0.8, 0.7]);
  expect((await view(page)).entries).not.toEqual(before.entries);
  await page.goBack();
  await expect.poll(() => view(page)).toEqual(before);
});

test('each discrete choice is one entry, and Back undoes them one by one', async ({ page }) => {
  await open(page);
  const steps = [await view(page)];
  const entries = await historyLength(page);
  const choices = [
    () => slider(page, 'batch').press('ArrowRight'),
    () => slider(page, 'batch').press('ArrowRight'),
    () => type(page, 'context', '5000'),
    () => page.getByTestId('take-cut').click(),
    () => page.locator('[data-ledger="exact"]').click(),
    () => page.getByTestId('reset').click(),
  ];
  for (const [index, choose] of choices.entries()) {
    await choose();
    const now = await view(page);
    expect(now.figures, `choice ${index + 1}`).not.toEqual(steps.at(-1).figures);
    expect(await historyLength(page), `entries after choice ${index + 1}`).toBe(entries + index + 1);
    steps.push(now);
  }
  for (const before of steps.slice(0, -1).reverse()) {
    await page.goBack();
    await expect.poll(() => view(page)).toEqual(before);
  }
  await expectKeys(page, {});
});

test('a chapter is one entry, and a link to a step of it comes back', async ({ page }) => {
  await open(page, 'batch=12');
  const [before, entries] = [await view(page), await historyLength(page)];
  const names = await scenes(page);
  test.skip(names.length < 2, 'there is but one chapter');
  const other = names.find((name) => name !== CHAPTER);
  await page.locator(`[data-scene="${other}"]`).click();
  await page.locator('[data-step]').nth(1).click();
  await expectKeys(page, { batch: '12', scene: other, step: '2' });
  expect(await historyLength(page)).toBe(entries + 1);
  const there = await view(page);
  expect(there.told).not.toBe(before.told);
  await page.reload();
  await complete(page);
  expect(await view(page)).toEqual(there);
  await page.goBack();
  await expect.poll(() => view(page)).toEqual(before);
});

test('a choice that changes nothing is no entry', async ({ page }) => {
  await open(page);
  const entries = await historyLength(page);
  await page.getByTestId('reset').click();
  await page.locator('[data-ledger="tutorial"]').click();
  await type(page, 'context', '32768');
  expect(await historyLength(page)).toBe(entries);
});

test('languages, themes, units and steps lose nothing and add no entry', async ({ page }) => {
  await open(page, 'ledger=report&context=5000&batch=3&units=gb&step=4');
  const [before, entries] = [await view(page), await historyLength(page)];
  const keys = { ledger: 'report', context: '5000', batch: '3', units: 'gb', step: '4' };
  await page.getByTestId('language').click();
  await expectKeys(page, { ...keys, lang: 'en' });
  await page.getByTestId('theme').click();
  await expectKeys(page, { ...keys, lang: 'en', theme: 'dark' });
  await page.getByTestId('previous').click();
  await expectKeys(page, { ...keys, lang: 'en', theme: 'dark', step: '3' });
  await page.getByTestId('next').click();
  await page.getByTestId('language').click();
  await page.getByTestId('theme').click();
  await expectKeys(page, { ...keys, lang: 'zh', theme: 'light' });
  expect(await view(page)).toEqual(before);
  expect(await historyLength(page)).toBe(entries);
});

test('Back takes the figures back and leaves language and theme as they are', async ({ page }) => {
  await open(page);
  const before = await figures(page);
  await type(page, 'context', '5000');
  await page.getByTestId('language').click();
  await page.getByTestId('theme').click();
  await expectKeys(page, { context: '5000', lang: 'en', theme: 'dark' });
  await page.goBack();
  await expect.poll(() => figures(page)).toEqual(before);
  const { lang, theme } = await view(page);
  expect({ lang, theme }).toEqual({ lang: 'en', theme: 'dark' });
});

test('Back while a step plays stops it', async ({ page }) => {
  await atSpeed(page, SLOW);
  await open(page, 'step=2');
  await type(page, 'batch', '5');
  await page.getByTestId('play').click();
  await expect.poll(async () => (await moment(page)).step).toBe(3);
  await page.goBack();
  await expect.poll(() => moment(page)).toEqual({ step: 2, t: 1 });
  await expect(entry(page, 'batch')).toHaveValue('8');
  await stage(page).focus();
});

test('a shared link shows the same chart and the same comparison', async ({ page, context }) => {
  await open(page, 'room=compare&with=batch%3D64');
  await page.locator('[data-which="all"]').click();
  await expect(page.locator('[data-which="all"]')).toHaveAttribute('aria-pressed', 'true');
  await page.getByTestId('topic').selectOption('cache_per_gpu');
  await expect.poll(() => new URL(page.url()).search).toMatch(/figures=all&way=cache_per_gpu/);
  const fresh = await context.newPage();
  await fresh.goto(page.url());
  await expect(fresh.locator('[data-which="all"]')).toHaveAttribute('aria-pressed', 'true');
  await expect(fresh.getByTestId('topic')).toHaveValue('cache_per_gpu');
  await fresh.close();
  await open(page, 'room=calculate');
  await page.getByTestId('chart').selectOption('roofline');
  await expect.poll(() => new URL(page.url()).search).toMatch(/chart=roofline/);
  await page.reload();
  await expect(page.getByTestId('chart')).toHaveValue('roofline');
  await page.getByTestId('chart').selectOption('memory-context');
  await expect.poll(() => new URL(page.url()).search).not.toMatch(/chart=/);
});
