// Tests access to the Worker: caller keys, allowed origins, content types, and what callers see of the deployment.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { bindingsFor, instructions, serveWorker } from '../../scripts/setup/serve-worker.mjs';
import { miniflareOptions } from '../../scripts/setup/worker.mjs';
import {
  ask,
  callerKey,
  chunk,
  headers,
  ofType,
  post,
  say,
  setUp,
  startWorker,
  upstreamKey,
} from './worker-process.mjs';

setUp();

const hello = { message: 'Hello' };
const answer = () => new Response(chunk('Hello', { finishReason: 'STOP' }));
const without = (...names) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** Asserts that a request was rejected with this status and code. Returns the response and the message. */
async function assertRejected(response, status, code) {
  const text = await response.text();
  assert.equal(response.status, status, `${response.url} ${text.slice(0, 500)}`);
  assert.equal(JSON.parse(text).error.code, code);
  for (const key of [callerKey, upstreamKey]) assert.ok(!text.includes(key), text);
  return { response, message: JSON.parse(text).error.message };
}

const routes = [
  ['/chat', { method: 'POST', body: JSON.stringify(hello) }],
  ['/chat', {}],
  ['/chat/a', { method: 'POST', body: JSON.stringify(hello) }],
  ['/chat/a', {}],
  ['/chat/a', { method: 'DELETE' }],
  ['/chat/a/b', {}],
];

test('a deployment without a Gemini key answers 503 and says why', async () => {
  const { bindings } = await miniflareOptions();
  assert.ok(!('EMULATOR' in bindings), 'wrangler.jsonc turns on the emulator');
  for (const CALLER_KEY of [undefined, callerKey]) {
    const worker = await startWorker({ bindings: { EMULATOR: undefined, CALLER_KEY } });
    for (const [path, init] of routes) {
      const { message } = await assertRejected(
        await ask(worker, path, init),
        503,
        'upstream.unconfigured',
      );
      assert.match(message, /GEMINI_API_KEY.*EMULATOR/);
    }
    const about = await ask(worker, '/');
    assert.equal(about.status, 200);
    assert.match(await about.text(), /No upstream is configured/);
  }
});

test('the emulator answers only where EMULATOR is "true"', async () => {
  const closed = await startWorker({ bindings: { EMULATOR: 'false' } });
  await assertRejected(await post(closed, '/chat', hello), 503, 'upstream.unconfigured');
  const open = await startWorker({ bindings: { CALLER_KEY: undefined } });
  const response = await post(open, '/chat', hello, { headers: without('authorization') });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /saved/);
});

test('a Worker with a Gemini key but no caller key answers 401', async () => {
  const api = () => assert.fail('the API was asked');
  for (const CALLER_KEY of [undefined, '', '\n']) {
    const worker = await startWorker({ bindings: { CALLER_KEY, EMULATOR: 'true' }, api });
    for (const [path, init] of routes) {
      const { response, message } = await assertRejected(
        await ask(worker, path, init),
        401,
        'caller.unconfigured',
      );
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      assert.match(message, /CALLER_KEY/);
    }
  }
});

test('everything under /chat requires the caller key', async () => {
  let apiRequests = 0;
  const worker = await startWorker({ api: () => (apiRequests++, answer()) });
  const invalid = [
    [undefined, 'caller.key_missing'],
    ['', 'caller.key_missing'],
    [callerKey, 'caller.key_missing'],
    [`Basic ${callerKey}`, 'caller.key_missing'],
    ['Bearer wrong', 'caller.key_wrong'],
    [`Bearer ${callerKey}x`, 'caller.key_wrong'],
    [`Bearer ${callerKey.slice(1)}`, 'caller.key_wrong'],
    [`Bearer ${upstreamKey}`, 'caller.key_wrong'],
  ];
  for (const [authorization, code] of invalid) {
    for (const [path, init] of routes) {
      const sent = without('authorization');
      if (authorization !== undefined) sent.authorization = authorization;
      const { response } = await assertRejected(
        await ask(worker, path, { ...init, headers: sent }),
        401,
        code,
      );
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    }
  }
  assert.equal(apiRequests, 0);
  assert.equal((await say(worker, '/chat/a', 'Hello')).at(-1).type, 'stored');
  const lowerCase = { ...headers, authorization: `bearer ${callerKey}` };
  assert.equal((await ask(worker, '/chat/a', { headers: lowerCase })).status, 200);
  assert.equal((await ask(worker, '/chat/a', { method: 'DELETE' })).status, 204);
});

