// How browser tests open the page and read what it shows: figures from `data-figure` and `data-value`, the rest from
// roles and attributes.
import { expect } from './fixtures.mjs';
import { usable } from './first-visit.mjs';

export { usable };

/** The keys with a slider. */
export const KEYS = ['context', 'batch', 'tp', 'gpu_memory_gib'];

/** The chapter in which tests turn what every chapter shares. */
export const CHAPTER = 'place';

/** A query in that chapter, where it names none. */
const inChapter = (query) => (/(^|&)(scene|embed|present)=/.test(query) ? query : [`scene=${CHAPTER}`, query].filter(Boolean).join('&'));

/** Opens the page with a query, in that chapter where it names none, and waits until it answers. */
export async function open(page, query = '') {
  await withTurn(page);
  await page.goto(`./?${inChapter(query)}`);
  await complete(page);
}

/** Waits until the page answers and everything has been fetched: a reader's first touch asks for what a first visit does without. */
export async function complete(page) {
  await usable(page);
  await page.evaluate(() => dispatchEvent(new Event('pointerdown')));
  await page.waitForSelector('html[data-complete]', { state: 'attached' });
}

/** The scene that the page opens with. */
export const FIRST = 'journey';

/** The names of all scenes, as addresses have them. */
export async function scenes(page) {
  const names = await page.locator('[data-scene]').evaluateAll((all) => all.map((e) => e.dataset.scene));
  // A single chapter needs no list.
  return names.length > 0 ? names : [FIRST];
}

const turning = new WeakSet();

/** Puts `turn()` into the page: resolves when everything a change sets off has been drawn into the document. */
async function withTurn(page) {
  if (turning.has(page)) return;
  turning.add(page);
  await page.addInitScript(() => {
    // What is out of sight follows when the reader rests: a test's reader rests at once.
    const REST_MS = 200;
    const timeout = globalThis.setTimeout.bind(globalThis);
    globalThis.setTimeout = (call, ms, ...rest) => timeout(call, ms === REST_MS ? 0 : ms, ...rest);
    // A test that counts frames keeps the uncounted way here.
    const frame = globalThis.plainFrame ?? globalThis.requestAnimationFrame.bind(globalThis);
    globalThis.turn = () => new Promise((then) => frame(() => setTimeout(() => setTimeout(then))));
  });
}

/**
 * Takes another address without loading again, as Back and Forward do, and waits for what it changes. The page's own
 * way to change all of its state at once, and so much faster than loading it for each state. Language and theme are
 * the reader's and stay as the page was opened with.
 */
export async function follow(page, query) {
  await page.evaluate(async (query) => {
    history.replaceState(null, '', `?${query}`);
    dispatchEvent(new PopStateEvent('popstate'));
    await turn();
  }, inChapter(query));
}

/** Makes steps play so many times as fast; must be called before the page opens. */
export async function atSpeed(page, factor) {
  await page.addInitScript((factor) => {
    const frame = requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (call) => frame((now) => call(now * factor));
  }, factor);
}

/** Slow enough to look at a step on its way, however busy the machine. */
export const SLOW = 0.1;

/** The stage with its stepper. */
export const stage = (page) => page.locator('section:has([data-testid="play"])');

/** The stage's picture. */
export const picture = (page) => stage(page).locator('svg[role="img"]');

/** The words that go with the picture, for those who cannot see it. */
export const told = (page) => stage(page).locator('> [role="status"]');

/** The entry and the slider of a key. */
export const entry = (page, key) => page.locator(`[data-control="${key}"]`).getByRole('textbox');
export const slider = (page, key) => page.locator(`[data-control="${key}"]`).getByRole('slider');

/** The notice of what was not taken. */
export const notice = (page) => page.getByTestId('notice');

/** Takes a slider at a part of its length, goes on to others, and calls `held` before it lets go. */
export async function drag(page, key, [from, ...others], held = () => {}) {
  await slider(page, key).scrollIntoViewIfNeeded();
  const { x, y, width, height } = await slider(page, key).boundingBox();
  await page.mouse.move(x + width * from, y + height / 2);
  await page.mouse.down();
  for (const part of others) await page.mouse.move(x + width * part, y + height / 2, { steps: 4 });
  await held();
  await page.mouse.up();
}

/** Types a value over an entry and leaves it. */
export async function type(page, key, text) {
  await entry(page, key).fill(text);
  await entry(page, key).press('Enter');
}

/**
 * Every figure inside an element, in their order: `id = value`. The table over contexts, and charts, which are there only
 * once they have been seen, only if they are asked for.
 */
export function figures(page, selector = 'body') {
  return page.evaluate((selector) => {
    const all = document.querySelectorAll(`:is(${selector}) [data-figure]`);
    const apart = { contexts: '[data-testid="contexts"]', charts: '[data-testid="charts"] svg' };
    const left = Object.keys(apart).filter((name) => !selector.includes(name));
    const here = [...all].filter((e) => !left.some((name) => e.closest(apart[name])));
    return here.map((e) => `${e.dataset.figure} = ${e.dataset.value}`);
  }, selector);
}

/** Selectors for `figures`. */
export const STAGE = 'section:has([data-testid="play"]) svg';
export const CAPACITY = '[data-testid="capacity"]';
export const CONTEXTS = '[data-testid="contexts"]';

/** How far the present step has come, from 0 to 1, and which it is, from 1. */
export function moment(page) {
  return page.evaluate(() => {
    const steps = [...document.querySelectorAll('[data-step]')];
    const at = steps.findIndex((step) => step.getAttribute('aria-current') === 'step');
    const done = steps.map((step) => new DOMMatrix(getComputedStyle(step.querySelector('span span')).transform).a);
    return { step: at + 1, t: Number(done[at].toFixed(3)) };
  });
}

/** Everything a link has to bring back. */
export async function view(page) {
  // What is out of sight follows later.
  await page.evaluate(() => globalThis.turn?.());
  const shown = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    theme: document.documentElement.dataset.theme,
    pressed: [...document.querySelectorAll('[aria-pressed="true"]')].map((e) => e.dataset.ledger ?? e.textContent),
    told: document.querySelector('section:has([data-testid="play"]) [role="status"]').textContent,
    entries: [...document.querySelectorAll('[data-control] input')].map((e) => e.value),
  }));
  return { ...shown, moment: await moment(page), figures: [...(await figures(page)), ...(await figures(page, CONTEXTS))] };
}

/** The keys of the address. */
export const keysOf = (page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Waits until the address holds exactly these keys, and that chapter's name where they name nothing else. */
export async function expectKeys(page, keys) {
  const elsewhere = ['scene', 'embed', 'present'].some((key) => key in keys);
  await expect.poll(() => keysOf(page), 'keys of the address').toEqual(elsewhere ? keys : { ...keys, scene: CHAPTER });
}

/** Whatever looks like a number that went wrong, in the text and in every attribute; the notice may quote it. */
export function brokenNumbers(page) {
  return page.evaluate(() => {
    const wrong = /\bnan\b|\binf(inity)?\b|\bundefined\b|∞/i;
    const outside = (node) => !node.parentElement?.closest('[data-testid="notice"], script, style');
    const found = [];
    const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      if (wrong.test(texts.currentNode.data) && outside(texts.currentNode)) found.push(texts.currentNode.data);
    }
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) if (wrong.test(value)) found.push(`${name}="${value}"`);
    }
    return found;
  });
}
