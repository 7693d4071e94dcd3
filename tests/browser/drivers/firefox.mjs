// Drives Firefox through Puppeteer and WebDriver BiDi.
import puppeteer from 'puppeteer-core';
import { ObservedDriver } from './observed-driver.mjs';
import { watchPage } from './page-complaints.mjs';

const viewport = { width: 1280, height: 900 };

/** What drivers.mjs needs, in Firefox. */
class FirefoxDriver extends ObservedDriver {
  #browser;
  #page;

  constructor(browser, page) {
    super();
    this.#browser = browser;
    this.#page = page;
    this.observe(page);
  }

  async fresh(clear) {
    await clear();
    await this.#page.setViewport(viewport);
    this.forget();
  }

  async navigate(url) {
    await this.#page.goto(url);
  }

  async reload() {
    await this.#page.reload();
  }

  async evaluate(action, args) {
    return this.#page.evaluate(`(${action})(...${JSON.stringify(args)})`);
  }

  async click(css) {
    await this.#page.click(css);
  }

  async type(text) {
    await this.#page.keyboard.type(text);
  }

  async press(keys) {
    const held = keys.slice(0, -1);
    for (const key of held) await this.#page.keyboard.down(key);
    await this.#page.keyboard.press(keys.at(-1));
    for (const key of held.reverse()) await this.#page.keyboard.up(key);
  }

  async setViewport(width, height) {
    await this.#page.setViewport({ width, height });
  }

  async screenshot(path) {
    await this.#page.screenshot({ path });
  }

  async close() {
    await this.#browser.close();
  }
}

/** Starts Firefox with an empty page. */
export async function launchFirefoxDriver() {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
  });
  const page = await browser.newPage();
  await page.setViewport(viewport);
  await page.evaluateOnNewDocument(watchPage);
  return new FirefoxDriver(browser, page);
}
