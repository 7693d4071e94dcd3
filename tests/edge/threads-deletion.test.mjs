// Tests deleting threads: DELETE wins over everything that runs, frees the storage and the caches, and threads expire
// where their configuration says when.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { answerOf, callOf, gate, scriptedApi, unfinished } from './scripted-api.mjs';
import {
  ask,
  create,
  headers,
  linesOf,
  ofType,
  post,
  say,
  setUp,
  startWorker,
  stopWorker,
  within,
} from './worker-process.mjs';

setUp();

const deployment = 'tests/edge/deployments/held-tool.ts';
const tools = [{ name: 'ask_user' }];
const folder = mkdtempSync(join(tmpdir(), 'threads-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function start(script, settings = {}) {
  const { api, bodies } = scriptedApi(script);
  return { worker: await startWorker({ api, deployment, ...settings }), bodies };
}

const remove = (worker, path) => ask(worker, path, { method: 'DELETE' });
const codeOf = async (response) => (await response.json()).error.code;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Read at once: the body of an answer that waits behind others is lost when memory is collected.
const statusAndCode = async (request) => {
  const response = await request;
  return [response.status, await codeOf(response)];
};

/** Asserts that no route tells the deleted thread from one that never was. */
async function assertGone(worker, path) {
  const requests = [
    ask(worker, path),
    ask(worker, `${path}/turns`),
    ask(worker, `${path}/events`),
    ask(worker, `${path}/export`),
    remove(worker, path),
    post(worker, `${path}/messages`, { message: 'Hello' }),
    post(worker, `${path}/results`, { results: [{ callId: '1.1.0', response: 1 }] }),
    post(worker, `${path}/abort`, {}),
    post(worker, `${path}/rewind`, { turns: 0 }),
    post(worker, `${path}/fork`, {}),
  ];
  for (const answer of await Promise.all(requests.map(statusAndCode)))
    assert.deepEqual(answer, [404, 'thread.unknown']);
}

test('DELETE wins over a send that runs, those that wait, and all watchers', async () => {
  const held = gate();
  const answers = { Hello: () => held.pass(unfinished('Half')) };
  const { worker, bodies } = await start({ answers });
  const path = await create(worker);
  const running = await post(worker, `${path}/messages`, { message: 'Hello' });
  const queued = await post(worker, `${path}/messages`, { message: 'later' });
  const watching = await ask(worker, `${path}/events`);
  await within(held.reached);
  held.open();
  const streams = [running, queued, watching].map(linesOf);
  assert.equal((await within(remove(worker, path))).status, 204);
  for (const events of await Promise.all(streams)) {
    const last = events.at(-1);
    assert.deepEqual([last.type, last.error.code], ['failed', 'thread.deleted']);
  }
  await assertGone(worker, path);
  assert.equal(bodies.length, 1);
});

test('DELETE wins over a send that waits for results, and over the results', async () => {
  const { worker } = await start();
  const path = await create(worker, { tools });
  await say(worker, path, 'call ask_user');
  const results = [{ callId: '1.1.0', response: 1 }];
  const [deleted, posted] = await Promise.all([
    remove(worker, path),
    post(worker, `${path}/results`, { results }),
  ]);
  assert.equal(deleted.status, 204);
  assert.ok([200, 404].includes(posted.status), String(posted.status));
  if (posted.status === 200) {
    const events = await linesOf(posted);
    assert.ok(['failed', 'stored'].includes(events.at(-1).type), JSON.stringify(events));
  }
  await assertGone(worker, path);
});

test('DELETE wins over messages and deletions at the same time', async () => {
  const { worker } = await start();
  const path = await create(worker);
  const requests = [1, 2, 3, 4].map((n) => post(worker, `${path}/messages`, { message: `${n}` }));
  const [one, two, ...sent] = await Promise.all([
    remove(worker, path),
    remove(worker, path),
    ...requests,
  ]);
  for (const { status } of [one, two]) assert.ok([204, 404].includes(status), String(status));
  for (const response of sent) {
    if (response.status === 404) continue;
    const last = (await linesOf(response)).at(-1);
    assert.ok(last.type === 'stored' || last.error.code === 'thread.deleted', JSON.stringify(last));
  }
  await assertGone(worker, path);
});

test('nothing of a deleted thread stays in the storage', async () => {
  const secret = 'kolibri-47';
  const { worker } = await start({}, { folder });
  const path = await create(worker, { tools: [{ name: 'ask_user', description: secret }] });
  await say(worker, path, secret);
  await say(worker, path, 'call ask_user');
  await say(worker, await create(worker), 'marker-of-another-thread');
  assert.equal((await remove(worker, path)).status, 204);
  await assertGone(worker, path);
  await stopWorker(worker);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const contents = files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath ?? file.path, file.name), 'latin1'));
  assert.ok(contents.some((text) => text.includes('marker-of-another-thread')));
  assert.ok(!contents.some((text) => text.includes(secret)));
});

