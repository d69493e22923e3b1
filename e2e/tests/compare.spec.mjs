// The room of scenarios side by side: ready pairs give the documents' figures, what is turned shows its difference, ways
// end at the figures, and an address brings all of it back.
import { test, expect, expectAccessible } from '../fixtures.mjs';
import { brokenNumbers, complete, figures, keysOf, notice, open, type } from '../reading.mjs';

const card = (page, letter) => page.locator(`[data-case="${letter}"]`);

/** A figure's values in a part of the page, in their order. */
const values = async (page, selector, id) =>
  (await figures(page, selector)).filter((line) => line.startsWith(`${id} = `)).map((line) => Number(line.split(' = ')[1]));

/** Those of a figure in the table of figures, case by case. */
const inTable = (page, id) => values(page, '[data-table="compare"]', id);

const choose = (page, pair) => page.getByTestId('pair').selectOption(pair);

/** What the documents and the checkpoints say of each pair: figure, A, B, and the digits that are said. */
const PAIRS = {
  'kv-placement': ['cache.batch.bytes_per_gpu', 32 * 5_687_255_040 / 8, 32 * 5_687_255_040, 0],
  'link-rate': ['network.flops_per_byte', 2199, 4398, 0],
  'experts-drawn': ['moe.distinct_experts', 152.01, 151.24, 2],
  'gb-gib': ['gpu.memory.bytes', 141e9, 141 * 2 ** 30, 0],
  'cache-rows': ['cache.row.bytes', 1024, 584, 0],
  'index-keys': ['cache.indexer_row.bytes', 132, 68, 0],
};

/** The same where the documents print fewer digits: in units of 1e9, or of milliseconds. */
const ROUNDED = {
  'weight-formats': ['weights.bytes_per_gpu', 1e9, ['112.6', '114.9']],
  'kv-placement': ['memory.bytes_per_gpu', 1e9, ['130.9', '290.1']],
};

test('every ready pair gives the documents’ figures and says what they mean', async ({ page }) => {
  await open(page, 'room=compare&lang=en');
  const names = await page.locator('[data-pair]').evaluateAll((all) => all.map((e) => e.dataset.pair));
  expect(names).toEqual(expect.arrayContaining(Object.keys(PAIRS)));
  for (const name of names) {
    await choose(page, name);
    await expect(page.getByTestId('pair')).toHaveValue(name);
    await expect(page.getByTestId('meaning')).toHaveText(/\d.*\d/);
    await expect(page.locator('[data-case]')).toHaveCount(2);
    const [id, a, b, digits] = PAIRS[name] ?? [];
    if (id) await expect.poll(async () => (await inTable(page, id)).map((value) => value.toFixed(digits)), name).toEqual([a, b].map((value) => value.toFixed(digits)));
    const [rounded, unit, shown] = ROUNDED[name] ?? [];
    if (rounded) await expect.poll(async () => (await inTable(page, rounded)).map((value) => (value / unit).toFixed(1)), name).toEqual(shown);
    expect(await brokenNumbers(page)).toEqual([]);
  }
  await choose(page, 'report-exact');
  await expect.poll(async () => (await values(page, '[data-case="a"]', 'decode.step_s')).map((s) => (s * 1000).toFixed(2))).toEqual(['14.36']);
  await expect(card(page, 'b').locator('[data-figure="decode.floor_s"]')).toHaveAttribute('data-value', /^0\.\d/);
  await expect(card(page, 'a').locator('[data-fits]')).toHaveAttribute('data-fits', 'true');
  await expect(card(page, 'b').locator('[data-fits]')).toHaveAttribute('data-fits', 'false');
});

test('what is turned after a pin shows its difference, and Back takes it away step by step', async ({ page }) => {
  await open(page, 'room=compare&ledger=report&lang=en');
  await expect(page.getByTestId('begin')).toBeVisible();
  await page.getByTestId('pin').click();
  await expect(page.getByTestId('alike')).toBeVisible();
  await expect.poll(() => keysOf(page)).toMatchObject({ with: 'ledger=report' });
  await type(page, 'batch', '64');
  const steps = async () => (await inTable(page, 'decode.step_s')).map((s) => (s * 1000).toFixed(2));
  await expect.poll(steps).toEqual(['13.16', '20.63']);
  await expect(page.getByTestId('alike')).toBeHidden();
  const changed = page.locator('[data-table="compare-values"] tbody tr').first();
  await expect(changed.locator('td')).toHaveCount(2);
  // The current one's figures open their derivation, the pinned one's do not.
  await page.locator('[data-table="compare"] button[data-figure="decode.step_s"]').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goBack();
  await expect(page.getByTestId('alike')).toBeVisible();
  await page.goBack();
  await expect(page.getByTestId('begin')).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect.poll(steps).toEqual(['13.16', '20.63']);
  await page.locator('[data-which="all"]').click();
  const rows = page.locator('[data-table="compare"] tbody tr');
  const all = await rows.count();
  await page.locator('[data-which="differing"]').click();
  await expect.poll(() => rows.count()).toBeLessThan(all);
});

