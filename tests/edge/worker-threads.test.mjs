// Tests that threads of the Worker are stored in Durable Objects, and survive the process.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { loadChecker } from 'prompt-strata/check';
import * as harness from './worker-process.mjs';
import {
  ask,
  chunk,
  create,
  hangingAnswer,
  linesOf,
  post,
  say,
  setUp,
  stopWorker,
  textsOf,
  threadOf,
} from './worker-process.mjs';

setUp();

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-threads-'));
});
after(() => rm(folder, { recursive: true }));

/** Starts a process of the Worker. All processes share one storage folder. `api` answers instead of the emulator. */
const startWorker = (api, bindings) => harness.startWorker({ api, bindings, folder });

test('stores each thread separately and resumes it in a new process', async () => {
  const bindings = { SHOW_REQUESTS: 'true' };
  let worker = await startWorker(undefined, bindings);
  let long;
  let other;
  try {
    [long, other] = [await create(worker), await create(worker)];
    const first = await say(worker, long, 'What is the weather in Oslo?');
    assert.equal(first.at(-1).turns, 4);
    await say(worker, other, 'Hello');
  } finally {
    await stopWorker(worker);
  }
  worker = await startWorker(undefined, bindings);
  try {
    const second = await say(worker, long, 'And tomorrow?');
    const [{ body }] = second.filter(({ type }) => type === 'request');
    const { ok } = (await loadChecker()).lint(body, { model: 'gemini-3.8-flash' });
    assert.ok(ok && body.includes('Oslo'), body);
    const lines = await threadOf(worker, long);
    assert.deepEqual(textsOf(lines), ['What is the weather in Oslo?', 'And tomorrow?']);
    assert.match(lines[1].content.parts[0].thoughtSignature, /./);
    assert.ok(lines[1].meta.manifest.fingerprints.full);
    assert.deepEqual(textsOf(await threadOf(worker, other)), ['Hello']);
  } finally {
    await stopWorker(worker);
  }
});

test('runs sends to one thread one after the other, and deletes the thread', async () => {
  const worker = await startWorker();
  try {
    const queue = await create(worker);
    const sends = ['one', 'two', 'three'].map((message) => say(worker, queue, message));
    for (const events of await Promise.all(sends)) assert.equal(events.at(-1).type, 'stored');
    const lines = await threadOf(worker, queue);
    assert.deepEqual(textsOf(lines).sort(), ['one', 'three', 'two']);
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['user', 'model', 'user', 'model', 'user', 'model'],
    );
    const deleted = await ask(worker, queue, { method: 'DELETE' });
    assert.equal(deleted.status, 204);
    assert.equal((await ask(worker, `${queue}/turns`)).status, 404);
  } finally {
    await stopWorker(worker);
  }
});

test('a send whose process ended is continued by the next process, without its caller', async () => {
  const first = await startWorker(() => hangingAnswer());
  const path = await create(first);
  const response = await post(first, `${path}/messages`, { message: 'Tell me a story' });
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
    const events = await linesOf(await ask(worker, `${path}/events?until=end`));
    assert.ok(events.some(({ type }) => type === 'resumed'));
    assert.equal(events.at(-1).type, 'stored');
    assert.equal(requests.length, 1);
    const lines = await threadOf(worker, path);
    assert.deepEqual(textsOf(lines), ['Tell me a story']);
    assert.equal(lines.length, 2);
    assert.equal(lines[1].content.parts[0].text, 'Once upon a time.');
  } finally {
    await stopWorker(worker);
  }
});

test('a caller that disconnects does not block the next one', async () => {
  const worker = await startWorker();
  try {
    const path = await create(worker);
    const response = await post(worker, `${path}/messages`, { message: 'Tell me something long' });
    const reader = response.body.getReader();
    await reader.read();
    await reader.cancel();
    const events = await say(worker, path, 'Hello');
    assert.equal(events.at(-1).type, 'stored');
    assert.deepEqual(textsOf(await threadOf(worker, path)), ['Tell me something long', 'Hello']);
  } finally {
    await stopWorker(worker);
  }
});

test('turns are read page by page', async () => {
  const worker = await startWorker();
  try {
    const path = await create(worker);
    for (const message of ['one', 'two', 'three']) await say(worker, path, message);
    const all = await (await ask(worker, `${path}/turns`)).text();
    let next = `${path}/turns?limit=4`;
    let read = '';
    for (const turns of [4, 2]) {
      const response = await ask(worker, next);
      const text = await response.text();
      assert.equal(text.trim().split('\n').length, turns);
      read += text;
      const link = response.headers.get('link');
      assert.equal(response.headers.get('x-next'), turns === 4 ? '4' : null);
      if (turns === 2) assert.equal(link, null);
      else [, next] = /^<(.+)>; rel="?next"?$/.exec(link);
    }
    assert.equal(read, all);
    assert.equal(await (await ask(worker, `${path}/turns?after=6`)).text(), '');
  } finally {
    await stopWorker(worker);
  }
});

test('forks and rewinds keep what is before', async () => {
  const worker = await startWorker();
  try {
    const path = await create(worker);
    for (const message of ['one', 'two']) await say(worker, path, message);
    const fork = await post(worker, `${path}/fork`, { turns: 2 });
    const { id, turns } = await fork.json();
    assert.equal(turns, 2);
    await say(worker, `/threads/${id}`, 'other');
    const rewound = await post(worker, `${path}/rewind`, { turns: 2 });
    assert.equal(rewound.status, 200);
    await say(worker, path, 'three');
    assert.deepEqual(textsOf(await threadOf(worker, path)), ['one', 'three']);
    assert.deepEqual(textsOf(await threadOf(worker, `/threads/${id}`)), ['one', 'other']);
    for (const [route, body] of [
      ['fork', { turns: 99 }],
      ['rewind', { turns: 99 }],
    ]) {
      const response = await post(worker, `${path}/${route}`, body);
      assert.equal(response.status, 400, route);
      assert.equal((await response.json()).error.code, 'turns.invalid');
    }
  } finally {
    await stopWorker(worker);
  }
});

test('an invalid Gemini key rejects sends, but not reading and deleting', async () => {
  let worker = await startWorker();
  const path = await create(worker);
  await say(worker, path, 'Hello');
  await stopWorker(worker);
  worker = await startWorker(() => new Response(''), { GEMINI_API_KEY: 'two words' });
  try {
    const rejected = await post(worker, `${path}/messages`, { message: 'Again' });
    assert.equal(rejected.status, 500);
    assert.equal((await rejected.json()).error.code, 'key.invalid');
    assert.deepEqual(textsOf(await threadOf(worker, path)), ['Hello']);
    assert.equal((await ask(worker, path, { method: 'DELETE' })).status, 204);
    assert.equal((await ask(worker, path)).status, 404);
  } finally {
    await stopWorker(worker);
  }
});
