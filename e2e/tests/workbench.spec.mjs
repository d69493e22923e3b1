// The room of the hardware bent: unbent it is the ledger's own step, presets come to what their cards say, bends move
// what binds, everything can be straightened, and a ledger without times says so.
import { test, expect, expectAccessible } from '../fixtures.mjs';
import { complete, entry, figures, follow, keysOf, open, scenes, type } from '../reading.mjs';

const head = (page) => page.getByTestId('bench');
const value = (place, hook) => place.getByTestId(hook).evaluate((e) => Number(e.dataset.value));
const steps = async (page) => [await value(head(page), 'before'), await value(head(page), 'after')];
const card = (page, name) => page.locator(`[data-preset="${name}"]`);
const bound = (page) => page.getByTestId('binds').getAttribute('data-bound');
const names = (page) => page.locator('[data-preset]').evaluateAll((all) => all.map((e) => e.dataset.preset));

/** The report's two situations. */
const SITUATIONS = { long: 'gpu=h200&context=1048576&batch=32', online: 'gpu=h200&context=131072&batch=128' };

/** Keys that act at the workbench alone. */
const BENDS = ['noc_tb_s', 'expert_cache_hit', 'indexer_tb_s', 'fp4_tflops', 'bf16_tflops', 'power_cap', 'overlap', 'fixed_times', 'slowest_gpu'];

test("unbent, both steps are the ledger's own", async ({ page }) => {
  await open(page, `room=workbench&ledger=report&${SITUATIONS.long}`);
  const [before, after] = await steps(page);
  expect(before).toBe(after);
  // What the report prints: 14.36 ms.
  expect((before * 1e3).toFixed(2)).toBe('14.36');
  expect(await value(head(page), 'speedup')).toBe(1);
  await expect(page.getByTestId('straighten')).toBeDisabled();
  const own = (await figures(page, '[data-table="bench"]')).filter((figure) => figure.startsWith('decode.step_s'));
  expect(own).toEqual([`decode.step_s = ${before}`, `decode.step_s = ${before}`]);
  for (const query of [`ledger=report&${SITUATIONS.online}`, 'ledger=exact&gpu=b300&latency_us_per_layer=141']) {
    await follow(page, `room=calculate&${query}`);
    const told = (await figures(page, '[data-table="stages"]')).find((figure) => figure.startsWith('decode.step_s'));
    await follow(page, `room=workbench&${query}`);
    expect(`decode.step_s = ${(await steps(page))[0]}`).toBe(told);
  }
});

for (const ledger of ['report', 'exact']) {
  test(`a preset applied to a situation comes to what its card says (${ledger})`, async ({ page }) => {
    await open(page, `room=workbench&ledger=${ledger}`);
    expect(await names(page)).toHaveLength(8);
    for (const [situation, query] of Object.entries(SITUATIONS)) {
      for (const name of await names(page)) {
        await follow(page, `room=workbench&ledger=${ledger}&${query}`);
        await card(page, name).locator('.apply').click();
        await expect(page.locator('[data-preset] [aria-pressed="true"]')).toHaveCount(1);
        await expect(card(page, name).locator('.apply')).toHaveAttribute('aria-pressed', 'true');
        const row = card(page, name).locator(`[data-case="${situation}"]`);
        // Where not one request fits the card says so.
        if (!(await row.getByTestId('before').count())) {
          expect([ledger, name]).toEqual(['exact', 'capacity']);
          continue;
        }
        const said = [await value(row, 'before'), await value(row, 'after')];
        await expect.poll(() => steps(page), `${name}, ${situation}`).toEqual(said);
        expect(await value(head(page), 'speedup')).toBeCloseTo(said[0] / said[1], 9);
        // Where the requests change, a shorter step says nothing: the card speaks of what is served.
        if (await row.getByTestId('requests-before').count()) {
          expect(await value(row, 'served')).toBeCloseTo((await value(row, 'rate-after')) / (await value(row, 'rate-before')), 9);
        } else {
          expect(await value(row, 'speedup')).toBe(await value(head(page), 'speedup'));
        }
      }
    }
  });
}

