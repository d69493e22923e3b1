// Sliders and entries: whatever way a value is set, tables and stage show the same figures, and the command line too.
import { test, expect } from '../lab.mjs';
import { CAPACITY, CONTEXTS, drag, entry, expectKeys, figures, follow, KEYS, keysOf, open, scenes, slider, STAGE, type } from '../reading.mjs';

/** What the address says of the scenario. */
function queryOf(page) {
  const keys = new URL(page.url()).searchParams;
  keys.delete('scene');
  return String(keys);
}

/** `id = value` as pairs, the value a number or, where there is none, `null`. */
const pairs = (lines) => lines.map((line) => line.split(' = ')).map(([id, value]) => [id, value === '' ? null : Number(value)]);

/** The table over contexts: the figures of each. */
async function figuresByContext(page) {
  const rows = await page.locator(`${CONTEXTS} [data-context]`).evaluateAll((rows) =>
    rows.map((row) => [row.dataset.context, [...row.querySelectorAll('[data-figure]')].map((e) => [e.dataset.figure, Number(e.dataset.value)])]),
  );
  expect(rows.length).toBe(6);
  return Object.fromEntries(rows);
}

/** Every figure on the page must be the command line's. */
async function expectLabsFigures(page, lab, query) {
  const wanted = await lab(query);
  const differing = async () => pairs(await figures(page)).filter(([id, value]) => value !== (wanted.get(id) ?? null));
  await expect.poll(differing, `figures that differ from the command line's for: ${query}`).toEqual([]);
  const keys = new URLSearchParams(query);
  for (const [context, rows] of Object.entries(await figuresByContext(page))) {
    keys.set('context', context);
    const there = await lab(String(keys));
    expect(rows, `at ${context} tokens`).toEqual(rows.map(([id]) => [id, there.get(id)]));
  }
}

/** Each part of the capacity table stands on each card of the stage, as large; and so do need and capacity. */
async function expectStageAgrees(page, even) {
  const table = pairs(await figures(page, CAPACITY));
  const stage = pairs(await figures(page, STAGE));
  const drawn = new Map(stage);
  for (const [id, value] of stage) expect(value, `${id} differs between cards`).toBe(drawn.get(id));
  const parts = table.filter(([id]) => id !== 'memory.free.bytes_per_gpu');
  expect(parts.length).toBeGreaterThanOrEqual(5);
  expect(parts.map(([id]) => [id, drawn.get(id)])).toEqual(parts);
  const cards = stage.filter(([id]) => id === parts[0][0]).length;
  for (const [id] of parts.slice(0, -3)) {
    const count = stage.filter(([other]) => other === id).length;
    // Where GPUs differ, the report's figures stand on the fullest of them.
    if (even) expect(count, id).toBe(cards);
    else expect(count, id).toBeGreaterThan(0);
  }
}

const SCENARIOS = {
  tutorial: ['', 'context=1&batch=1&tp=1&gpu_memory_gib=8', 'context=1048576&batch=1024&tp=16&gpu_memory_gib=1024', 'tp=16', 'context=129&batch=3&tp=2&gpu_memory_gib=141.5'],
  report: ['', 'context=1&batch=1&gpus=1', 'context=1048576&batch=1024&gpus=16', 'tp=16', 'batch=48&context=200000&gpus=4'],
  exact: ['', 'context=1&batch=1&tp=1', 'context=1048576&batch=1024&tp=16', 'tp=16&gpu_memory_gib=80', 'layout=dp_attention_ep&batch=64', 'layout=dp_attention_ep&ep=16&mtp=true&kv_rows=reference&dtypes=reference', 'model=v4-flash&tp=4&page_rounding=true', 'tp=8&pp=2&gpu=h20-141'],
};

for (const [ledger, queries] of Object.entries(SCENARIOS)) {
  test(`every figure of the ${ledger} ledger is the command line's, on tables and stage alike`, async ({ page, lab }) => {
    await open(page);
    const seen = new Set();
    for (const choices of queries) {
      const query = [`ledger=${ledger}`, choices].filter(Boolean).join('&');
      await test.step(query, async () => {
        await follow(page, query);
        await expect(page.locator(`[data-ledger="${ledger}"]`)).toHaveAttribute('aria-pressed', 'true');
        await expect(page.getByTestId('notice')).toBeEmpty();
        await expectLabsFigures(page, lab, query);
        await expectStageAgrees(page, !/\bpp=|\bep=16/.test(query));
        seen.add(String(await figures(page, CAPACITY)));
      });
    }
    expect(seen.size, 'scenarios that show figures of their own').toBe(queries.length);
  });
}

