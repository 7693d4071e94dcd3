// Drives WebKitGTK, the engine of Safari, through its WebDriver.
import { writeFile } from 'node:fs/promises';
import { originsInPage, watchedInPage, watchPage } from './page-complaints.mjs';
import { startWebKit } from './webkit-process.mjs';

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

// The code points that WebDriver gives to keys without a character.
const keyCodes = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Shift: '\ue008',
  Control: '\ue009',
  Alt: '\ue00a',
  Escape: '\ue00c',
  Space: ' ',
  PageUp: '\ue00e',
  PageDown: '\ue00f',
  End: '\ue010',
  Home: '\ue011',
  ArrowLeft: '\ue012',
  ArrowUp: '\ue013',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
  Delete: '\ue017',
  Meta: '\ue03d',
};
const keyOf = (name) => keyCodes[name] ?? name;
const down = (value) => ({ type: 'keyDown', value });
const up = (value) => ({ type: 'keyUp', value });

/** What drivers.mjs needs, in WebKit. */
class WebKitDriver {
  #browser;
  #hasPage = false;
  #complaints = [];
  #origins = new Set();

  constructor(browser) {
    this.#browser = browser;
  }

  async fresh(clear) {
    // A new session has nothing stored. It starts slowly, so only a browser that crashed needs one.
    await clear().catch(() => this.#browser.begin());
    this.#hasPage = false;
    this.#complaints = [];
    this.#origins = new Set();
    await this.setViewport(1280, 900);
  }

  async navigate(url) {
    await this.#collect();
    await this.#browser.post('/url', { url });
    this.#hasPage = true;
    await this.evaluate(watchPage, []);
  }

  async reload() {
    await this.#collect();
    await this.#browser.post('/refresh', {});
    await this.evaluate(watchPage, []);
  }

  async evaluate(action, args) {
    const script = `const [args, done] = arguments;
      Promise.resolve().then(() => (${action})(...JSON.parse(args))).then(
        (value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));`;
    const body = { script, args: [JSON.stringify(args)] };
    const { value, error } = await this.#browser.post('/execute/async', body);
    if (error !== undefined) throw new Error(error);
    return value;
  }

  async click(css) {
    const find = { using: 'css selector', value: css };
    const { [elementKey]: id } = await this.#browser.post('/element', find);
    await this.#browser.post(`/element/${id}/click`, {});
  }

  async type(text) {
    const values = [...text].map((character) => (character === '\n' ? keyCodes.Enter : character));
    await this.#keys(values.flatMap((value) => [down(value), up(value)]));
  }

  async press(keys) {
    const values = keys.map(keyOf);
    await this.#keys([...values.map(down), ...values.reverse().map(up)]);
  }

  // The window is higher than the page by its bar.
  async setViewport(width, height) {
    await this.#browser.post('/window/rect', { x: 0, y: 0, width, height: height + 38 });
  }

  async screenshot(file) {
    await writeFile(file, Buffer.from(await this.#browser.get('/screenshot'), 'base64'));
  }

  async complaints() {
    await this.#collect();
    return [...new Set(this.#complaints)];
  }

  async origins() {
    await this.#collect();
    return [...this.#origins];
  }

  async close() {
    await this.#browser.close();
  }

  async #keys(actions) {
    await this.#browser.post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  // This WebDriver reports no messages of the console, so the page itself collects them.
  async #collect() {
    if (!this.#hasPage) return;
    this.#complaints.push(...(await this.evaluate(watchedInPage, [])));
    for (const origin of await this.evaluate(originsInPage, [])) this.#origins.add(origin);
  }
}

/** Starts WebKit with an empty page. */
export async function launchWebKitDriver() {
  const driver = new WebKitDriver(await startWebKit());
  await driver.fresh(async () => {});
  return driver;
}
