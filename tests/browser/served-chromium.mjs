// Serves the playground and starts Chromium for the tests of one file.
import { after, before } from 'node:test';
import { launchChromium } from '../support/chromium.mjs';
import { servedPage } from './drivers.mjs';
import { quietFile, removeStored } from './drivers/stored-data.mjs';

/**
 * Registers the hooks. Call it once, at the top of a test file.
 *
 * @returns `browser`, and the `url` of the page; both are there when tests run
 */
export function serveToChromium() {
  const opened = {};
  let server;
  before(async () => {
    server = await servedPage();
    [opened.url] = server.urls;
    opened.browser = await launchChromium();
  });
  after(async () => {
    await opened.browser?.close();
    await server?.close();
  });
  return opened;
}

// Undoes what a test did to a page, and closes the tabs that it opened.
async function renew(page, { url, viewport }) {
  const others = page.context().pages();
  await Promise.all(others.filter((one) => one !== page).map((one) => one.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(new URL(quietFile, url).href);
  await page.evaluate(removeStored);
  await page.goto('about:blank');
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
}

/**
 * Returns a function that returns an empty page with nothing stored. It is always the same page, unless a test closed
 * it: a new one starts several times slower.
 *
 * @param {ReturnType<typeof serveToChromium>} opened
 * @param {object} [options] the options of its context
 * @param {(page: object) => void} [watch] is called with each new page
 */
export function freshPages(opened, options = {}, watch = () => {}) {
  const { viewport = { width: 1280, height: 900 } } = options;
  let page;
  return async () => {
    if (page && !page.isClosed()) {
      await renew(page, { url: opened.url, viewport });
      // Another page may be in front of it, and Chromium lets hidden pages wait.
      await page.bringToFront();
    } else {
      const context = await opened.browser.newContext({ viewport, ...options });
      page = await context.newPage();
      watch(page);
    }
    return page;
  };
}
