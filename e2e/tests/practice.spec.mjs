// Beside a scene: a calculation to step through and a question with fresh numbers.
import { test, expect, expectAccessible } from '../fixtures.mjs';
import { figures, follow, open, scenes } from '../reading.mjs';

const pairs = (list) => new Map(list.map((pair) => pair.split(' = ')));

test('each calculation is stepped line by line and ends in the page\'s own figures', async ({ page }) => {
  await open(page);
  for (const scene of await scenes(page)) {
    await follow(page, `scene=${scene}&batch=5`);
    const worked = page.getByTestId('worked');
    if (!(await worked.evaluate((e) => e.open))) await worked.locator('summary').click();
    const lines = worked.locator('ol.worked > li');
    await expect(lines).toHaveCount(1);
    await expect(page.getByTestId('next-line'), scene).toBeEnabled();
    let count = 1;
    while (await page.getByTestId('next-line').isEnabled()) {
      await page.getByTestId('next-line').click();
      await expect(lines).toHaveCount(++count);
    }
    expect(count).toBeGreaterThan(3);
    const shown = pairs(await figures(page));
    const said = await worked.locator('[data-line]').evaluateAll((all) => all.map((e) => [e.dataset.line, e.dataset.value]));
    for (const [id, value] of said) if (id && shown.has(id)) expect(Number(value) / Number(shown.get(id)), id).toBeCloseTo(1, 9);
  }
});

test('a question waits for its answer, tells why, and asks again with other numbers', async ({ page }) => {
  await open(page, 'scene=allreduce&lang=en');
  const exercise = page.getByTestId('exercise');
  await exercise.locator('summary').click();
  const question = exercise.locator('.question');
  const choices = exercise.locator('.choices button');
  await expect(choices).toHaveCount(4);
  await expect(page.getByTestId('solution')).toHaveCount(0);
  await choices.first().click();
  await expect(page.getByTestId('solution')).toBeVisible();
  await expect(exercise.locator('.choices .right')).toHaveCount(1);
  const right = await exercise.locator('.choices .right button').getAttribute('data-value');
  expect(await page.getByTestId('solution').locator('[data-value]').last().getAttribute('data-value')).toBe(right);
  await expectAccessible(page);
  const before = await question.textContent();
  await page.getByTestId('fresh').click();
  await expect(question).not.toHaveText(before);
  await expect(page.getByTestId('solution')).toHaveCount(0);
});

test('in a classroom the question and its answer each wait for a key', async ({ page }) => {
  await open(page, 'present=place');
  const asking = page.getByTestId('asking');
  await expect(asking).toHaveCount(0);
  await page.keyboard.press('q');
  await expect(asking.locator('.question')).toBeVisible();
  await expect(asking.locator('.choices .right')).toHaveCount(0);
  await page.keyboard.press('a');
  await expect(asking.locator('.choices .right')).toHaveCount(1);
  await page.keyboard.press('q');
  await expect(asking).toHaveCount(0);
});

test('true proportions say how much slower they play; equal steps say nothing', async ({ page }) => {
  await open(page, 'scene=allreduce');
  const slowed = page.getByTestId('slowed');
  await expect(slowed).toBeEmpty();
  await page.getByTestId('pace').selectOption('proportional');
  await expect(slowed).toContainText(/\d/);
  await follow(page, 'scene=place');
  await expect(slowed).toBeEmpty();
});

test('every chart draws itself, reads values by pointer and key, and is a table too', async ({ page }) => {
  await open(page, 'ledger=exact&lang=en');
  const room = page.getByTestId('charts');
  const names = await page.getByTestId('chart').locator('option').evaluateAll((all) => all.map((e) => e.value));
  expect(names.length).toBeGreaterThan(9);
  const pictures = new Set();
  for (const name of names) {
    await page.getByTestId('chart').selectOption(name);
    const reading = page.getByTestId('reading');
    const before = await reading.textContent();
    await room.locator('.chart-picture').press('ArrowRight');
    await expect(reading, name).not.toHaveText(before);
    await room.locator('.chart-picture').press('Escape');
    await expect(reading, name).toHaveText(before);
    pictures.add(await room.locator('svg g').innerHTML());
  }
  expect(pictures.size).toBe(names.length);
  await room.locator('.chart-picture').hover({ position: { x: 300, y: 150 } });
  await page.getByTestId('chart-table').click();
  expect(await room.locator('tbody tr').count()).toBeGreaterThan(3);
  await expectAccessible(page);
});
