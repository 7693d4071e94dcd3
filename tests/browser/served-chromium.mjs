// Serves the playground and starts Chromium for the tests of one file.
import { after, before } from 'node:test';
import { launchChromium } from '../support/chromium.mjs';
import { servedPage } from './drivers.mjs';

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
