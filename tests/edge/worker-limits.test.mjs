// Tests the limits of each caller: requests, new threads a day, and threads in which a send runs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import {
  ask,
  callerKey,
  chunk,
  create,
  hangingAnswer,
  headers,
  ofType,
  post,
  say,
  setUp,
  startWorker,
} from './worker-process.mjs';
import { allRequests, guessedId } from './worker-routes.mjs';

setUp();

async function assertLimited(response, code) {
  const text = await response.text();
  assert.equal(response.status, 429, text);
  const { error } = JSON.parse(text);
  assert.equal(error.code, code);
  assert.ok(error.retryAfterMs > 0, text);
  const seconds = Number(response.headers.get('retry-after'));
  assert.ok(Number.isInteger(seconds) && seconds >= 1, String(seconds));
  return error;
}

const hash = (key) => createHash('sha256').update(key).digest('hex');
const twoCallers = JSON.stringify([
  { id: 'first', keyHash: hash(callerKey) },
  { id: 'second', keyHash: hash('second') },
]);
const second = { headers: { ...headers, authorization: 'Bearer second' } };

test('the rate limiter counts each caller, and every route', async () => {
  const ratelimits = { RATE_LIMITER: { simple: { limit: allRequests.length, period: 60 } } };
  const worker = await startWorker({ bindings: { GATEWAY_CALLERS: twoCallers }, ratelimits });
  for (const [path, init] of allRequests) {
    const { status } = await ask(worker, path, init);
    assert.notEqual(status, 429, path);
  }
  for (const [path, init] of allRequests)
    await assertLimited(await ask(worker, path, init), 'limit.exceeded');
  // A wrong key is not counted as anybody's request.
  const wrong = { headers: { ...headers, authorization: 'Bearer wrong' } };
  assert.equal((await ask(worker, '/threads', { method: 'POST', ...wrong })).status, 401);
  await create(worker, {}, second);
});

test('a flood of new threads ends at MAX_THREADS, forks included', async () => {
  const bindings = { MAX_THREADS: '20', GATEWAY_CALLERS: twoCallers };
  const worker = await startWorker({ bindings });
  const path = await create(worker);
  const requests = Array.from({ length: 60 }, (_, index) =>
    index % 2 ? post(worker, '/threads', {}) : post(worker, `${path}/fork`, {}),
  );
  const responses = await Promise.all(requests);
  const created = responses.filter(({ status }) => status === 201);
  assert.equal(created.length, 19);
  for (const response of responses)
    if (response.status !== 201) await assertLimited(response, 'limit.threads');
  // What exists can be used, and another caller is not affected.
  assert.equal((await say(worker, path, 'Hello')).at(-1).type, 'stored');
  await create(worker, {}, second);
});

test('requests that are refused before create no thread', async () => {
  const worker = await startWorker({ bindings: { MAX_THREADS: '1' } });
  for (const body of ['{', { configuration: 'other' }, { tools: [{ name: 'get_time' }] }])
    assert.equal((await post(worker, '/threads', body)).status, 400);
  await create(worker);
});

test('sends run in at most MAX_RUNNING_SENDS threads of a caller', async () => {
  let answer = () => hangingAnswer();
  const bindings = { MAX_RUNNING_SENDS: '2', GATEWAY_CALLERS: twoCallers };
  const worker = await startWorker({ bindings, api: () => answer() });
  const paths = [];
  for (let count = 0; count < 3; count++) paths.push(await create(worker));
  const start = (path, init) =>
    post(
      worker,
      `${path}/messages`,
      { message: 'Hello' },
      {
        ...init,
        headers: { ...(init ?? { headers }).headers, prefer: 'respond-async' },
      },
    );
  assert.equal((await start(paths[0])).status, 202);
  assert.equal((await start(paths[1])).status, 202);
  await assertLimited(await start(paths[2]), 'limit.sends');
  // The same thread queues its sends, and another caller has its own places.
  assert.equal((await start(paths[0])).status, 202);
  const others = await create(worker, {}, second);
  assert.equal((await start(others, second)).status, 202);
  // A refused message is not stored.
  const { turns, state } = await (await ask(worker, paths[2])).json();
  assert.deepEqual({ turns, state }, { turns: 0, state: 'idle' });
  assert.equal((await post(worker, `${paths[1]}/abort`, '')).status, 200);
  answer = () => new Response(chunk('Hello', { finishReason: 'STOP' }));
  const until = Date.now() + 20_000;
  let sent = await start(paths[2]);
  while (sent.status === 429 && Date.now() < until) sent = await start(paths[2]);
  assert.equal(sent.status, 202);
});

test('a deleted thread frees its place', async () => {
  const worker = await startWorker({
    bindings: { MAX_RUNNING_SENDS: '1' },
    api: () => hangingAnswer(),
  });
  const path = await create(worker);
  const message = { message: 'Hello' };
  const init = { headers: { ...headers, prefer: 'respond-async' } };
  assert.equal((await post(worker, `${path}/messages`, message, init)).status, 202);
  const other = await create(worker);
  await assertLimited(await post(worker, `${other}/messages`, message, init), 'limit.sends');
  assert.equal((await ask(worker, path, { method: 'DELETE' })).status, 204);
  assert.equal((await post(worker, `${other}/messages`, message, init)).status, 202);
});

test('invalid limits refuse what they limit, and nothing else', async () => {
  for (const [name, value] of [
    ['MAX_THREADS', '0'],
    ['MAX_THREADS', 'many'],
    ['MAX_THREADS', '1.5'],
  ]) {
    const worker = await startWorker({ bindings: { [name]: value } });
    const response = await post(worker, '/threads', {});
    assert.equal(response.status, 500);
    const { error } = await response.json();
    assert.equal(error.code, 'setting.invalid');
    assert.match(error.message, new RegExp(name));
    assert.equal((await ask(worker, `/threads/${guessedId}`)).status, 404);
  }
  for (const [name, value] of [
    ['MAX_RUNNING_SENDS', '-1'],
    ['SEND_DEADLINE_MS', 'soon'],
    ['SEND_DEADLINE_MS', '0'],
    ['SEND_DEADLINE_MS', '-1'],
  ]) {
    const worker = await startWorker({ bindings: { [name]: value } });
    const path = await create(worker);
    const response = await post(worker, `${path}/messages`, { message: 'Hello' });
    assert.equal(response.status, 500);
    assert.equal((await response.json()).error.code, 'setting.invalid');
    assert.equal((await (await ask(worker, path)).json()).turns, 0);
  }
});

test('a thread waits for at most 16 sends', async () => {
  const worker = await startWorker({ api: () => hangingAnswer() });
  const path = await create(worker);
  const init = { headers: { ...headers, prefer: 'respond-async' } };
  const statuses = [];
  for (let count = 0; count < 18; count++) {
    const response = await post(worker, `${path}/messages`, { message: `${count}` }, init);
    statuses.push(response.status);
    if (response.status === 429) assert.equal((await response.json()).error.code, 'thread.busy');
  }
  assert.deepEqual(statuses, [...Array(17).fill(202), 429]);
  const { aborted } = await (await post(worker, `${path}/abort`, '')).json();
  assert.equal(aborted, 17);
  const events = await ask(worker, `${path}/events?until=end`);
  const lines = (await events.text()).trim().split('\n');
  const failed = ofType(
    lines.map((line) => JSON.parse(line)),
    'failed',
  );
  assert.ok(failed.every(({ error }) => error.code === 'send.aborted'));
});
