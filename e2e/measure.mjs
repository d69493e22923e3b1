// Measures the built page against its budgets: `cargo xtask measure [QUERY…]`, every scene where no query is given.
// Prints a table and writes target/measure.json. Only the bytes of a first visit decide the exit status: times depend on the machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import os from 'node:os';
import { chromium } from '@playwright/test';
import { baseURL, launch } from './browser.mjs';
import { BUDGET, firstVisit, usable } from './first-visit.mjs';
import { SCRIPT_STYLE, WITH_LAYOUT, distribution, frameWork } from './trace.mjs';

/** How much slower than this machine the page's CPU is made for all times. */
const SLOWDOWN = 4;
/** Budgets in milliseconds with that slow-down. */
const MS = { firstPaint: 600, usable: 1000, frame: 8, slider: 50 };
/** How often the page is loaded, how many steps at most are played, and how often sliders move. */
const RUNS = 5, STEPS = 12, MOVES = 60;
/** A started page is left alone for so long before it is asked anything. */
const START_MS = 4000;
/** What a start or a change set off has come to rest after so long. */
const REST_MS = 1000;
/** Between asking for something and doing it: what asks has then run. */
const PAUSE_MS = 100;
/** A slider's move is over after so long without a change. */
const QUIET_MS = 300;
/** Heap after so many scene changes against after so few, at most by this factor. */
const HEAP = { few: 5, many: 50, growth: 1.05 };

/** Rooms without a stage. */
const ROOMS = ['room=calculate'];

const STAGE = '.stage';
const PLAY = '[data-testid=play]';
const NEXT = '[data-testid=next]';
const SLIDER = '[data-control] input[type=range]';

/** An empty page of desktop size, and how to slow its CPU. */
async function blank(browser) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  return { context, page, slow: () => devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN }) };
}

const address = (query) => baseURL + (query ? `?${query}` : '');

/** The page at `query`, started at full speed and come to rest; then slowed, unless it is to stay as it is. */
async function started(browser, query, slows = true) {
  const { context, page, slow } = await blank(browser);
  await page.goto(address(query));
  await usable(page);
  await page.waitForTimeout(REST_MS);
  if (slows) await slow();
  await page.waitForTimeout(300);
  return { context, page };
}

/**
 * First contentful paint, the time until the application answers, and until its own first picture has been painted, from
 * navigation. Nothing of the measuring runs in the page meanwhile but one observer: a script that asks again and again,
 * or the test tool's own, takes as long as a tenth of what is measured.
 */
async function start(browser, query) {
  const times = { firstPaint: [], usable: [], drawn: [] };
  for (let run = 0; run <= RUNS; run++) {
    const { context, page, slow } = await blank(browser);
    await slow();
    await page.addInitScript(() => {
      const seen = new MutationObserver(() => {
        if (!document.documentElement?.hasAttribute('data-ready')) return;
        seen.disconnect();
        requestAnimationFrame(() => {
          globalThis.__usable = performance.now();
          // A turn after the frame's style, layout and paint.
          setTimeout(() => (globalThis.__drawn = performance.now()));
        });
      });
      seen.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-ready'] });
    });
    await page.goto(address(query), { waitUntil: 'commit' });
    await new Promise((resolve) => setTimeout(resolve, START_MS));
    await usable(page);
    await page.waitForTimeout(300);
    const seen = await page.evaluate(() => ({
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      usable: globalThis.__usable,
      drawn: globalThis.__drawn,
    }));
    await context.close();
    if (run === 0) continue; // warms the browser up
    for (const [name, all] of Object.entries(times)) if (seen[name] !== undefined) all.push(seen[name]);
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, distribution(all)]));
}

/**
 * Resolves once what plays next has been played; asked for before the play begins, so that nothing of the measuring runs
 * in its frames. The button shows a pause sign for as long as a step plays.
 */
function played(page) {
  return page.evaluate(
    (play) =>
      new Promise((resolve) => {
        const button = document.querySelector(play);
        let begun = false;
        const seen = new MutationObserver(() => {
          const plays = button.textContent.includes('❚❚');
          if (begun && !plays) {
            seen.disconnect();
            resolve();
          }
          begun ||= plays;
        });
        seen.observe(button, { subtree: true, childList: true, characterData: true });
      }),
    PLAY,
  );
}

/**
 * Script and style work in each animation frame while every step of the scene is played, and the same with layout:
 * slowed, by the clock; or not slowed, in the thread's own time, so many times over. The browser slows by stopping the
 * thread for some three milliseconds after each one that it ran: what takes one or two meets no stop, one or two, and
 * has a long tail by the clock, though not on average. By key: for a click the test tool runs scripts of its own in
 * the page.
 */
