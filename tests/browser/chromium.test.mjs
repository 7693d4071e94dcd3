// Runs the portable tests in Chromium, as page.mjs chooses them.
import { launchChromium } from '../support/chromium.mjs';
import { testIn } from '../js/report.mjs';
import { resultsFrom } from './page.mjs';

testIn('Chromium', () =>
  resultsFrom(async (url) => {
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(url);
    return () => browser.close();
  }),
);
