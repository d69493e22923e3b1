// The room of measurements: every published row with its filters, what to expect of a step, and the reader's own point
// judged.
import { test, expect, expectAccessible } from '../fixtures.mjs';
import { complete, entry, keysOf, notice, open, type } from '../reading.mjs';

const ROWS = 55;
const FACETS = ['hardware', 'engine', 'plan', 'speculation'];

const published = (page) => page.locator('[data-table="published"]');
const names = (page) => published(page).locator('tbody th').allTextContents();
const facet = (page, name) => page.locator(`[data-facet="${name}"]`);
const judged = (page, key) => page.locator(`[data-judged="${key}"]`);

/** A number that stands by itself within an element. */
const value = async (place, figure) => Number(await place.locator(`[data-figure="${figure}"]`).getAttribute('data-value'));

test('every row is there and leads to its source', async ({ page }) => {
  await open(page, 'room=reality&lang=en');
  await expect(published(page).locator('tbody tr')).toHaveCount(ROWS);
  expect(new Set(await names(page)).size).toBe(ROWS);
  const addresses = await published(page).locator('tbody a').evaluateAll((all) => all.map((a) => a.href));
  expect(addresses.length).toBe(ROWS);
  for (const address of addresses) expect(address).toMatch(/^https:\/\/[^ ]+$/);
});

test('filters part the rows, and the link carries them', async ({ page }) => {
  await open(page, 'room=reality&lang=zh');
  const all = await names(page);
  for (const name of FACETS) {
    const codes = await facet(page, name).locator('option').evaluateAll((options) => options.map((o) => o.value).filter(Boolean));
    const parts = [];
    for (const code of codes) {
      await facet(page, name).selectOption(code);
      await expect.poll(() => keysOf(page).rows).toBe(`${name}-${code}`);
      parts.push(...(await names(page)));
    }
    expect(parts.sort(), name).toEqual([...all].sort());
    await page.getByTestId('all-rows').click();
    await expect(published(page).locator('tbody tr')).toHaveCount(ROWS);
  }
  await facet(page, 'hardware').selectOption('H200');
  await facet(page, 'speculation').selectOption('none');
  await expect.poll(() => keysOf(page)).toMatchObject({ room: 'reality', rows: 'hardware-H200.speculation-none' });
  const some = await names(page);
  expect(some.length).toBeGreaterThan(0);
  await page.reload();
  await complete(page);
  expect(await names(page)).toEqual(some);
  await expect(facet(page, 'hardware')).toHaveValue('H200');
  await page.goBack();
  await expect.poll(() => keysOf(page).rows).toBe('hardware-H200');
  await expect(facet(page, 'speculation')).toHaveValue('');
});

test('a filter that names no row is refused with what there is', async ({ page }) => {
  await open(page, 'room=reality&rows=hardware-H900');
  await expect(notice(page)).toContainText('H900');
  await expect(notice(page)).toContainText('H200');
  await expect(published(page).locator('tbody tr')).toHaveCount(ROWS);
});

test('the latency of a row makes one number of the step', async ({ page }) => {
  await open(page, 'room=reality&lang=en&ledger=exact&tp=16');
  const place = page.getByTestId('expected');
  const floor = await value(place, 'decode.floor_s');
  expect(await value(place, 'decode.step_low_s')).toBeGreaterThan(floor);
  await page.getByTestId('nearest').getByTestId('use-latency').first().click();
  await expect(place.locator('[data-figure="decode.step_s"]')).toHaveCount(1);
  const latency = Number(await entry(page, 'latency_us_per_layer').inputValue());
  expect(latency).toBeGreaterThan(0);
  await expect.poll(() => keysOf(page)).toMatchObject({ latency_us_per_layer: String(latency), tp: '16' });
  expect(await value(place, 'decode.floor_s')).toBe(floor);
  expect(await value(place, 'decode.step_s')).toBeGreaterThan(floor);
  await page.goBack();
  await expect(place.locator('[data-figure="decode.step_low_s"]')).toHaveCount(1);
});

test('the whole situation of a row is that row', async ({ page }) => {
  await open(page, 'room=reality&lang=zh&ledger=exact');
  const row = page.getByTestId('nearest').locator('li').first();
  const id = await row.getAttribute('data-row');
  await row.getByTestId('use-situation').click();
  await expect(published(page).locator('tr.now th')).toContainText([id]);
  await expect(page.getByTestId('nearest').locator('li').first()).toHaveAttribute('data-row', id);
});

