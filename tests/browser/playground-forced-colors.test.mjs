// The playground in Chromium with forced colors, on white and on black: the selected tab, severities, and focus rings.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freshPages, serveToChromium } from './served-chromium.mjs';
import { documentWith, linkTo } from './tools-page.mjs';

const opened = serveToChromium();
const freshPage = freshPages(opened);
let page;

async function open(colorScheme, path = '') {
  page = await freshPage();
  await page.emulateMedia({ colorScheme, forcedColors: 'active' });
  await page.goto(new URL(path, opened.url).href);
}

const openView = (name) => page.getByRole('tab', { name }).click();

/** Returns what a property of all shown elements is. */
const stylesOf = (css, property) =>
  page.evaluate(
    ([selector, name]) =>
      [...document.querySelectorAll(selector)]
        .filter((one) => one.getClientRects().length > 0)
        .map((one) => getComputedStyle(one)[name]),
    [css, property],
  );

/** Asserts that all elements of the first kind differ in a property from all of the second kind. */
async function assertDiffer(css, others, property) {
  const [these, those] = [await stylesOf(css, property), await stylesOf(others, property)];
  assert.ok(these.length > 0 && those.length > 0, `${css}, ${others}`);
  for (const value of these) assert.ok(!those.includes(value), `${css}: ${property} ${value}`);
}

/** Returns the contrast of a color of an element with the background behind it, by the formula of WCAG. */
const contrastOf = (css, property) =>
  page.evaluate(
    ([selector, name]) => {
      const channels = (color) => color.match(/[\d.]+/g).map(Number);
      const over = ([r, g, b, alpha = 1], under) =>
        [r, g, b].map((value, i) => value * alpha + under[i] * (1 - alpha));
      const backgroundOf = (one) => {
        if (!one) return channels(getComputedStyle(document.body).backgroundColor).slice(0, 3);
        return over(
          channels(getComputedStyle(one).backgroundColor),
          backgroundOf(one.parentElement),
        );
      };
      const luminance = (color) => {
        const [r, g, b] = color.map((value) => {
          const part = value / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const element = document.querySelector(selector);
      // Outlines and borders are seen against what is around the element.
      const behind = backgroundOf(name === 'color' ? element : element.parentElement);
      const own = over(channels(getComputedStyle(element)[name]), behind);
      const [high, low] = [luminance(own), luminance(behind)].sort((one, other) => other - one);
      return (high + 0.05) / (low + 0.05);
    },
    [css, property],
  );

async function assertContrast(css, property, least) {
  const contrast = await contrastOf(css, property);
  assert.ok(contrast >= least, `${css}: ${property} has a contrast of ${contrast}`);
}

/** Asserts that a selected button is filled, unlike the others, and readable. */
async function assertFilled(selected, others) {
  await assertDiffer(selected, others, 'backgroundColor');
  await assertContrast(selected, 'color', 4.5);
}

/** Presses Tab, and asserts that what gets the focus has a visible ring, until nothing new gets it. */
async function assertRings() {
  const seen = new Set();
  const start = page.getByRole('tab', { selected: true });
  await start.focus();
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    const ring = await page.evaluate(async () => {
      const focused = document.activeElement;
      const editor = focused.closest('.cm-editor');
      // The editor notices the focus a moment later.
      for (let frame = 0; editor && !editor.matches('.cm-focused') && frame < 60; frame += 1)
        await new Promise(requestAnimationFrame);
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(editor ?? focused);
      focused.dataset.focused ??= String(Math.random());
      const isVisible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
      return {
        key: focused.dataset.focused,
        name: focused.outerHTML.slice(0, 120),
        isVisible: isVisible && !/^rgba.*, 0\)$/.test(outlineColor),
        isPage: focused === document.body,
      };
    });
    if (ring.isPage || seen.has(ring.key)) break;
    seen.add(ring.key);
    assert.ok(ring.isVisible, ring.name);
  }
  assert.ok(seen.size > 8, `${seen.size} controls`);
}

const views = ['Check a request', 'Prompt and cache', 'Chat'];

for (const colorScheme of ['light', 'dark']) {
  describe(`the playground in forced colors, ${colorScheme}`, () => {
    before(() => open(colorScheme));

    it('shows which tab is selected', async () => {
      await page.getByRole('tab', { selected: true }).waitFor();
      await assertFilled('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]');
    });

    it('shows the severity of a finding as a sign', async () => {
      await page.getByText('✖').first().waitFor();
    });

    for (const view of views)
      it(`has a focus ring on every control of ${view}`, async () => {
        await openView(view);
        await page.getByRole('tabpanel', { name: view }).getByRole('textbox').first().waitFor();
        await assertRings();
      });
  });

  describe(`the view Prompt in forced colors, ${colorScheme}`, () => {
    before(async () => {
      await open(colorScheme);
      await openView('Prompt and cache');
      await page.locator('.body-text mark').waitFor();
    });

    it('shows the colors of the layers, in the bar and in the body', async () => {
      assert.equal(
        new Set(await stylesOf('.prompt .layer-bar [title]', 'backgroundColor')).size,
        5,
      );
      assert.equal(new Set(await stylesOf('.layer-rows i', 'backgroundColor')).size, 4);
      const lines = await stylesOf('.body-text .part:not(.fields)', 'boxShadow');
      assert.equal(new Set(lines).size, 4);
      assert.ok(!lines.includes('none'));
      await assertContrast('.body-text .part', 'color', 4.5);
      await assertContrast('.body-text mark', 'color', 4.5);
    });

    it('shows the layer that is pointed at', async () => {
      await page.locator('.layer-rows > li').nth(1).hover();
      await page.locator('.layer-rows > .marked').waitFor();
      await assertDiffer('.layer-rows > .marked', '.layer-rows > :not(.marked)', 'borderLeftColor');
      await assertDiffer('.part.marked', '.part:not(.marked)', 'outlineStyle');
      await assertDiffer(
        '.prompt .layer-bar .marked',
        '.prompt .layer-bar [title]:not(.marked)',
        'outlineStyle',
      );
    });

    it('says whether a problem of a template is an error or a warning', async () => {
      const document = { ...documentWith([]), view: 'prompt' };
      document.prompt = { ...document.prompt, static: '{{ visitor }}', dynamic: '{{ 1 + }}' };
      await open(colorScheme, linkTo(document));
      await page.locator('.problems li.error').waitFor();
      const textOf = (severity) => page.locator(`.problems li.${severity}`).textContent();
      assert.match(await textOf('error'), /✖error: /);
      assert.match(await textOf('warning'), /▲warning: /);
    });
  });
}
