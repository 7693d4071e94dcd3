// The playground without its server: after the first visit, all views work; a new
// version takes over without breaking a page that is still open.
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

/** Copies the build as a version with other names for all assets and another title. */
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
  replace('index.html', /<title>.*<\/title>/, '<title>The new version</title>');
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
    await page.getByRole('tabpanel', { name: 'Prompt' }).getByRole('textbox').first().waitFor();
    await openView('Chat');
    await askForWeather();
    assert.deepEqual(complaints, []);
  });

  it('opens a shared address and one with a query', async () => {
    await stopServer();
    for (const rest of ['index.html', '?from=somewhere', '#nothing']) {
      await page.goto(`http://127.0.0.1:${port}/${rest}`);
      await page.getByRole('tab', { name: 'Chat' }).waitFor();
    }
  });
});

describe('a new version', () => {
  beforeEach(openKeptPage);

  it('takes over with the next visit, and an open page still loads its own files', async () => {
    folder = newVersion;
    await untilNewVersion();
    assert.equal(await page.title(), 'prompt-strata playground');
    // The server has this view only under its new name.
    await openView('Chat');
    await askForWeather();
    await page.reload();
    await page.waitForFunction(() => document.title === 'The new version');
    await stopServer();
    await page.reload();
    await page.waitForFunction(() => document.title === 'The new version');
    await openView('Chat');
    await page.locator('#instruction').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('is shown at once while the server answers', async () => {
    folder = newVersion;
    await page.reload();
    await page.waitForFunction(() => document.title === 'The new version');
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
