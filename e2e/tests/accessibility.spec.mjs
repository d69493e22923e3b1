// Everyone: no findings of axe in any dress, and the derivation by press and by key.
import { test, expect, expectAccessible } from '../fixtures.mjs';
import { entry, figures, follow, open, scenes, STAGE, type } from '../reading.mjs';

const dialog = (page) => page.getByRole('dialog');
const tableFigure = (page) => page.locator('[data-testid="capacity"] [data-figure="weights.routed.bytes_per_gpu"]');

/** Opens the dialog by a press on a figure of the stage, at a place of the mark where nothing lies over it. */
async function pressStageFigure(page, id) {
  const at = await page.evaluate(
    ([stage, id]) => {
      const box = document.querySelector(stage).querySelector(`[data-figure="${id}"]`).getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    },
    [STAGE, id],
  );
  await page.mouse.click(at.x, at.y);
}

for (const width of [390, 1440]) {
  for (const theme of ['light', 'dark']) {
    test(`axe finds nothing at ${width} px in ${theme}, in both languages, with the derivation closed and open`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page, `theme=${theme}`);
      await page.locator('summary').evaluateAll((all) => all.forEach((e) => e.click()));
      await type(page, 'context', 'abc');
      for (const lang of ['zh-CN', 'en']) {
        await test.step(lang, async () => {
          await expect(page.locator('html')).toHaveAttribute('lang', lang);
          await expectAccessible(page);
          await tableFigure(page).click();
          await expect(dialog(page)).toBeVisible();
          await expectAccessible(page);
          await page.keyboard.press('Escape');
          await page.getByTestId('language').click();
        });
      }
    });
  }
}

for (const [width, query] of [[390, 'lang=en&theme=light'], [1440, 'lang=zh&theme=dark']]) {
  test(`axe finds nothing in any scene (${width} px, ${query})`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, query);
    for (const scene of await scenes(page)) {
      await test.step(scene, async () => {
        await follow(page, `${query}&scene=${scene}`);
        await expectAccessible(page);
      });
    }
  });
}

test('axe finds nothing with the other ledgers and on the way through a step', async ({ page }) => {
  for (const query of ['ledger=report&step=1', 'ledger=exact&step=3&t=0.5&theme=dark']) {
    await open(page, query);
    await expectAccessible(page);
  }
});

