// Going from scene to scene again and again leaves nothing behind.
import { test, expect } from '../fixtures.mjs';
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
