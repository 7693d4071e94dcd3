// Runs the portable tests in WebKitGTK, the engine of Safari, as page.mjs chooses them.
import { testIn } from '../js/report.mjs';
import { startWebKit } from './drivers/webkit-process.mjs';
import { resultsFrom } from './page.mjs';

testIn('WebKit', () =>
  resultsFrom(async (url) => {
    const browser = await startWebKit();
    await browser.post('/url', { url });
    return browser.close;
  }),
);
