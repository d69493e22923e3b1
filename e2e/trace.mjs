// Reading a Chromium trace: how much work each animation frame took.

/** Main-thread tasks that are the page's own script, and the styling that follows from it. */
export const SCRIPT_STYLE = [
  'FireAnimationFrame', 'FunctionCall', 'EvaluateScript', 'EventDispatch', 'TimerFire', 'RunMicrotasks',
  'HandlePostMessage', 'v8.run', 'v8.callFunction', 'MinorGC', 'MajorGC', 'UpdateLayoutTree', 'ParseAuthorStyleSheet',
];
/** The same and the layout after it. */
export const WITH_LAYOUT = [...SCRIPT_STYLE, 'Layout'];

const thread = (event) => `${event.pid}:${event.tid}`;

/** The thread that ran the animation: the one with most animation-frame callbacks. */
function animatingThread(events) {
  const calls = new Map();
  for (const event of events)
    if (event.name === 'FireAnimationFrame' && event.ph === 'X') calls.set(thread(event), (calls.get(thread(event)) ?? 0) + 1);
  return [...calls].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/**
 * Milliseconds of work of some kinds in each frame that ran an animation callback. A frame reaches from one beginning of
 * a main-thread frame to the next; work nested in other work is counted once. `time` is `dur`, by the clock, or `tdur`,
 * the thread's own time, in which nobody else's work on the machine counts.
 */
export function frameWork(events, kinds, time = 'dur') {
  const work = new Set(kinds);
  const main = animatingThread(events);
  if (main === undefined) return [];
  const own = events.filter((event) => thread(event) === main).sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const frames = own.filter((e) => e.name === 'BeginMainThreadFrame').map((e) => ({ ts: e.ts, work: 0, animated: false }));
  let at = -1, busyUntil = 0;
  for (const event of own) {
    while (at + 1 < frames.length && frames[at + 1].ts <= event.ts) at++;
    if (at < 0 || event.ph !== 'X' || !work.has(event.name)) continue;
    if (event.name === 'FireAnimationFrame') frames[at].animated = true;
    if (event.ts < busyUntil) continue;
    frames[at].work += (event[time] ?? 0) / 1000;
    busyUntil = event.ts + (event.dur ?? 0);
  }
  // The last frame may be cut off by the trace's end.
  return frames.slice(0, -1).filter((frame) => frame.animated).map((frame) => frame.work);
}

/** Count, median, 95th percentile, mean and maximum, to a tenth. */
export function distribution(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const round = (x) => (x === undefined ? null : Math.round(x * 10) / 10);
  const rank = (p) => round(sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]);
  const mean = sorted.length > 0 ? sorted.reduce((sum, x) => sum + x, 0) / sorted.length : undefined;
  return { count: sorted.length, median: rank(0.5), p95: rank(0.95), mean: round(mean), max: round(sorted.at(-1)) };
}
