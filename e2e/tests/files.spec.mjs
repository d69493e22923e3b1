// What a reader brings and takes: links, embed code, scenarios and models as files, pictures of pixels, a printed page.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { test, expect } from '../fixtures.mjs';
import { complete, entry, figures, keysOf, notice, open } from '../reading.mjs';
import { read, saved } from '../exported.mjs';

const config = (name) => readFile(fileURLToPath(new URL(`../../model-core/tests/configs/${name}`, import.meta.url)));
const said = (page) => page.getByTestId('file-said');
const everything = async (page) => JSON.stringify([await figures(page), page.url()]);

/** Brings bytes as a chosen file. */
const bring = (page, buffer, name = 'brought.json') =>
  page.getByTestId('open-file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(buffer) });

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

test('a scenario saved as a file opens elsewhere with the same figures', async ({ page, browser, baseURL }) => {
  await open(page, 'room=calculate&ledger=exact&context=131072&batch=64&gpu=b300&units=gb');
  const { name, text } = await saved(page, 'save-json');
  expect(name).toBe('one-token-eight-gpus.json');
  const file = JSON.parse(text);
  expect(file).toMatchObject({ ledger: 'exact', units: 'gb', scenario: { context: 131072, batch: 64, gpu: 'b300' } });
  for (const figure of await figures(page, '.keys')) {
    const [id, value] = figure.split(' = ');
    expect(String(file.figures[id].value ?? ''), id).toBe(value);
  }
  const here = await figures(page);
  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  await open(other, 'room=calculate');
  await bring(other, text);
  await expect(said(other)).not.toBeEmpty();
  await expect.poll(() => figures(other)).toEqual(here);
  await expect.poll(() => keysOf(other)).toMatchObject({ ledger: 'exact', gpu: 'b300', batch: '64' });
  await other.goBack();
  await expect(entry(other, 'batch')).not.toHaveValue('64');
  await context.close();
});

test('a model of the reader’s own is taken by pasting, and given back', async ({ page }) => {
  await open(page, 'room=calculate&ledger=exact&lang=en');
  const before = await figures(page);
  await page.getByTestId('paste').evaluate((entry) => (entry.closest('details').open = true));
  await page.getByTestId('paste').fill((await config('tiny-pro.config.json')).toString());
  await page.getByTestId('take-pasted').click();
  await expect(page.getByTestId('own-model')).toBeVisible();
  await expect.poll(() => figures(page)).not.toEqual(before);
  const { text } = await saved(page, 'save-json');
  expect(JSON.parse(text).link).toBeNull();
  await page.getByTestId('own-model').getByRole('button').click();
  await expect(page.getByTestId('own-model')).toHaveCount(0);
});

test('a model of the reader’s own is compared with what is pinned, and stands in no link', async ({ page }) => {
  await open(page, 'room=calculate&ledger=exact&lang=en&with=ledger%3Dexact');
  const one = (figure) => figure.startsWith('weights.routed.bytes_per_gpu = ');
  const builtIn = (await figures(page)).find(one);
  await bring(page, await config('tiny-pro.config.json'));
  await expect(page.getByTestId('own-model')).toBeVisible();
  await expect.poll(async () => (await figures(page)).find(one)).not.toBe(builtIn);
  const own = (await figures(page)).find(one);
  await page.locator('[data-room=compare]').click();
  const current = page.locator('[data-case="b"]');
  await expect(current.locator('.case-summary')).toContainText('your own model');
  await expect(page.locator('[data-case="a"] .case-summary')).not.toContainText('your own model');
  await expect.poll(async () => (await figures(page, '[data-table="compare"]')).filter(one)).toEqual([builtIn, own]);
  await expect(page.locator('[data-table="compare-values"]')).toContainText('your own model');
  await expect(page.locator('[data-drawn="waterfall-memory"]')).toContainText('→ your own model');
  for (const id of ['pin', 'swap']) await expect(page.getByTestId(id), id).toBeDisabled();
  await expect(page.getByTestId('own-model-note')).toBeVisible();
  // The address says what it can: the pinned scenario.
  expect(keysOf(page)).toMatchObject({ room: 'compare', with: 'ledger=exact' });
});

test('the configuration of a built-in model chooses it', async ({ page }) => {
  await open(page, 'room=calculate&ledger=exact');
  await bring(page, await config('v4-flash.config.json'), 'config.json');
  await expect.poll(() => keysOf(page)).toMatchObject({ model: 'v4-flash' });
  await expect(page.getByTestId('own-model')).toHaveCount(0);
});

test('whatever else is brought is refused with a reason and changes nothing', async ({ page }) => {
  await open(page, 'room=calculate&ledger=exact&batch=16&lang=en');
  const before = await everything(page);
  const random = (length) => Buffer.from(Array.from({ length }, (_, index) => (index * 2_654_435_761) >>> 24));
  const files = {
    empty: '', words: 'batch=16', cut: '{"format": "one-token-eight-gpus", "scen', list: '[1, 2, 3]', deep: '['.repeat(200_000),
    foreign: '{"name": "something", "version": "1.0.0"}', huge: `{"hidden_size": 1e999}`, bytes: random(4096),
    key: JSON.stringify({ format: 'one-token-eight-gpus', version: 1, ledger: 'exact', scenario: { attic: 3 } }),
    value: JSON.stringify({ format: 'one-token-eight-gpus', version: 1, ledger: 'exact', scenario: { batch: -3 } }),
    plan: JSON.stringify({ format: 'one-token-eight-gpus', version: 1, ledger: 'exact', scenario: { tp: 3 } }),
    newer: JSON.stringify({ format: 'one-token-eight-gpus', version: 99, ledger: 'exact', scenario: {} }),
    long: `["${'x'.repeat(4_900_000)}"]`, many: `[${'0,'.repeat(2_400_000)}0]`, longest: Buffer.alloc(6 << 20, 32),
  };
  const told = new Set();
  for (const [name, bytes] of Object.entries(files)) {
    await said(page).evaluate((place) => (place.dataset.seen = place.textContent));
    await bring(page, bytes);
    await expect(said(page), name).toHaveClass(/bad/);
    await expect.poll(async () => !told.has(await said(page).textContent()) || ['list', 'foreign', 'long'].includes(name), { message: name }).toBe(true);
    told.add(await said(page).textContent());
    expect(await everything(page), name).toBe(before);
  }
  expect(told.size).toBeGreaterThan(9);
  expect([...told].join('\n')).toMatch(/\/scenario\/tp/);
});

test('a dropped file is opened', async ({ page }) => {
  await open(page, 'room=calculate&ledger=exact');
  const text = (await config('v4-flash.config.json')).toString();
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'config.json', { type: 'application/json' }));
    document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, text);
  await expect.poll(() => keysOf(page)).toMatchObject({ model: 'v4-flash' });
});

