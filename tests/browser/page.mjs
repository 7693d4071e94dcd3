// Serves the page in which every browser runs the portable tests, unbundled and under the content security policy
// that the package supports.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { consumer, leftOut } from '../support/consumer.mjs';

const dist = '/node_modules/prompt-strata/dist';
// Everything else is imported with relative paths.
const imports = {
  'prompt-strata': `${dist}/index.js`,
  'prompt-strata/check': `${dist}/check.js`,
  'prompt-strata/gateway': `${dist}/gateway.js`,
  'prompt-strata/remote': `${dist}/remote.js`,
  'prompt-strata/stores': `${dist}/stores.js`,
  'prompt-strata/templates': `${dist}/templates.js`,
  'prompt-strata/testing': `${dist}/testing.js`,
};
// WebKit takes a minute on two idle cores.
const timeLimitMs = 480_000;
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** Whether browsers run all tests, as in `npm run verify -- browsers`, or those of what engines do differently. */
export const isWhole = process.env.STRATA_BROWSERS === 'all';

// The import is dynamic because a failed static import is only reported in the console.
const page = (nonce, files) => `<!doctype html><meta charset="utf-8"><title>portable tests</title>
<script type="importmap" nonce="${nonce}">${JSON.stringify({ imports })}</script>
<script type="module" nonce="${nonce}">
const send = (results) => fetch('/results', { method: 'POST', body: JSON.stringify(results) });
import('/suite.mjs').then((suite) => suite.results(${JSON.stringify(files)})).then(send, (error) =>
  send([{ file: 'page', name: 'loads', error: String(error?.stack ?? error) }]));
</script>`;

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function answerPage(response, files) {
  const nonce = randomUUID();
  response.setHeader(
    'content-security-policy',
    `script-src 'self' 'wasm-unsafe-eval' 'nonce-${nonce}'`,
  );
  response.setHeader('content-type', 'text/html').end(page(nonce, files));
}

async function answerFile(path, response) {
  try {
    const bytes = await readFile(join(consumer, normalize(path)));
    response
      .setHeader('content-type', types[extname(path)] ?? 'application/octet-stream')
      .end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

/**
 * Serves the page, opens it in a browser with `open`, and returns the results that the page sends back.
 * @param {(url: string) => Promise<() => unknown>} open returns a function that closes the browser
 */
export async function resultsFrom(open) {
  const files = isWhole ? [] : leftOut();
  let deliver;
  const delivered = new Promise((resolve) => (deliver = resolve));
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/') return answerPage(response, files);
    if (pathname !== '/results') return answerFile(pathname, response);
    deliver(JSON.parse(await readBody(request)));
    response.writeHead(204).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  let close;
  try {
    close = await open(`http://127.0.0.1:${server.address().port}/`);
    const timeout = sleep(timeLimitMs, undefined, { ref: false }).then(() => {
      throw new Error(`the page sent no results within ${timeLimitMs / 1000} s`);
    });
    return await Promise.race([delivered, timeout]);
  } finally {
    await close?.();
    server.closeAllConnections();
    server.close();
  }
}
