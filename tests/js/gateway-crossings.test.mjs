// Counts how often a request that passes through the gateway calls into the core, and how often its body goes along.
import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayWasm, loadParts } from './gateway-parts.mjs';

const { createGateway, Instance } = await loadParts(['gateway', '../sdk/core/instance']);
const encoder = new TextEncoder();
const url = 'http://localhost/v1beta/models/gemini-3.8-flash:generateContent';
const user = (text) => ({ role: 'user', parts: [{ text }] });
const signed = (text) => ({ role: 'model', parts: [{ text, thoughtSignature: 'AAAA' }] });
const unsigned = (text) => ({ role: 'model', parts: [{ text }] });

/** The bytes that each call passes to the core, and the requests that the core holds. */
let passed = [];
let held = 0;
afterEach(async () => {
  // What is learned of a request is computed after it has left.
  for (let waited = 0; held > 0 && waited < 100; waited++) await sleep(20);
  assert.equal(held, 0, 'requests that are left in the core');
});

const { call, release } = Instance.prototype;
const sizeOf = (part) => (part === undefined ? 0 : encoder.encode(part).length);
Instance.prototype.call = function (parts, ...others) {
  passed.push(parts.reduce((sum, part) => sum + (part?.byteLength ?? sizeOf(part)), 0));
  return call.call(this, parts, ...others);
};
Instance.prototype.release = function (handle) {
  if ('prepare' in handle) held--;
  return release.call(this, handle);
};

/**
 * Returns a function that sends Contents, and returns the calls until the upstream is asked. The core is loaded, and the
 * family of the model known.
 */
async function gatewayWith(options, answer = signed('Hello.')) {
  let before = 0;
  const upstream = async () => {
    before = passed.length;
    return Response.json({ candidates: [{ content: answer, finishReason: 'STOP' }] });
  };
  const gateway = createGateway({ wasm: gatewayWasm(), upstream, ...options });
  const send = async (key, ...contents) => {
    passed = [];
    held++;
    const body = JSON.stringify({ contents });
    const headers = { 'content-type': 'application/json', 'x-goog-api-key': key };
    const response = await gateway.handle(new Request(url, { method: 'POST', body, headers }));
    await response.text();
    const bodies = passed.filter((bytes) => bytes >= body.length).length;
    const restored = response.headers.get('x-strata-restored');
    return { status: response.status, before, bodies, restored };
  };
  await send('other', user('Hi'));
  return (...contents) => send('key', ...contents);
}

const long = user('x'.repeat(5000));

test('a request of a caller without a memory crosses once', async () => {
  const send = await gatewayWith({ memory: false });
  const sent = { status: 200, before: 1, bodies: 1, restored: null };
  assert.deepEqual(await send(long), sent);
  // The second Content has a role that the repair corrects.
  assert.deepEqual(await send(long, { ...unsigned('Hi'), role: 'assistant' }, long), sent);
});

test('a request of a caller of whom nothing is remembered crosses once before it leaves', async () => {
  const send = await gatewayWith({});
  assert.deepEqual(await send(long), { status: 200, before: 1, bodies: 1, restored: null });
});

test('a request whose signatures are looked up enters the core once', async () => {
  const send = await gatewayWith({});
  await send(long);
  const lost = { status: 200, before: 2, bodies: 1, restored: null };
  assert.deepEqual(await send(user('y'.repeat(5000))), lost, 'nothing is remembered');
  const found = { ...lost, before: 3 };
  const next = user('And now?');
  assert.deepEqual(await send(long, signed('Hello.'), next), found, 'nothing is missing');
  assert.deepEqual(await send(long, unsigned('Hello.'), next), { ...found, restored: '1' });
});

test('no request stays in the core, whatever becomes of it', async () => {
  const refuse = await gatewayWith({ policy: 'reject' });
  assert.equal((await refuse({ role: 'user', parts: [] })).status, 400);
  const unreadable = await gatewayWith({ policy: 'observe' });
  assert.equal((await unreadable('x')).status, 200);
  const store = { get: () => Promise.reject(new Error('broken')), put: async () => {} };
  const failing = await gatewayWith({ memory: store, secret: 'secret' });
  assert.equal((await failing(long)).status, 200);
  const offline = await gatewayWith({ upstream: () => Promise.reject(new Error('offline')) });
  assert.equal((await offline(long)).status, 502);
});
