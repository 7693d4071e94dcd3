// Drives Chromium through Playwright.
import { launchChromium } from '../../support/chromium.mjs';
import { ObservedDriver } from './observed-driver.mjs';
import { watchPage } from './page-complaints.mjs';

const viewport = { width: 1280, height: 900 };

/** What drivers.mjs needs, in Chromium. */
class ChromiumDriver extends ObservedDriver {
  #browser;
  #page;

  constructor(browser, page) {
    super();
    this.#browser = browser;
    this.#page = page;
    this.observe(page, page.context());
  }

  /** The page of Playwright, for what only Chromium can do. */
  get page() {
    return this.#page;
  }

  async fresh(clear) {
    await clear();
    await this.#page.setViewportSize(viewport);
    this.forget();
  }

  async navigate(url) {
    await this.#page.goto(url);
  }

  async reload() {
    await this.#page.reload();
  }

  async evaluate(action, args) {
    // A function with one argument, because Playwright passes one only.
    return this.#page.evaluate(`(${action})(...${JSON.stringify(args)})`);
  }

  async click(css) {
    await this.#page.locator(css).first().click();
  }

  async type(text) {
    await this.#page.keyboard.type(text);
  }

  async press(keys) {
    await this.#page.keyboard.press(keys.join('+'));
  }

  async setViewport(width, height) {
    await this.#page.setViewportSize({ width, height });
  }

  async screenshot(path) {
    await this.#page.screenshot({ path });
  }

  async close() {
    await this.#browser.close();
  }
}

/** Starts Chromium with an empty page. */
export async function launchChromiumDriver() {
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.addInitScript(watchPage);
  return new ChromiumDriver(browser, page);
}
