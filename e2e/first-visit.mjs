// What a first visit costs in bytes. Shared by the measurement and by the test that holds the budget.

/** The most a first visit may transfer, and what is aimed at, in bytes. */
export const BUDGET = { limit: 350_000, aim: 250_000 };

/** Resolves once the application runs and has drawn itself in place of the still picture; fails if it never does. */
export async function usable(page) {
  await page.locator('html[data-ready]').waitFor({ state: 'attached', timeout: 20_000 });
}

/**
 * Visits the page with an empty cache. Returns the files with the bytes of each body as transferred (brotli from
 * `cargo xtask`'s server), largest first, and their sum.
 */
export async function firstVisit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const requests = [];
  page.on('requestfinished', (request) => requests.push(request));
  await page.goto(url);
  await usable(page);
  // What is loaded lazily right after the start belongs to the first visit too.
  await page.waitForTimeout(1500);
  const files = [];
  for (const request of requests.filter((r) => r.url().startsWith('http'))) {
    const { responseBodySize } = await request.sizes();
    const response = await request.response();
    const body = await response.body().catch(() => Buffer.alloc(0));
    files.push({ path: new URL(request.url()).pathname, bytes: responseBodySize, unpacked: body.length });
  }
  await context.close();
  files.sort((a, b) => b.bytes - a.bytes);
  return { files, total: files.reduce((sum, file) => sum + file.bytes, 0) };
}
