// Tests what changes threads besides messages: rewinding, forking, aborting, and a core that traps.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { callOf, gate, scriptedApi, unfinished } from './scripted-api.mjs';
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
  textsOf,
  threadOf,
  within,
} from './worker-process.mjs';

setUp();

const deployment = 'tests/edge/deployments/held-tool.ts';
const tools = [{ name: 'ask_user' }];
const accepted = { headers: { ...headers, prefer: 'respond-async' } };

async function start(script) {
  const { api, bodies } = scriptedApi(script);
  const worker = await startWorker({ api, deployment });
  return { worker, bodies, path: await create(worker, { tools }) };
}

const errorOf = async (response) => [response.status, (await response.json()).error.code];
const rewind = (worker, path, turns) => post(worker, `${path}/rewind`, { turns });
const abort = async (worker, path, body = {}) => (await post(worker, `${path}/abort`, body)).json();
const send = (worker, path, message) => post(worker, `${path}/messages`, { message }, accepted);
const eventsOf = async (worker, path, number) =>
  linesOf(await ask(worker, `${path}/events?until=end&send=${number}`));

async function forked(worker, path, body = {}) {
  const response = await post(worker, `${path}/fork`, body);
  assert.equal(response.status, 201, await response.clone().text());
  return `/threads/${(await response.json()).id}`;
}

test('rewinding removes turns from the end', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'one');
  await say(worker, path, 'two');
  const response = await rewind(worker, path, 2);
  assert.deepEqual([response.status, (await response.json()).turns], [200, 2]);
  await say(worker, path, 'three');
  assert.deepEqual(textsOf(await threadOf(worker, path)), ['one', 'three']);
  assert.deepEqual(await errorOf(await rewind(worker, path, 5)), [400, 'turns.invalid']);
});

test('a thread in which a send runs or waits cannot be rewound', async () => {
  const held = gate();
  const { worker, path } = await start({ hold: () => held.pass('held') });
  await send(worker, path, 'call hold ask_user');
  await within(held.reached);
  assert.deepEqual(await errorOf(await rewind(worker, path, 0)), [409, 'thread.running']);
  held.open();
  await eventsOf(worker, path, 1);
  assert.deepEqual(await errorOf(await rewind(worker, path, 0)), [409, 'thread.running']);
  await abort(worker, path);
  assert.equal((await rewind(worker, path, 0)).status, 200);
  // A call at the same place has another id, so that a late result does not answer it.
  await say(worker, path, 'call ask_user');
  const answer = (callId) =>
    post(worker, `${path}/results`, { results: [{ callId, response: 'new' }] });
  assert.deepEqual(await errorOf(await answer('1.1.1')), [409, 'call.answered']);
  const events = await linesOf(await answer('2.1.0'));
  assert.deepEqual(ofType(events, 'toolResult')[0].response, { output: 'new' });
});

test('messages and rewinding at once leave whole turns', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'one');
  const work = [rewind(worker, path, 0), say(worker, path, 'two'), rewind(worker, path, 0)];
  const [first, , last] = await Promise.all(work);
  for (const { status } of [first, last]) assert.ok([200, 409].includes(status), String(status));
  const lines = await threadOf(worker, path);
  assert.equal(lines.length % 2, 0);
});

test('a fork has the turns and tools of its thread, and a life of its own', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'one');
  await say(worker, path, 'two');
  const [whole, part] = [await forked(worker, path), await forked(worker, path, { turns: 2 })];
  assert.deepEqual(await threadOf(worker, whole), await threadOf(worker, path));
  await say(worker, part, 'three');
  assert.deepEqual(textsOf(await threadOf(worker, part)), ['one', 'three']);
  assert.deepEqual(textsOf(await threadOf(worker, path)), ['one', 'two']);
  assert.equal((await say(worker, whole, 'call ask_user')).at(-1).type, 'waiting');
  const many = await post(worker, `${path}/fork`, { turns: 99 });
  assert.deepEqual(await errorOf(many), [400, 'turns.invalid']);
  const closed = await post(worker, `${path}/fork`, { configuration: 'closed' });
  assert.deepEqual(await errorOf(closed), [400, 'tools.not_allowed']);
});

