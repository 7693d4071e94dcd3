// Runs the portable tests in Chromium.
import { chromium } from 'playwright-core';
import { testIn } from '../js/report.mjs';
import { resultsFrom } from './page.mjs';

testIn('Chromium', () =>
  resultsFrom(async (url) => {
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    const page = await browser.newPage();
    await page.goto(url);
    return () => browser.close();
  }),
);
