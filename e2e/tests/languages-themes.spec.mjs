// Two languages and two themes over one set of figures.
import { test, expect } from '../fixtures.mjs';
import { CONTEXTS, expectKeys, figures, follow, open, picture, scenes, told, view } from '../reading.mjs';

const root = (page) => page.locator('html');
const allFigures = async (page) => [...(await figures(page)), ...(await figures(page, CONTEXTS))];
const chinese = /\p{Script=Han}/u;

/** Chinese on an English page. Only the way back speaks it, and the messages that index.html keeps ready. */
function foreignWords(page) {
  return page.evaluate(() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (/\p{Script=Han}/u.test(data) && !parentElement.closest('[data-testid="language"], #failure, #no-wasm')) found.push(data);
    }
    for (const e of document.querySelectorAll('[aria-label], [title], [aria-valuetext]')) {
      if (e.dataset.testid === 'language') continue;
      for (const name of ['aria-label', 'title', 'aria-valuetext']) {
        if (/\p{Script=Han}/u.test(e.getAttribute(name) ?? '')) found.push(`${name}: ${e.getAttribute(name)}`);
      }
    }
    return found;
  });
}

for (const ledger of ['tutorial', 'report', 'exact']) {
  test(`switching the language of the ${ledger} ledger changes every text and no figure`, async ({ page }) => {
    await open(page, `ledger=${ledger}&context=5000`);
    const [before, words] = [await allFigures(page), await told(page).textContent()];
    await expect(root(page)).toHaveAttribute('lang', 'zh-CN');
    expect(words).toMatch(chinese);
    const title = await page.title();
    await page.getByTestId('language').click();
    await expect(root(page)).toHaveAttribute('lang', 'en');
    await expect(page).not.toHaveTitle(title);
    expect(await allFigures(page)).toEqual(before);
    expect(await told(page).textContent()).not.toMatch(chinese);
    expect(await foreignWords(page), 'Chinese on the English page').toEqual([]);
    await page.getByTestId('language').click();
    await expect(root(page)).toHaveAttribute('lang', 'zh-CN');
    await expect(page).toHaveTitle(title);
    expect(await told(page).textContent()).toBe(words);
  });

  test(`every scene of the ${ledger} ledger speaks both languages over the same figures`, async ({ page }) => {
    const seen = {};
    for (const lang of ['zh', 'en']) {
      await open(page, `ledger=${ledger}&lang=${lang}`);
      for (const scene of await scenes(page)) {
        await follow(page, `ledger=${ledger}&lang=${lang}&scene=${scene}`);
        const words = await told(page).textContent();
        (seen[scene] ??= []).push({ figures: await allFigures(page), entries: (await view(page)).entries });
        expect(chinese.test(words), `${scene}: ${words}`).toBe(lang === 'zh');
        if (lang === 'en') expect(await foreignWords(page), `Chinese in ${scene}`).toEqual([]);
      }
    }
    for (const [scene, [first, second]] of Object.entries(seen)) expect(second, scene).toEqual(first);
  });

  test(`GiB or GB and light or dark change no figure of the ${ledger} ledger`, async ({ page }) => {
    await open(page, `ledger=${ledger}&tp=16`);
    const [before, words] = [await allFigures(page), await told(page).textContent()];
    await page.getByRole('button', { name: 'GB', exact: true }).click();
    expect(await told(page).textContent()).not.toBe(words);
    expect(await told(page).textContent()).not.toContain('iB');
    await page.getByTestId('theme').click();
    await expect(root(page)).toHaveAttribute('data-theme', 'dark');
    expect(await allFigures(page)).toEqual(before);
  });
}

for (const [locale, lang, other] of [['en-US', 'en', 'zh'], ['de-DE', 'en', 'zh'], ['zh-CN', 'zh-CN', 'en'], ['zh-TW', 'zh-CN', 'en']]) {
  test.describe(`a browser that speaks ${locale}`, () => {
    test.use({ locale });
    test('gets its language, unless the address names one', async ({ page }) => {
      await open(page);
      await expect(root(page)).toHaveAttribute('lang', lang);
      await expectKeys(page, {});
      await open(page, `lang=${other}`);
      await expect(root(page)).toHaveAttribute('lang', other === 'zh' ? 'zh-CN' : 'en');
    });
  });
}

test('the system chooses the theme, also later, until the address or the reader does', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page);
  await expect(root(page)).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root(page)).toHaveAttribute('data-theme', 'light');
  await expectKeys(page, {});
  await page.getByTestId('theme').click();
  await expect(root(page)).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.emulateMedia({ colorScheme: 'light' });
  await expectKeys(page, { theme: 'dark' });
  await expect(root(page)).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, 'theme=light');
  await expect(root(page)).toHaveAttribute('data-theme', 'light');
});

test('a theme colours page and stage, text stays readable on its ground', async ({ page }) => {
  const colours = () =>
    page.evaluate(() => {
      const of = (selector, property) => getComputedStyle(document.querySelector(selector))[property];
      return {
        ground: of('body', 'backgroundColor'),
        text: of('h1', 'color'),
        card: of('section:has([data-testid="play"]) svg rect:not([data-figure])', 'fill'),
        label: of('section:has([data-testid="play"]) svg text', 'fill'),
      };
    });
  await open(page, 'theme=light');
  const light = await colours();
  await page.getByTestId('theme').click();
  const dark = await colours();
  for (const part of Object.keys(light)) expect(dark[part], part).not.toBe(light[part]);
});

test('the whole view but words is the same in both languages and themes', async ({ page }) => {
  await open(page, 'ledger=exact&layout=dp_attention_ep&batch=64&step=4&lang=zh&theme=light');
  const { lang, theme, told: words, ...before } = await view(page);
  await open(page, 'ledger=exact&layout=dp_attention_ep&batch=64&step=4&lang=en&theme=dark');
  const { lang: lang2, theme: theme2, told: words2, ...after } = await view(page);
  expect(after).toEqual(before);
  expect([lang, theme, lang2, theme2]).toEqual(['zh-CN', 'light', 'en', 'dark']);
  expect(words).not.toBe(words2);
  await expect(picture(page)).toHaveAttribute('aria-label', new RegExp(words2.slice(0, 12)));
});