test('fork, turns and export of a thread in which a send runs have its complete turns', async () => {
  const held = gate();
  const { worker, path } = await start({ answers: { two: () => held.pass(unfinished('Half')) } });
  await say(worker, path, 'one');
  await send(worker, path, 'two');
  await within(held.reached);
  held.open();
  const copy = await forked(worker, path);
  assert.deepEqual(textsOf(await threadOf(worker, copy)), ['one', 'two']);
  assert.equal((await threadOf(worker, path)).length, 3);
  const exported = await linesOf(await ask(worker, `${path}/export`));
  assert.equal(exported.length, 3);
  assert.equal((await (await ask(worker, path)).json()).state, 'running');
});

test('a fork before the results of a call asks for them again', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'call ask_user');
  const results = [{ callId: '1.1.0', response: 'first' }];
  await linesOf(await post(worker, `${path}/results`, { results }));
  const copy = await forked(worker, path, { turns: 2 });
  assert.equal((await say(worker, copy, '')).at(-1).type, 'waiting');
  results[0].response = 'second';
  const events = await linesOf(await post(worker, `${copy}/results`, { results }));
  assert.deepEqual(ofType(events, 'toolResult')[0].response, { output: 'second' });
});

test('a fork keeps the results of a step that waits, as far as its configuration may have them', async () => {
  let runs = 0;
  const { worker } = await start({ hold: () => `result ${++runs}` });
  for (const [configuration, shown] of [
    ['held', { output: 'result 1' }],
    ['hidden', { output: 'Hidden: hideToolResults is on' }],
  ]) {
    runs = 0;
    const path = await create(worker, { tools, configuration });
    await say(worker, path, 'call hold ask_user');
    // The first copy has the configuration of its thread.
    const copy = await forked(worker, await forked(worker, path), { configuration: 'held' });
    assert.deepEqual((await say(worker, copy, '')).at(-1).type, 'waiting');
    await linesOf(
      await post(worker, `${copy}/results`, { results: [{ callId: '1.1.1', response: 7 }] }),
    );
    const [, , { content }] = await threadOf(worker, copy);
    const responses = content.parts.map(({ functionResponse }) => functionResponse.response);
    assert.deepEqual(responses, [shown, { output: 7 }]);
    assert.equal(runs, 1);
    const early = await forked(worker, path, { turns: 1 });
    assert.equal((await threadOf(worker, early)).length, 1);
  }
});

test('an abort ends the send that runs and those that wait, in their order', async () => {
  const held = gate();
  const answers = { Hello: () => held.pass(unfinished('Half')) };
  const { worker, path, bodies } = await start({ answers });
  await send(worker, path, 'Hello');
  await within(held.reached);
  held.open();
  await send(worker, path, 'two');
  await send(worker, path, 'three');
  assert.deepEqual(await abort(worker, path), { aborted: 3 });
  assert.deepEqual(await abort(worker, path), { aborted: 0 });
  for (const number of [1, 2, 3]) {
    const events = await eventsOf(worker, path, number);
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['failed', 'stored'],
    );
    assert.equal(events.at(-2).error.code, 'send.aborted');
  }
  assert.equal(bodies.length, 1);
  assert.deepEqual(textsOf(await threadOf(worker, path)), ['Hello']);
  await say(worker, path, 'four');
});

test('an abort with the key of a message ends its send only', async () => {
  const { worker, path } = await start();
  const keyed = (key) => ({ headers: { ...accepted.headers, 'idempotency-key': key } });
  await say(worker, path, 'call ask_user');
  await post(worker, `${path}/messages`, { message: 'two' }, keyed('two'));
  const abortOf = async (key) => (await post(worker, `${path}/abort`, {}, keyed(key))).json();
  assert.deepEqual(await abortOf('other'), { aborted: 0 });
  assert.deepEqual(await abortOf('two'), { aborted: 1 });
  const results = [{ callId: '1.1.0', response: 1 }];
  assert.equal((await linesOf(await post(worker, `${path}/results`, { results }))).at(-1).turns, 4);
  const second = await eventsOf(worker, path, 2);
  assert.equal(ofType(second, 'failed')[0].error.code, 'send.aborted');
});

