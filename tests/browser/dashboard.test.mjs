// The dashboard of a Worker in Chromium: what it shows of real counts, its states, its refreshing, the keyboard, and axe.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before, describe } from 'node:test';
import { launchChromium } from '../support/chromium.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { ask, create, say, setUp, startWorker, within } from '../edge/worker-process.mjs';

const axe = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
const adminKey = 'admin-key-for-tests_0123456789';
const bindings = { GATEWAY_ADMIN_KEY: adminKey };
const path = '/v1beta/models/gemini-3.8-flash:generateContent';

setUp();

let browser;
let used;
let unused;

/** Sends a request to Gemini with turns of these roles, through the gateway. */
async function generate(worker, ...roles) {
  const contents = roles.map((role) => ({ role, parts: [{ text: 'Hi' }] }));
  const response = await ask(worker, path, { method: 'POST', body: JSON.stringify({ contents }) });
  assert.equal(response.status, 200, await response.text());
}

/** Waits until the Worker has counted something. */
async function counted(worker, pattern) {
  const headers = { authorization: `Bearer ${adminKey}` };
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await within(worker.dispatchFetch('http://localhost/metrics', { headers }));
    if (pattern.test(await response.text())) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`not counted: ${pattern}`);
}

before(async () => {
  browser = await launchChromium();
  [used, unused] = [await startWorker({ bindings }), await startWorker({ bindings })];
  await generate(used, 'user');
  await generate(used, 'user', 'assistant', 'user');
  await say(used, await create(used), 'Hello');
  await counted(used, /^prompt_strata_sends_total\{outcome="completed"\} 1$/m);
});
after(() => browser?.close());

/** Opens the dashboard. `complaints` is what it logged, and its requests to other hosts. */
async function open({ worker = used, key, clock = false, ...options } = {}) {
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ viewport, ...options });
  const page = await context.newPage();
  const { origin } = await worker.ready;
  const complaints = [];
  const asked = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    asked.push(request);
    if (new URL(request.url()).origin !== origin) complaints.push(`request to ${request.url()}`);
  });
  if (clock) await page.clock.install();
  await page.goto(`${origin}/dashboard`);
  if (key) await enter(page, key);
  return { page, complaints, asked, origin, close: () => context.close() };
}

async function enter(page, key) {
  await page.fill('#key', key);
  await page.press('#key', 'Enter');
}

const shown = (page) => page.locator('#figures .value').first().waitFor();
const problemOf = (page, text) => page.locator('#problem', { hasText: text }).waitFor();

/** Returns the value of a figure. */
const figure = (page, name) =>
  page
    .locator('#figures > div', { has: page.getByText(name, { exact: true }) })
    .locator('.value')
    .textContent();

