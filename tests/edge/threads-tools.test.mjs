// Tests tools that the caller runs: a send pauses at their calls, and continues with the posted results.
import assert from 'node:assert/strict';
import test from 'node:test';
import { answerOf, callOf, gate, scriptedApi } from './scripted-api.mjs';
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
  threadOf,
  within,
} from './worker-process.mjs';

setUp();

const deployment = 'tests/edge/deployments/held-tool.ts';
const tools = [{ name: 'ask_user' }, { name: 'ask_boss' }];

async function start(script) {
  const { api, bodies } = scriptedApi(script);
  const worker = await startWorker({ api, deployment });
  return { worker, bodies, path: await create(worker, { tools }) };
}

const results = (worker, path, list, init) =>
  post(worker, `${path}/results`, { results: list }, init);
const stateOf = async (worker, path) => (await ask(worker, path)).json();
const typesOf = (events) =>
  events
    .map(({ type }) => type)
    .filter(
      (type) => !['text', 'usage', 'metadata', 'request', 'functionCall', 'part'].includes(type),
    );
const responsesOf = (lines) =>
  lines
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap(({ functionResponse }) => functionResponse?.response ?? []);
const errorOf = async (response) => [response.status, (await response.json()).error.code];

test('a send pauses at the calls of the caller, and continues with their results', async () => {
  const { worker, path } = await start();
  const events = await say(worker, path, 'call ask_user');
  assert.deepEqual(typesOf(events), ['sent', 'turn', 'turn', 'toolCall', 'waiting']);
  const [call] = ofType(events, 'toolCall');
  assert.deepEqual([call.callId, call.runsAt], ['1.1.0', 'caller']);
  const calls = [{ callId: '1.1.0', name: 'ask_user', args: { index: 0 } }];
  assert.deepEqual(events.at(-1).calls, calls);
  const state = await stateOf(worker, path);
  assert.deepEqual([state.state, state.openCalls, state.turns], ['waiting', calls, 2]);
  const after = await linesOf(
    await results(worker, path, [{ callId: '1.1.0', response: { yes: 1 } }]),
  );
  assert.deepEqual(typesOf(after), ['toolCall', 'toolResult', 'turn', 'turn', 'done', 'stored']);
  assert.equal(ofType(after, 'toolResult')[0].callId, '1.1.0');
  assert.equal(after.at(-1).turns, 4);
  const lines = await threadOf(worker, path);
  assert.deepEqual(responsesOf(lines), [{ output: { yes: 1 } }]);
  assert.equal((await stateOf(worker, path)).state, 'idle');
});

test('a send fails if a tool of the deployment pauses its call, and the next one works', async () => {
  const { worker, path } = await start();
  const events = await say(worker, path, 'call pause');
  const { error } = ofType(events, 'failed')[0];
  assert.equal(error.code, 'conversation.waiting');
  assert.match(error.message, /the deployment's pause paused its call/);
  assert.equal(ofType(events, 'toolCall').length, 1);
  // With a call of the caller, it fails once that has its result.
  const mixed = await say(worker, path, 'call pause ask_user');
  assert.deepEqual(
    mixed.at(-1).calls.map(({ name }) => name),
    ['ask_user'],
  );
  const [{ callId }] = mixed.at(-1).calls;
  const after = await linesOf(await results(worker, path, [{ callId, response: 1 }]));
  assert.equal(ofType(after, 'failed')[0].error.code, 'conversation.waiting');
  const last = await say(worker, path, 'Hello');
  assert.deepEqual(typesOf(last).slice(-2), ['done', 'stored']);
});

test('the tools of the deployment run while those of the caller are open', async () => {
  const { worker, path } = await start();
  const events = await say(worker, path, 'call hold ask_user');
  const [held] = ofType(events, 'toolResult');
  assert.deepEqual(
    [held.callId, held.runsAt, held.response],
    ['1.1.0', 'deployment', { output: 'held' }],
  );
  assert.deepEqual(
    events.at(-1).calls.map(({ callId }) => callId),
    ['1.1.1'],
  );
  await linesOf(await results(worker, path, [{ callId: '1.1.1', error: 'No idea.' }]));
  const lines = await threadOf(worker, path);
  assert.deepEqual(responsesOf(lines), [{ output: 'held' }, { error: 'No idea.' }]);
});

test('a result that arrives before the send pauses is used', async () => {
  const held = gate();
  const { worker, path } = await start({ hold: () => held.pass('held') });
  const sent = say(worker, path, 'call ask_user hold');
  await within(held.reached);
  const posted = await results(worker, path, [{ callId: '1.1.0', response: 7 }], {
    headers: { ...headers, prefer: 'respond-async' },
  });
  assert.deepEqual([posted.status, await posted.json()], [202, { send: 1 }]);
  held.open();
  const events = await sent;
  assert.deepEqual(ofType(events, 'waiting'), []);
  assert.equal(events.at(-1).type, 'stored');
  assert.deepEqual(responsesOf(await threadOf(worker, path)), [{ output: 7 }, { output: 'held' }]);
});

test('results arrive one by one', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'call ask_user ask_boss');
  const first = await linesOf(await results(worker, path, [{ callId: '1.1.1', response: 'b' }]));
  assert.deepEqual(typesOf(first), ['waiting']);
  const { state, openCalls } = await stateOf(worker, path);
  assert.deepEqual([state, openCalls.map(({ callId }) => callId)], ['waiting', ['1.1.0']]);
  const second = await linesOf(await results(worker, path, [{ callId: '1.1.0', response: 'a' }]));
  assert.equal(second.at(-1).type, 'stored');
  assert.deepEqual(responsesOf(await threadOf(worker, path)), [{ output: 'a' }, { output: 'b' }]);
});

