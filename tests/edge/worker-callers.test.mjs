// Tests that a thread belongs to the caller that created it, and does not exist for anybody else.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import {
  ask,
  create,
  headers,
  post,
  say,
  setUp,
  startWorker,
  textsOf,
  threadOf,
} from './worker-process.mjs';
import { guessedId, threadRequests } from './worker-routes.mjs';

setUp();

const keyOf = (id) => `key-of-${id}_0123456789`;
const listed = (id, key = keyOf(id)) => ({
  id,
  keyHash: createHash('sha256').update(key).digest('hex'),
});
const as = (key) => ({ headers: { ...headers, authorization: `Bearer ${key}` } });
const alice = as(keyOf('alice'));
const bob = as(keyOf('bob'));

const startTwo = (bindings = {}) => {
  const callers = [listed('alice'), listed('bob'), listed('bob', 'new-key-of-bob')];
  return startWorker({ bindings: { GATEWAY_CALLERS: JSON.stringify(callers), ...bindings } });
};

/** Returns everything that a caller sees of a response. */
async function seen(response) {
  const { status } = response;
  return { status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

test('a thread of another caller is the same 404 as one that never was', async () => {
  const worker = await startTwo();
  const path = await create(worker, {}, alice);
  const sent = await post(worker, `${path}/messages`, { message: 'Hello' }, alice);
  assert.match(await sent.text(), /"stored"/);
  const deleted = await create(worker, {}, bob);
  assert.equal((await ask(worker, deleted, { method: 'DELETE', ...bob })).status, 204);
  const invalid = ['/threads/x', '/threads/..%2f', `/threads/${guessedId}x`, '/threads/%00'];
  const others = [`/threads/${guessedId}`, deleted, ...invalid];
  const requestsTo = (other) => threadRequests(other).entries();
  for (const [index, [route, init]] of requestsTo(path)) {
    const foreign = await seen(await ask(worker, route, { ...init, ...bob }));
    assert.equal(foreign.status, 404, route);
    assert.equal(JSON.parse(foreign.body).error.code, 'thread.unknown');
    for (const other of others) {
      const [otherRoute] = threadRequests(other)[index];
      const unknown = await seen(await ask(worker, otherRoute, { ...init, ...bob }));
      assert.deepEqual(unknown, foreign, otherRoute);
    }
  }
  const lines = await (await ask(worker, `${path}/turns`, alice)).text();
  assert.match(lines, /"Hello"/);
  assert.equal(JSON.parse(await (await ask(worker, path, alice)).text()).state, 'idle');
});

test('a caller keeps its threads with a new key', async () => {
  const worker = await startTwo();
  const path = await create(worker, {}, bob);
  assert.equal((await ask(worker, path, as('new-key-of-bob'))).status, 200);
  assert.equal((await ask(worker, path, alice)).status, 404);
});

test('callers cannot say who they are', async () => {
  const worker = await startTwo();
  const path = await create(worker, {}, alice);
  const id = path.slice('/threads/'.length);
  const forged = { ...bob.headers, 'x-thread': JSON.stringify({ id, caller: 'alice' }) };
  assert.equal((await ask(worker, path, { headers: forged })).status, 404);
  const message = { method: 'POST', body: '{"message":"x"}', headers: forged };
  assert.equal((await ask(worker, `${path}/messages`, message)).status, 404);
  const named = await post(worker, '/threads', { id, caller: 'alice' }, bob);
  assert.equal(named.status, 400);
});

test('ids of one caller that look like another one name other threads', async () => {
  const worker = await startTwo();
  const path = await create(worker, {}, alice);
  // The object of a thread is named by the caller and the id, with a line feed between them.
  const id = path.slice('/threads/'.length);
  for (const wrong of [`alice%0A${id}`, `%0A${id}`, `${id}%0A`, `${id}?caller=alice`])
    assert.equal((await ask(worker, `/threads/${wrong}`, bob)).status, 404, wrong);
});

test('each caller sends to its own threads, and forks only those', async () => {
  const worker = await startTwo();
  const paths = await Promise.all([alice, bob].map((caller) => create(worker, {}, caller)));
  await Promise.all(
    [alice, bob].map(async (caller, index) => {
      const path = `${paths[index]}/messages`;
      const response = await post(worker, path, { message: `I am ${index}` }, caller);
      assert.match(await response.text(), /"stored"/);
    }),
  );
  const fork = await post(worker, `${paths[0]}/fork`, {}, alice);
  assert.equal(fork.status, 201);
  const location = fork.headers.get('location');
  assert.equal(location, `/threads/${(await fork.json()).id}`);
  assert.match(await (await ask(worker, `${location}/turns`, alice)).text(), /I am 0/);
  assert.equal((await ask(worker, location, bob)).status, 404);
});

test('with one caller key, all who have it are one caller', async () => {
  const worker = await startWorker();
  const path = await create(worker);
  await say(worker, path, 'Hello');
  assert.deepEqual(textsOf(await threadOf(worker, path)), ['Hello']);
});
