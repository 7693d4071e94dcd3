// axe over every view and dialog of the playground in Chromium, light and dark; and on phones, the size of targets and
// that nothing is wider than the window.
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

const openDialog = (name) => async (page) => {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog', { name }).waitFor();
};
const openView = (name) => async (page) => {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tabpanel', { name }).getByRole('textbox').first().waitFor();
};

/** What is looked at, and how it is opened. */
const places = {
  'Check a request': openView('Check a request'),
  'Prompt and cache': openView('Prompt and cache'),
  Chat: async (page) => {
    await openView('Chat')(page);
    const message = page.getByRole('textbox', { name: /message/i });
    await message.fill('What is the weather in Paris and Rome?');
    await message.press('Control+Enter');
    await page
      .getByText(/Paris.*Rome.*/s)
      .last()
      .waitFor();
    // Until the answer is complete.
    await page.waitForTimeout(2000);
  },
  'the examples': openDialog('Examples'),
  'the dialog Share': openDialog('Share'),
  'recent sessions': openDialog('Recent'),
  'the settings': async (page) => {
    await page.getByTitle('Open or close the settings').click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByText('Context').waitFor();
    for (const fold of await settings.locator('summary').all()) await fold.click();
  },
};

async function open(page, path = '') {
  await page.goto(new URL(path, opened.url).href);
  await page.getByText('response.count').first().waitFor();
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

/** Returns what reaches beyond the window, except what scrolls inside its box. */
const tooWide = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (one) => {
      for (let parent = one.parentElement; parent; parent = parent.parentElement)
        if (/auto|scroll|hidden/.test(getComputedStyle(parent).overflowX)) return true;
      return false;
    };
    return [...document.body.querySelectorAll('*')]
      .filter((one) => one.getClientRects().length > 0 && !one.closest('.hidden') && !scrolls(one))
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < -0.5 || right > width + 0.5;
      })
      .map((one) => one.outerHTML.slice(0, 120));
  });

for (const [name, show] of Object.entries(places)) {
  describe(name, () => {
    it('has no fault that axe finds, light and dark', async () => {
      const page = await freshPage();
      await open(page);
      await show(page);
      await assertAccessible(page);
    });

    it('fits on a phone, with targets of at least 24 pixels', async () => {
      const page = await freshPhone();
      await open(page);
      await show(page);
      await untilIdle(page);
      assert.deepEqual(await smallTargets(page), []);
      assert.deepEqual(await tooWide(page), []);
      await page.setViewportSize({ width: 320, height: 640 });
      assert.deepEqual(await tooWide(page), []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
    });
  });
}

describe('the pages of rules and shared links', () => {
  for (const path of ['#rule/call.open', '#rule/cache.stale', '#rule/no.such', '#d1.damaged'])
    it(`${path} has no fault that axe finds, light and dark`, async () => {
      const page = await freshPage();
      await page.goto(new URL(path, opened.url).href);
      await page.getByRole('region', { name: /^Rule |^Problem/ }).waitFor();
      await assertAccessible(page);
    });
});