for (const theme of ['light', 'dark']) {
  test(`the first view before wasm has no findings either (${theme})`, async ({ page }) => {
    await page.route('**/*.wasm', () => {});
    await page.goto(`./?theme=${theme}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
  });
}

test('a press on a figure of a table shows its derivation; Escape closes it and the focus returns', async ({ page }) => {
  await open(page);
  const before = await figures(page);
  await tableFigure(page).click();
  await expect(dialog(page)).toBeVisible();
  await expect(dialog(page)).toContainText('weights.routed.bytes_per_gpu');
  await expect(dialog(page)).toContainText(await tableFigure(page).locator('span').first().textContent());
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(tableFigure(page)).toBeFocused();
  // And again, by key, closed by its button.
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await dialog(page).getByRole('button').click();
  await expect(dialog(page)).toBeHidden();
  await expect(tableFigure(page)).toBeFocused();
  expect(await figures(page)).toEqual(before);
});

test('a press on a figure of the stage shows its derivation, on its number too', async ({ page }) => {
  await open(page);
  for (const id of ['weights.routed.bytes_per_gpu', 'memory.short.bytes_per_gpu', 'memory.partial.bytes_per_gpu', 'gpu.memory.bytes']) {
    await test.step(id, async () => {
      await pressStageFigure(page, id);
      await expect(dialog(page)).toContainText(id);
      await page.keyboard.press('Escape');
      await expect(dialog(page)).toBeHidden();
    });
  }
  // One figure after another without a pause: that the first was closed is told when the second is open already.
  await page.evaluate((stage) => {
    const press = (id) => document.querySelector(stage).querySelector(`[data-figure="${id}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    press('weights.routed.bytes_per_gpu');
    return turn().then(() => {
      document.querySelector('dialog').close();
      press('gpu.memory.bytes');
    });
  }, STAGE);
  await expect(dialog(page)).toContainText('gpu.memory.bytes');
  await page.evaluate(() => turn());
  await expect(dialog(page)).toContainText('gpu.memory.bytes');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  // The number written on a block belongs to the block.
  const number = await page.evaluate((stage) => {
    const svg = document.querySelector(stage);
    const block = svg.querySelector('[data-figure="weights.routed.bytes_per_gpu"]').getBoundingClientRect();
    const inside = ({ x, y }) => x > block.left && x < block.right && y > block.top && y < block.bottom;
    const centres = [...svg.querySelectorAll('text:not([opacity="0"])')].map((text) => {
      const { left, top, width, height } = text.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
    return centres.find(inside);
  }, STAGE);
  await page.mouse.click(number.x, number.y);
  await expect(dialog(page)).toContainText('weights.routed.bytes_per_gpu', { timeout: 2000 });
});

for (const ledger of ['tutorial', 'report', 'exact']) {
  test(`every figure of the ${ledger} ledger's tables has a named derivation, in both languages`, async ({ page }) => {
    for (const lang of ['zh', 'en']) {
      await open(page, `ledger=${ledger}&lang=${lang}`);
      await page.locator('summary').evaluateAll((all) => all.forEach((e) => e.click()));
      const names = await scenes(page);
      const problems = await page.evaluate(async ([ledger, names]) => {
        const found = [];
        const done = new Set();
        const press = async (button) => {
          const id = button.dataset.figure;
          if (done.has(id)) return;
          done.add(id);
          button.click();
          await turn();
          const dialog = document.querySelector('dialog');
          if (!dialog.open) found.push(`${id}: no dialog`);
          if (!dialog.textContent.includes(id)) found.push(`${id}: another figure's`);
          if (!dialog.querySelector('h2')?.textContent.trim()) found.push(`${id}: no name`);
          const empty = [...dialog.querySelectorAll('dd')].filter((e) => !e.textContent.trim()).length;
          if (empty > 0) found.push(`${id}: ${empty} empty rows`);
          if (/\bnan\b|undefined|\binf\b|\{\w*\}/i.test(dialog.textContent)) found.push(`${id}: ${dialog.textContent}`);
          const closed = new Promise((then) => dialog.addEventListener('close', then, { once: true }));
          dialog.close();
          await closed;
        };
        for (const scene of names) {
          history.replaceState(null, '', `?ledger=${ledger}&scene=${scene}`);
          dispatchEvent(new PopStateEvent('popstate'));
          await turn();
          for (const button of document.querySelectorAll('main button[data-figure]')) await press(button);
        }
        if (done.size < 12) found.push(`only ${done.size} figures`);
        return found;
      }, [ledger, names]);
      expect(problems).toEqual([]);
    }
  });
}

test('everything can be reached by the Tab key, and the focus can be seen', async ({ page }) => {
  await open(page);
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll('button:enabled, input, select, summary, [tabindex="0"]')].filter((e) => e.checkVisibility());
    all.forEach((e, index) => (e.dataset.order = index));
    return all.length;
  });
  const reached = new Set();
  for (let press = 0; press < wanted + 2; press++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { dataset } = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return { order: dataset.order, seen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 };
    });
    if (at.order === undefined) continue;
    reached.add(at.order);
    expect(at.seen, `outline of the element at place ${at.order}`).toBe(true);
  }
  expect(reached.size).toBe(wanted);
});

test('entries and sliders are named, each on its own', async ({ page }) => {
  for (const lang of ['zh', 'en']) {
    await open(page, `lang=${lang}`);
    const names = await page.locator('[data-control] input').evaluateAll((all) => all.map((e) => e.getAttribute('aria-label')));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(8);
    await expect(entry(page, 'context')).toBeVisible();
  }
});