test('the same result again changes nothing and gets the same events; another one is refused', async () => {
  const { worker, path, bodies } = await start();
  await say(worker, path, 'call ask_user');
  const list = [{ callId: '1.1.0', response: 'a' }];
  const [one, two] = await Promise.all(
    [1, 2].map(async () => linesOf(await results(worker, path, list))),
  );
  assert.deepEqual(one, two);
  const late = await linesOf(await results(worker, path, list));
  assert.deepEqual(late, one);
  assert.equal(bodies.length, 2);
  assert.deepEqual(
    await errorOf(await results(worker, path, [{ callId: '1.1.0', response: 'b' }])),
    [409, 'call.answered'],
  );
  assert.deepEqual(
    await errorOf(await results(worker, path, [{ callId: '1.3.0', response: 'b' }])),
    [404, 'call.unknown'],
  );
  assert.deepEqual(responsesOf(await threadOf(worker, path)), [{ output: 'a' }]);
});

test('one wrong result among others stores none of them', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'call ask_user ask_boss');
  const list = [
    { callId: '1.1.0', response: 'a' },
    { callId: '1.9.0', response: 'b' },
  ];
  assert.deepEqual(await errorOf(await results(worker, path, list)), [404, 'call.unknown']);
  assert.equal((await stateOf(worker, path)).openCalls.length, 2);
});

test('the limits of rounds and of repeated calls hold for a whole send, however often it pauses', async () => {
  let count = 0;
  const asks = (args) => answerOf([callOf('ask_user', args())]);
  const again = (args) => ({ answers: { go: () => asks(args), results: () => asks(args) } });
  for (const [args, type, rounds] of [
    [() => ({ count: count++ }), 'limit', 16],
    [() => ({ same: 1 }), 'loop', 4],
  ]) {
    const { worker, path } = await start(again(args));
    let events = await say(worker, path, 'go');
    let posted = 0;
    while (events.at(-1).type === 'waiting' && ofType(events, type).length === 0) {
      const [{ callId }] = events.at(-1).calls;
      events = await linesOf(await results(worker, path, [{ callId, response: ++posted }]));
    }
    assert.equal(ofType(events, type).length, 1);
    assert.equal(posted, rounds);
  }
});

test('messages wait behind a send that waits for results', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'call ask_user');
  const next = say(worker, path, 'And now?');
  const after = await linesOf(await results(worker, path, [{ callId: '1.1.0', response: 'a' }]));
  assert.equal(after.at(-1).turns, 4);
  const events = await next;
  assert.equal(events.at(-1).turns, 6);
  assert.ok(
    events.every(({ eventId }) => eventId.startsWith('2.')),
    JSON.stringify(events[0]),
  );
});

test('a message can be refused while a send waits, unless it was accepted before', async () => {
  const { worker, path } = await start();
  const init = { headers: { ...headers, 'idempotency-key': 'one' } };
  const first = () =>
    post(worker, `${path}/messages?waiting=refuse`, { message: 'call ask_user' }, init);
  const [waiting] = (await linesOf(await first())).slice(-1);
  const { lastEvent } = await stateOf(worker, path);
  assert.deepEqual([waiting.type, waiting.eventId], ['waiting', lastEvent]);
  const next = () => post(worker, `${path}/messages?waiting=refuse`, { message: 'next' });
  assert.deepEqual(await errorOf(await next()), [409, 'conversation.waiting']);
  assert.equal((await first()).headers.get('x-send'), '1');
  await linesOf(await results(worker, path, [{ callId: '1.1.0', response: 'a' }]));
  assert.equal((await linesOf(await next())).at(-1).turns, 6);
  const wrong = await post(worker, `${path}/messages?waiting=yes`, { message: 'next' });
  assert.deepEqual(await errorOf(wrong), [400, 'query.invalid']);
});