/** Returns an API with caches, and the calls about them. `onDelete` answers their deletion. */
function cachingApi(onDelete = () => Response.json({})) {
  const calls = [];
  const { api } = scriptedApi();
  const caching = async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.includes('cachedContents')) return api(request);
    calls.push(`${request.method} ${pathname.replace(/^.*\/v1beta/, '')}`);
    if (request.method === 'DELETE') return onDelete();
    const expireTime = new Date(Date.now() + 3_600_000).toISOString();
    const usageMetadata = { totalTokenCount: 6000 };
    return Response.json({ name: 'cachedContents/one', expireTime, usageMetadata });
  };
  return { api: caching, calls };
}

test('a thread whose deletion the process did not finish is deleted in the next one', async () => {
  const held = gate();
  const { api } = cachingApi(() => held.pass(Response.json({})));
  const before = await startWorker({ api, deployment, folder });
  const path = await create(before, { configuration: 'cached' });
  await say(before, path, 'Hello');
  void remove(before, path).catch(() => {});
  await within(held.reached);
  await assertGone(before, path);
  await stopWorker(before);
  const { worker } = await start({}, { folder });
  await assertGone(worker, path);
});

test('a deletion frees the explicit caches of the thread', async () => {
  const { api, calls } = cachingApi();
  const worker = await startWorker({ api, deployment });
  const path = await create(worker, { configuration: 'cached' });
  const events = await say(worker, path, 'Hello');
  assert.deepEqual(
    ofType(events, 'cache').map(({ action }) => action),
    ['created'],
  );
  // The conversation is opened again, and finds its cache.
  await wait(4000);
  const more = await say(worker, path, 'And then?');
  assert.deepEqual(ofType(more, 'cache'), []);
  assert.equal((await remove(worker, path)).status, 204);
  assert.deepEqual(calls, ['POST /cachedContents', 'DELETE /cachedContents/one']);
});

test('a thread expires after its configuration’s time without use', async () => {
  const { worker } = await start();
  const path = await create(worker, { configuration: 'brief' });
  const { expiresAt } = await (await ask(worker, path)).json();
  assert.ok(Date.parse(expiresAt) > Date.now());
  await wait(1000);
  await say(worker, path, 'Hello');
  await wait(1000);
  // It was used meanwhile.
  assert.equal((await ask(worker, `${path}/turns`)).status, 200);
  await wait(4000);
  await assertGone(worker, path);
});

test('the time to expiry begins when a send ends or pauses, also if it ran longer', async () => {
  const [held, paused] = [gate(), gate()];
  const answers = {
    slow: () => held.pass(answerOf([{ text: 'At last.' }])),
    asks: () => paused.pass(answerOf([callOf('ask_user')])),
  };
  const { worker } = await start({ answers });
  const path = await create(worker, { configuration: 'brief', tools });
  for (const [message, { open }, last] of [
    ['slow', held, 'stored'],
    ['asks', paused, 'waiting'],
  ]) {
    const sent = say(worker, path, message);
    const { expiresAt } = await (await ask(worker, path)).json();
    while (Date.now() <= Date.parse(expiresAt)) await wait(100);
    open();
    assert.equal((await sent).at(-1).type, last);
    assert.equal((await ask(worker, path)).status, 200);
  }
});

test('a thread that waits for results expires, too', async () => {
  const { worker } = await start();
  const path = await create(worker, { configuration: 'brief', tools });
  const init = { headers: { ...headers, prefer: 'respond-async' } };
  await post(worker, `${path}/messages`, { message: 'call ask_user' }, init);
  await wait(4000);
  await assertGone(worker, path);
});