test('a caller key that was stored with a line feed works', async () => {
  const worker = await startWorker({ bindings: { CALLER_KEY: `${callerKey}\n` } });
  assert.equal((await say(worker, '/chat', 'Hello')).at(-1).type, 'saved');
});

test('GET / needs no key and reveals nothing private', async () => {
  const worker = await startWorker({ bindings: { MODEL: 'gemini-private' }, api: answer });
  const response = await ask(worker, '/', { headers: {} });
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.match(text, /authorization: Bearer KEY/);
  for (const secret of [callerKey, upstreamKey, 'gemini-private', 'get_weather']) {
    assert.ok(!text.includes(secret), secret);
  }
});

const page = 'https://app.example';

test('rejects pages of other origins without ALLOWED_ORIGINS', async () => {
  const worker = await startWorker({ api: () => assert.fail('the API was asked') });
  for (const origin of [page, 'null', 'http://localhost:1', 'https://localhost']) {
    const sent = { ...headers, origin };
    for (const init of [
      { method: 'POST', body: JSON.stringify(hello) },
      { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
    ]) {
      const response = await ask(worker, '/chat', {
        ...init,
        headers: { ...sent, ...init.headers },
      });
      await assertRejected(response, 403, 'origin.not_allowed');
      assert.equal(response.headers.get('access-control-allow-origin'), null);
      assert.equal(response.headers.get('vary'), 'origin');
    }
    assert.equal((await ask(worker, '/', { headers: sent })).status, 403);
  }
});

test("accepts the Worker's own origin, without CORS headers", async () => {
  const worker = await startWorker();
  const sent = { ...headers, origin: 'http://localhost' };
  const response = await post(worker, '/chat', hello, { headers: sent });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('access-control-allow-origin'), null);
  assert.match(await response.text(), /saved/);
});