test('a pinned one changes places with the current one, and is removed', async ({ page }) => {
  await open(page, 'room=compare&ledger=report&batch=64&with=ledger%3Dreport&lang=en');
  const step = (letter) => values(page, `[data-case="${letter}"]`, 'decode.step_s');
  const [[a], [b]] = [await step('a'), await step('b')];
  expect(b).toBeGreaterThan(a);
  await card(page, 'a').getByTestId('swap').click();
  await expect.poll(async () => [...(await step('a')), ...(await step('b'))]).toEqual([b, a]);
  await expect.poll(() => keysOf(page)).toMatchObject({ ledger: 'report', with: 'ledger=report&batch=64' });
  expect(keysOf(page)).not.toHaveProperty('batch');
  await card(page, 'a').getByTestId('remove').click();
  await expect(page.getByTestId('begin')).toBeVisible();
  await expect.poll(() => keysOf(page)).not.toHaveProperty('with');
});

test('a way begins and ends at the cases’ figures, whichever is asked for', async ({ page }) => {
  const beside = ['ledger=exact', 'ledger=exact&batch=16'].map((query) => `with=${encodeURIComponent(query)}`).join('&');
  await open(page, `room=compare&ledger=exact&gpu=b300&batch=32&${beside}&lang=en`);
  const ends = async (name, id) => {
    await page.locator(`[data-drawn="${name}"]`).scrollIntoViewIfNeeded();
    return values(page, `[data-drawn="${name}"] svg`, id);
  };
  const need = async (letter) => (await values(page, `[data-case="${letter}"]`, 'memory.bytes_per_gpu'))[0];
  await expect.poll(() => ends('waterfall-memory', 'memory.bytes_per_gpu')).toEqual([await need('a'), await need('c')]);
  await page.locator('[data-goal="b"]').click();
  await expect.poll(() => ends('waterfall-memory', 'memory.bytes_per_gpu')).toEqual([await need('a'), await need('b')]);
  await expect.poll(async () => (await ends('waterfall-step', 'decode.floor_s')).length).toBe(2);
  await page.getByTestId('topic').selectOption('cache_per_request');
  await expect.poll(async () => (await ends('waterfall-request', 'cache.request.bytes')).length).toBe(2);
  // The same numbers stand in its table.
  const way = page.locator('[data-drawn="waterfall-memory"]');
  await way.getByTestId('chart-table').click();
  const told = await values(page, '[data-drawn="waterfall-memory"] table', 'memory.bytes_per_gpu');
  expect([told[0], told.at(-1)]).toEqual([await need('a'), await need('b')]);
});

test('a link opens the same, in another ledger and with three beside it', async ({ page }) => {
  const beside = ['', 'ledger=report&units=gb', 'ledger=exact&layout=dp_attention_ep'].map((query) => `with=${encodeURIComponent(query)}`);
  await open(page, `room=compare&ledger=exact&batch=64&${beside.join('&')}&lang=en`);
  await expect(page.locator('[data-case]')).toHaveCount(4);
  const before = await figures(page, 'main');
  await page.reload();
  await complete(page);
  await expect.poll(() => figures(page, 'main')).toEqual(before);
});

test('more than three are refused, in an address and by the button', async ({ page }) => {
  const beside = [8, 16, 24, 32].map((batch) => `with=${encodeURIComponent(`ledger=exact&batch=${batch}`)}`);
  await open(page, `room=compare&ledger=exact&${beside.join('&')}&lang=en`);
  await expect(notice(page).getByRole('listitem')).toHaveCount(1);
  await expect(page.locator('[data-case]')).toHaveCount(4);
  await expect(page.getByTestId('pin')).toBeDisabled();
  await expect(page.getByTestId('pin-reason')).not.toBeEmpty();
  await card(page, 'b').getByTestId('remove').click();
  await expect(page.getByTestId('pin')).toBeEnabled();
  await expect(page.getByTestId('pin-reason')).toBeHidden();
});

test('the room of tables pins and leads here', async ({ page }) => {
  await open(page, 'room=calculate&ledger=exact&batch=16&lang=en');
  await page.getByTestId('pin').click();
  await expect(page.locator('[data-case]')).toHaveCount(2);
  await expect.poll(() => keysOf(page)).toMatchObject({ room: 'compare', batch: '16', with: 'ledger=exact&batch=16' });
  await page.goBack();
  await expect(page.locator('[data-table="scan"]')).toBeVisible();
  await expect.poll(() => keysOf(page)).not.toHaveProperty('with');
});

for (const [width, theme, lang] of [[390, 'dark', 'en'], [1440, 'light', 'zh']]) {
  test(`axe finds nothing in it and nothing is wider than the page (${width} px)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `room=compare&theme=${theme}&lang=${lang}`);
    await expectAccessible(page);
    await choose(page, 'attention-layout');
    await expect(page.locator('[data-case]')).toHaveCount(2);
    await page.locator('details:not([open]) > summary').evaluateAll((all) => all.forEach((e) => e.click()));
    for (const fold of await page.getByTestId('chart-table').all()) await fold.click();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
}
