// Tests the gateway's routes of the Worker in workerd: who may call, the emulator, signatures in a Durable Object, limits.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { unsignedHistory } from '../js/unsigned-history.mjs';
import {
  callerKey,
  chunk,
  setUp,
  startWorker,
  stopWorker,
  upstreamKey,
  within,
} from './worker-process.mjs';

setUp();

const model = 'gemini-3.8-flash';
const path = `/v1beta/models/${model}:generateContent`;
const contents = [{ role: 'user', parts: [{ text: 'What is the weather in Oslo?' }] }];
const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] };
const declaration = { name: 'get_weather', description: 'The weather in a city', parameters };
const tools = [{ functionDeclarations: [declaration] }];

const ask = (worker, key, more = [], headers = {}) =>
  within(
    worker.dispatchFetch(`http://localhost${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: JSON.stringify({ contents: [...contents, ...more], tools }),
    }),
  );

/** Asserts a refusal in Google's form. */
async function assertRefused(response, status, reason) {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(JSON.parse(text).error.details[0].reason, reason);
  for (const key of [callerKey, upstreamKey]) assert.ok(!text.includes(key), text);
}

const answer = () =>
  Response.json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  });

test('the key of the threads opens the gateway, and the key for Gemini travels instead', async () => {
  const asked = [];
  const api = (request) => {
    asked.push([
      request.url,
      request.headers.get('x-goog-api-key'),
      request.headers.get('authorization'),
    ]);
    return answer();
  };
  const worker = await startWorker({ api });
  assert.equal((await ask(worker, callerKey)).status, 200);
  await assertRefused(await ask(worker, 'wrong'), 401, 'caller.key_wrong');
  await assertRefused(await ask(worker), 401, 'caller.key_missing');
  assert.deepEqual(asked, [
    [`https://generativelanguage.googleapis.com${path}`, upstreamKey, null],
  ]);
});

test('GATEWAY_CALLERS lists callers in place of that key', async () => {
  const keyHash = createHash('sha256').update('key-of-the-app').digest('hex');
  const GATEWAY_CALLERS = JSON.stringify([{ id: 'app', keyHash }]);
  const worker = await startWorker({ bindings: { GATEWAY_CALLERS }, api: answer });
  assert.equal((await ask(worker, 'key-of-the-app')).status, 200);
  await assertRefused(await ask(worker, callerKey), 401, 'caller.key_wrong');
});

test('nobody may call without callers, and listed callers need a key for Gemini', async () => {
  const open = await startWorker({ bindings: { CALLER_KEY: undefined }, api: answer });
  await assertRefused(await ask(open, 'any'), 401, 'caller.unconfigured');
  const without = await startWorker({ bindings: { EMULATOR: undefined } });
  await assertRefused(await ask(without, callerKey), 503, 'upstream.unconfigured');
  const invalid = await startWorker({ bindings: { GATEWAY_CALLERS: 'my-key' }, api: answer });
  const response = await ask(invalid, callerKey);
  assert.equal(response.status, 500);
  const { error } = await response.json();
  assert.equal(error.code, 'setting.invalid');
  assert.doesNotMatch(error.message, /my-key/);
});

test('pages of foreign origins are refused, those of ALLOWED_ORIGINS may read', async () => {
  const origin = 'https://app.example';
  const worker = await startWorker({ bindings: { ALLOWED_ORIGINS: origin } });
  const allowed = await ask(worker, callerKey, [], { origin });
  assert.equal(allowed.headers.get('access-control-allow-origin'), origin);
  await allowed.text();
  for (const foreign of ['https://evil.example', 'http://localhost'])
    await assertRefused(
      await ask(worker, callerKey, [], { origin: foreign }),
      403,
      'origin.not_allowed',
    );
});

test('/health says nothing, and /metrics needs GATEWAY_ADMIN_KEY', async () => {
  const worker = await startWorker({ bindings: { GATEWAY_ADMIN_KEY: 'admin-key' } });
  const get = (route, headers = {}) =>
    within(worker.dispatchFetch(`http://localhost${route}`, { headers }));
  assert.equal(await (await get('/health')).text(), '{"status":"ok"}');
  assert.equal((await get('/metrics')).status, 401);
  for (let i = 0; i < 2; i++) await (await ask(worker, callerKey)).text();
  const metrics = await get('/metrics', { authorization: 'Bearer admin-key' });
  // The requests of an isolate share one gateway.
  assert.match(
    await metrics.text(),
    /^prompt_strata_requests_total\{route="generateContent",status="200"\} 2$/m,
  );
  const closed = await startWorker();
  assert.equal((await within(closed.dispatchFetch('http://localhost/metrics'))).status, 404);
});

/** Returns the history after the model's calls, as a client that drops signatures sends it. */
function historyOf(answer) {
  assert.ok(answer.candidates[0].content.parts[0].thoughtSignature);
  return unsignedHistory(answer);
}

test('signatures survive a restart in a Durable Object', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-worker-'));
  const settings = { bindings: { GATEWAY_SECRET: 'a secret of the deployment' }, folder };
  try {
    const first = await startWorker(settings);
    const history = historyOf(await (await ask(first, callerKey)).json());
    await stopWorker(first);
    const second = await startWorker(settings);
    const response = await ask(second, callerKey, history);
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(response.headers.get('x-strata-restored'), '1');
    await response.text();
    await stopWorker(second);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('RATE_LIMITER limits the requests of each caller', async () => {
  const ratelimits = { RATE_LIMITER: { simple: { limit: 1, period: 60 } } };
  const worker = await startWorker({ ratelimits, api: answer });
  assert.equal((await ask(worker, callerKey)).status, 200);
  const refused = await ask(worker, callerKey);
  assert.equal(refused.headers.get('retry-after'), '60');
  await assertRefused(refused, 429, 'limit.exceeded');
});

test('a stream arrives as it is made', async () => {
  let proceed;
  const waiting = new Promise((resolve) => (proceed = resolve));
  const encoder = new TextEncoder();
  const api = () => {
    const body = new ReadableStream({
      async start(out) {
        out.enqueue(encoder.encode(chunk('one')));
        await waiting;
        out.enqueue(encoder.encode(chunk('two', { finishReason: 'STOP' })));
        out.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const worker = await startWorker({ api });
  const url = `http://localhost/v1beta/models/${model}:streamGenerateContent?alt=sse`;
  const headers = { 'content-type': 'application/json', 'x-goog-api-key': callerKey };
  const init = { method: 'POST', headers, body: JSON.stringify({ contents }) };
  const response = await within(worker.dispatchFetch(url, init));
  const reader = response.body.getReader();
  const { value } = await within(reader.read());
  assert.match(new TextDecoder().decode(value), /one/);
  proceed();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read())
    rest += new TextDecoder().decode(read.value);
  assert.match(rest, /two/);
});
