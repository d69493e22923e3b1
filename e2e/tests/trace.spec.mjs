// The measurement's reading of a browser trace, on small traces made by hand.
import { test, expect } from '@playwright/test';
import { SCRIPT_STYLE, WITH_LAYOUT, distribution, frameWork } from '../trace.mjs';

const at = (name, ts, dur, tid = 1) => ({ name, ph: dur === undefined ? 'I' : 'X', pid: 1, tid, ts: ts * 1000, dur: dur && dur * 1000 });

test('work nested in other work counts once, paint does not count, and layout where it is asked for', () => {
  const events = [
    at('BeginMainThreadFrame', 0),
    at('FireAnimationFrame', 1, 4),
    at('FunctionCall', 2, 3),
    at('UpdateLayoutTree', 6, 1),
    at('Layout', 7, 1.5),
    at('Paint', 9, 5),
    at('BeginMainThreadFrame', 16),
  ];
  expect(frameWork(events, SCRIPT_STYLE)).toEqual([5]);
  expect(frameWork(events, WITH_LAYOUT)).toEqual([6.5]);
});

test('the thread\'s own time leaves out what others did meanwhile', () => {
  const events = [at('BeginMainThreadFrame', 0), { ...at('FireAnimationFrame', 1, 4), tdur: 1500 }, { ...at('FunctionCall', 2, 3), tdur: 1000 }, at('BeginMainThreadFrame', 16)];
  expect(frameWork(events, SCRIPT_STYLE, 'tdur')).toEqual([1.5]);
  expect(frameWork(events, SCRIPT_STYLE)).toEqual([4]);
});

test('frames without an animation callback, other threads and the cut-off last frame are left out', () => {
  const frames = frameWork([
    at('BeginMainThreadFrame', 0),
    at('UpdateLayoutTree', 1, 9),
    at('BeginMainThreadFrame', 16),
    at('FireAnimationFrame', 17, 2),
    at('FunctionCall', 17, 9, 2),
    at('BeginMainThreadFrame', 32),
    at('FireAnimationFrame', 33, 7),
  ], SCRIPT_STYLE);
  expect(frames).toEqual([2]);
});

test('a trace without animation has no frames, and no numbers are made up for it', () => {
  expect(frameWork([at('BeginMainThreadFrame', 0)], SCRIPT_STYLE)).toEqual([]);
  expect(distribution([])).toEqual({ count: 0, median: null, p95: null, mean: null, max: null });
});

test('percentiles are values that occurred', () => {
  expect(distribution([4, 1, 3, 2])).toMatchObject({ count: 4, median: 2, p95: 4, mean: 2.5, max: 4 });
});
