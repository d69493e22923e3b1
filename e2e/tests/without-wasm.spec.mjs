// Before the application, and without it: headline, picture and first paragraph are there, and a message says why.
import { test, expect } from '../fixtures.mjs';
import { entry, KEYS, notice, open, type, usable } from '../reading.mjs';

const still = (page) => page.locator('.still:visible svg');

/** The first view, in one language only. */
async function expectFirstView(page, lang = 'zh') {
  const [heading, lead] = { zh: [/八张卡/, /采样/], en: [/eight GPUs/, /sample/] }[lang];
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading, { useInnerText: true });
  await expect(page.locator('main p').filter({ hasText: lead }).first()).toBeVisible();
  await expect(still(page)).toHaveCount(1);
  const { width, height } = await still(page).boundingBox();
  expect(width / height).toBeCloseTo(16 / 9, 1);
  // One mark for the caches of all eight cards.
  const caches = await still(page).locator('[data-figure="cache.batch.bytes_per_gpu"]').getAttribute('d');
  expect(caches.match(/M/g)).toHaveLength(8);
  const words = await page.locator('main').innerText();
  expect(/\p{Script=Han}/u.test(words), 'Chinese in the first view').toBe(lang === 'zh');
  await expect(page.locator('html[data-ready]')).toHaveCount(0);
}

/** One message, in the page's language, and the picture below it. */
async function expectMessage(page, lang = 'zh') {
  await expect(page.getByRole('alert')).toHaveText({ zh: /^这个页面要用 WebAssembly/, en: /^This page computes with WebAssembly/ }[lang], { useInnerText: true });
  await expect(page.getByRole('alert')).toBeInViewport();
  await expectFirstView(page, lang);
}

test('headline, paragraph and picture stand in the HTML itself, in both languages', async ({ request }) => {
  const html = await (await request.get('./')).text();
  const body = html.slice(html.indexOf('<body'));
  expect(body).toMatch(/<h1>.*八张卡.*eight GPUs.*<\/h1>/s);
  expect(body).toMatch(/<p class="lead">.*采样.*to sample.*<\/p>/s);
  expect(body.match(/<svg [^>]*viewBox="0 0 1600 900"/g)).toHaveLength(2);
  expect(body.match(/data-figure="cache.batch.bytes_per_gpu" data-value="2795241472"/g)).toHaveLength(2);
  expect(body).toContain('WebAssembly');
  expect(body).not.toMatch(/\bNaN\b|undefined|\{\{/);
});

test('the still is the picture that the application draws', async ({ page }) => {
  for (const lang of ['zh', 'en']) {
    let release;
    const held = new Promise((then) => (release = then));
    await page.route('**/*.wasm', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`./?lang=${lang}`);
    const marks = () =>
      page.evaluate(() => {
        const svg = [...document.querySelectorAll('.stage-picture svg')].find((e) => e.checkVisibility());
        return [...svg.querySelectorAll('[data-figure], text')].filter((e) => e.getAttribute('display') !== 'none').map((e) => `${e.dataset.figure} ${e.dataset.value} ${e.textContent}`);
      });
    await expectFirstView(page, lang);
    const before = await marks();
    release();
    await usable(page);
    const after = (await marks()).filter((mark) => !mark.startsWith('memory.short.bytes_per_gpu 0'));
    expect(after).toEqual(before);
    await page.unrouteAll();
  }
});

for (const [locale, lang] of [['zh-CN', 'zh'], ['en-US', 'en']]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('the first view is there while wasm is on its way, and moves nowhere when it comes', async ({ page }) => {
      let release;
      const held = new Promise((then) => (release = then));
      await page.route('**/*.wasm', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto('./');
      await expectFirstView(page, lang);
      await expect(page.getByRole('alert')).toHaveCount(0);
      const place = async () => {
        const box = await page.locator('h1').boundingBox();
        const svg = await page.locator('.stage-picture:visible svg').first().boundingBox();
        return [box.x, box.y, svg.x, svg.y, svg.width].map(Math.round);
      };
      const before = await place();
      release();
      await usable(page);
      expect(await place()).toEqual(before);
      await expect(page.locator('main')).toHaveCount(1);
    });

    test('without WebAssembly a message stands over the still picture', async ({ page }) => {
      await page.addInitScript(() => delete globalThis.WebAssembly);
      await page.goto('./');
      await expectMessage(page, lang);
    });
  });
}

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });
  test('headline, paragraph and picture are there, and a word on what is missing', async ({ page }) => {
    await page.goto('./');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('main p').filter({ hasText: '采样' }).first()).toBeVisible();
    await expect(still(page)).toHaveCount(1);
    await expect(page.locator('main')).toContainText('打开 JavaScript 后', { useInnerText: true });
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('when a file does not come', () => {
  test.use({ allowed: [/Failed to load resource|^404 for/] });
  const failures = {
    'the connection breaks': (route) => route.abort(),
    'the host has lost it': (route) => route.fulfill({ status: 404, body: 'not found' }),
    'a host serves another file for it': (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><p>Welcome' }),
    'it arrives damaged': (route) => route.fulfill({ status: 200, contentType: 'application/wasm', body: Buffer.from('\0asm\x01\0\0\0rubbish', 'latin1') }),
  };
  for (const [name, fail] of Object.entries(failures)) {
    test(`${name}: the wasm is missed, and a message stands over the still picture`, async ({ page }) => {
      await page.route('**/*.wasm', fail);
      await page.goto('./?context=5000');
      await expectMessage(page);
      expect(page.url()).toContain('context=5000');
    });
  }

  test('the script is missed: a message stands over the still picture', async ({ page }) => {
    await page.route('**/app-*.js', (route) => route.abort());
    await page.goto('./?lang=en');
    await expectMessage(page, 'en');
  });
});

test.describe('when the application fails', () => {
  test.use({ allowed: [/panicked at|unreachable/] });
  test('it says so, keeps the address, and goes on after a press on reload', async ({ page }) => {
    await open(page, 'batch=9&lang=en');
    // Nothing a reader can do makes it fail; a browser that refuses to make elements does.
    await page.evaluate(() => {
      const refuse = () => {
        throw new Error('out of elements');
      };
      Document.prototype.createElement = refuse;
      Document.prototype.createElementNS = refuse;
      Node.prototype.cloneNode = refuse;
    });
    await type(page, 'context', 'abc');
    await expect(page.getByRole('alert')).toHaveText(/^The page has failed and stopped here/, { useInnerText: true });
    await expect(page.getByRole('alert')).toBeInViewport();
    expect(page.url()).toContain('batch=9');
    await page.getByRole('alert').getByRole('button').click();
    await usable(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(notice(page)).toBeEmpty();
    await expect(entry(page, 'batch')).toHaveValue('9');
    for (const key of KEYS) await expect(page.locator(`[data-control="${key}"]`)).toBeVisible();
  });
});
