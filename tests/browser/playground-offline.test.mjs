// The playground without its server: after the first visit, all views work, and scripts of tools run in all browsers; a
// new version takes over without breaking a page that is still open.
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { launchChromium } from '../support/chromium.mjs';
import { buildPlayground } from '../../scripts/setup/playground.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { browsers, openIn } from './drivers.mjs';
import { attempts, NetworkSpy } from './network-spy.mjs';
import * as tools from './tools-page.mjs';

const built = join(root, 'build', 'playground');
const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

// The Worker serves the page with headers like these.
const headers = {
  'content-security-policy': "frame-ancestors 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

let newVersion;
let browser;
let server;
let folder;
let port;
let page;
let complaints;

/** Copies the build as a version with other names for all assets and another heading. */
function copyAsNewVersion() {
  const target = mkdtempSync(join(tmpdir(), 'strata-offline-'));
  cpSync(built, target, { recursive: true });
  const assets = readdirSync(join(target, 'assets'));
  const renamed = (text) =>
    assets.reduce((result, name) => result.replaceAll(name, `new-${name}`), text);
  const texts = ['index.html', 'service-worker.js', ...assets.map((name) => `assets/${name}`)];
  for (const file of texts.filter((name) => /\.(js|css|html)$/.test(name))) {
    const path = join(target, file);
    writeFileSync(path, renamed(readFileSync(path, 'utf8')));
  }
  for (const name of assets)
    renameSync(join(target, 'assets', name), join(target, 'assets', `new-${name}`));
  const replace = (file, from, to) => {
    const path = join(target, file);
    const text = readFileSync(path, 'utf8');
    assert.match(text, from);
    writeFileSync(path, text.replace(from, to));
  };
  replace('index.html', /<h1>.*<\/h1>/, '<h1>The new version</h1>');
  replace('service-worker.js', /"[0-9a-f]{16}"/, '"the new version"');
  return target;
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = pathname === '/' ? 'index.html' : normalize(pathname);
  try {
    const bytes = await readFile(join(folder, file));
    const type = types[extname(file)] ?? 'text/plain';
    response.writeHead(200, { ...headers, 'content-type': type }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

async function startServer() {
  server = createServer((request, response) => void answer(request, response));
  // Another process may have taken the port of the server before.
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address());
}

async function stopServer() {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Waits until the worker of this version has kept all files, and has taken over this page: a moment after `ready`. */
const untilKept = () => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

const versions = () => page.evaluate(async () => (await caches.keys()).length);

/** Looks for the new version until it is there: a look joins one that runs, which may have read the old version. */
async function untilNewVersion() {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    let changed = false;
    const onChange = () => (changed = true);
    navigator.serviceWorker.addEventListener('controllerchange', onChange, { once: true });
    for (let look = 0; !changed && look < 50; look += 1) {
      await registration.update();
      for (let wait = 0; !changed && wait < 10; wait += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (!changed) throw new Error('no new version took over');
  });
}

/** Waits for the findings of the example with which the page opens. */
const untilLinted = () => page.getByText('signature.missing').first().waitFor();

const openView = (name) => page.getByRole('tab', { name }).click();

async function askForWeather() {
  await page.fill('#instruction', 'What is the weather in Paris and Rome?');
  await page.press('#instruction', 'Control+Enter');
  await page
    .locator('.turn.model', { hasText: /Paris.*Rome/s })
    .last()
    .waitFor();
}

before(async () => {
  await buildPlayground();
  newVersion = copyAsNewVersion();
  browser = await launchChromium();
});
after(async () => {
  await browser?.close();
  if (server?.listening) await stopServer();
  rmSync(newVersion, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = built;
  if (!server?.listening) await startServer();
});

async function openPage(options) {
  await page?.context().close();
  const context = await browser.newContext(options);
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${port}/`);
  await untilLinted();
}

async function openKeptPage() {
  await openPage();
  await untilKept();
}

describe('the playground without its server', () => {
  beforeEach(openKeptPage);

  it('lints, renders prompts, and answers with the emulator', async () => {
    await stopServer();
    await page.reload();
    await untilLinted();
    await openView('Prompt');
    await page.getByRole('tabpanel', { name: 'Prompt' }).getByRole('heading').first().waitFor();
    await openView('Chat');
    await askForWeather();
    assert.deepEqual(complaints, []);
  });

  it('opens a shared address and one with a query', async () => {
    await stopServer();
    for (const rest of ['index.html', '?from=somewhere', '#nothing']) {
      await page.goto(`http://127.0.0.1:${port}/${rest}`);
      await page.getByRole('tab', { name: 'Lint' }).waitFor();
    }
  });
});

describe('a new version', () => {
  beforeEach(openKeptPage);

  it('takes over with the next visit, and an open page still loads its own files', async () => {
    folder = newVersion;
    await untilNewVersion();
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'prompt-strata');
    // The server has this view only under its new name.
    await openView('Chat');
    await askForWeather();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'The new version' }).waitFor();
    await stopServer();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'The new version' }).waitFor();
    await openView('Chat');
    await page.locator('#instruction').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('is shown at once while the server answers', async () => {
    folder = newVersion;
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'The new version' }).waitFor();
  });

  it('leaves nothing of the versions before the last', async () => {
    folder = newVersion;
    await untilNewVersion();
    assert.equal(await versions(), 2);
    folder = built;
    await untilNewVersion();
    assert.equal(await versions(), 2);
  });
});