/** Numbers between 0 and 1 that are the same in every run. */
function* drawn(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Five scenarios drawn for a scene: ledger, load and cut. */
function scenariosOf(scene) {
  const numbers = drawn([...scene].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  const next = () => numbers.next().value;
  const pick = (list) => list[Math.floor(next() * list.length)];
  return Array.from({ length: 5 }, () => {
    const context = Math.floor(2 ** (next() * 20));
    return `ledger=${pick(['tutorial', 'report', 'exact'])}&context=${context}&batch=${1 + Math.floor(next() * 256)}&tp=${pick([1, 2, 4, 8, 16])}`;
  });
}

test('every figure drawn in five drawn scenarios of each scene is the command line\'s', async ({ page, lab }) => {
  test.slow();
  await open(page);
  for (const scene of await scenes(page)) {
    for (const query of scenariosOf(scene)) {
      await follow(page, `${query}&scene=${scene}`);
      await expect(page.getByTestId('notice')).toBeEmpty();
      const wanted = await lab(query);
      const steps = page.locator('[data-step]');
      for (let step = 0; step < (await steps.count()); step++) {
        await steps.nth(step).click();
        const differ = pairs(await figures(page, STAGE)).filter(([id, value]) => value !== (wanted.get(id) ?? null));
        expect(differ, `${scene}, step ${step + 1}: ${query}`).toEqual([]);
      }
    }
  }
});

test('every figure in the picture of any scene is the command line\'s', async ({ page, lab }) => {
  await open(page);
  for (const scene of await scenes(page)) {
    for (const ledger of Object.keys(SCENARIOS)) {
      const query = `ledger=${ledger}&context=5000&batch=12`;
      await follow(page, `${query}&scene=${scene}`);
      await expectLabsFigures(page, lab, query);
    }
  }
});

test('every control of every scene changes what is shown, and stops only where the model allows', async ({ page }) => {
  // Uniform routing has no skew to turn; experts are spread apart from attention only where attention goes by request.
  await open(page, 'ledger=exact&router=zipf');
  for (const scene of await scenes(page)) {
    await test.step(scene, async () => {
      const layout = ['place', 'dispatch'].includes(scene) ? '&layout=dp_attention_ep' : '';
      await follow(page, `ledger=exact&router=zipf${layout}&scene=${scene}`);
      const problems = await page.evaluate(
        async ([stage]) => {
          const found = [];
          const shown = () => document.querySelector(stage).outerHTML + [...document.querySelectorAll('main [data-value]')].map((e) => e.dataset.value);
          const refused = () => document.querySelector('[data-testid="notice"]').textContent.trim();
          for (const { control: key } of [...document.querySelectorAll('[data-control]')].map((e) => e.dataset)) {
            const control = () => document.querySelector(`[data-control="${key}"] :is(select, [type="range"])`);
            const set = async (value) => {
              control().value = value;
              for (const kind of ['input', 'change']) control().dispatchEvent(new Event(kind, { bubbles: true }));
              await turn();
            };
            // Some stops of a long slider, both ends among them.
            const last = Number(control().max);
            const some = [0, 0.3, 0.45, 0.6, 0.8, 1].map((part) => String(Math.round(part * last)));
            const values = control().matches('select') ? [...control().options].map((option) => option.value) : some;
            const [start, before] = [control().value, shown()];
            let changes = false;
            for (const value of values) {
              await set(value);
              if (refused()) found.push(`${key}: ${refused()}`);
              changes ||= shown() !== before;
            }
            await set(start);
            // What a step does not show costs nothing: one that shows it is looked for.
            const steps = [...document.querySelectorAll('[data-step]')];
            for (const step of changes ? [] : steps) {
              step.click();
              await turn();
              const there = shown();
              for (const value of values) {
                await set(value);
                changes ||= shown() !== there;
              }
              await set(start);
              if (changes) break;
            }
            steps.at(-1).click();
            await turn();
            if (!changes) found.push(`${key} changes nothing`);
          }
          return found;
        },
        [STAGE],
      );
      expect(problems).toEqual([]);
    });
  }
});

test('a narrow stage shows the same figures', async ({ page, lab }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'ledger=exact&tp=16');
  await expectLabsFigures(page, lab, 'ledger=exact&tp=16');
  const table = pairs(await figures(page, CAPACITY));
  const drawn = new Map(pairs(await figures(page, STAGE)));
  for (const [id, value] of table.slice(0, -3)) expect(drawn.get(id), id).toBe(value);
});

const WAYS = {
  mouse: {
    // Looked at before it is let go.
    set: (page, key, changed) => drag(page, key, [0.5, 0.35, 0.2], changed),
  },
  keyboard: {
    async set(page, key, changed) {
      await slider(page, key).focus();
      await page.keyboard.press('ArrowLeft');
      await changed();
      await page.keyboard.press('ArrowLeft');
    },
  },
  typing: {
    async set(page, key, changed) {
      const text = { context: '128K', batch: '1,000', tp: '4', gpu_memory_gib: '141.5' }[key];
      await type(page, key, text);
      await changed();
    },
    value: { context: '131072', batch: '1000', tp: '4', gpu_memory_gib: '141.5' },
  },
};

for (const [way, { set: change, value }] of Object.entries(WAYS)) {
  test(`each value set by ${way} changes tables and stage at once`, async ({ page, lab }) => {
    await open(page);
    for (const key of KEYS) {
      await test.step(key, async () => {
        const [table, stage, text] = [await figures(page, CAPACITY), await figures(page, STAGE), await entry(page, key).inputValue()];
        await change(page, key, async () => {
          expect(await figures(page, STAGE)).not.toEqual(stage);
          await expect.poll(() => figures(page, CAPACITY)).not.toEqual(table);
          expect(await entry(page, key).inputValue()).not.toBe(text);
        });
        const set = String(Number((await entry(page, key).inputValue()).replace(/[^\d.]/g, '')));
        if (value) expect(set).toBe(value[key]);
        await expect.poll(() => keysOf(page)[key], 'the value in the address').toBe(set);
        await expectLabsFigures(page, lab, queryOf(page));
        await expectStageAgrees(page, true);
      });
    }
  });
}

test('the ends of a slider are the ends of what can be typed, and entry and slider say the same', async ({ page }) => {
  await open(page);
  const ends = { context: ['1', '1048576'], batch: ['1', '1024'], tp: ['1', '16'], gpu_memory_gib: ['8', '1024'] };
  for (const [key, [low, high]] of Object.entries(ends)) {
    for (const [press, end] of [['Home', low], ['End', high]]) {
      await slider(page, key).press(press);
      await expect.poll(() => keysOf(page)[key]).toBe(end);
      const shown = await entry(page, key).inputValue();
      expect(shown.replace(/\D/g, '')).toBe(end);
      await expect(slider(page, key)).toHaveAttribute('aria-valuetext', new RegExp(`^${shown} \\S`));
    }
    await type(page, key, low);
    await expect(slider(page, key)).toHaveValue('0');
  }
});

test('the defaults come back at a press', async ({ page }) => {
  await open(page);
  const before = await figures(page);
  await type(page, 'context', '1000');
  await type(page, 'tp', '2');
  await expect.poll(() => figures(page)).not.toEqual(before);
  await page.getByTestId('reset').click();
  await expect.poll(() => figures(page)).toEqual(before);
  await expectKeys(page, {});
});

for (const ledger of ['tutorial', 'report', 'exact']) {
  test(`where the ${ledger} ledger's load does not fit, the offered way out fits and is the smallest`, async ({ page, lab }) => {
    const query = `ledger=${ledger}&gpu_memory_gib=64`;
    await open(page, query);
    const [need, smallest] = { tutorial: ['memory.partial.bytes_per_gpu', 'plan.min_tp_partial'] }[ledger] ?? ['memory.bytes_per_gpu', 'plan.min_gpus'];
    expect((await lab(query)).get('memory.short.bytes_per_gpu')).toBeGreaterThan(0);
    await page.getByTestId('take-cut').click();
    await expect(page.getByTestId('take-cut')).toBeHidden();
    const more = { tutorial: 'tp', report: 'gpus', exact: 'pp' }[ledger];
    await expect.poll(() => keysOf(page)).toHaveProperty(more);
    const taken = await lab(queryOf(page));
    expect(taken.get('memory.short.bytes_per_gpu')).toBe(0);
    expect(taken.get(smallest)).toBe((await lab(query)).get(smallest));
    expect(await figures(page, '[data-testid="verdict"]')).toContain(`${need} = ${taken.get(need)}`);
    await expectLabsFigures(page, lab, queryOf(page));
  });
}
