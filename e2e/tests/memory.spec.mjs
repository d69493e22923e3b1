// A page that is used for long: what has been on it leaves nothing behind, in the browser's memory nor the application's.
import { expect, test } from '../fixtures.mjs';
import { open, scenes } from '../reading.mjs';

test('fifty scene changes hold no more memory than five', async ({ page }) => {
  await open(page);
  const devtools = await page.context().newCDPSession(page);
  const names = await scenes(page);
  const change = (times) =>
    page.evaluate(
      async ([names, times]) => {
        for (let turn_ = 0; turn_ < times; turn_++) {
          document.querySelector(`[data-scene="${names[turn_ % names.length]}"]`).click();
          await turn();
          for (const step of document.querySelectorAll('[data-step]')) {
            step.click();
            await turn();
          }
        }
      },
      [names, times],
    );
  const held = async () => {
    for (let round = 0; round < 3; round++) await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
    const wasm = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
    return { usedSize, nodes, jsEventListeners, wasm };
  };
  // Through all scenes once, then back at the first one as after the fifty.
  await change(names.length);
  await change(names.length * 1 + 1);
  const early = await held();
  await change(names.length * 8 + 1);
  const late = await held();
  for (const what of Object.keys(early)) expect(late[what] / Math.max(early[what], 1), what).toBeLessThan(1.05);
});

/** Bytes in a page of WebAssembly's memory. */
const PAGE = 65536;
/** Rounds that fill caches and pools, and rounds that then must not need more than so many pages. */
const ROUNDS = { warm: 12, more: 24 };
const SPARE = 2;

const CASES = {
  'rooms are entered and left': ['[data-room=calculate]', '[data-room=walk]', '[data-room=workbench]', '[data-room=walk]'],
  'chapters are turned': ['[data-scene=place]', '[data-scene=kernel]', '[data-scene=caches]', '[data-scene=journey]'],
  'ledgers are changed': ['[data-ledger=report]', '[data-ledger=exact]', '[data-ledger=tutorial]'],
};

for (const [name, buttons] of Object.entries(CASES)) {
  test(`memory stays as it is while ${name}`, async ({ page }) => {
    await page.addInitScript(() => {
      const instantiate = WebAssembly.instantiate;
      WebAssembly.instantiate = async (...what) => {
        const made = await instantiate(...what);
        const { memory } = (made.instance ?? made).exports;
        if (memory) globalThis.__memory = memory;
        return made;
      };
    });
    await open(page);
    const bytes = () => page.evaluate(() => globalThis.__memory.buffer.byteLength);
    const round = async () => {
      for (const button of buttons) {
        await page.locator(button).click();
        await page.waitForTimeout(40);
      }
    };
    for (let count = 0; count < ROUNDS.warm; count++) await round();
    const before = await bytes();
    expect(before).toBeGreaterThan(0);
    for (let count = 0; count < ROUNDS.more; count++) await round();
    expect(await bytes()).toBeLessThanOrEqual(before + SPARE * PAGE);
  });
}