test('a bend moves what binds, and straightening restores the step', async ({ page }) => {
  await open(page, `room=workbench&ledger=report&lang=en&${SITUATIONS.long}`);
  const [before] = await steps(page);
  expect(await bound(page)).toBe('hbm');
  await type(page, 'noc_tb_s', '1');
  await expect.poll(() => bound(page)).toBe('noc');
  await type(page, 'power_cap', '0.4');
  await expect(page.locator('[data-bent]')).toHaveCount(2);
  const [still, after] = await steps(page);
  expect(still).toBe(before);
  expect(after).toBeGreaterThan(before);
  await page.locator('[data-bent="power_cap"]').click();
  await expect(page.locator('[data-bent]')).toHaveCount(1);
  await page.getByTestId('straighten').click();
  await expect.poll(() => steps(page)).toEqual([before, before]);
  await expect.poll(() => keysOf(page)).not.toHaveProperty('noc_tb_s');
  expect(keysOf(page)).toMatchObject({ room: 'workbench', context: '1048576' });
  await page.goBack();
  await expect.poll(() => bound(page)).toBe('noc');
});

test('a preset leaves nothing behind when everything is straightened, and a link brings it back', async ({ page }) => {
  await open(page, 'room=workbench&ledger=report&lang=en');
  const bare = { room: 'workbench', ledger: 'report', lang: 'en' };
  for (const name of ['software', 'ep-domain']) {
    await card(page, name).locator('.apply').click();
    await expect.poll(() => keysOf(page)).toHaveProperty('overlap', 'serial');
  }
  await expect.poll(() => keysOf(page)).toHaveProperty('gpus', '16');
  await expect(card(page, 'ep-domain').locator('.apply')).toHaveAttribute('aria-pressed', 'true');
  const bent = await steps(page);
  await page.reload();
  await complete(page);
  await expect(card(page, 'ep-domain').locator('.apply')).toHaveAttribute('aria-pressed', 'true');
  expect(await steps(page)).toEqual(bent);
  expect(keysOf(page)).not.toHaveProperty('fixed_times');
  await page.getByTestId('straighten').click();
  await expect.poll(() => keysOf(page)).toEqual(expect.not.objectContaining({ gpus: '16' }));
  await expect.poll(() => keysOf(page)).toMatchObject(bare);
  expect(keysOf(page)).not.toHaveProperty('overlap');
});

test('the tutorial says why it has no step to bend, and hands on to those that have', async ({ page }) => {
  await open(page, 'room=workbench&ledger=tutorial');
  await expect(page.getByTestId('excuse')).not.toBeEmpty();
  await expect(head(page).getByTestId('before')).toHaveCount(0);
  await expect(page.locator('[data-control="noc_tb_s"]')).toHaveCount(0);
  await expect(page.getByTestId('claims').locator('[data-claim]')).toHaveCount(7);
  await page.locator('[data-take="report"]').click();
  await expect(head(page).getByTestId('before')).toBeVisible();
  await expect.poll(() => keysOf(page)).toMatchObject({ ledger: 'report', room: 'workbench' });
  await expect(entry(page, 'noc_tb_s')).toBeVisible();
});

test('what acts at the workbench alone is turned nowhere else', async ({ page }) => {
  await open(page, 'room=calculate&ledger=tutorial');
  const turned = () => page.locator('[data-control]').evaluateAll((all) => all.map((e) => e.dataset.control));
  for (const ledger of ['tutorial', 'report', 'exact']) {
    await follow(page, `room=calculate&ledger=${ledger}`);
    const there = await turned();
    expect(there.length).toBeGreaterThan(5);
    expect(there.filter((key) => BENDS.includes(key)), ledger).toEqual([]);
  }
  await follow(page, '');
  for (const scene of await scenes(page)) {
    await follow(page, `scene=${scene}&ledger=exact`);
    expect((await turned()).filter((key) => BENDS.includes(key)), scene).toEqual([]);
  }
});

for (const [width, theme, lang, ledger] of [[390, 'dark', 'en', 'report'], [1440, 'light', 'zh', 'exact'], [390, 'light', 'zh', 'tutorial']]) {
  test(`axe finds nothing in it and nothing is wider than the page (${width} px, ${ledger})`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `room=workbench&ledger=${ledger}&theme=${theme}&lang=${lang}&noc_tb_s=2`);
    await page.locator('details:not([open]) > summary').evaluateAll((all) => all.forEach((e) => e.click()));
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
}
