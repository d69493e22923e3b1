// What cannot be taken is not taken: the last good value stays, the reader is told why, and nothing goes wrong.
import { test, expect } from '../fixtures.mjs';
import { brokenNumbers, CHAPTER, entry, expectKeys, figures, follow, notice, open, type, view } from '../reading.mjs';

/** Why something was refused, in the page's words. */
const WHY = {
  zh: { empty: /没有填数/, number: /不是数字/, whole: /不是整数/, below: /低于下限 [\d\u2009]/, above: /超过上限 [\d\u2009]/, cut: /除不尽/, words: /不在可选值里/, twice: /不止一次/ },
  en: { empty: /no value given/, number: /is not a number/, whole: /not a whole number/, below: /is below [\d]/, above: /is above [\d]/, cut: /does not divide/, words: /is none of/, twice: /more than once/ },
};

/** By key: what is typed or linked, and why it is refused. */
const RUBBISH = {
  context: { '': 'empty', '   ': 'empty', abc: 'number', NaN: 'number', Infinity: 'number', '1e99': 'number', '0x10': 'number', '12,34': 'number', 三万: 'number', '１２８': 'number', '٣': 'number', '<b>1</b>': 'number', '-5': 'below', '0': 'below', '1048577': 'above', '999999999999999999999999': 'above', '2M': 'above', '1.5': 'whole' },
  batch: { '': 'empty', '八': 'number', '-1': 'below', '1025': 'above', '8.5': 'whole' },
  tp: { '': 'empty', eight: 'number', '0': 'below', '129': 'above', '3': 'cut', '32': 'cut' },
  gpu_memory_gib: { '': 'empty', '80,5': 'number', inf: 'number', '1e3': 'number', '７２': 'number', '-80': 'below', '7.99': 'below', '1024.01': 'above' },
};

/** Values that differ from the defaults, so that falling back on a default would show. */
const GOOD = 'context=131072&batch=12&tp=16&gpu_memory_gib=96';

for (const [lang, why] of Object.entries(WHY)) {
  test(`rubbish that is typed leaves the last good value and is told why (${lang})`, async ({ page }) => {
    await open(page, `${GOOD}&lang=${lang}`);
    const before = await view(page);
    for (const [key, cases] of Object.entries(RUBBISH)) {
      const shown = await entry(page, key).inputValue();
      for (const [text, reason] of Object.entries(cases)) {
        await test.step(`${key}: ${JSON.stringify(text)}`, async () => {
          await type(page, key, text);
          await expect(notice(page).getByRole('listitem')).toHaveText(why[reason]);
          if (text.trim() && reason !== 'cut') await expect(notice(page)).toContainText(`“${text}”`);
          await expect(entry(page, key)).toHaveValue(shown);
        });
      }
      expect(await view(page)).toEqual(before);
      expect(await brokenNumbers(page)).toEqual([]);
      await notice(page).getByRole('button').click();
    }
  });

  test(`rubbish in a link leaves the default and is told why (${lang})`, async ({ page }) => {
    await open(page, `lang=${lang}`);
    const before = await view(page);
    for (const [key, cases] of Object.entries(RUBBISH)) {
      for (const [index, [text, reason]] of Object.entries(cases).entries()) {
        await test.step(`${key}: ${JSON.stringify(text)}`, async () => {
          const query = `lang=${lang}&${key}=${encodeURIComponent(text)}`;
          await (index === 1 ? open(page, query) : follow(page, query));
          await expect(notice(page).getByRole('listitem')).toHaveText(why[reason]);
          expect(await view(page)).toEqual(before);
        });
      }
      expect(await brokenNumbers(page)).toEqual([]);
    }
  });

  test(`what a link says twice, in pieces or in no known words is told, and the rest is taken (${lang})`, async ({ page }) => {
    const cases = [
      ['context=1000&context=2000', 'twice', { context: '1000' }],
      ['context=%FF%FE&batch=9', 'number', { batch: '9' }],
      ['context=%&batch=9', 'number', { batch: '9' }],
      ['context=%00%0A&batch=9', 'number', { batch: '9' }],
      ['tp=3&batch=9', 'cut', { batch: '9' }],
      ['ledger=secret&batch=9', 'words', { batch: '9' }],
      ['theme=%F0%9F%8C%9A&batch=9', 'words', { batch: '9' }],
      ['scene=nowhere&batch=9', 'words', { batch: '9' }],
      ['step=0&batch=9', 'below', { batch: '9' }],
      ['step=7&batch=9', 'above', { batch: '9' }],
      ['t=NaN&batch=9', 'number', { batch: '9' }],
      ['ledger=exact&tp=3&batch=9', 'cut', { ledger: 'exact', batch: '9' }],
      ['layout=sideways&batch=9', 'words', { batch: '9' }],
    ];
    await open(page, `lang=${lang}`);
    for (const [query, reason, taken] of cases) {
      await test.step(query, async () => {
        await (query.startsWith('tp') ? open(page, `${query}&lang=${lang}`) : follow(page, `${query}&lang=${lang}`));
        await expect(notice(page).getByRole('listitem')).toHaveText(why[reason]);
        // Any change writes what was taken.
        await page.locator('[data-step]').nth(4).click();
        const scene = query.startsWith('scene=') ? undefined : CHAPTER;
        await expectKeys(page, { ...taken, lang, step: '5', scene });
        expect(await brokenNumbers(page)).toEqual([]);
      });
    }
  });
}

