// The playground in Chromium at the width of a phone: nothing is wider than the page, and all commands are in reach.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { freshPages, serveToChromium } from './served-chromium.mjs';

const commands = ['Examples', 'Share', 'Sessions', 'Commands'];

/** The views, and what is shown when each is ready. */
const views = {
  Lint: '.lint .finding',
  Prompt: '[aria-label=Layers] li',
  Chat: '#instruction',
};

const opened = serveToChromium();
const freshPage = freshPages(opened, { hasTouch: true });
let page;

async function openAt(width) {
  page = await freshPage();
  await page.setViewportSize({ width, height: 844 });
  await page.goto(opened.url);
  await page.locator(views.Lint).first().waitFor();
}

async function openView(name) {
  await page.getByRole('tab', { name }).click();
  await page.locator(views[name]).first().waitFor();
}

/** Returns what reaches beyond the window, except the content of editors and texts that scroll inside their box. */
const tooWide = () =>
  page.evaluate(() => {
    const scrollers = '.cm-scroller, pre, .table-frame, .row, .hidden';
    const width = document.documentElement.clientWidth;
    const shown = [...document.body.querySelectorAll('*')].filter(
      (one) => one.getClientRects().length > 0 && !one.parentElement.closest(scrollers),
    );
    return shown
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left < -0.5 || right > width + 0.5;
      })
      .map((one) => one.outerHTML.slice(0, 120));
  });

/** Returns how far the page and the bar can be scrolled sideways. */
const scrollable = () =>
  page.evaluate(() =>
    [document.documentElement, document.querySelector('#bar')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  );

async function assertFits() {
  assert.deepEqual(await tooWide(), []);
  assert.deepEqual(await scrollable(), [0, 0]);
}

for (const width of [390, 320]) {
  describe(`the playground at ${width} pixels`, () => {
    beforeEach(() => openAt(width));

    for (const view of Object.keys(views))
      it(`fits in the view ${view}`, async () => {
        await openView(view);
        await assertFits();
      });

    it('fits with an answer, its request, and a long name of a model', async () => {
      await openView('Chat');
      await page.fill('#instruction', 'What is the weather in Paris and Rome?');
      await page.press('#instruction', 'Control+Enter');
      await page.locator('.request').waitFor();
      await page.locator('#stop:disabled').waitFor();
      await page.getByTitle('Open or close the settings').click();
      await page.selectOption('#model', 'Another model');
      await page.fill('#model-name', `gemini-${'long-'.repeat(12)}name`);
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: 'Close' }).click();
      await assertFits();
    });

    it('shows every command of the bar, in the order of the key Tab', async () => {
      const bar = page.getByRole('group', { name: 'Commands' });
      assert.deepEqual(await bar.getByRole('button').allTextContents(), [
        ...commands,
        'gemini-3.8-flashUsing the emulator',
      ]);
      await bar.getByRole('button').first().focus();
      for (const name of commands) {
        const focused = page.locator(':focus');
        assert.equal(await focused.textContent(), name);
        const { x, width: own } = await focused.boundingBox();
        assert.ok(x >= 0 && x + own <= width, name);
        await page.keyboard.press('Tab');
      }
      assert.equal(
        await page.locator(':focus').getAttribute('title'),
        'Open or close the settings',
      );
    });
  });
}
