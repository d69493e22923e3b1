// What every browser test shares: a page whose console stays clean and that asks no other server for anything.
import { test as base, expect } from '@playwright/test';
import axe from 'axe-core';

/** Playwright's `test`, which also fails on console errors, uncaught errors, failed and foreign requests. */
export const test = base.extend({
  /** Problems a test provokes on purpose: patterns it allows with `test.use({ allowed: [/…/] })`. */
  allowed: [[], { option: true }],

  page: async ({ page, baseURL, allowed }, use) => {
    const problems = [];
    const note = (text) => {
      if (!allowed.some((pattern) => pattern.test(text))) problems.push(text);
    };
    const origin = new URL(baseURL).origin;
    page.on('console', (message) => {
      if (message.type() === 'error') note(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => note(`uncaught: ${error}`));
    page.on('response', (response) => {
      if (response.status() >= 400) note(`${response.status()} for ${response.url()}`);
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.origin !== origin) note(`asked another server: ${url}`);
    });
    await use(page);
    expect(problems, 'console errors, failed and foreign requests').toEqual([]);
  },
});

/** Fails with a readable list if axe finds anything on the page as it stands. */
export async function expectAccessible(page) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const result = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return result.violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, html: nodes.map((n) => n.html) }));
  });
  const found = violations.map((v) => `${v.id} (${v.impact}): ${v.help}\n  ${v.html.join('\n  ')}`);
  expect(found, 'axe violations').toEqual([]);
}

export { expect };