test('a value under the floor is impossible, and a suggestion makes it possible', async ({ page }) => {
  await open(page, 'room=reality&lang=en&ledger=exact&batch=64&context=131072');
  const floor = await value(page.getByTestId('expected'), 'decode.floor_s');
  await type(page, 'measured_tpot_ms', String(floor * 600));
  const own = judged(page, 'measured_tpot_ms');
  await expect(own.locator('[data-verdict="impossible"]')).toBeVisible();
  expect(await value(own, 'measured.tpot.floor_s')).toBeCloseTo(floor, 9);
  expect(await value(own, 'measured.tpot.ratio')).toBeCloseTo(0.6, 3);
  await expect.poll(() => keysOf(page).measured_tpot_ms).toBeTruthy();
  const before = keysOf(page);
  await own.getByTestId('assume').first().click();
  await expect(own.locator('[data-verdict]')).not.toHaveAttribute('data-verdict', 'impossible');
  await expect.poll(() => keysOf(page)).not.toEqual(before);
  await page.goBack();
  await expect(own.locator('[data-verdict="impossible"]')).toBeVisible();
});

test('a possible value implies a latency, and each of the three is judged', async ({ page }) => {
  await open(page, 'room=reality&lang=zh&ledger=exact&measured_tpot_ms=40&measured_ttft_ms=900000&measured_kv_tokens=1000');
  for (const key of ['measured_tpot_ms', 'measured_ttft_ms', 'measured_kv_tokens']) {
    await expect(judged(page, key).locator('[data-verdict]')).not.toHaveAttribute('data-verdict', 'impossible');
  }
  const own = judged(page, 'measured_tpot_ms');
  expect(await value(own, 'measured.tpot.per_layer_s')).toBeGreaterThan(0);
  await own.getByTestId('use-measured').click();
  const step = () => value(page.getByTestId('expected'), 'decode.step_s');
  await expect.poll(async () => Math.abs((await step()) - 0.04) < 1e-5).toBe(true);
});

test('what is no number is refused and changes nothing', async ({ page }) => {
  await open(page, 'room=reality&lang=en&measured_tpot_ms=40');
  for (const text of ['abc', '-1', '1e99', 'NaN', '４０']) {
    await type(page, 'measured_tpot_ms', text);
    await expect(notice(page)).toContainText(text);
    await expect(entry(page, 'measured_tpot_ms')).toHaveValue('40');
  }
  expect(keysOf(page).measured_tpot_ms).toBe('40');
});

test('under another ledger the room says that it speaks of the exact one, and leaves the choice alone', async ({ page }) => {
  await open(page, 'room=reality&lang=en&ledger=report&tp=16');
  await expect(page.getByTestId('exact-alone')).toBeVisible();
  const floor = await value(page.getByTestId('expected'), 'decode.floor_s');
  await page.getByTestId('nearest').getByTestId('use-latency').first().click();
  await expect.poll(() => keysOf(page)).toMatchObject({ ledger: 'report', latency_us_per_layer: expect.stringMatching(/^[0-9.]+$/) });
  await page.goBack();
  await expect.poll(() => keysOf(page)).toEqual({ room: 'reality', lang: 'en', ledger: 'report', tp: '16', scene: 'place' });
  await page.locator('[data-ledger="exact"]').click();
  await expect(page.getByTestId('exact-alone')).toHaveCount(0);
  expect(await value(page.getByTestId('expected'), 'decode.floor_s')).toBe(floor);
});

for (const [width, theme, lang] of [[390, 'dark', 'en'], [390, 'light', 'zh'], [1440, 'light', 'zh'], [1440, 'dark', 'en']]) {
  test(`axe finds nothing in it and nothing is wider than the page (${width} px, ${lang})`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `room=reality&theme=${theme}&lang=${lang}&batch=64&measured_tpot_ms=1&measured_ttft_ms=5000&measured_kv_tokens=99999999`);
    await page.locator('details:not([open]) > summary').evaluateAll((all) => all.forEach((e) => e.click()));
    await expect(page.locator('[data-verdict="impossible"]')).not.toHaveCount(0);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
}
