// Tests what `load({ wasm })` accepts, and what it reports when a server sends something else than the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { consumer } from '../support/consumer.mjs';

const dist = join(consumer, 'node_modules', 'prompt-strata', 'dist');
const bytes = readFileSync(join(dist, 'talk.wasm'));
const page = '<!doctype html><title>The application</title>';

const answers = {
  '/talk.wasm': [200, 'application/wasm', bytes],
  '/untyped.wasm': [200, 'text/plain', bytes],
  '/page.wasm': [200, 'text/html', page],
  '/lying.wasm': [200, 'application/wasm', page],
  '/missing.wasm': [404, 'text/plain', ''],
};

let load;
let origin;
let server;

before(async () => {
  ({ load } = await import(pathToFileURL(join(dist, 'index.js'))));
  server = createServer(({ url }, response) => {
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
  await works(await fetch(at('/talk.wasm')));
  await works(fetch(at('/talk.wasm')));
  await works(at('/talk.wasm'));
  await works(pathToFileURL(join(dist, 'talk.wasm')));
});

test('rejects other values', async () => {
  for (const wasm of ['/talk.wasm', 5, {}, null]) {
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
]) {
  test(`throws wasm.not_found for ${path}`, async () => {
    const error = await load({ wasm: at(path) }).catch((thrown) => thrown);
    assert.equal(error.code, 'wasm.not_found');
    assert.match(error.message, reason);
    assert.ok(error.message.includes(`at ${at(path).href}: `), error.message);
    assert.match(error.message, /load\({ wasm }\).*Without the option `wasm`/);
  });
}

test('throws wasm.not_found where no server answers', async () => {
  const error = await load({ wasm: new URL('http://127.0.0.1:1/talk.wasm') }).catch(
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
