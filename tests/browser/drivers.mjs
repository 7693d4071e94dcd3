// Drives the page of `npm start` in Chromium, Firefox and WebKit with one small set of functions.
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPlayground, servePlayground } from '../../scripts/setup/playground.mjs';
import { launchChromiumDriver } from './drivers/chromium.mjs';
import { launchFirefoxDriver } from './drivers/firefox.mjs';
import { quietFile, removeStored } from './drivers/stored-data.mjs';
import { launchWebKitDriver } from './drivers/webkit.mjs';
import { isWhole } from './page.mjs';

const launchers = {
  Chromium: launchChromiumDriver,
  Firefox: launchFirefoxDriver,
  WebKit: launchWebKitDriver,
};

/** The names of all browsers. */
export const browsers = Object.keys(launchers);

// The longer a page takes, the less often it is asked: each question takes time that the page needs.
const pollMs = { first: 20, most: 250 };
const patienceMs = 20_000;

/** Whether an element is shown: it exists, and it and its parents are not hidden. */
function isShown(css) {
  const found = document.querySelector(css);
  return found !== null && found.getClientRects().length > 0;
}

const textOf = (css) => document.querySelector(css)?.textContent ?? null;

/**
 * What all three drivers can do, made of what each does in its own way:
 * `navigate`, `reload`, `fresh`, `evaluate`, `click`, `type`, `press`, `setViewport`, `screenshot`, `complaints`,
 * `origins` and `close`.
 */
class BrowserPage {
  #driver;
  #isUsed = false;

  /** What relative URLs are resolved against. */
  url;
  name;

  constructor(name) {
    this.name = name;
  }

  async launch() {
    this.#driver = await launchers[this.name]();
  }

  /** Opens the page, or a URL relative to it such as `#rule/role.invalid`. */
  async goto(path = '') {
    this.#isUsed = true;
    await this.#driver.navigate(new URL(path, this.url).href);
  }

  async reload() {
    await this.#driver.reload();
  }

  /** Begins with nothing stored: no sessions, no key, no service worker. Closes the open page. */
  async fresh() {
    await this.#driver.fresh(async () => {
      if (this.#isUsed) await this.#clear();
    });
    this.#isUsed = false;
  }

  /** Clicks the middle of an element as a mouse does. Waits until the element is shown. */
  async click(css) {
    await this.waitFor(css);
    await this.#driver.click(css);
  }

  /** Moves the focus to an element. */
  async focus(css) {
    await this.waitFor(css);
    await this.evaluate((selector) => document.querySelector(selector).focus(), css);
  }

  /** Types a text into what has the focus, key by key. A line break is the key Enter. */
  async type(text) {
    await this.#driver.type(text);
  }

  /** Presses keys: `Enter`, `Control+k`, `Shift+Tab`, `ArrowDown`. */
  async press(keys) {
    await this.#driver.press(keys.split('+'));
  }

  /** Returns the text of the first element that matches; null if there is none. */
  async text(css) {
    return this.evaluate(textOf, css);
  }

  /**
   * Waits until an element is shown, or until a function returns a truthy value in the page. Returns that value.
   *
   * @throws Error with the text of the page after 20 seconds
   */
  async waitFor(condition, ...args) {
    const isCss = typeof condition === 'string';
    const deadline = Date.now() + patienceMs;
    for (let pause = pollMs.first; ; pause = Math.min(1.5 * pause, pollMs.most)) {
      const value = isCss
        ? await this.evaluate(isShown, condition)
        : await this.evaluate(condition, ...args);
      if (value) return value;
      if (Date.now() > deadline) throw await this.#late(condition);
      await sleep(pause);
    }
  }

  /** Waits until an element contains a text. */
  async waitForText(css, text) {
    await this.waitFor(
      (selector, part) =>
        [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(part)),
      css,
      text,
    );
  }

  /** Calls a function in the page with JSON arguments, and returns its JSON result. It may return a promise. */
  async evaluate(action, ...args) {
    return this.#driver.evaluate(action, args);
  }

  /** Writes a PNG of what is visible. */
  async screenshot(file) {
    await this.#driver.screenshot(file);
  }

  /** Sets the size of the page. WebKit's window cannot be narrower than about 450 pixels. */
  async setViewport(width, height) {
    await this.#driver.setViewport(width, height);
  }

  /** Returns what went wrong since `fresh`: errors, console errors and warnings, violations of the policy. */
  async complaints() {
    return this.#driver.complaints();
  }

  /** Returns the origins of all requests since `fresh`. */
  async origins() {
    return this.#driver.origins();
  }

  async close() {
    await this.#driver?.close();
  }

  async #clear() {
    await this.#driver.navigate(new URL(quietFile, this.url).href);
    await this.evaluate(removeStored);
    await this.#driver.navigate('about:blank');
  }

  async #late(condition) {
    const body = await this.text('body');
    return new Error(`${this.name} waited for ${condition} in vain. The page says: ${body}`);
  }
}

/** Starts a browser. `name` is one of `browsers`. */
export async function openIn(name) {
  const page = new BrowserPage(name);
  await page.launch();
  return page;
}

/** Builds and serves the page. STRATA_PAGE is the URL of a page to test that is served already. */
export async function servedPage() {
  const { STRATA_PAGE } = process.env;
  if (STRATA_PAGE) return { urls: [STRATA_PAGE], close: () => {} };
  await buildPlayground();
  return servePlayground({ port: 0 });
}

/**
 * Registers tests for each browser. Each test starts with the page open and nothing stored.
 *
 * @param {string} title
 * @param {(page: BrowserPage, alike: typeof it) => void} register calls `it`; the page can be used in its tests. What it
 *   registers with `alike` no engine does in its own way: it runs in Chromium, and in the others when all tests run
 * @param {{ names?: string[], path?: string | null }} [options] `path`: what is opened, relative to the page; null if
 *   the tests open it themselves
 */
export function inEachBrowser(title, register, { names = browsers, path = '' } = {}) {
  for (const name of names) {
    describe(`${title} (${name})`, () => {
      const page = new BrowserPage(name);
      let server;
      before(async () => {
        server = await servedPage();
        page.url = server.urls[0];
        await page.launch();
      });
      beforeEach(async () => {
        await page.fresh();
        if (path !== null) await page.goto(path);
      });
      after(async () => {
        await page.close();
        await server?.close();
      });
      register(page, name === 'Chromium' || isWhole ? it : () => {});
    });
  }
}
