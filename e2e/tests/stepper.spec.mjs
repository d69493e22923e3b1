// The stepper: every step at a press, keys where the focus is, play as the only motion, and nothing at all while idle.
import { test, expect } from '../fixtures.mjs';
import { atSpeed, figures, follow, moment, open, scenes, slider, SLOW, STAGE, stage, told } from '../reading.mjs';

const STEPS = ['empty', 'copied', 'experts', 'heads', 'cache', 'verdict'];

const done = (step) => ({ step, t: 1 });

/** What is drawn: every mark with its attributes, in whatever order they were written. */
const drawing = (page) =>
  page.evaluate((stage) => {
    const all = [...document.querySelector(stage).querySelector('g').children];
    const marks = all.filter((mark) => mark.getAttribute('display') !== 'none');
    const attributes = (mark) => [...mark.attributes].map(({ name, value }) => `${name}=${value}`).sort();
    return marks.map((mark) => [mark.tagName, ...attributes(mark), mark.textContent].join(' ')).join('\n');
  }, STAGE);

/** Opens the page and counts its requests for animation frames from when it has come to rest. */
async function openCounting(page, query) {
  await page.addInitScript(() => {
    const ask = globalThis.requestAnimationFrame.bind(globalThis);
    globalThis.plainFrame = ask;
    const drop = globalThis.cancelAnimationFrame.bind(globalThis);
    const pending = new Set();
    globalThis.frames_ = { asked: 0, most: 0, pending };
    globalThis.untouchedFrame = () => new Promise(ask);
    globalThis.requestAnimationFrame = (call) => {
      const id = ask((time) => {
        pending.delete(id);
        call(time);
      });
      pending.add(id);
      frames_.asked += 1;
      frames_.most = Math.max(frames_.most, pending.size);
      return id;
    };
    globalThis.cancelAnimationFrame = (id) => {
      pending.delete(id);
      drop(id);
    };
  });
  await open(page, query);
  await expect.poll(async () => (await frames(page)).pending).toBe(0);
  await page.evaluate(() => Object.assign(frames_, { asked: 0, most: 0 }));
}

const frames = (page) => page.evaluate(() => ({ asked: frames_.asked, pending: frames_.pending.size, most: frames_.most }));

test('each segment shows its step done, at once and without motion', async ({ page }) => {
  await openCounting(page);
  expect(await page.locator('[data-step]').evaluateAll((all) => all.map((e) => e.dataset.step))).toEqual(STEPS);
  const seen = new Set();
  for (const name of [...STEPS].reverse()) {
    const segment = page.locator(`[data-step="${name}"]`);
    await segment.click();
    await expect(segment).toHaveAttribute('aria-current', 'step');
    expect(await moment(page)).toEqual(done(STEPS.indexOf(name) + 1));
    seen.add(await drawing(page));
  }
  expect(seen.size, 'drawings that differ').toBe(STEPS.length);
  expect((await frames(page)).asked).toBe(0);
});

test('every scene has its steps, each with a picture and a sentence of its own, at once and without motion', async ({ page }) => {
  await openCounting(page);
  for (const scene of await scenes(page)) {
    await test.step(scene, async () => {
      await follow(page, `scene=${scene}`);
      const seen = await page.evaluate(
        async ([stage]) => {
          const section = document.querySelector(stage).closest('section');
          const all = [...section.querySelectorAll('[data-step]')];
          const pictures = [];
          const sentences = [];
          for (const [index, segment] of all.entries()) {
            segment.click();
            await turn();
            pictures.push(document.querySelector(stage).querySelector('g').innerHTML);
            sentences.push(section.querySelector('[role="status"]').textContent);
            if (segment.getAttribute('aria-current') !== 'step') throw new Error(`step ${index + 1} is not shown`);
          }
          return { steps: all.length, pictures: new Set(pictures).size, sentences: new Set(sentences.filter((words) => words.length > 5)).size };
        },
        [STAGE],
      );
      expect(seen.steps).toBeGreaterThan(1);
      expect(seen).toEqual({ steps: seen.steps, pictures: seen.steps, sentences: seen.steps });
    });
  }
  expect((await frames(page)).asked).toBe(0);
});

test('the first and the last step of every scene play to their end and stop', async ({ page }) => {
  await atSpeed(page, 10);
  await openCounting(page);
  for (const scene of await scenes(page)) {
    await follow(page, `scene=${scene}`);
    const steps = await page.locator('[data-step]').count();
    for (const step of [1, steps]) {
      await follow(page, `scene=${scene}&step=${step}&t=0`);
      await page.getByTestId('play').click();
      await expect.poll(() => moment(page), { message: `${scene}, step ${step}`, intervals: [30] }).toEqual(done(step));
    }
  }
  await expect.poll(async () => (await frames(page)).pending).toBe(0);
  expect((await frames(page)).most).toBe(1);
});

test('previous and next go one step and stop at the ends', async ({ page }) => {
  await open(page, 'step=1');
  await expect(page.getByTestId('previous')).toBeDisabled();
  for (let step = 2; step <= STEPS.length; step++) {
    await page.getByTestId('next').click();
    expect(await moment(page)).toEqual(done(step));
  }
  await expect(page.getByTestId('next')).toBeDisabled();
  await page.getByTestId('previous').click();
  expect(await moment(page)).toEqual(done(STEPS.length - 1));
});

