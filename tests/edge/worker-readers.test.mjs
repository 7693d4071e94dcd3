// Tests that readers which disconnect, stall or wait never block a thread: in workerd, through separate sockets and
// through Miniflare's dispatchFetch.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ask,
  chunk,
  create,
  hangingAnswer,
  linesOf,
  ofType,
  post,
  postOverHttp,
  say,
  setUp,
  slowAnswer,
  startWorker,
  textsOf,
  threadOf,
  within,
} from './worker-process.mjs';

setUp();

// Two requests and about 60 events, so that readers disconnect while the emulator pauses between events.
const question = 'What is the weather in Oslo, Paris, Rome and Berlin?';

const eventsIn = (bytes) => bytes.toString().split('\n').length - 1;

/** Reads `count` events through a socket, then destroys it. */
async function disconnectSocket(worker, path, count) {
  const response = await postOverHttp(worker, `${path}/messages`, question);
  let events = 0;
  const enough = new Promise((resolve, reject) => {
    response.on('data', (bytes) => (events += eventsIn(bytes)) >= count && resolve());
    response.on('end', () => reject(new Error(`the answer ended after ${events} events`)));
    response.on('error', reject);
  });
  await within(enough);
  response.removeAllListeners('error').on('error', () => {});
  response.destroy();
}

/** Reads `count` events through dispatchFetch, then cancels. */
async function cancelFetch(worker, path, count) {
  const reader = (await post(worker, `${path}/messages`, { message: question })).body.getReader();
  for (let events = 0; events < count;) {
    const { done, value } = await within(reader.read());
    assert.ok(!done, `the answer ended after ${events} events`);
    events += eventsIn(Buffer.from(value));
  }
  await reader.cancel();
}

/** Asserts that every message was stored and answered, and that the thread can be deleted. */
async function assertUsable(worker, path, sent = [question]) {
  const events = await say(worker, path, 'next');
  assert.equal(events.at(-1).type, 'stored', JSON.stringify(events.at(-1)));
  assert.deepEqual(ofType(events, 'failed'), []);
  const lines = await threadOf(worker, path);
  assert.deepEqual(textsOf(lines), [...sent, 'next']);
  const answers = lines.filter(({ kind, content }) => kind === 'model' && content.parts[0].text);
  assert.equal(answers.length, sent.length + 1);
  assert.equal((await ask(worker, path, { method: 'DELETE' })).status, 204);
  assert.equal((await ask(worker, `${path}/turns`)).status, 404);
}

for (const [answering, settings] of [
  ['the emulator', {}],
  ['the API', { api: () => slowAnswer() }],
]) {
  for (const [way, disconnect] of [
    ['destroys its socket', disconnectSocket],
    ['cancels its fetch', cancelFetch],
  ]) {
    for (const count of [1, 3, 30]) {
      test(`${answering}: a reader that ${way} after ${count} events leaves a usable thread`, async () => {
        const worker = await startWorker(settings);
        const path = await create(worker);
        await disconnect(worker, path, count);
        await assertUsable(worker, path);
      });
    }
  }
}

test('a reader that never reads leaves a usable thread, and its own stream ends with an error', async () => {
  // Metadata becomes events, not turns. These events exceed the buffers of the socket and the Worker.
  const filler = 'x'.repeat(100_000);
  const more = (number) => ({ groundingMetadata: { webSearchQueries: [`${number}${filler}`] } });
  const large = () => slowAnswer({ count: 300, ms: 1, more });
  const answers = [large, slowAnswer];
  const worker = await startWorker({ api: () => answers.shift()() });
  const path = await create(worker);
  const response = await postOverHttp(worker, `${path}/messages`, 'first');
  await assertUsable(worker, path, ['first']);
  let text = '';
  response.on('data', (bytes) => (text += bytes));
  await within(new Promise((resolve) => response.on('error', resolve).on('close', resolve)));
  assert.ok(text.includes('"metadata"'));
  assert.ok(!text.includes('"type":"stored"'), 'the stream did not end with an error');
});

test('a reader that disconnects while queued leaves a usable thread, and its message is answered', async () => {
  const worker = await startWorker();
  const path = await create(worker);
  const first = await postOverHttp(worker, `${path}/messages`, 'first');
  const queued = await postOverHttp(worker, `${path}/messages`, 'queued');
  queued.on('error', () => {});
  queued.destroy();
  first.on('error', () => {});
  first.destroy();
  await assertUsable(worker, path, ['first', 'queued']);
});

test('DELETE aborts the running send and the queued ones', async () => {
  const worker = await startWorker({ api: () => hangingAnswer() });
  const path = await create(worker);
  const running = post(worker, `${path}/messages`, { message: 'running' });
  const reader = (await running).body.getReader();
  let received = '';
  const read = async () => {
    const { done, value } = await within(reader.read());
    received += new TextDecoder().decode(value);
    return !done;
  };
  while (!received.includes('Once')) assert.ok(await read());
  const queued = await post(worker, `${path}/messages`, { message: 'queued' });
  const watcher = await ask(worker, `${path}/events`);
  assert.equal((await ask(worker, path, { method: 'DELETE' })).status, 204);
  while (await read());
  const last = JSON.parse(received.trim().split('\n').at(-1));
  for (const event of [last, (await linesOf(queued)).at(-1), (await linesOf(watcher)).at(-1)])
    assert.equal(event.error?.code, 'thread.deleted', JSON.stringify(event));
  for (const route of ['', '/turns', '/events', '/export'])
    assert.equal((await ask(worker, path + route)).status, 404, route);
  const again = await post(worker, `${path}/messages`, { message: 'again' });
  assert.equal((await again.json()).error.code, 'thread.unknown');
});

/** Returns the fields of the last event, without its id. */
function lastOf(events) {
  const { type, turns } = events.at(-1);
  return { type, turns };
}

test('the deadline ends a send; the thread keeps the message and can be resumed', async () => {
  let answer = () => hangingAnswer();
  const bindings = { SEND_DEADLINE_MS: '1000' };
  const worker = await startWorker({ bindings, api: () => answer() });
  const path = await create(worker);
  const events = await say(worker, path, 'first');
  assert.equal(ofType(events, 'failed')[0]?.error.code, 'send.deadline');
  assert.deepEqual(lastOf(events), { type: 'stored', turns: 1 });
  answer = () => new Response(chunk('Hello', { finishReason: 'STOP' }));
  assert.deepEqual(lastOf(await say(worker, path, '')), { type: 'stored', turns: 2 });
  assert.deepEqual(textsOf(await threadOf(worker, path)), ['first']);
});

test('time in the queue does not count toward the deadline', async () => {
  let hangs = true;
  const answer = () => new Response(chunk('Hello', { finishReason: 'STOP' }));
  const api = () => (hangs ? ((hangs = false), hangingAnswer()) : answer());
  const worker = await startWorker({ bindings: { SEND_DEADLINE_MS: '1000' }, api });
  const path = await create(worker);
  const sends = ['first', 'queued'].map((message) => say(worker, path, message));
  const [, queued] = await Promise.all(sends);
  assert.deepEqual(ofType(queued, 'failed'), []);
  assert.deepEqual(textsOf(await threadOf(worker, path)), ['first', 'queued']);
});