test('accepts a listed origin and names it in every response', async () => {
  const ALLOWED_ORIGINS = `https://other.example, ${page},*,null`;
  const worker = await startWorker({ bindings: { ALLOWED_ORIGINS } });
  const from = (origin) => ({ headers: { ...headers, origin } });
  const preflight = await ask(worker, '/chat', {
    method: 'OPTIONS',
    headers: { origin: page, 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.match(
    preflight.headers.get('access-control-allow-headers'),
    /authorization, content-type/,
  );
  for (const response of [
    preflight,
    await post(worker, '/chat', hello, from(page)),
    await post(worker, '/chat', '{', from(page)),
    await post(worker, '/chat/a', hello, from(page)),
    await ask(worker, '/chat', { headers: { origin: page } }),
  ]) {
    assert.equal(response.headers.get('access-control-allow-origin'), page);
    assert.equal(response.headers.get('vary'), 'origin');
    await response.arrayBuffer();
  }
  for (const origin of [`${page}.evil.example`, 'http://app.example', 'null', '*']) {
    await assertRejected(
      await post(worker, '/chat', hello, from(origin)),
      403,
      'origin.not_allowed',
    );
  }
});

test('rejects bodies whose content type is not JSON in UTF-8', async () => {
  const worker = await startWorker();
  const typed = (type) => ({
    headers: { ...without('content-type'), ...(type && { 'content-type': type }) },
  });
  for (const path of ['/chat', '/chat/typed']) {
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json; charset=latin1',
      'text/plain; application/json',
    ]) {
      const response = await post(worker, path, hello, typed(type));
      await assertRejected(response, 415, 'content_type.unsupported');
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      const response = await post(worker, path, hello, typed(type));
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
  }
});

// From the instruction and the declarations of the tools.
const privateTexts = [
  /friendly assistant/,
  /weather is invented/,
  /Invented for a demonstration/,
  /IANA name/,
];

async function visibleTexts(worker) {
  const question = { message: 'What is the weather in Oslo?' };
  return Promise.all([
    post(worker, '/chat', question).then((response) => response.text()),
    post(worker, '/chat/seen', question).then((response) => response.text()),
  ]).then(async (texts) => [...texts, await (await ask(worker, '/chat/seen')).text()]);
}

test('callers see sizes and fingerprints, not the instruction and the tools', async () => {
  const worker = await startWorker();
  for (const text of await visibleTexts(worker)) {
    for (const pattern of privateTexts) assert.doesNotMatch(text, pattern);
    assert.match(text, /"fingerprints":/);
    assert.match(text, /"reason":"Hidden: SHOW_REQUESTS is off"/);
  }
  const events = await say(worker, '/chat', 'Hello');
  const [request] = ofType(events, 'request');
  assert.deepEqual(Object.keys(request), ['type', 'manifest']);
  assert.ok(request.manifest.layers.every(({ bytes }) => bytes >= 0));
  // The thread can be sent back as the history.
  const { thread: history } = events.at(-1);
  const response = await post(worker, '/chat', { message: 'And again', history });
  assert.match(await response.text(), /"type":"saved"/);
});

test('SHOW_REQUESTS shows whole requests', async () => {
  const worker = await startWorker({ bindings: { SHOW_REQUESTS: 'true' } });
  const [stateless] = await visibleTexts(worker);
  for (const pattern of privateTexts) assert.match(stateless, pattern);
});

test("hides the API's error messages without SHOW_REQUESTS", async () => {
  const message = 'tools[0].function_declarations[0].description: Invented for a demonstration';
  const error = { code: 400, status: 'INVALID_ARGUMENT', message };
  const api = () => Response.json({ error }, { status: 400 });
  const worker = await startWorker({ api });
  const [failed] = ofType(await say(worker, '/chat', 'Hello'), 'failed');
  assert.equal(failed.error.code, 'api.INVALID_ARGUMENT');
  assert.equal(failed.error.status, 400);
  for (const pattern of privateTexts) assert.doesNotMatch(failed.error.message, pattern);
  const shown = await startWorker({ bindings: { SHOW_REQUESTS: 'true' }, api });
  const [whole] = ofType(await say(shown, '/chat', 'Hello'), 'failed');
  assert.equal(whole.error.message, message);
});

test('keeps the bytes of a Content when it hides texts of manifests', async () => {
  const worker = await startWorker();
  const { thread } = (await say(worker, '/chat', 'Hello')).at(-1);
  const content = '{ "role":"user" ,"parts":[{"text":"1.0 \\u00e9"}], "n":1e400}';
  const meta = '{"at":"2026-01-01T00:00:00Z"}';
  const line = `{"strata":1,"kind":"user","sequencing":"api","meta":${meta},"content":${content}}`;
  const answerLine = thread.split('\n')[1].replace(/"content":\{/, '"content":{  ');
  const history = `${line}\n${answerLine}\n`;
  const response = await post(worker, '/chat', { message: 'And again', history });
  const saved = JSON.parse((await response.text()).trim().split('\n').at(-1)).thread;
  assert.ok(saved.startsWith(`${line}\n`), saved);
  assert.ok(saved.includes('"content":{  "role"'), saved);
});

test('npm run worker generates a key, and the commands that it prints work in a shell', async () => {
  const chats = await mkdtemp(join(tmpdir(), 'strata-served-'));
  try {
    const keys = [bindingsFor({}), bindingsFor({})].map(({ CALLER_KEY }) => CALLER_KEY);
    assert.match(keys[0], /^[\w-]{32}$/);
    assert.notEqual(keys[0], keys[1]);
    assert.deepEqual(bindingsFor({ GEMINI_API_KEY: 'g', CALLER_KEY: 'c' }), {
      GEMINI_API_KEY: 'g',
      CALLER_KEY: 'c',
    });
    assert.throws(() => bindingsFor({ CALLER_KEY: 'two words' }), /CALLER_KEY/);
    for (const env of [{}, { CALLER_KEY: `it's-"$a"` }]) {
      const bindings = bindingsFor(env);
      const worker = await serveWorker(bindings, { port: 0, chats });
      try {
        const { origin } = await worker.ready;
        const text = instructions(origin, bindings);
        assert.ok(text.split('\n').includes(`key: ${bindings.CALLER_KEY}`), text);
        const lines = text.split('\n').filter((line) => line.startsWith('  curl '));
        assert.equal(lines.length, 2);
        for (const line of lines) {
          const { stdout } = await promisify(execFile)('bash', [
            '-c',
            `${line.trim()} --fail-with-body -s`,
          ]);
          assert.match(stdout, /event: (saved|stored)\ndata: .*\n\n$/);
        }
      } finally {
        await worker.dispose();
      }
    }
  } finally {
    await rm(chats, { recursive: true });
  }
});