test('an abort answers the open calls, so that the next message works', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'call ask_user hold');
  assert.deepEqual(await (await post(worker, `${path}/abort`, {})).json(), { aborted: 1 });
  const events = await linesOf(await ask(worker, `${path}/events?send=1&until=end`));
  assert.deepEqual(typesOf(events).slice(-4), ['waiting', 'turn', 'failed', 'stored']);
  assert.equal(events.at(-2).error.code, 'send.aborted');
  const [open, held] = responsesOf(await threadOf(worker, path));
  assert.match(open.error, /aborted/);
  assert.deepEqual(held, { output: 'held' });
  assert.deepEqual(
    await errorOf(await results(worker, path, [{ callId: '1.1.0', response: 'a' }])),
    [409, 'call.answered'],
  );
  assert.equal((await say(worker, path, 'Hello')).at(-1).turns, 5);
});

test('an abort keeps the results that were posted', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'call ask_user ask_boss');
  const posted = [{ callId: '1.1.0', response: { yes: 1 } }];
  await linesOf(await results(worker, path, posted));
  await post(worker, `${path}/abort`, {});
  const [user, boss] = responsesOf(await threadOf(worker, path));
  assert.deepEqual(user, { output: { yes: 1 } });
  assert.match(boss.error, /aborted/);
  assert.equal((await results(worker, path, posted)).status, 200);
  assert.equal((await say(worker, path, 'Hello')).at(-1).turns, 5);
});

test('an abort while a tool of the deployment runs keeps the results that were posted', async () => {
  const held = gate();
  const { worker, path } = await start({ hold: () => held.pass('held') });
  const sent = say(worker, path, 'call hold ask_user ask_boss');
  await within(held.reached);
  const posted = [
    { callId: '1.1.1', error: 'No idea.' },
    { callId: '1.1.2', response: 'b' },
  ];
  const init = { headers: { ...headers, prefer: 'respond-async' } };
  assert.equal((await results(worker, path, posted, init)).status, 202);
  await post(worker, `${path}/abort`, {});
  assert.equal(ofType(await sent, 'failed')[0].error.code, 'send.aborted');
  const [hold, user, boss] = responsesOf(await threadOf(worker, path));
  assert.match(hold.error, /^Stopped/);
  assert.deepEqual([user, boss], [{ error: 'No idea.' }, { output: 'b' }]);
});

test('a result that Gemini would refuse becomes an error, also when its call is closed', async () => {
  const { worker, path } = await start();
  await say(worker, path, 'call ask_user ask_boss');
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'not base64' } }];
  await linesOf(await results(worker, path, [{ callId: '1.1.0', response: 1, parts }]));
  await post(worker, `${path}/abort`, {});
  const [user] = responsesOf(await threadOf(worker, path));
  assert.match(user.error, /^The result can't be sent/);
});

test('the deadline stands still while a send waits', async () => {
  const { api } = scriptedApi();
  const worker = await startWorker({ api, deployment, bindings: { SEND_DEADLINE_MS: '1500' } });
  const path = await create(worker, { tools });
  await say(worker, path, 'call ask_user');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const after = await linesOf(await results(worker, path, [{ callId: '1.1.0', response: 'a' }]));
  assert.deepEqual(ofType(after, 'failed'), []);
  assert.equal(after.at(-1).turns, 4);
});

test('a history with open calls asks for their results before the message', async () => {
  const { worker } = await start();
  const from = [
    { role: 'user', parts: [{ text: 'Go' }] },
    {
      role: 'model',
      parts: [{ functionCall: { name: 'ask_user', args: {} }, thoughtSignature: 'c2lnbmVk' }],
    },
  ];
  const path = await create(worker, { tools, from });
  const events = await say(worker, path, 'And this?');
  assert.deepEqual(typesOf(events), ['sent', 'toolCall', 'waiting']);
  const after = await linesOf(await results(worker, path, [{ callId: '1.1.0', response: 'a' }]));
  assert.equal(after.at(-1).turns, 5);
  const lines = await threadOf(worker, path);
  assert.deepEqual(responsesOf(lines), [{ output: 'a' }]);
  assert.deepEqual(lines[3].content.parts, [{ text: 'And this?' }]);
});
