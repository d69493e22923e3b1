// Settings of the browser tests. `cargo xtask test browser` builds and serves the page and starts them.
import { defineConfig } from '@playwright/test';
import { baseURL, launch } from './browser.mjs';

export default defineConfig({
  testDir: 'tests',
  testMatch: '**/*.spec.{mjs,ts}',
  outputDir: '../target/e2e',
  fullyParallel: true,
  workers: 2,
  // A loaded machine may miss a moment once; what fails three times is broken.
  retries: process.env.CI ? 2 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL,
    launchOptions: launch,
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
});