test('an abort of one send that waits leaves the others', async () => {
  const held = gate();
  const { worker, path } = await start({ hold: () => held.pass('held') });
  await send(worker, path, 'call hold');
  await within(held.reached);
  await send(worker, path, 'two');
  await send(worker, path, 'three');
  assert.deepEqual(await abort(worker, path, { send: 2 }), { aborted: 1 });
  held.open();
  await eventsOf(worker, path, 3);
  assert.equal((await eventsOf(worker, path, 2)).at(-2).error.code, 'send.aborted');
  assert.deepEqual(textsOf(await threadOf(worker, path)), ['call hold', 'three']);
});

test('a core that traps ends no send: another one continues, also in other threads', async () => {
  const held = gate();
  const { worker, path } = await start({ hold: () => held.pass('held') });
  const other = await create(worker);
  await send(worker, other, 'call hold');
  await within(held.reached);
  const events = await say(worker, path, 'call trap');
  assert.deepEqual(ofType(events, 'failed'), []);
  assert.equal(ofType(events, 'resumed').length, 1);
  assert.equal(events.at(-1).turns, 4);
  const [result] = ofType(events, 'toolResult').slice(-1);
  assert.deepEqual(result.response, { output: 'survived' });
  held.open();
  const more = await eventsOf(worker, other, 1);
  assert.deepEqual(ofType(more, 'failed'), []);
  assert.equal(more.at(-1).turns, 4);
});

test('a stream up to the end of a thread without sends is empty', async () => {
  const { worker, path } = await start();
  assert.deepEqual(await linesOf(await ask(worker, `${path}/events?until=end`)), []);
  assert.deepEqual(await errorOf(await ask(worker, `${path}/events?send=1`)), [
    400,
    'query.invalid',
  ]);
  assert.deepEqual(await errorOf(await ask(worker, `${path}/events?after=7.1.1`)), [
    400,
    'query.invalid',
  ]);
  assert.deepEqual(await errorOf(await ask(worker, `${path}/events?after=x`)), [
    400,
    'query.invalid',
  ]);
});

test('an import with an invalid history is refused, and leaves no thread', async () => {
  const { worker } = await start();
  const orphan = { functionResponse: { name: 'x', response: {} } };
  const from = [{ role: 'user', parts: [{ text: 'Hi', ...orphan }] }];
  const response = await post(worker, '/threads', { from });
  assert.ok(response.status >= 400 && response.status < 500, String(response.status));
  const unknown = await post(worker, '/threads', { from: 'not a thread' });
  assert.ok(unknown.status >= 400 && unknown.status < 500, await unknown.text());
});

test('a history whose calls are open can be imported and continued', async () => {
  const { worker } = await start();
  const from = [
    { role: 'user', parts: [{ text: 'Go' }] },
    { role: 'model', parts: [callOf('hold')] },
  ];
  const path = await create(worker, { from });
  assert.equal((await say(worker, path, '')).at(-1).turns, 4);
});

test('a fork into a configuration that has a tool of the same name is refused', async () => {
  const worker = await startWorker({ deployment });
  const path = await create(worker, { configuration: 'brief', tools: [{ name: 'hold' }] });
  const response = await post(worker, `${path}/fork`, { configuration: 'held' });
  assert.deepEqual(await errorOf(response), [400, 'tools.name_taken']);
});

test('a tool that the deployment gets later replaces the caller’s of the same name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-tools-'));
  try {
    const first = await startWorker({ deployment, folder });
    const declared = ['get_weather', 'ask_user'].map((name) => ({ name }));
    const path = await create(first, { tools: declared });
    await stopWorker(first);
    const { api } = scriptedApi();
    const later = 'tests/edge/deployments/several.mjs';
    const second = await startWorker({ api, deployment: later, folder });
    const events = await say(second, path, 'call get_weather');
    assert.deepEqual(
      ofType(events, 'toolCall').map(({ runsAt }) => runsAt),
      ['deployment'],
    );
    assert.equal(events.at(-1).type, 'stored');
    assert.equal((await say(second, path, 'call ask_user')).at(-1).type, 'waiting');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
