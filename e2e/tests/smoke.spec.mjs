// The page opens, says what it is, and costs no more than it may.
import { test, expect } from '../fixtures.mjs';
import { BUDGET, firstVisit, usable } from '../first-visit.mjs';

test('opens with a title and a clean console', async ({ page }) => {
  await page.goto('./');
  await usable(page);
  await expect(page).toHaveTitle(/\S/);
});

test('works from a folder below the root of a host', async ({ page, baseURL }) => {
  await page.route('**/some/folder/**', async (route) => {
    const inside = route.request().url().replace('/some/folder/', '/');
    await route.fulfill({ response: await route.fetch({ url: inside }) });
  });
  const outside = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseURL}some/folder/`)) outside.push(request.url());
  });
  await page.goto('./some/folder/');
  await usable(page);
  await expect(page).toHaveTitle(/\S/);
  expect(outside.filter((url) => url.startsWith('http'))).toEqual([]);
});

test('a first visit stays within its budget of bytes', async ({ browser, baseURL }) => {
  const { total, files } = await firstVisit(browser, baseURL);
  expect(files.map((file) => file.path).filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
  expect(total, JSON.stringify(files, null, 1)).toBeLessThanOrEqual(BUDGET.limit);
});

test('no message in the page names the folder that a crate was built from', async ({ page }) => {
  const files = [];
  page.on('response', (response) => response.url().startsWith('http') && files.push(response));
  await page.goto('./?room=calculate');
  await usable(page);
  await expect(page.locator('html[data-complete]')).toHaveCount(1);
  const bodies = await Promise.all(files.map(async (file) => ({ url: file.url(), text: (await file.body()).toString('latin1') })));
  expect(bodies.filter(({ url }) => url.endsWith('.wasm'))).toHaveLength(2);
  // Crates that the page is made of. The standard library comes compiled, with its builder's folders.
  const folders = /registry[/\\]src[/\\][^/\\]+[/\\](leptos|reactive_graph|tachys|any_spawner|futures|wasm|js-sys|web-sys|gloo|indexmap|plotters|serde)/;
  expect(bodies.filter(({ text }) => folders.test(text)).map(({ url, text }) => `${url}: ${folders.exec(text)[0]}`)).toEqual([]);
});

test('an address of another chapter or room asks for the later part with the page, and once', async ({ page }) => {
  for (const [query, wanted] of [['scene=place', 1], ['room=calculate', 1], ['lang=en', 0]]) {
    const asked = [];
    page.on('request', (request) => request.url().endsWith('-later.wasm') && asked.push(request.url()));
    await page.goto(`./?${query}`);
    await expect(page.locator('link[rel=preload][href$="-later.wasm"]'), query).toHaveCount(wanted);
    await usable(page);
    if (wanted) await expect(page.locator('html[data-complete]')).toHaveCount(1);
    expect(asked, query).toHaveLength(wanted);
    page.removeAllListeners('request');
  }
});
