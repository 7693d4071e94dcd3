// Opens a page in Chromium and waits until its title says that a turn was answered.
import { launchChromium } from './chromium.mjs';
import { serveFolder } from './serve-folder.mjs';

/** A module script that reports the turn in the title of its page. */
export const pageScript = `
import { turn } from './turn.mjs';
turn().then((text) => (document.title = text), (error) => (document.title = 'failed: ' + error));
`;

/** A page with one script. */
export const pageWith = (script) =>
  `<!doctype html><meta charset="utf-8"><title>waiting</title><body>${script}</body>`;

/** Returns the text of an answered turn, which the page at `url` puts into its title. */
export async function turnAt(url) {
  const browser = await launchChromium();
  const messages = [];
  try {
    const page = await browser.newPage();
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    await page.goto(url);
    await page.waitForFunction(() => /^(answered|failed)/.test(document.title), undefined, {
      timeout: 60_000,
    });
    return await page.title();
  } catch (error) {
    throw new Error([String(error), ...messages].join('\n'), { cause: error });
  } finally {
    await browser.close();
  }
}

/** Serves a folder, and returns the turn of its page at `path`. */
export async function turnInFolder(folder, path = '') {
  const server = await serveFolder(folder);
  try {
    return await turnAt(`${server.url}${path}`);
  } finally {
    server.close();
  }
}
