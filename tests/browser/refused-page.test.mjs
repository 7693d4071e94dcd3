// connectThread in a page that the server refuses: a browser tells the page nothing about a refused preflight.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { launchChromium } from '../support/chromium.mjs';
import { root } from '../../scripts/setup/run.mjs';

async function serve(t, answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

function packageFile({ url }, response) {
  if (!url.endsWith('.js'))
    return response.setHeader('content-type', 'text/html').end('<!doctype html>');
  response.setHeader('content-type', 'text/javascript');
  return response.end(readFileSync(join(root, 'dist', new URL(url, 'http://x').pathname)));
}

const connect = (url) =>
  import('/remote.js').then(({ connectThread }) =>
    connectThread({ url, key: 'caller-key_0123', retry: { attempts: 3, initialMs: 1 } }).catch(
      ({ code, message }) => ({ code, message }),
    ),
  );

test('connectThread says that the server refuses the page, after one attempt', async (t) => {
  const asked = [];
  const refusing = await serve(t, ({ method, url, headers }, response) => {
    asked.push([method, url, headers.authorization]);
    response.writeHead(method === 'OPTIONS' ? 403 : 200).end();
  });
  const origin = await serve(t, packageFile);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  const { code, message } = await page.evaluate(connect, refusing);
  assert.equal(code, 'origin.not_allowed');
  assert.ok(message.startsWith(`${refusing} refuses pages of ${origin} (CORS)`), message);
  assert.deepEqual(asked, [
    ['OPTIONS', '/threads', undefined],
    ['GET', '/health', undefined],
  ]);
  const unreachable = await page.evaluate(connect, 'http://127.0.0.1:1');
  assert.equal(unreachable.code, 'network');
});