/** Returns the texts of the cells of a table, row by row. */
const rowsOf = (page, label) =>
  page
    .locator(`table[aria-label="${label}"] tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

const storedIn = (page) => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));

/** Returns what axe finds: the rule and the elements. */
async function faultsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}

describe('the counts', () => {
  test('are those of the deployment', async () => {
    const { page, complaints, close } = await open({ key: adminKey });
    await shown(page);
    const requests = await rowsOf(page, 'Requests by route and status');
    assert.deepEqual(
      requests.filter(([route]) => route !== 'metrics'),
      [
        ['generateContent', '200', '2'],
        ['threads.create', '201', '1'],
        ['threads.messages', '200', '1'],
      ],
    );
    assert.equal(await figure(page, 'Requests'), '4');
    assert.equal(await figure(page, '400s avoided'), '1');
    assert.equal(await figure(page, 'Repairs'), '1');
    assert.match(await figure(page, 'Cost'), /^\$0\.\d+$/);
    assert.notEqual(await figure(page, 'Cost'), '$0.00');
    assert.deepEqual(await rowsOf(page, 'Findings by code'), [['role.invalid', '1', '1']]);
    assert.deepEqual(await rowsOf(page, 'Sends by outcome'), [['completed', '1']]);
    const [[model, cost]] = await rowsOf(page, 'Tokens and cost by model');
    assert.deepEqual([model, cost], ['gemini-3.8-flash', await figure(page, 'Cost')]);
    const [[of, median]] = await rowsOf(page, 'Latency of Gemini');
    assert.match(`${of}, ${median}`, /^2 requests, (< )?[\d.]+ m?s( to [\d.]+ m?s)?$/);
    assert.match(await page.locator('#since').textContent(), /^Counted since .*20\d\d/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('show the last requests with what was repaired, without contents', async () => {
    const { page, close } = await open({ key: adminKey });
    await shown(page);
    const [[, route, model, status, , outcome], second] = await rowsOf(
      page,
      'Requests, newest first',
    );
    assert.deepEqual(
      [route, model, status, outcome],
      ['generateContent', 'gemini-3.8-flash', '200', 'role.invalid repaired'],
    );
    assert.equal(second[5], '');
    await close();
  });

  test('open the text of a rule, and keep the key', async () => {
    const { page, complaints, close } = await open({ key: adminKey });
    await page.getByRole('button', { name: 'role.invalid' }).last().click();
    const rule = page.getByRole('dialog', { name: 'role.invalid' });
    await rule.getByText(/Repair:/).waitFor();
    await page.keyboard.press('Escape');
    await rule.waitFor({ state: 'detached' });
    assert.equal(await figure(page, 'Repairs'), '1');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('are nothing at first, and the page says so', async () => {
    const { page, complaints, close } = await open({ worker: unused, key: adminKey });
    await shown(page);
    await page.getByText('Nothing has been counted yet.').waitFor();
    assert.equal(await figure(page, 'Requests'), '0');
    assert.equal(await figure(page, 'Cached input'), '–');
    await page.getByText('No request had a finding.').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('the key', () => {
  test('travels as a header to the own origin, and is stored nowhere', async () => {
    const { page, asked, origin, close } = await open({ key: adminKey });
    await shown(page);
    const requests = asked.filter((each) => each.url() === `${origin}/metrics`);
    assert.equal(requests.length, 2);
    for (const each of requests)
      assert.equal(each.headers()['authorization'], `Bearer ${adminKey}`);
    for (const each of asked) assert.ok(!each.url().includes(adminKey));
    assert.ok(!page.url().includes(adminKey));
    assert.ok(!(await storedIn(page)).includes(adminKey));
    await page.reload();
    await page.getByLabel('Admin key').waitFor();
    assert.equal(await page.locator('#counts').isVisible(), false);
    await close();
  });

  test('is kept for the tab where that is chosen, until it is forgotten', async () => {
    const { page, origin, close } = await open();
    await page.getByLabel('Remember it until this tab is closed').check();
    await enter(page, adminKey);
    await shown(page);
    await page.reload();
    await shown(page);
    const other = await page.context().newPage();
    await other.goto(`${origin}/dashboard`);
    await other.getByLabel('Admin key').waitFor();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    assert.equal(await page.locator('#counts').count(), 0);
    assert.equal(await page.locator('#key').inputValue(), '');
    assert.ok(!(await storedIn(page)).includes(adminKey));
    await page.reload();
    await page.getByLabel('Admin key').waitFor();
    await close();
  });

  test('may be wrong: the page says so, forgets it, and takes another', async () => {
    for (const wrong of ['wrong', 'ключ']) {
      const { page, close } = await open();
      await page.getByLabel('Remember it until this tab is closed').check();
      await enter(page, wrong);
      await problemOf(page, 'This is not the admin key of this deployment.');
      const field = page.locator('#key');
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      assert.equal(await field.evaluate((each) => each === document.activeElement), true);
      assert.equal(await storedIn(page), '[{},{}]');
      assert.deepEqual(await faultsOf(page), []);
      await enter(page, adminKey);
      await shown(page);
      assert.equal(await page.locator('#problem').textContent(), '');
      await close();
    }
  });
});

describe('refreshing', () => {
  test('shows what was counted since, by itself or at once', async () => {
    const { page, complaints, close } = await open({ worker: used, key: adminKey, clock: true });
    await shown(page);
    const before = Number(await figure(page, 'Requests'));
    await generate(used, 'user');
    await counted(used, new RegExp(`generateContent",status="200"\\} [3-9]`));
    await page.clock.fastForward(10_000);
    const value = page.locator('#figures .value').first();
    await value.filter({ hasText: String(before + 1) }).waitFor();
    await page.getByLabel('Refresh every 10 s').uncheck();
    await generate(used, 'user');
    await counted(used, new RegExp(`generateContent",status="200"\\} [4-9]`));
    await page.clock.fastForward(60_000);
    assert.equal(Number(await value.textContent()), before + 1);
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await value.filter({ hasText: String(before + 2) }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('keeps what it showed while the deployment cannot be reached', async () => {
    const { page, close } = await open({ key: adminKey, clock: true });
    await shown(page);
    await page.route('**/metrics', (route) => route.abort());
    await page.clock.fastForward(10_000);
    await problemOf(
      page,
      /cannot be reached.*The counts are those of \d\d:\d\d:\d\d\. Trying again/,
    );
    assert.equal(await page.locator('#figures').isVisible(), true);
    assert.deepEqual(await faultsOf(page), []);
    await page.unroute('**/metrics');
    await page.clock.fastForward(10_000);
    await page.locator('#problem:empty').waitFor({ state: 'attached' });
    await page.route('**/metrics', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.clock.fastForward(10_000);
    await problemOf(page, 'the deployment answered 503.');
    await close();
  });

  test('says so if the first reading fails, and tries again', async () => {
    const { page, close } = await open({ clock: true });
    await page.route('**/metrics', (route) => route.abort());
    await enter(page, adminKey);
    await problemOf(page, 'The deployment cannot be reached. Trying again every 10 s.');
    await page.unroute('**/metrics');
    await page.clock.fastForward(10_000);
    await shown(page);
    await close();
  });

  test('leaves the focus where it is', async () => {
    const { page, close } = await open({ key: adminKey, clock: true });
    await shown(page);
    const link = page.locator('#panels').getByRole('button', { name: 'role.invalid' });
    await link.focus();
    await generate(used, 'user', 'assistant', 'user');
    await counted(used, /^prompt_strata_repaired_total\{code="role.invalid"\} 2$/m);
    await page.clock.fastForward(10_000);
    const cell = page.locator('table[aria-label="Findings by code"] td').last();
    await cell.filter({ hasText: '2' }).waitFor();
    assert.equal(await link.evaluate((each) => each === document.activeElement), true);
    await close();
  });
});

test('everything works with the keyboard alone', async () => {
  const { page, close } = await open();
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: each } = document;
      return each.id || each.getAttribute('aria-label') || each.textContent.trim();
    });
  const tab = async (expected) => {
    await page.keyboard.press('Tab');
    assert.equal(await focused(), expected);
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement).outlineStyle,
    );
    assert.notEqual(outline, 'none', expected);
  };
  await tab('key');
  await page.keyboard.type(adminKey);
  await tab('remember');
  await tab('Show the counts');
  await page.keyboard.press('Enter');
  await shown(page);
  for (const expected of ['auto', 'refresh', 'forget']) await tab(expected);
  await tab('Requests, newest first');
  await page.locator('#panels [tabindex]').first().focus();
  for (const expected of ['Findings by code', 'role.invalid']) await tab(expected);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'role.invalid' }).waitFor();
  await close();
});

const screens = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'narrow and dark': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
};
for (const [name, options] of Object.entries(screens)) {
  test(`axe finds nothing, and nothing is cut off: ${name}`, async () => {
    const { page, complaints, close } = await open(options);
    const check = async () => {
      assert.deepEqual(await faultsOf(page), []);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      assert.ok(overflow <= 0, `${overflow} pixels are cut off`);
    };
    await check();
    await enter(page, adminKey);
    await shown(page);
    await check();
    await page.getByRole('button', { name: 'role.invalid' }).first().click();
    await page.getByRole('dialog', { name: 'role.invalid' }).waitFor();
    await check();
    assert.deepEqual(complaints, []);
    await close();
  });
}
