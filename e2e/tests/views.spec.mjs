// The stage in somebody else's page and in a classroom.
import { test, expect, expectAccessible } from '../fixtures.mjs';
import { atSpeed, expectKeys, figures, FIRST, moment, notice, open, scenes, SLOW, STAGE, stage } from '../reading.mjs';

/** The scene in a frame of the demo page, once it answers. */
async function framed(page, scene) {
  const host = page.locator(`one-token-scene[scene="${scene}"]`);
  await host.scrollIntoViewIfNeeded();
  const frame = await (await host.locator('iframe').elementHandle()).contentFrame();
  await frame.waitForSelector('html[data-ready]', { state: 'attached' });
  return { host, frame };
}

test('an embedded scene is the stage and its stepper, the same as on the page', async ({ page }) => {
  await open(page);
  const names = await scenes(page);
  for (const name of names) {
    await open(page, `scene=${name}&batch=3&lang=en`);
    const whole = await figures(page, STAGE);
    await open(page, `embed=${name}&batch=3&lang=en`);
    await expect(page.locator('main > section')).toHaveCount(1);
    await expect(page.locator('header, nav, table, [data-control]')).toHaveCount(0);
    expect(await figures(page, STAGE)).toEqual(whole);
    const link = new URL(await page.getByRole('link').getAttribute('href'), page.url());
    expect(Object.fromEntries(link.searchParams)).toEqual(
      name === FIRST ? { batch: '3', lang: 'en' } : { scene: name, batch: '3', lang: 'en' },
    );
  }
});

test('an embedded scene fits 320 px, both themes, and leaves its margins transparent', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  for (const theme of ['light', 'dark']) {
    await open(page, `embed=allreduce&theme=${theme}`);
    await expectAccessible(page);
    const seen = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      ground: [document.documentElement, document.body].map((e) => getComputedStyle(e).backgroundColor),
    }));
    expect(seen).toEqual({ wide: 320, ground: ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)'] });
  }
});

test('three scenes in an article fit their height and share neither keys nor clocks', async ({ page }) => {
  await atSpeed(page, SLOW);
  await page.goto('./demo.html');
  const all = [];
  for (const name of ['place', 'allreduce', 'dispatch']) {
    const { host, frame } = await framed(page, name);
    const content = await frame.evaluate(() => document.querySelector('main').getBoundingClientRect().height);
    await expect.poll(async () => Math.abs((await host.boundingBox()).height - content)).toBeLessThan(12);
    expect(await frame.evaluate(() => document.documentElement.scrollHeight > innerHeight + 1), 'a scroll trap').toBe(false);
    all.push(frame);
  }
  const at = () => Promise.all(all.map((frame) => moment(frame)));
  const before = await at();
  await all[1].locator('section.stage').press('Home');
  const moved = await at();
  expect([moved[0], moved[2]]).toEqual([before[0], before[2]]);
  expect(moved[1]).toEqual({ step: 1, t: 1 });
  await all[1].locator('[data-testid="play"]').click();
  await expect(all[1].locator('[data-testid="play"]')).toContainText('暂停');
  await expect(all[2].locator('[data-testid="play"]')).toContainText('播放');
  expect(new URL(page.url()).search).toBe('');
});

test('a host changes what its scene shows; what cannot be taken is told and changes nothing', async ({ page }) => {
  await page.goto('./demo.html');
  const { host, frame } = await framed(page, 'allreduce');
  const root = () => frame.evaluate(() => ({ ...document.documentElement.dataset, lang: document.documentElement.lang }));
  await host.evaluate((e) => {
    e.setAttribute('theme', 'dark');
    e.setAttribute('lang', 'en');
    e.setAttribute('step', '2');
  });
  await expect.poll(root).toMatchObject({ theme: 'dark', lang: 'en', view: 'embed' });
  await expect.poll(() => moment(frame)).toEqual({ step: 2, t: 1 });
  const refused = host.evaluate((e) => new Promise((then) => e.addEventListener('refused', (event) => then(event.detail), { once: true })));
  await host.evaluate((e) => e.setAttribute('step', '99'));
  expect(await refused).toContain('step');
  await expect(frame.locator('[data-testid="notice"]')).toContainText('99');
  // Messages that are not the element's, of every kind.
  const answers = await page.evaluate(async () => {
    const { contentWindow } = document.querySelector('one-token-scene[scene="allreduce"] iframe');
    const seen = [];
    addEventListener('message', ({ data }) => data.refused && seen.push(data.refused));
    const name = 'one-token-eight-gpus';
    const bad = [null, 7, 'text', [], {}, { name }, { name, version: 2, show: 'batch=9' }, { name, version: 1 }, { name, version: 1, show: 5 }, { name, version: 1, show: 'x'.repeat(5000) }];
    for (const message of bad) contentWindow.postMessage(message, '*');
    await new Promise((then) => setTimeout(then, 300));
    return seen.length;
  });
  expect(answers).toBe(5);
  await expect.poll(root).toMatchObject({ theme: 'dark', lang: 'en', view: 'embed' });
});

test('an embedded scene adds nothing to its host\'s history', async ({ page }) => {
  await page.goto('./demo.html');
  const before = await page.evaluate(() => history.length);
  const { frame } = await framed(page, 'place');
  for (const segment of await frame.locator('[data-step]').all()) await segment.click();
  await page.waitForTimeout(400);
  expect(await page.evaluate(() => history.length)).toBe(before);
});

test('in a classroom one key steps, Escape leaves, and the place is kept', async ({ page }) => {
  await open(page, 'present=kernel');
  await expect(page.locator('[data-control], table')).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press('Home');
  const steps = await page.locator('[data-step]').count();
  for (let step = 2; step <= steps; step++) {
    // The first press plays the step, the second ends it.
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    expect(await moment(page)).toEqual({ step, t: 1 });
  }
  await page.keyboard.press('PageDown');
  expect(await moment(page)).toEqual({ step: steps, t: 1 });
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-control]').first()).toBeVisible();
  expect(await moment(page)).toEqual({ step: steps - 1, t: 1 });
  await expectKeys(page, { scene: 'kernel', step: String(steps - 1) });
});

test('the classroom shows the whole stage without scrolling, in large words', async ({ page }) => {
  for (const [width, height] of [[1440, 900], [1280, 720], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    await open(page, 'present=place');
    const seen = await page.evaluate(() => {
      const box = document.querySelector('.presentation svg[role="img"]').getBoundingClientRect();
      const said = document.querySelector('[data-testid="said"]');
      return {
        whole: box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth,
        scrolls: document.documentElement.scrollHeight > innerHeight,
        words: parseFloat(getComputedStyle(said).fontSize) >= 20,
      };
    });
    expect(seen).toEqual({ whole: true, scrolls: false, words: true });
  }
});

test('the classroom is a press away and Back leaves it', async ({ page }) => {
  await open(page, 'scene=experts');
  await page.getByTestId('present').click();
  await expectKeys(page, { present: 'experts' });
  await expect(stage(page)).toBeVisible();
  await page.goBack();
  await expect(page.locator('[data-control]').first()).toBeVisible();
  await expectKeys(page, { scene: 'experts' });
});

test('a view of a scene that does not exist shows the first one and says so', async ({ page }) => {
  await open(page, 'embed=nowhere');
  await expect(notice(page)).toContainText('nowhere');
  await expect(page.locator('main > section')).toHaveCount(1);
});
