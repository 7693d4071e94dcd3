// Tests what `load({ wasm })` accepts, and what it reports when a server sends something else than the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { consumer } from '../support/consumer.mjs';

const dist = join(consumer, 'node_modules', 'prompt-strata', 'dist');
const bytes = readFileSync(join(dist, 'core.wasm'));
const page = '<!doctype html><title>The application</title>';

const answers = {
  '/core.wasm': [200, 'application/wasm', bytes],
  '/untyped.wasm': [200, 'text/plain', bytes],
  '/page.wasm': [200, 'text/html', page],
  '/lying.wasm': [200, 'application/wasm', page],
  '/missing.wasm': [404, 'text/plain', ''],
  // A development server of Vite before version 8: the code was moved, the file was not.
  '/node_modules/.vite/core.wasm': [200, 'text/html', page],
  '/node_modules/prompt-strata/dist/core.wasm': [200, 'application/wasm', bytes],
  '/other/node_modules/.vite/core.wasm': [200, 'text/html', page],
};

let load;
let origin;
let server;
let requests = [];

before(async () => {
  ({ load } = await import(pathToFileURL(join(dist, 'server.js'))));
  server = createServer(({ url }, response) => {
    requests.push(url);
    const [status, type, body] = answers[url] ?? [404, 'text/plain', ''];
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

const at = (path) => new URL(path, origin);
const works = async (wasm) => assert.match((await load({ wasm })).version, /^\d/);

test('accepts a module, its bytes, a Response, a promise of one, and URLs', async () => {
  await works(new WebAssembly.Module(bytes));
  await works(bytes);
  await works(new Uint8Array(bytes).buffer);
  await works(await fetch(at('/core.wasm')));
  await works(fetch(at('/core.wasm')));
  await works(at('/core.wasm'));
  await works(pathToFileURL(join(dist, 'core.wasm')));
});

test('rejects other values', async () => {
  for (const wasm of ['/core.wasm', 5, {}, null]) {
    const error = {
      name: 'StrataError',
      code: 'field.invalid',
      message: /^\/wasm must be .* URL object$/,
    };
    await assert.rejects(load({ wasm }), error);
  }
});

test('compiles a file that is sent with another type, and warns once', async (t) => {
  const warn = t.mock.method(console, 'warn', () => {});
  await works(at('/untyped.wasm'));
  await works(at('/untyped.wasm'));
  assert.equal(warn.mock.callCount(), 1);
  const [message] = warn.mock.calls[0].arguments;
  assert.match(message, /untyped\.wasm was sent as text\/plain.*application\/wasm/);
});

for (const [path, reason] of [
  ['/missing.wasm', /HTTP 404/],
  ['/page.wasm', /not WebAssembly but text\/html/],
  ['/other/node_modules/.vite/core.wasm', /not WebAssembly but text\/html/],
]) {
  test(`throws wasm.not_found for ${path}`, async () => {
    const error = await load({ wasm: at(path) }).catch((thrown) => thrown);
    assert.equal(error.code, 'wasm.not_found');
    assert.match(error.message, reason);
    assert.ok(error.message.includes(`at ${at(path).href}: `), error.message);
    assert.match(error.message, /'prompt-strata\/inline'.*load\({ wasm }\).*docs\/bundlers\.md/);
  });
}

test('names the inline entry of the smaller core', async () => {
  const { load: loadLite } = await import(pathToFileURL(join(dist, 'lite-server.js')));
  const error = { code: 'wasm.not_found', message: /'prompt-strata\/lite\/inline'/ };
  await assert.rejects(loadLite({ wasm: at('/missing.wasm') }), error);
});

test('throws wasm.not_found where no server answers', async () => {
  const error = await load({ wasm: new URL('http://127.0.0.1:1/core.wasm') }).catch(
    (thrown) => thrown,
  );
  assert.equal(error.code, 'wasm.not_found');
});

test('throws wasm.not_compiled for a damaged file', async () => {
  const damaged = bytes.slice(0, 1000);
  for (const wasm of [damaged, at('/lying.wasm')]) {
    const error = { code: 'wasm.not_compiled', message: /wasm-unsafe-eval.*load\({ wasm }\)/ };
    await assert.rejects(load({ wasm }), error);
  }
});

test('looks in node_modules for the file of the package, and only for that', async () => {
  // dist/index.js asks provided.js, as the entry of a page does.
  const { provide } = await import(pathToFileURL(join(dist, 'wasm', 'provided.js')));
  provide(() => at('/node_modules/.vite/core.wasm'));
  requests = [];
  assert.match((await load()).version, /^\d/);
  assert.deepEqual(requests, [
    '/node_modules/.vite/core.wasm',
    '/node_modules/prompt-strata/dist/core.wasm',
  ]);
  requests = [];
  const error = { code: 'wasm.not_found' };
  await assert.rejects(load({ wasm: at('/node_modules/.vite/core.wasm') }), error);
  assert.deepEqual(requests, ['/node_modules/.vite/core.wasm']);
});
