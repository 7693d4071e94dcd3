// Runs the portable tests in Firefox, as page.mjs chooses them.
import puppeteer from 'puppeteer-core';
import { testIn } from '../js/report.mjs';
import { resultsFrom } from './page.mjs';

testIn('Firefox', () =>
  resultsFrom(async (url) => {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: '/usr/bin/firefox-esr',
      headless: true,
    });
    const page = await browser.newPage();
    await page.goto(url);
    return () => browser.close();
  }),
);