async function frames(browser, query, slows) {
  const { context, page } = await started(browser, query, slows);
  if ((await page.locator(PLAY).count()) === 0) {
    await context.close();
    return null;
  }
  await page.locator(STAGE).first().focus();
  // From the end, play goes on to the beginning; a key that goes on shows the next step done, and it would not be played.
  await page.keyboard.press('End');
  await page.waitForTimeout(REST_MS);
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame', 'v8'],
  });
  for (let step = 0; step < STEPS; step++) {
    const end = played(page);
    await page.waitForTimeout(PAUSE_MS);
    await page.keyboard.press('Space');
    await end;
    if (await page.locator(NEXT).first().isDisabled()) break;
  }
  const trace = JSON.parse((await browser.stopTracing()).toString());
  await context.close();
  const work = (kinds) => {
    if (slows) return distribution(frameWork(trace.traceEvents, kinds));
    return distribution(frameWork(trace.traceEvents, kinds, 'tdur').map((ms) => SLOWDOWN * ms));
  };
  return { scriptStyle: work(SCRIPT_STYLE), withLayout: work(WITH_LAYOUT) };
}

/**
 * From a key press on each of the sliders to the last frame painted with a figure that it changed: what is in sight
 * below the stage may be one paint behind it, and counts. The browser tells of the changes; to look for them in every
 * frame would be measured too.
 */
async function slider(browser, query) {
  const { context, page } = await started(browser, query);
  // One with a single stop has nowhere to go.
  const ranges = page.locator(`${SLIDER}:not([max="0"]):visible`);
  const count = await ranges.count();
  if (count === 0) {
    await context.close();
    return null;
  }
  await page.evaluate((quiet) => {
    const FIGURE = '[data-figure], [aria-valuetext]';
    // What nobody sees is not painted, and may come later.
    let unseen = new Set();
    const outOfSight = (room) => {
      const { top, bottom } = room.getBoundingClientRect();
      return bottom <= 0 || top >= innerHeight;
    };
    const inSight = (node) => !unseen.has(node.closest('.room'));
    const hasFigure = (node) => node.nodeType === 1 && (node.matches(FIGURE) || node.querySelector(FIGURE) !== null);
    const counts = ({ type, target, addedNodes }) => inSight(target) && (type === 'attributes' || [...addedNodes].some(hasFigure));
    const channel = new MessageChannel();
    let [begun, last, asked, timer, resolve] = [0, null, false, 0, () => {}];
    // Answered after the frame's style, layout and paint.
    channel.port1.onmessage = () => ([last, asked] = [performance.now() - begun, false]);
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve(last), quiet);
    };
    new MutationObserver((records) => {
      if (!records.some(counts)) return;
      rest();
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => channel.port2.postMessage(0));
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-value', 'aria-valuetext'] });
    // Then resolves to the milliseconds from the next key to its last painted frame, or to nothing if nothing changed.
    globalThis.__arm = () => {
      globalThis.__moved = new Promise((then) => {
        unseen = new Set(Array.from(document.querySelectorAll('.room')).filter(outOfSight));
        [last, resolve] = [null, then];
        const press = (event) => {
          begun = event.timeStamp;
          rest();
        };
        document.addEventListener('keydown', press, { capture: true, once: true });
      });
    };
  }, QUIET_MS);
  const times = [];
  let without = 0;
  const each = Math.max(2, Math.ceil(MOVES / count));
  for (let index = 0; index < count; index++) {
    await ranges.nth(index).focus();
    for (let move = 0; move < each; move++) {
      await page.evaluate(() => globalThis.__arm());
      await page.waitForTimeout(PAUSE_MS);
      await page.keyboard.press(move < each / 2 ? 'ArrowLeft' : 'ArrowRight');
      const ms = await page.evaluate(() => globalThis.__moved);
      if (ms === null) without++;
      else times.push(ms);
    }
  }
  await context.close();
  return { ...distribution(times), movesWithoutChange: without };
}

/** The heap after few and after many scene changes, garbage collected, in bytes; nothing where there is one scene. */
async function heap(browser) {
  const { context, page } = await blank(browser);
  const devtools = await context.newCDPSession(page);
  await page.goto(address(''));
  await usable(page);
  const scenes = page.locator('[data-scene]');
  const count = await scenes.count();
  const used = [];
  for (let change = 1; change <= HEAP.many && count > 1; change++) {
    await scenes.nth(change % count).click();
    await page.waitForTimeout(50);
    if (change !== HEAP.few && change !== HEAP.many) continue;
    // Both times the same scene stands on the stage.
    await scenes.first().click();
    await page.waitForTimeout(200);
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('HeapProfiler.collectGarbage');
    used.push((await devtools.send('Runtime.getHeapUsage')).usedSize);
  }
  await context.close();
  return used.length === 2 ? { few: used[0], many: used[1] } : null;
}

