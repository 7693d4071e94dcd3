// Opens the site of the documentation in Chromium: axe finds nothing, nothing is logged, no request leaves the site,
// and the search finds its way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { launchChromium } from '../support/chromium.mjs';
import { buildPlayground } from '../../scripts/setup/playground.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { fileOfPage } from '../../docs/.vitepress/pages.mjs';
import { buildSite, serveSite } from '../../docs/.vitepress/site.mjs';

const axe = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

let server;
let browser;
let url;

before(async () => {
  await buildPlayground();
  await buildSite();
  server = await serveSite({ port: 0 });
  url = server.urls[0];
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a page of the site. `complaints` is what it logged, and its requests to other hosts. */
async function open(path, colorScheme = 'light') {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url))
      complaints.push(`request to ${request.url()}`);
  });
  // Without requests for a while the page may still be read: the diagnostics are long.
  await page.goto(url + path, { waitUntil: 'load' });
  await page.waitForLoadState('networkidle');
  // Before Vue has taken over the page, a click does nothing.
  await page.waitForFunction(() => document.querySelector('#app').__vue_app__ !== undefined);
  return { page, complaints };
}

// The rows of the rules are alike: some of them stand for all.
const context = { exclude: '.vp-doc tbody > :nth-child(n + 20)' };

/** Returns what axe finds: the rule and the elements. */
async function faultsOf(page, options = {}) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (given) => globalThis.axe.run(...given),
    [context, options],
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}

const pages = {
  'the home page': '',
  'a guide': 'cookbook.html',
  'the API reference': 'api/prompt-strata/classes/GeminiClient.html',
  'the diagnostics': 'diagnostics.html',
  'a rule': 'rules/signature.missing.html',
};
const schemes = {
  light: {},
  // Only colors differ.
  dark: { runOnly: ['color-contrast'] },
};

for (const [name, path] of Object.entries(pages)) {
  for (const [scheme, options] of Object.entries(schemes)) {
    test(`${name} is accessible, ${scheme}`, async () => {
      const { page, complaints } = await open(path, scheme);
      assert.equal(await page.locator('html.dark').count(), scheme === 'dark' ? 1 : 0);
      assert.deepEqual(await faultsOf(page, options), []);
      await page.close();
      assert.deepEqual(complaints, []);
    });
  }
}

test('the search finds a rule by its code, and leads to its page', async () => {
  const { page, complaints } = await open('');
  await page.click('.VPNavBarSearch button');
  await page.fill('.VPLocalSearchBox input', 'signature.missing');
  const result = page.locator('.VPLocalSearchBox .result[href*="rules/signature.missing"]').first();
  await result.waitFor();
  assert.deepEqual(await faultsOf(page), []);
  await result.click();
  await page.locator('h1', { hasText: 'signature.missing' }).waitFor();
  assert.match(await page.title(), /^Function call is missing a thought_signature/);
  assert.deepEqual(complaints, []);
});

test('every rule has its code as an anchor', async () => {
  const { rules } = JSON.parse(readFileSync(join(root, 'src/catalogue/rules.json'), 'utf8'));
  const { page } = await open('diagnostics.html');
  const missing = await page.evaluate(
    (codes) => codes.filter((code) => !document.getElementById(code)),
    rules.map(({ code }) => code),
  );
  assert.ok(rules.length > 50);
  assert.deepEqual(missing, []);
});

test('llms.txt names every page', async () => {
  const text = await (await fetch(`${url}llms.txt`)).text();
  const links = Array.from(
    text.matchAll(/^- \[.+?\]\(\/(.+?)\.html\)/gm),
    ([, page]) => `${page}.md`,
  );
  assert.deepEqual(links.toSorted(), Object.keys(fileOfPage).toSorted());
});

test('the front page leads to the playground, which runs', async () => {
  const { page, complaints } = await open('');
  await page.getByRole('link', { name: 'Check a request in the playground' }).click();
  await page.getByText('signature.missing').first().waitFor();
  assert.deepEqual(complaints, []);
});