test('the steps told in the text go to the same place', async ({ page }) => {
  await open(page);
  const list = page.locator('main ol').getByRole('button');
  await expect(list).toHaveCount(STEPS.length);
  await list.nth(2).click();
  expect(await moment(page)).toEqual(done(3));
  await expect(list.nth(2)).toHaveAttribute('aria-current', 'step');
});

test('keys move the stage while the focus is in it', async ({ page }) => {
  await open(page);
  await stage(page).focus();
  const presses = [['Home', 1], ['ArrowRight', 2], ['ArrowRight', 3], ['ArrowLeft', 2], ['5', 5], ['1', 1], ['ArrowLeft', 1], ['End', 6], ['ArrowRight', 6], ['7', 6], ['0', 6], ['x', 6], ['3', 3]];
  for (const [key, step] of presses) {
    await page.keyboard.press(key);
    expect(await moment(page), key).toEqual(done(step));
  }
  await page.getByTestId('save-still').focus();
  await page.keyboard.press('2');
  expect(await moment(page)).toEqual(done(2));
  await stage(page).focus();
  await page.keyboard.press('Control+5');
  expect(await moment(page)).toEqual(done(2));
});

test('keys pressed elsewhere leave the stage alone', async ({ page }) => {
  await open(page, 'step=3&context=1000');
  const before = await moment(page);
  const elsewhere = [page.locator('body'), slider(page, 'context'), page.getByTestId('theme'), page.locator('[data-control="batch"]').getByRole('textbox'), page.locator('[data-testid="capacity"] [data-figure]').first()];
  for (const place of elsewhere) {
    await place.focus();
    for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End', '5']) await page.keyboard.press(key);
    expect(await moment(page)).toEqual(before);
  }
});

test('the page scrolls with the arrow keys it does not use, and the space bar on the stage does not scroll', async ({ page }) => {
  await open(page);
  await stage(page).focus();
  const at = await page.evaluate(() => scrollY);
  await page.keyboard.press('Space');
  await expect.poll(async () => (await moment(page)).step).toBe(1);
  await page.keyboard.press('Space');
  expect(await page.evaluate(() => scrollY)).toBe(at);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(at);
});

test('play moves through one step and ends there', async ({ page }) => {
  await openCounting(page, 'step=2');
  // Every moment that is drawn, in order.
  await page.evaluate((steps) => {
    globalThis.moments = [];
    const look = () => {
      const all = steps.map((name) => document.querySelector(`[data-step="${name}"]`));
      const at = all.findIndex((e) => e.getAttribute('aria-current') === 'step');
      moments.push([at + 1, new DOMMatrix(all[at].querySelector('span span').style.transform).a]);
    };
    new MutationObserver(look).observe(document.querySelector('[data-step]').parentElement, { subtree: true, attributes: true });
  }, STEPS);
  const before = await drawing(page);
  await page.getByTestId('play').click();
  await expect.poll(() => moment(page)).toEqual(done(3));
  expect(await drawing(page)).not.toBe(before);
  const moments = await page.evaluate(() => moments);
  expect(new Set(moments.map(([step]) => step))).toEqual(new Set([3]));
  const times = moments.map(([, t]) => t);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size, 'moments on the way').toBeGreaterThan(3);
  await expect.poll(async () => (await frames(page)).pending).toBe(0);
  expect(await moment(page)).toEqual(done(3));
});

test('play at the end begins anew', async ({ page }) => {
  await open(page);
  await page.getByTestId('play').click();
  await expect.poll(async () => (await moment(page)).step).toBe(1);
});

test('a second press stops, a third goes on from there', async ({ page }) => {
  await atSpeed(page, SLOW);
  await open(page, 'step=2');
  await page.getByTestId('play').click();
  await expect.poll(async () => (await moment(page)).t).toBeGreaterThan(0.01);
  await page.getByTestId('play').click();
  const stopped = await moment(page);
  expect(stopped.step).toBe(3);
  expect(stopped.t).toBeLessThan(1);
  await page.evaluate(() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then))));
  expect(await moment(page)).toEqual(stopped);
  await page.getByTestId('play').click();
  await expect.poll(async () => (await moment(page)).t).toBeGreaterThan(stopped.t);
  expect((await moment(page)).step).toBe(3);
});

test('presses in quick succession do not race: one frame at a time is asked for', async ({ page }) => {
  await atSpeed(page, SLOW);
  await openCounting(page, 'step=2');
  await page.getByTestId('play').evaluate((play) => {
    for (let press = 0; press < 5; press++) play.click();
  });
  await expect.poll(async () => (await moment(page)).t).toBeGreaterThan(0.01);
  expect((await frames(page)).most).toBe(1);
  expect((await moment(page)).step).toBe(3);
});