test('the copied link opens the same view in a fresh browser', async ({ page, context, browser, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 'room=calculate&ledger=report&batch=96&lang=en&theme=dark');
  await page.getByTestId('copy-link').click();
  await expect(page.getByTestId('share-said')).not.toBeEmpty();
  const link = await clipboard(page);
  const here = await figures(page);
  const other = await browser.newContext({ baseURL });
  const fresh = await other.newPage();
  await fresh.goto(link);
  await complete(fresh);
  expect(await figures(fresh)).toEqual(here);
  await expect(fresh.locator('html')).toHaveAttribute('data-theme', 'dark');
  await other.close();
});

test('the copied embed code shows the scene in another page', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 'scene=kernel&batch=64&lang=en&step=2');
  await page.getByTestId('copy-embed').click();
  await expect.poll(() => clipboard(page)).toContain('one-token-scene');
  const code = await clipboard(page);
  await page.route('**/article.html', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Article</title><p>Text</p>${code}` }));
  await page.goto('./article.html');
  const frame = page.frameLocator('one-token-scene iframe');
  await expect(frame.getByTestId('play')).toBeVisible();
  await expect(frame.locator('[data-step]').nth(1)).toHaveAttribute('aria-current', 'step');
});

test('a chart is saved as a picture of pixels, twice as fine as its drawing', async ({ page }) => {
  await open(page, 'room=calculate&ledger=exact&lang=en');
  const coming = page.waitForEvent('download');
  const charts = page.getByTestId('charts');
  await charts.getByRole('button', { name: 'PNG' }).click();
  const bytes = await readFile(await (await coming).path());
  const svg = await saved(page, 'save-chart');
  const [, , width, height] = (await read(page, svg.text)).viewBox;
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([Math.round(width) * 2, Math.round(height) * 2]);
});

test('the printed report is one page with the choices and the verdict', async ({ page }) => {
  const queries = [
    'ledger=exact&context=131072&batch=64', 'ledger=report&batch=128&units=gb', 'lang=en', 'ledger=exact', 'ledger=exact&lang=en&mtp=true',
    // Where nearly every batch fits, beside a context and a batch of its own.
    'ledger=exact&gpu=b300&context=300000&batch=7', 'ledger=exact&lang=en&model=v4-flash&gpu=b300&context=4000&batch=7&mtp=true',
    'ledger=report&model=v4-flash&gpu=b300&context=300000&batch=7', 'ledger=exact&gpu=b300&layout=dp_attention_ep&ep=64&gpus=64&batch=7',
  ];
  for (const query of queries) {
    await open(page, `room=calculate&${query}`);
    await complete(page);
    await expect(notice(page)).toBeEmpty();
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g), query).toHaveLength(1);
  }
});
