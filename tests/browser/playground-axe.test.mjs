// axe over every view and dialog of the playground in Chromium, light and dark; and the size of targets on a phone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { freshPages, serveToChromium } from './served-chromium.mjs';

const axe = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

const opened = serveToChromium();
const freshPage = freshPages(opened);
const freshPhone = freshPages(opened, { viewport: { width: 390, height: 844 }, hasTouch: true });

const dialog = (page) => page.locator('dialog[open]').waitFor();
const press = (name) => async (page) => {
  await page.locator('#bar').getByRole('button', { name, exact: true }).click();
  await dialog(page);
};
const tab = (name) => (page) => page.getByRole('tab', { name }).click();

async function weather(page) {
  await tab('Chat')(page);
  await page.fill('#instruction', 'What is the weather in Paris and Rome?');
  await page.click('#send');
  await page.locator('#stop:disabled').waitFor();
}

/** What is looked at, and how it is opened. */
const places = {
  Lint: (page) => page.locator('.lint .cm-content').waitFor(),
  'the repair in Lint': async (page) => {
    await page.getByRole('button', { name: 'Repair all', exact: true }).click();
    await page.locator('.repair-panel:not([hidden])').waitFor();
  },
  Prompt: async (page) => {
    await tab('Prompt')(page);
    await page.getByRole('list', { name: 'Layers' }).getByRole('listitem').first().waitFor();
  },
  Chat: weather,
  'the examples': press('Examples'),
  'the dialog Share': press('Share'),
  'the sessions': press('Sessions'),
  'the commands': async (page) => {
    await page.keyboard.press('Control+k');
    // The commands of the views come when these are loaded.
    await page.getByRole('option', { name: 'Send the message' }).waitFor();
  },
  'the settings': async (page) => {
    await page.getByTitle('Open or close the settings').click();
    await page.locator('.model-row dd').first().waitFor();
  },
};

async function open(page, path = '') {
  await page.goto(new URL(path, opened.url).href);
  await page.locator('.view:not([hidden]) *').first().waitFor();
}

// A page that Chromium takes for hidden is never idle.
const untilIdle = (page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })));

/** Asserts that axe finds nothing, in light and in dark colors. */
async function assertAccessible(page) {
  await untilIdle(page);
  await page.evaluate(axe);
  assert.deepEqual(await faultsOf(page), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  await untilIdle(page);
  // Only colors differ.
  assert.deepEqual(await faultsOf(page, { runOnly: ['color-contrast'] }), []);
}

/** Returns what axe finds: the rule and the elements. */
async function faultsOf(page, options = {}) {
  const { violations } = await page.evaluate((given) => globalThis.axe.run(given), options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}

/** Returns the controls that are smaller than 24 pixels. Links inside a text may be. */
const smallTargets = (page) =>
  page.evaluate(() => {
    const controls = 'button, select, input, textarea, summary, [role=tab], [role=option], a';
    const shown = [...document.querySelectorAll(controls)].filter(
      (one) => one.getClientRects().length > 0 && !one.closest('.hidden, p, li, .cm-editor'),
    );
    return shown
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ one, box }) => `${one.outerHTML.slice(0, 120)} ${box.width} × ${box.height}`);
  });

for (const [name, show] of Object.entries(places)) {
  describe(name, () => {
    it('has no fault that axe finds, light and dark', async () => {
      const page = await freshPage();
      await open(page);
      await page.locator('.finding').first().waitFor();
      await show(page);
      await assertAccessible(page);
    });

    it('has targets of at least 24 pixels on a phone, and no width beyond it', async () => {
      const page = await freshPhone();
      await open(page);
      await page.locator('.finding').first().waitFor();
      await show(page);
      await untilIdle(page);
      assert.deepEqual(await smallTargets(page), []);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${width}`);
    });
  });
}

describe('the pages of rules and shared links', () => {
  for (const path of ['#rule/call.open', '#rule/cache.stale', '#rule/no.such', '#d1.damaged'])
    it(`${path} has no fault that axe finds, light and dark`, async () => {
      const page = await freshPage();
      await open(page, path);
      await page.locator('.guide').waitFor();
      await assertAccessible(page);
    });
});
