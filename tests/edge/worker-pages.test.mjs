// Tests the page at `/`: static files with headers that protect browsers, next to the routes of the Worker.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { ask, create, say, setUp, startWorker } from './worker-process.mjs';

setUp();

const policy = `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'`;
const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><p>Page</p>`;

let folder;
let worker;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets', 'main-1.js'), 'export {};');
  writeFileSync(join(folder, 'assets', 'core-1.wasm'), Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  // The Worker's own routes go first.
  for (const name of ['threads', 'health', 'metrics']) writeFileSync(join(folder, name), 'a file');
  worker = await startWorker({ assets: folder });
});
after(() => rmSync(folder, { recursive: true }));

const read = (path, init = {}) => ask(worker, path, { headers: {}, ...init });

function assertProtected(response) {
  const { headers } = response;
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  // The page's own policy decides about scripts: another one in a header could only forbid more.
  assert.equal(headers.get('content-security-policy'), "frame-ancestors 'self'");
}

test('serves the page as it was built, without a key', async () => {
  const response = await read('/');
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type'), /^text\/html/);
  assert.equal(await response.text(), page);
  assertProtected(response);
  const head = await read('/', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
  assertProtected(head);
});

test('serves files with their types', async () => {
  for (const [path, type] of [
    ['/assets/main-1.js', /javascript/],
    ['/assets/core-1.wasm', /^application\/wasm/],
  ]) {
    const response = await read(path);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type'), type);
    assertProtected(response);
    await response.arrayBuffer();
  }
});

test('a file that is not there is an unknown route', async () => {
  for (const path of ['/assets/other.js', '/chat', '/..%2f..%2fetc/passwd', '/wrangler.jsonc']) {
    const response = await read(path);
    assert.equal(response.status, 404, path);
    assert.equal((await response.json()).error.code, 'route.unknown');
  }
  const posted = await read('/', { method: 'POST', body: 'x' });
  assert.equal(posted.status, 405);
});

test("no file hides the Worker's routes", async () => {
  assert.equal((await read('/threads')).status, 401);
  assert.deepEqual(await (await read('/health')).json(), { status: 'ok' });
  assert.notEqual(await (await read('/metrics')).text(), 'a file');
  assert.equal((await say(worker, await create(worker), 'Hello')).at(-1).type, 'stored');
});

test('pages of other origins may not read files', async () => {
  const response = await read('/', { headers: { origin: 'https://app.example' } });
  assert.equal(response.status, 403);
});
