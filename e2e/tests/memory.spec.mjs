// A page that is used for long: what has been on it leaves nothing behind in the application's memory.
import { expect, test } from '../fixtures.mjs';
import { open } from '../reading.mjs';

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