test('keys of others in the address are nobody\'s business', async ({ page }) => {
  await open(page);
  const before = await view(page);
  await open(page, 'utm_source=x&__proto__=1&=&&%&a=%ZZ&constructor=2#top');
  await expect(notice(page)).toBeEmpty();
  expect(await view(page)).toEqual(before);
});

test('the notice goes with a good value and at a press, and marks up nothing it quotes', async ({ page }) => {
  await open(page);
  await type(page, 'context', '<img src=x onerror=alert(1)>');
  await expect(notice(page)).toContainText('<img src=x onerror=alert(1)>');
  await expect(notice(page).locator('img')).toHaveCount(0);
  await type(page, 'batch', 'x');
  await expect(notice(page).getByRole('listitem')).toHaveCount(2);
  await type(page, 'context', '4096');
  await expect(notice(page).getByRole('listitem')).toHaveCount(1);
  await notice(page).getByRole('button').click();
  await expect(notice(page)).toBeEmpty();
});

test('the notice follows the language', async ({ page }) => {
  await open(page, 'lang=zh');
  await type(page, 'batch', '-3');
  await expect(notice(page).getByRole('listitem')).toHaveText(WHY.zh.below);
  await page.getByTestId('language').click();
  await expect(notice(page).getByRole('listitem')).toHaveText(WHY.en.below);
});

test('an address that nobody changed is told the same after a reload', async ({ page }) => {
  await open(page, 'batch=-3');
  const given = page.url();
  expect(given).toContain('batch=-3');
  await expect(notice(page).getByRole('listitem')).toHaveCount(1);
  await page.reload();
  await expect(notice(page).getByRole('listitem')).toHaveCount(1);
  expect(page.url()).toBe(given);
});

test('a refused value is no entry of the history', async ({ page }) => {
  await open(page);
  await type(page, 'context', '4096');
  // The entry of the value before is opened once the change is painted.
  await expectKeys(page, { context: '4096' });
  const entries = await page.evaluate(() => history.length);
  await type(page, 'context', 'abc');
  await expect(notice(page).getByRole('listitem')).toHaveCount(1);
  await type(page, 'tp', '3');
  await expect(notice(page).getByRole('listitem')).toHaveCount(2);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  const now = await figures(page);
  await page.goBack();
  await expectKeys(page, {});
  expect(await figures(page)).not.toEqual(now);
});

test('a plan that another ledger cannot carry out is dropped there, and told', async ({ page }) => {
  await open(page, 'ledger=report&gpus=12&lang=en');
  await expect(notice(page)).toBeEmpty();
  await page.locator('[data-ledger="exact"]').click();
  await expect(notice(page).getByRole('listitem')).toHaveCount(1);
  await expectKeys(page, { ledger: 'exact', lang: 'en' });
  expect(await brokenNumbers(page)).toEqual([]);
});
