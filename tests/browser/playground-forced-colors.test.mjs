// The playground in Chromium with forced colors, on white and on black: what colors show is shown in another way.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
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

async function styleOf(css, property) {
  const [first] = await stylesOf(css, property);
  assert.notEqual(first, undefined, `nothing matches ${css}`);
  return first;
}

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

for (const colorScheme of ['light', 'dark']) {
  describe(`the view Lint in forced colors, ${colorScheme}`, () => {
    beforeEach(async () => {
      await open(colorScheme);
      await page.locator('.history .row').first().waitFor();
    });

    it('shows which tab is selected', async () => {
      await assertFilled('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]');
    });

    it('shows in the history what is refused, selected, and the current turn', async () => {
      await assertDiffer('.row.refused', '.row:not(.refused)', 'borderLeftColor');
      await assertContrast('.row.refused', 'borderLeftColor', 3);
      await assertDiffer('.row[aria-selected=true]', '.row[aria-selected=false]', 'outlineStyle');
      await assertDiffer('.turn-line.current', '.turn-line:not(.current)', 'stroke');
      for (const line of [
        '.turn-line',
        '.turn-line.current',
        '.step-line',
        '.pair-line',
        '.pair-line.open',
      ])
        await assertContrast(line, 'stroke', 3);
      await assertContrast('.pair-dot', 'fill', 3);
    });

    it('shows the severity as a sign, and marks in the editor', async () => {
      await assertContrast('.finding .sign', 'color', 4.5);
      await page.locator('.cm-lintRange').first().waitFor();
      assert.match(await styleOf('.cm-lintRange', 'textDecorationLine'), /underline/);
      const sign = await page.evaluate(
        () => getComputedStyle(document.querySelector('.cm-lint-marker'), ':before').content,
      );
      assert.equal(sign, '"✖"');
      await assertDiffer('.cm-activeLine', '.cm-line:not(.cm-activeLine)', 'outlineStyle');
      await assertContrast('.cm-activeLine', 'outlineColor', 3);
    });

    it('shows the selected command', async () => {
      await page.keyboard.press('Control+k');
      const options = '.palette [role=option]';
      await page.locator(options).first().waitFor();
      const others = `${options}[aria-selected=false]`;
      await assertDiffer(`${options}[aria-selected=true]`, others, 'outlineStyle');
    });
  });

  describe(`the view Prompt in forced colors, ${colorScheme}`, () => {
    beforeEach(async () => {
      await open(colorScheme);
      await openView('Prompt');
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

  describe(`the view Chat in forced colors, ${colorScheme}`, () => {
    beforeEach(async () => {
      await open(colorScheme);
      await openView('Chat');
      await page.fill('#instruction', 'What is the weather in Paris and Rome?');
      await page.press('#instruction', 'Control+Enter');
      await page.getByRole('button', { name: 'Request 2', exact: true }).waitFor();
      await page.locator('#stop:disabled').waitFor();
    });

    it('shows the colors of the layers, the stable prefix, and the request that is shown', async () => {
      assert.equal(new Set(await stylesOf('.strip > span', 'backgroundColor')).size, 5);
      assert.equal(new Set(await stylesOf('.legend span', 'backgroundColor')).size, 5);
      await assertDiffer('.prefix > span', '.prefix', 'backgroundColor');
      await assertFilled('.tabs [aria-current]', '.tabs :not([aria-current])');
    });

    it('shows which break of the request is chosen, and the severity of its findings', async () => {
      await page.getByRole('button', { name: 'Drop the signatures' }).click();
      await assertFilled('.break-it [aria-pressed=true]', '.break-it [aria-pressed=false]');
      assert.match(await page.locator('.break-it .findings li').first().textContent(), /^✖error: /);
    });

    it('shows the message of the user in a box', async () => {
      await assertDiffer('.turn.user .text', '.turn.model .text', 'outlineStyle');
    });
  });

  for (const view of ['Lint', 'Prompt', 'Chat'])
    it(`shows the focus everywhere in the view ${view}, ${colorScheme}`, async () => {
      await open(colorScheme);
      await page.locator('.finding').first().waitFor();
      await openView(view);
      await page.locator('.view:not([hidden]) *').first().waitFor();
      await assertRings();
    });
}
