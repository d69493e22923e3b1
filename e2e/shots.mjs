// Screenshots of the built page: `cargo xtask shots [QUERY…] [--full]`. Each query (such as `scene=place&tp=4`) is
// shown in both languages, both themes, and at the widths of a phone and a desktop, into target/shots/.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { baseURL, launch } from './browser.mjs';
import { usable } from './first-visit.mjs';

const LANGUAGES = { zh: 'zh-CN', en: 'en-GB' };
const THEMES = ['light', 'dark'];
const SIZES = { 390: { height: 844, phone: true }, 1440: { height: 900, phone: false } };

const full = process.argv.includes('--full');
const queries = process.argv.slice(2).filter((argument) => argument !== '--full');
const output = process.env.OUTPUT ?? '../target/shots';
await mkdir(output, { recursive: true });

const browser = await chromium.launch(launch);
for (const query of queries.length > 0 ? queries : ['']) {
  const name = query.replace(/[^\p{L}\p{N}.=-]+/gu, '_').replaceAll('=', '-') || 'start';
  for (const [lang, locale] of Object.entries(LANGUAGES))
    for (const theme of THEMES)
      for (const [width, { height, phone }] of Object.entries(SIZES)) {
        const context = await browser.newContext({
          viewport: { width: Number(width), height },
          deviceScaleFactor: phone ? 2 : 1,
          isMobile: phone,
          hasTouch: phone,
          locale,
        });
        const page = await context.newPage();
        const complaints = [];
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(String(error)));
        await page.goto(`${baseURL}?lang=${lang}&theme=${theme}${query ? `&${query}` : ''}`);
        await usable(page);
        await page.evaluate(() => document.fonts.ready);
        await page.waitForTimeout(300);
        const file = `${name}-${lang}-${theme}-${width}.png`;
        await page.screenshot({ path: join(output, file), fullPage: full });
        console.log(['target/shots/' + file, ...complaints.map((text) => `  console: ${text}`)].join('\n'));
        await context.close();
      }
}
await browser.close();