const question = 'What is the weather in Oslo?';
const spy = new NetworkSpy();
before(() => spy.start());
after(() => spy.stop());

// Takes a second, so that the frame can be looked at.
const lookAround = `
await new Promise((resolve) => setTimeout(resolve, 1000));
return { args, origin: self.origin, page: [typeof document, typeof localStorage, typeof parent] };`;

/** Opens a page of drivers.mjs and waits until the service worker answers its requests. */
async function visit(visitor) {
  visitor.url = `http://127.0.0.1:${port}/`;
  await visitor.fresh();
  await visitor.goto();
  await visitor.waitFor('.finding');
  await visitor.waitFor(() => navigator.serviceWorker.controller !== null);
}

/** Opens a link with a tool, and asks for the weather. */
async function callTool(visitor, script) {
  await visitor.goto(tools.linkTo(tools.documentWith([tools.weatherTool(script)])));
  await visitor.reload();
  await tools.press(visitor, '.guide', 'Fork');
  await tools.openChat(visitor);
  await tools.ask(visitor, question);
  await visitor.waitFor('.call-card');
}

async function resultOf(visitor) {
  await tools.idle(visitor);
  return JSON.parse(await visitor.text('.tool .pair:last-child code')).output;
}

for (const name of browsers) {
  describe(`scripts of tools without the server (${name})`, () => {
    let visitor;
    before(async () => {
      visitor = await openIn(name);
    });
    after(() => visitor?.close());

    it('run in a frame of an opaque origin', async () => {
      await visit(visitor);
      await stopServer();
      await callTool(visitor, lookAround);
      await tools.press(visitor, '.call-card', 'Run script');
      await visitor.waitFor(() => {
        const frame = document.querySelector('iframe');
        return frame?.sandbox.contains('allow-same-origin') && frame.contentDocument === null;
      });
      assert.deepEqual(await resultOf(visitor), {
        args: { city: 'Oslo' },
        origin: 'null',
        page: ['undefined', 'undefined', 'undefined'],
      });
      assert.equal(await visitor.evaluate(() => document.querySelectorAll('iframe').length), 0);
    });

    it('reach neither the network nor the storage of the page', async () => {
      await visit(visitor);
      await stopServer();
      spy.visits = 0;
      await callTool(visitor, attempts(spy.address));
      await tools.press(visitor, '.call-card', 'Run script');
      const refused = Object.entries(await resultOf(visitor));
      assert.equal(refused.length, 9);
      for (const [attempt, outcome] of refused) assert.equal(outcome, 'refused', attempt);
      assert.equal(spy.visits, 0);
    });
  });
}

describe('a sandbox that does not load', () => {
  const script = "return 'it ran';";
  const card = () => page.locator('.call-card');

  async function callInPage() {
    const link = tools.linkTo(tools.documentWith([tools.weatherTool(script)]));
    await page.goto(`http://127.0.0.1:${port}/${link}`);
    await page.reload();
    await page.getByRole('button', { name: 'Fork' }).click();
    await openView('Chat');
    await page.fill('#instruction', question);
    await page.press('#instruction', 'Control+Enter');
    await card().waitFor();
  }

  async function runInVain() {
    await card().getByRole('button', { name: 'Run script' }).click();
    await card().getByText('The sandbox did not load, so nothing ran.').waitFor();
    assert.equal(await page.locator('iframe').count(), 0);
  }

  it('is reported where nothing is kept, and the call is answered by hand', async () => {
    await openPage({ serviceWorkers: 'block' });
    await callInPage();
    await stopServer();
    await runInVain();
    await card().getByText('Answer by hand', { exact: true }).click();
    await card().getByLabel('Result of get_weather').fill('"by hand"');
    await card().getByRole('button', { name: 'Send this result' }).click();
    await page.locator('.tool', { hasText: '"output": "by hand"' }).waitFor();
  });

  it('gets no script if it would have the origin of the page', async () => {
    folder = mkdtempSync(join(tmpdir(), 'strata-offline-'));
    cpSync(built, folder, { recursive: true });
    const worker = join(folder, 'service-worker.js');
    const text = readFileSync(worker, 'utf8');
    assert.match(text, /sandbox allow-scripts/);
    writeFileSync(worker, text.replace('sandbox allow-scripts', 'img-src *'));
    await openKeptPage();
    await callInPage();
    await stopServer();
    await runInVain();
    rmSync(folder, { recursive: true, force: true });
  });
});