/** The addresses of all scenes but the one that the empty address shows. */
async function otherScenes(browser) {
  const { context, page } = await blank(browser);
  await page.goto(address(''));
  await usable(page);
  const others = page.locator('[data-scene]:not([aria-current])');
  const names = await others.evaluateAll((all) => all.map((e) => e.dataset.scene));
  await context.close();
  return names.map((name) => `scene=${name}`);
}

/** One line of the table. */
function row(name, shown, budget, verdict) {
  console.log(`${name.padEnd(36)} ${shown.padEnd(50)} ${budget.padEnd(18)} ${verdict}`.trimEnd());
}

const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

const told = (times) => `median ${times.median} ms, p95 ${times.p95} ms, max ${times.max} ms (${times.count})`;

function timeRow(name, times, at, budget) {
  if (!times) return row(name, '–', `${at} ≤ ${budget} ms`, 'none here');
  if (times.count === 0) return row(name, '–', `${at} ≤ ${budget} ms`, 'NOTHING MOVED');
  return row(name, told(times), `${at} ≤ ${budget} ms`, times[at] <= budget ? 'ok' : 'OVER');
}

const load = os.loadavg()[0];
const browser = await chromium.launch(launch);
const bytes = await firstVisit(browser, baseURL);
const named = process.argv.slice(2);
const queries = named.length > 0 ? named : ['', ...(await otherScenes(browser)), ...ROOMS];
const within = bytes.total <= BUDGET.limit;
console.log(`\nBytes of a first visit, as transferred (brotli)`);
for (const file of bytes.files) row(`  ${file.path}`, `${kb(file.bytes)} (${kb(file.unpacked)} unpacked)`, '', '');
row('  total', kb(bytes.total), `≤ ${kb(BUDGET.limit)}`, within ? 'ok' : 'OVER');
if (within && bytes.total > BUDGET.aim) console.log(`  (above the ${kb(BUDGET.aim)} aimed at)`);
const heaps = await heap(browser);
if (heaps) {
  const growth = heaps.many / heaps.few;
  const shown = `${kb(heaps.few)} after ${HEAP.few}, ${kb(heaps.many)} after ${HEAP.many}`;
  row('\nHeap over scene changes', shown, `≤ × ${HEAP.growth}`, growth <= HEAP.growth ? 'ok' : 'OVER');
}
// Each line is printed when it is known: all scenes take long.
const pages = {};
for (const query of queries) {
  console.log(`\nTimes with the CPU slowed ${SLOWDOWN}x${query && `, ${query}`}`);
  // A first visit is the same for all scenes.
  const begun = named.length > 0 || query === '' ? await start(browser, query) : null;
  if (begun) {
    timeRow('  first contentful paint', begun.firstPaint, 'median', MS.firstPaint);
    timeRow('  usable', begun.usable, 'median', MS.usable);
    row('  its own picture painted', `median ${begun.drawn.median} ms, p95 ${begun.drawn.p95} ms`, '', '');
  }
  const frame = await frames(browser, query, true);
  timeRow('  script and style per frame', frame?.scriptStyle, 'p95', MS.frame);
  const work = await frames(browser, query, false);
  timeRow(`  … ${SLOWDOWN} × the thread's time unslowed`, work?.scriptStyle, 'p95', MS.frame);
  if (work) row('  … and with layout', told(work.withLayout), '', '');
  const moved = await slider(browser, query);
  timeRow('  slider to paint', moved, 'p95', MS.slider);
  pages[query] = { start: begun, frame, work, slider: moved };
}
const result = {
  date: new Date().toISOString(),
  machine: { chromium: browser.version(), cpu: os.cpus()[0]?.model, cores: os.cpus().length, load },
  slowdown: SLOWDOWN,
  budgets: { bytes: BUDGET, ms: MS },
  bytes,
  heap: heaps,
  pages,
};
await browser.close();
if (load > 0.5)
  console.log(`\nOther programs were at work (load ${load.toFixed(1)} on ${os.cpus().length} cores): the times are too high.`);
const output = process.env.OUTPUT ?? '../target/measure.json';
await mkdir(dirname(output), { recursive: true });
await writeFile(output, `${JSON.stringify(result, null, 2)}\n`);
console.log('\nwritten to target/measure.json');
if (!within) {
  console.error(`A first visit transfers ${kb(bytes.total)}; at most ${kb(BUDGET.limit)} are allowed.`);
  process.exitCode = 1;
}
