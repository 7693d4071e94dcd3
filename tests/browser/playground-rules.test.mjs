// The pages of the rules and the menu of examples in Chromium: each live example shows its rule, and its repair
// removes the finding.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openIn, servedPage } from './drivers.mjs';
import { examples } from '../../src/catalogue/examples.mjs';
import { rulePages } from '../../src/catalogue/web-modules.mjs';

let server;
let page;
before(async () => {
  server = await servedPage();
  page = await openIn('Chromium');
  page.url = server.urls[0];
  await page.goto();
});
after(async () => {
  await page?.close();
  await server?.close();
});

/** Opens the page of a rule without loading the page again. */
async function openRule(code) {
  await page.evaluate((hash) => (location.hash = hash), `#rule/${code}`);
  await page.waitFor(
    (name) => document.querySelector('.guide:not([hidden])')?.ariaLabel === `Rule ${name}`,
    code,
  );
}

/** Waits until Lint shows a finding of this rule, or none. */
const shows = (code, isThere = true) =>
  page.waitFor(
    (name, expected) => {
      const busy = document.querySelector('[aria-label=Verdict][aria-busy=true]');
      const isShown = document.querySelector(`.finding[data-code="${name}"]`) !== null;
      return !busy && isShown === expected;
    },
    code,
    isThere,
  );

describe('the page of each rule', () => {
  for (const { code, fix, example } of rulePages()) {
    const { isLive = false } = example;
    it(`${code}: shows ${isLive ? 'its finding, and repairs it' : 'its texts'}`, async () => {
      await openRule(code);
      assert.doesNotMatch(await page.text('.guide h2'), /\{arg\d/);
      if (!isLive) return;
      await shows(code);
      const { repair } = examples.find((one) => one.code === code);
      const button = `.finding[data-code="${code}"] .fix-link`;
      const canRepair = await page.evaluate((css) => document.querySelector(css) !== null, button);
      assert.equal(canRepair, fix !== undefined && repair !== false);
      if (!canRepair) return;
      await page.click(button);
      await shows(code, false);
    });
  }

  it('keeps the text that was edited there after a reload', async () => {
    await openRule('role.invalid');
    await shows('role.invalid');
    await page.waitFor('.cm-content');
    await page.click('.cm-content');
    await page.press('Control+a');
    await page.type('{}');
    await page.waitForText('.finding.error', 'contents.empty');
    await page.waitFor(() => location.hash === '');
    await page.waitForText('#saving', 'Saved');
    await page.reload();
    await page.waitForText('.finding.error', 'contents.empty');
  });

  it('says so if there is no such rule', async () => {
    await page.evaluate(() => (location.hash = '#rule/no.such_rule'));
    await page.waitForText('.guide [role=alert]', 'There is no rule no.such_rule.');
    assert.deepEqual(await page.complaints(), []);
  });
});

const forms = { curl: 'cURL command', openai: 'OpenAI messages', jsonl: 'JSON Lines' };

describe('the menu of examples', () => {
  it('opens each example in a session of its own', async () => {
    await page.evaluate(() =>
      [...document.querySelectorAll('#bar button')]
        .find((one) => one.textContent === 'Examples')
        .click(),
    );
    await page.waitFor('.modal[open] .rule-list a');
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('.modal[open] .rule-list a')].map((one) => one.hash),
    );
    assert.ok(links.length > 20);
    for (const link of links) {
      await page.evaluate((hash) => {
        location.hash = '';
        location.hash = hash;
      }, link);
      const [, kind, name] = /^#(rule|example)\/(.+)$/.exec(link);
      if (kind === 'rule') await shows(name);
      else await page.waitForText('.lint-head .chip', forms[name]);
    }
    assert.deepEqual(await page.complaints(), []);
    assert.deepEqual(await page.origins(), [new URL(page.url).origin]);
  });
});
