// The room of tables: the report's own digits, sorting, choosing, copying, cases by name, and a link back to it.
import { test, expect, expectAccessible } from '../fixtures.mjs';
import { complete, entry, figures, keysOf, open } from '../reading.mjs';

const table = (page, name) => page.locator(`[data-table="${name}"]`);

/** The rows of a table as texts, spaces between groups of digits gone. */
const rows = (page, name) =>
  table(page, name).locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.replace(/\u00a0/g, '').trim())));

/** What the report prints of a step of 32 requests at 1M tokens: read, computed, HBM ms, compute ms, taken ms. */
const STAGES = [
  ['19.1', '1.22', '0.711636', '0.193318', '0.71'],
  ['37.6', '6.58', '1.39893', '1.186867', '1.40'],
  ['306.7', '1.81', '11.411729', '0.380094', '11.41'],
  ['0.93', '0.06', '0.034475', '0.009365', '0.03'],
];

/** What it prints batch by batch: context, batch, experts, memory, read, caches, links, step, rate. */
const SCAN = [
  ['128K', '16', '85.04', '109.55', '173.35', '2.66', '0.02', '8.09', '1977'],
  ['128K', '128', '332.17', '119.56', '671.28', '21.29', '0.17', '27.78', '4607'],
  ['1M', '32', '151.24', '130.87', '306.75', '37.60', '0.04', '14.36', '2229'],
  ['1M', '512', '383.87', '472.11', '775.46', '601.65', '0.70', '56.07', '9131'],
];

for (const lang of ['zh', 'en']) {
  test(`the report's tables stand there digit for digit (${lang})`, async ({ page }) => {
    await open(page, `room=calculate&lang=${lang}`);
    await page.getByTestId('preset').selectOption('report-long');
    await expect.poll(() => keysOf(page)).toMatchObject({ ledger: 'report', context: '1048576', units: 'gb' });
    const stages = await rows(page, 'stages');
    for (const [index, wanted] of STAGES.entries()) expect(stages[index]).toEqual(expect.arrayContaining(wanted));
    const scan = await rows(page, 'scan');
    for (const wanted of SCAN) expect(scan.map((row) => wanted.filter((digits) => row.includes(digits)).length)).toContain(wanted.length);
    expect(await figures(page, '[data-table="stages"]')).toEqual(expect.arrayContaining([expect.stringMatching(/^decode\.step_s = 0\.0143/)]));
  });
}

test('a head sorts, both ways and back', async ({ page }) => {
  await open(page, 'room=calculate&ledger=report');
  const column = async () => (await rows(page, 'scan')).map((row) => Number(row[3]));
  const before = await column();
  const head = table(page, 'scan').locator('thead th').nth(3);
  await head.getByRole('button').click();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  const up = [...before].sort((a, b) => a - b);
  expect(await column()).toEqual(up);
  await head.getByRole('button').click();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  expect(await column()).toEqual(up.reverse());
  await head.getByRole('button').click();
  expect(await column()).toEqual(before);
});

test('a row is chosen by its name, a figure opens its derivation, and a link comes back', async ({ page }) => {
  await open(page, 'room=calculate&ledger=report&lang=en');
  await table(page, 'scan').locator('tbody tr').nth(15).getByRole('button').click();
  await expect(table(page, 'scan').locator('tr.now')).toHaveCount(1);
  const batch = await entry(page, 'batch').inputValue();
  expect((await rows(page, 'scan')).some((row) => row[1] === batch)).toBe(true);
  await expect.poll(() => keysOf(page)).toMatchObject({ room: 'calculate', ledger: 'report', batch });
  await page.reload();
  await complete(page);
  await expect(entry(page, 'batch')).toHaveValue(batch);
  await table(page, 'stages').locator('button.figure').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.locator('[data-room="walk"]').click();
  await expect(page.getByTestId('play')).toBeVisible();
  await page.goBack();
  await expect(table(page, 'scan')).toBeVisible();
});

test('a table is copied for a spreadsheet', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 'room=calculate&ledger=exact&lang=en');
  await table(page, 'layers').getByRole('button', { name: 'TSV' }).click();
  await expect(table(page, 'layers').getByRole('status')).not.toBeEmpty();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
  expect(lines.length).toBe(1 + (await rows(page, 'layers')).length);
  expect(new Set(lines.map((line) => line.split('\t').length)).size).toBe(1);
});

for (const [width, theme, lang] of [[390, 'dark', 'en'], [1440, 'light', 'zh']]) {
  test(`axe finds nothing in it and nothing is wider than the page (${width} px)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `room=calculate&ledger=exact&theme=${theme}&lang=${lang}`);
    await page.locator('details:not([open]) > summary').evaluateAll((all) => all.forEach((e) => e.click()));
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
}