test('a jump during play ends it', async ({ page }) => {
  await atSpeed(page, SLOW);
  await openCounting(page, 'step=1');
  await page.getByTestId('play').click();
  await expect.poll(async () => (await moment(page)).t).toBeGreaterThan(0.01);
  await page.locator('[data-step="cache"]').click();
  expect(await moment(page)).toEqual(done(5));
  await expect.poll(async () => (await frames(page)).pending).toBe(0);
  expect(await moment(page)).toEqual(done(5));
});

test('less motion: the step is done at once, and the page says so', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openCounting(page, 'step=2');
  const note = stage(page).locator('p').last();
  const words = await note.textContent();
  await page.getByTestId('play').click();
  expect(await moment(page)).toEqual(done(3));
  expect((await frames(page)).asked).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect(note).not.toHaveText(words);
});

test('nothing runs while nothing is played', async ({ page }) => {
  await openCounting(page);
  await slider(page, 'context').press('ArrowRight');
  await page.locator('[data-step="cache"]').click();
  const { asked, changed } = await page.evaluate(async () => {
    let changed = 0;
    await untouchedFrame();
    const before = frames_.asked;
    const watch = new MutationObserver((all) => (changed += all.length));
    watch.observe(document.documentElement, { subtree: true, attributes: true, childList: true, characterData: true });
    await new Promise((then) => setTimeout(then, 500));
    watch.disconnect();
    return { asked: frames_.asked - before, changed };
  });
  expect({ asked, changed }).toEqual({ asked: 0, changed: 0 });
});

test('the live description follows step and load, with the numbers of the figures', async ({ page }) => {
  for (const lang of ['zh', 'en']) {
    await open(page, `lang=${lang}&context=131072`);
    await expect(told(page)).toHaveAttribute('aria-live', 'polite');
    const seen = new Set();
    /** What the page writes for a figure beside its unit. */
    const written = async (id) => {
      const figure = page.locator(`[data-testid="verdict"] [data-figure="${id}"], .keys [data-figure="${id}"]`).first();
      return (await figure.locator('span').allTextContents()).join(' ');
    };
    const numbers = { experts: ['weights.routed.bytes_per_gpu'], cache: ['cache.batch.bytes_per_gpu'], verdict: ['memory.partial.bytes_per_gpu', 'gpu.memory.bytes', 'memory.short.bytes_per_gpu'] };
    for (const name of STEPS) {
      await page.locator(`[data-step="${name}"]`).click();
      const words = await told(page).textContent();
      for (const id of numbers[name] ?? []) expect(words).toContain(await written(id));
      seen.add(words);
    }
    expect(seen.size).toBe(STEPS.length);
    const words = await told(page).textContent();
    await slider(page, 'context').press('ArrowLeft');
    await expect(told(page)).not.toHaveText(words);
    const [need] = (await figures(page, STAGE)).filter((line) => line.startsWith('memory.partial'));
    expect((await told(page).textContent())).toContain((Number(need.split(' = ')[1]) / 2 ** 30).toPrecision(4));
  }
});

test('scrubbing reaches every moment and leaves it in the address', async ({ page }) => {
  await open(page, 'scene=kernel');
  const scrubber = page.getByTestId('scrub');
  const steps = await page.locator('[data-step]').count();
  for (const [place, at] of [[0, { step: 1, t: 0 }], [50, { step: 1, t: 0.5 }], [100, { step: 1, t: 1 }], [125, { step: 2, t: 0.25 }], [steps * 100, done(steps)]]) {
    await scrubber.fill(String(place));
    expect(await moment(page)).toEqual(at);
  }
  // Arrow keys on it are its own.
  await scrubber.press('ArrowLeft');
  expect(await moment(page)).toEqual({ step: steps, t: 0.99 });
});

test('speed changes how long a step plays', async ({ page }) => {
  await open(page);
  const took = async (speed) => {
    await page.getByTestId('speed').selectOption(speed);
    await page.locator('[data-step]').first().click();
    const begun = Date.now();
    await page.getByTestId('play').click();
    await expect(page.getByTestId('play')).toContainText('播放', { timeout: 20_000 });
    return Date.now() - begun;
  };
  const [slow, fast] = [await took('0.25'), await took('4')];
  expect(slow).toBeGreaterThan(3 * fast);
});

test('a card is seen closer with the stage beside it, and back', async ({ page }) => {
  await open(page);
  for (const scene of ['place', 'allreduce', 'experts', 'dispatch']) {
    await follow(page, `scene=${scene}&step=1`);
    const before = await drawing(page);
    const button = page.getByTestId('cards').getByRole('button').nth(3);
    await button.click();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    // Compared in the test: a drawing is too long for a message.
    await expect.poll(async () => (await drawing(page)) === before, 'the whole stage').toBe(false);
    await button.click();
    await expect.poll(async () => (await drawing(page)) === before, 'the whole stage').toBe(true);
  }
});

test('a scene out of sight stops playing', async ({ page }) => {
  await atSpeed(page, SLOW);
  await page.setViewportSize({ width: 800, height: 500 });
  await open(page);
  await page.locator('[data-step]').first().click();
  await page.getByTestId('play').click();
  await expect(page.getByTestId('play')).toContainText('暂停');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByTestId('play')).toContainText('播放');
});
