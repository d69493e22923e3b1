// The command-line twin, for tests that hold the page against it: built once a worker, run once a scenario.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from './fixtures.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const LEDGER = 'tutorial';

/** Builds `lab` where that is needed and gives back where it lies. */
async function build() {
  const cargo = process.env.CARGO ?? 'cargo';
  const orders = ['build', '--quiet', '--locked', '--package', 'lab', '--message-format', 'json'];
  const { stdout } = await run(cargo, orders, { cwd: root, maxBuffer: 1 << 26 });
  const built = stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const program = built.find(({ target, executable }) => target?.name === 'lab' && executable);
  if (!program) throw new Error('cargo built no lab');
  return program.executable;
}

/**
 * Playwright's `test` with `lab`: every figure of a scenario as a Map from id to its number, or to `null` where it has
 * none, as on the page. The scenario is given as a link's query; what such a query says of the view is left out.
 */
export const test = base.extend({
  lab: [
    async ({}, use) => {
      const program = await build();
      const known = new Map();
      const ask = async (query) => {
        const { ledger = LEDGER, ...keys } = Object.fromEntries(new URLSearchParams(query));
        for (const view of ['units', 'lang', 'theme', 'scene', 'step', 't']) delete keys[view];
        const choices = Object.entries(keys).map(([key, value]) => `${key}=${value}`);
        const { stdout } = await run(program, ['figures', '--json', '--ledger', ledger, ...choices]);
        const number = ({ value }) => (typeof value === 'number' ? value : null);
        return new Map(Object.entries(JSON.parse(stdout)).map(([id, figure]) => [id, number(figure)]));
      };
      await use((query) => {
        if (!known.has(query)) known.set(query, ask(query));
        return known.get(query);
      });
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

export { expect };
