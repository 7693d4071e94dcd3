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
  linesOf,
  ofType,
  post,
  say,
  setUp,
  startWorker,
} from './worker-process.mjs';
import { scriptedApi } from './scripted-api.mjs';
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
  const path = await create(worker);
  await assertLimited(await post(worker, '/threads', {}), 'limit.threads');
  assert.equal((await ask(worker, path)).status, 200);
});

test('a fork that the thread refuses is not counted', async () => {
  const worker = await startWorker({ bindings: { MAX_THREADS: '2' } });
  const path = await create(worker);
  for (let i = 0; i < 3; i++)
    assert.equal((await post(worker, `${path}/fork`, { turns: 7 })).status, 400);
  assert.equal((await post(worker, `${path}/fork`, {})).status, 201);
  await assertLimited(await post(worker, `${path}/fork`, {}), 'limit.threads');
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

const accepted = { headers: { ...headers, prefer: 'respond-async' } };

/** Repeats a request until it is accepted. Places are left a little after a send has ended. */
async function untilAccepted(request) {
  const until = Date.now() + 20_000;
  let { status } = await request();
  while (status === 429 && Date.now() < until) ({ status } = await request());
  assert.equal(status, 202);
}

test('a send that waits for results takes no place, also with messages behind it', async () => {
  const { api } = scriptedApi();
  const worker = await startWorker({ bindings: { MAX_RUNNING_SENDS: '1' }, api });
  const waits = await create(worker, { tools: [{ name: 'ask_user' }] });
  const idle = await create(worker);
  assert.equal((await say(worker, waits, 'call ask_user')).at(-1).type, 'waiting');
  const toIdle = () => post(worker, `${idle}/messages`, { message: 'Hello' }, accepted);
  await untilAccepted(toIdle);
  const behind = await post(worker, `${waits}/messages`, { message: 'later' }, accepted);
  assert.equal(behind.status, 202);
  await untilAccepted(toIdle);
});

test('results that continue a send need a place, and are not stored without one', async () => {
  const { api } = scriptedApi({ answers: { results: () => hangingAnswer() } });
  const worker = await startWorker({ bindings: { MAX_RUNNING_SENDS: '1' }, api });
  const paths = [];
  for (let count = 0; count < 2; count++) {
    const path = await create(worker, { tools: [{ name: 'ask_user' }] });
    paths.push(path);
    await untilAccepted(() =>
      post(worker, `${path}/messages`, { message: 'call ask_user' }, accepted),
    );
    await ask(worker, `${path}/events?until=end`).then((response) => response.text());
  }
  const results = { results: [{ callId: '1.1.0', response: 1 }] };
  const answer = (path) => post(worker, `${path}/results`, results, accepted);
  await untilAccepted(() => answer(paths[0]));
  await assertLimited(await answer(paths[1]), 'limit.sends');
  const { state, openCalls } = await (await ask(worker, paths[1])).json();
  assert.deepEqual([state, openCalls.length], ['waiting', 1]);
  await post(worker, `${paths[0]}/abort`, {});
  await untilAccepted(() => answer(paths[1]));
});

test('a message that loses against a deletion keeps no place', async () => {
  const worker = await startWorker({ bindings: { MAX_RUNNING_SENDS: '1' } });
  for (let round = 0; round < 12; round++) {
    const path = await create(worker);
    const send = async () => (await post(worker, `${path}/messages`, { message: 'Hello' })).text();
    const remove = ask(worker, path, { method: 'DELETE' });
    await Promise.all([send(), remove, send()]);
    const next = await create(worker);
    const response = await post(worker, `${next}/messages`, { message: 'Hello' });
    assert.equal(response.status, 200, await response.text());
    await ask(worker, next, { method: 'DELETE' });
  }
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
  const waiting = await create(worker);
  await assertLimited(await post(worker, `${waiting}/messages`, message, init), 'limit.sends');
  assert.equal((await ask(worker, path, { method: 'DELETE' })).status, 204);
  assert.equal((await post(worker, `${waiting}/messages`, message, init)).status, 202);
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
    if (response.status === 429) await assertLimited(response, 'thread.busy');
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

test('messages that were aborted leave room behind a send that waits for results', async () => {
  const { api } = scriptedApi();
  const worker = await startWorker({ api });
  const path = await create(worker, { tools: [{ name: 'ask_user' }] });
  await say(worker, path, 'call ask_user');
  const send = (message) => post(worker, `${path}/messages`, { message }, accepted);
  for (let number = 2; number <= 17; number++)
    assert.equal((await send(`message ${number}`)).status, 202);
  assert.equal((await send('too many')).status, 429);
  for (let number = 2; number <= 17; number++) {
    const aborted = await post(worker, `${path}/abort`, { send: number });
    assert.deepEqual(await aborted.json(), { aborted: 1 });
  }
  assert.equal((await send('new')).status, 202);
  const results = [{ callId: '1.1.0', response: 1 }];
  await post(worker, `${path}/results`, { results }, accepted);
  const events = await linesOf(await ask(worker, `${path}/events?until=end&after=2.0.0`));
  assert.equal(ofType(events, 'failed').length, 16);
  assert.equal(events.at(-1).turns, 6);
});
