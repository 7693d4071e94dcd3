// Tests /chat/<name> of the Worker in workerd: a Durable Object stores the thread, which survives the process.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { load } from 'prompt-strata';
import * as harness from './worker-process.mjs';
import { ask, chunk, hangingAnswer, setUp, stopWorker, textsOf } from './worker-process.mjs';

setUp();

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-chats-'));
});
after(() => rm(folder, { recursive: true }));

/** Starts a process of the Worker. All processes share one storage folder. `api` answers instead of the emulator. */
const startWorker = (api, bindings) => harness.startWorker({ api, bindings, folder });

const reach = (worker, name, init) => ask(worker, `/chat/${name}`, init);
const post = (worker, name, message) => harness.post(worker, `/chat/${name}`, { message });
const say = (worker, name, message) => harness.say(worker, `/chat/${name}`, message);
const threadOf = (worker, name) => harness.threadOf(worker, `/chat/${name}`);

test('stores each thread separately and resumes it in a new process', async () => {
  const bindings = { SHOW_REQUESTS: 'true' };
  let worker = await startWorker(undefined, bindings);
  try {
    const first = await say(worker, 'long', 'What is the weather in Oslo?');
    assert.deepEqual(first.at(-1), { type: 'stored', turns: 4 });
    await say(worker, 'other', 'Hello');
  } finally {
    await stopWorker(worker);
  }
  worker = await startWorker(undefined, bindings);
  try {
    const second = await say(worker, 'long', 'And tomorrow?');
    const [{ body }] = second.filter(({ type }) => type === 'request');
    const { ok } = (await load()).lint(body, { model: 'gemini-3.8-flash' });
    assert.ok(ok && body.includes('Oslo'), body);
    const lines = await threadOf(worker, 'long');
    assert.deepEqual(textsOf(lines), ['What is the weather in Oslo?', 'And tomorrow?']);
    assert.match(lines[1].content.parts[0].thoughtSignature, /./);
    assert.ok(lines[1].meta.manifest.fingerprints.full);
    assert.deepEqual(textsOf(await threadOf(worker, 'other')), ['Hello']);
  } finally {
    await stopWorker(worker);
  }
});

test('runs sends to one thread one after the other, and deletes the thread', async () => {
  const worker = await startWorker();
  try {
    const sends = ['one', 'two', 'three'].map((message) => say(worker, 'queue', message));
    for (const events of await Promise.all(sends)) assert.equal(events.at(-1).type, 'stored');
    const lines = await threadOf(worker, 'queue');
    assert.deepEqual(textsOf(lines).sort(), ['one', 'three', 'two']);
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['user', 'model', 'user', 'model', 'user', 'model'],
    );
    const deleted = await reach(worker, 'queue', { method: 'DELETE' });
    assert.equal(deleted.status, 204);
    assert.deepEqual(await threadOf(worker, 'queue'), []);
  } finally {
    await stopWorker(worker);
  }
});

test('a message whose answer was cut off by the end of the process can be answered by the next one', async () => {
  const first = await startWorker(() => hangingAnswer());
  const response = await post(first, 'crash', 'Tell me a story');
  const reader = response.body.getReader();
  let received = '';
  while (!received.includes('Once'))
    received += new TextDecoder().decode((await reader.read()).value);
  reader.closed.catch(() => {});
  await stopWorker(first);

  const requests = [];
  const worker = await startWorker(async (request) => {
    requests.push(await request.text());
    return new Response(chunk('Once upon a time.', { finishReason: 'STOP' }));
  });
  try {
    assert.deepEqual(textsOf(await threadOf(worker, 'crash')), ['Tell me a story']);
    await say(worker, 'crash', '');
    assert.equal(requests.length, 1);
    const lines = await threadOf(worker, 'crash');
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['user', 'model'],
    );
    assert.equal(lines[1].content.parts[0].text, 'Once upon a time.');
  } finally {
    await stopWorker(worker);
  }
});

test('a caller that disconnects does not block the next one', async () => {
  const worker = await startWorker();
  try {
    const response = await post(worker, 'left', 'Tell me something long');
    const reader = response.body.getReader();
    await reader.read();
    await reader.cancel();
    const events = await say(worker, 'left', 'Hello');
    assert.equal(events.at(-1).type, 'stored');
    assert.deepEqual(textsOf(await threadOf(worker, 'left')), ['Tell me something long', 'Hello']);
  } finally {
    await stopWorker(worker);
  }
});

test('rejects invalid requests with a status and a code', async () => {
  const worker = await startWorker();
  try {
    for (const [init, status] of [
      [{ method: 'POST', body: '{' }, 400],
      [{ method: 'POST', body: '{"message":"Hi","history":[{}]}' }, 400],
      [{ method: 'PUT', body: '{}' }, 405],
    ]) {
      const response = await reach(worker, 'wrong', init);
      assert.equal(response.status, status);
      assert.ok((await response.json()).error.code);
    }
    assert.equal((await ask(worker, '/chat/a/b')).status, 404);
  } finally {
    await stopWorker(worker);
  }
});

test('percent-encoded and plain spellings of a name select the same thread', async () => {
  const worker = await startWorker();
  try {
    await say(worker, 'a%62c', 'Hello');
    assert.deepEqual(textsOf(await threadOf(worker, 'abc')), ['Hello']);
    const head = await reach(worker, 'abc', { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    for (const name of ['%zz', 'a%2Fb', '%00', 'x'.repeat(201)]) {
      const response = await reach(worker, name);
      assert.equal(response.status, 400, name);
      assert.equal((await response.json()).error.code, 'name.invalid');
    }
  } finally {
    await stopWorker(worker);
  }
});

test('an invalid Gemini key rejects sends, but not reading and deleting', async () => {
  let worker = await startWorker();
  await say(worker, 'unusable', 'Hello');
  await stopWorker(worker);
  worker = await startWorker(() => new Response(''), { GEMINI_API_KEY: 'two words' });
  try {
    const rejected = await post(worker, 'unusable', 'Again');
    assert.equal(rejected.status, 500);
    assert.equal((await rejected.json()).error.code, 'key.invalid');
    assert.deepEqual(textsOf(await threadOf(worker, 'unusable')), ['Hello']);
    assert.equal((await reach(worker, 'unusable', { method: 'DELETE' })).status, 204);
    assert.deepEqual(await threadOf(worker, 'unusable'), []);
  } finally {
    await stopWorker(worker);
  }
});
