// Tests what the next process does with threads whose process ended: sends continue, in their order, and lose nothing.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
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
  postOverHttp,
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
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'threads-'));
  folders.push(folder);
  return folder;
}

const start = (folder, script, bindings = {}) => {
  const { api, bodies } = scriptedApi(script);
  return startWorker({ api, deployment, folder, bindings }).then((worker) => ({ worker, bodies }));
};

const accepted = { headers: { ...headers, prefer: 'respond-async' } };
const stateOf = async (worker, path) => (await ask(worker, path)).json();
const eventsOf = async (worker, path, query = '') =>
  linesOf(await ask(worker, `${path}/events?until=end${query}`));
const send = async (worker, path, message, init = accepted) =>
  (await post(worker, `${path}/messages`, { message }, init)).json();
const responsesOf = (lines) =>
  lines
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap(({ functionResponse }) => functionResponse?.response ?? []);

/** Runs `first` until its gate is reached, ends the process, and runs `second` in another one. */
async function acrossProcesses({ script, bindings, body = { tools } }, first, second) {
  const folder = newFolder();
  const held = gate();
  const before = await start(folder, script(held), bindings);
  const path = await create(before.worker, body);
  await first(before.worker, path, held);
  await stopWorker(before.worker);
  const next = await start(folder, {}, bindings);
  await second(next.worker, path, next.bodies);
}

test('an answer that was cut is requested again, and watchers can tell', async () => {
  const script = (held) => ({ answers: { Hello: () => (held.pass(), unfinished('Half an ')) } });
  let seen;
  const first = async (worker, path, held) => {
    const response = await postOverHttp(worker, `${path}/messages`, 'Hello');
    let text = '';
    for await (const chunk of response) {
      text += chunk;
      if (text.includes('Half an')) break;
    }
    await within(held.reached);
    seen = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  await acrossProcesses({ script }, first, async (worker, path, bodies) => {
    const last = seen.at(-1).eventId;
    const events = await eventsOf(worker, path, `&after=${last}`);
    assert.deepEqual(events[0], { eventId: '1.2.1', type: 'resumed', attempt: 2 });
    assert.equal(events.at(-1).type, 'stored');
    assert.equal(bodies.length, 1);
    assert.deepEqual(textsOf(await threadOf(worker, path)), ['Hello']);
    const all = await eventsOf(worker, path);
    assert.equal(all[0].type, 'sent');
    assert.equal((await threadOf(worker, path)).length, 2);
  });
});

/** The result of a call that a process has left open is posted to another one, whose send then fails. */
async function failsWithResult({ configuration, next, code }) {
  const folder = newFolder();
  const before = await start(folder, {});
  const path = await create(before.worker, { tools, configuration });
  await say(before.worker, path, 'call ask_user');
  await stopWorker(before.worker);
  const { worker } = await next(folder);
  const results = [{ callId: '1.1.0', response: { yes: 1 } }];
  const events = await linesOf(await post(worker, `${path}/results`, { results }));
  assert.equal(ofType(events, 'failed')[0].error.code, code);
  assert.deepEqual(responsesOf(await threadOf(worker, path)), [{ output: { yes: 1 } }]);
}

test('a posted result is kept if the tools of the deployment cannot be discovered', () =>
  failsWithResult({
    configuration: 'sourced',
    next: (folder) => start(folder, { hold: () => 'down' }),
    code: 'internal',
  }));

test('a posted result is kept if the deployment no longer has the configuration', () =>
  failsWithResult({
    configuration: 'held',
    next: async (folder) => ({ worker: await startWorker({ ...scriptedApi(), folder }) }),
    code: 'configuration.removed',
  }));

test('the rounds of a send count across processes', async () => {
  let count = 0;
  const asks = () => answerOf([callOf('ask_user', { count: count++ })]);
  const script = { answers: { go: asks, results: asks } };
  const folder = newFolder();
  let { worker } = await start(folder, script);
  const path = await create(worker, { tools });
  let events = await say(worker, path, 'go');
  let posted = 0;
  while (events.at(-1).type === 'waiting') {
    if (posted === 9) {
      await stopWorker(worker);
      ({ worker } = await start(folder, script));
    }
    const results = [{ callId: events.at(-1).calls[0].callId, response: ++posted }];
    events = await linesOf(await post(worker, `${path}/results`, { results }));
  }
  assert.deepEqual([ofType(events, 'limit')[0].rounds, posted], [16, 16]);
});

test('an accepted message whose process ended before it entered the thread is sent', async () => {
  const script = (held) => ({ hold: () => held.pass('never'), answers: {} });
  const first = async (worker, path, held) => {
    await send(worker, path, 'call hold');
    await within(held.reached);
    for (const text of ['one', 'two', 'three']) await send(worker, path, text);
  };
  await acrossProcesses({ script }, first, async (worker, path) => {
    await eventsOf(worker, path, '&send=4');
    const lines = await threadOf(worker, path);
    assert.deepEqual(textsOf(lines), ['call hold', 'one', 'two', 'three']);
    assert.deepEqual(responsesOf(lines), [{ output: 'held' }]);
    assert.equal(lines.length, 10);
    assert.equal((await stateOf(worker, path)).state, 'idle');
  });
});

test('a repeated message with its key is the same send in the next process', async () => {
  const init = { headers: { ...headers, 'idempotency-key': 'one' } };
  const script = (held) => ({ answers: { Hello: () => held.pass(unfinished('Half')) } });
  const first = async (worker, path, held) => {
    await post(worker, `${path}/messages`, { message: 'Hello' }, init);
    await within(held.reached);
  };
  await acrossProcesses({ script }, first, async (worker, path, bodies) => {
    const events = await linesOf(
      await post(worker, `${path}/messages`, { message: 'Hello' }, init),
    );
    assert.deepEqual([events[0].type, events.at(-1).type], ['sent', 'stored']);
    assert.equal(ofType(events, 'resumed').length, 1);
    const again = await linesOf(await post(worker, `${path}/messages`, { message: 'Hello' }, init));
    assert.deepEqual(again, events);
    assert.equal(bodies.length, 1);
    assert.equal((await threadOf(worker, path)).length, 2);
  });
});

test('a send that waits for results waits in the next process, and continues there', async () => {
  const first = async (worker, path) => {
    const events = await say(worker, path, 'call hold ask_user');
    assert.equal(events.at(-1).type, 'waiting');
  };
  const script = () => ({ hold: () => 'of the first process' });
  await acrossProcesses({ script }, first, async (worker, path) => {
    const { state, openCalls } = await stateOf(worker, path);
    assert.deepEqual([state, openCalls.length], ['waiting', 1]);
    const results = [{ callId: openCalls[0].callId, response: 'yes' }];
    const events = await linesOf(await post(worker, `${path}/results`, { results }));
    assert.deepEqual(ofType(events, 'resumed'), []);
    assert.equal(events.at(-1).type, 'stored');
    // The tool of the deployment did not run again.
    const expected = [{ output: 'of the first process' }, { output: 'yes' }];
    assert.deepEqual(responsesOf(await threadOf(worker, path)), expected);
  });
});

test('stored results are used if the process ends before their turn is stored', async () => {
  // The model calls both; the tool of the deployment holds the turn back.
  const script = (held) => ({ hold: () => held.pass('never') });
  const first = async (worker, path, held) => {
    await send(worker, path, 'call ask_user hold');
    await within(held.reached);
    const results = [{ callId: '1.1.0', response: 'yes' }];
    assert.equal((await post(worker, `${path}/results`, { results }, accepted)).status, 202);
  };
  await acrossProcesses({ script }, first, async (worker, path) => {
    const events = await eventsOf(worker, path);
    assert.deepEqual(ofType(events, 'waiting'), []);
    assert.equal(events.at(-1).type, 'stored');
    const lines = await threadOf(worker, path);
    assert.deepEqual(responsesOf(lines), [{ output: 'yes' }, { output: 'held' }]);
    const results = [{ callId: '1.1.0', response: 'yes' }];
    assert.equal((await post(worker, `${path}/results`, { results }, accepted)).status, 202);
  });
});

test('an abort that the process did not finish is finished by the next one', async () => {
  const script = (held) => ({ hold: () => held.pass('never') });
  const first = async (worker, path, held) => {
    await send(worker, path, 'call hold');
    await within(held.reached);
    await send(worker, path, 'later');
    // The process ends while it answers.
    void post(worker, `${path}/abort`, {}).catch(() => {});
    await send(worker, path, 'after the abort');
  };
  await acrossProcesses({ script }, first, async (worker, path) => {
    await eventsOf(worker, path, '&send=3');
    for (const number of [1, 2]) {
      const events = await eventsOf(worker, path, `&send=${number}`);
      assert.equal(events.at(-2).error.code, 'send.aborted');
    }
    const texts = textsOf(await threadOf(worker, path));
    assert.deepEqual(texts, ['call hold', 'after the abort']);
  });
});

test('the alarm ends an overdue send although nobody asks', async () => {
  const script = (held) => ({ answers: { Hello: () => held.pass(unfinished('Half')) } });
  const bindings = { SEND_DEADLINE_MS: '2000' };
  const first = async (worker, path, held) => {
    await send(worker, path, 'Hello');
    await within(held.reached);
  };
  await acrossProcesses({ script, bindings }, first, async (worker, path, bodies) => {
    await new Promise((resolve) => setTimeout(resolve, 4000));
    // The first request after the deadline finds that the send has ended.
    assert.equal((await stateOf(worker, path)).state, 'idle');
    assert.equal((await eventsOf(worker, path)).at(-2).error.code, 'send.deadline');
    assert.equal(bodies.length, 0);
    await say(worker, path, '');
    assert.equal((await threadOf(worker, path)).length, 2);
  });
});

test('a call that was open at the deadline is answered, so that the next message works', async () => {
  const script = (held) => ({ hold: () => held.pass('never') });
  const bindings = { SEND_DEADLINE_MS: '2000' };
  const first = async (worker, path, held) => {
    await send(worker, path, 'call hold');
    await within(held.reached);
  };
  await acrossProcesses({ script, bindings }, first, async (worker, path) => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const events = await eventsOf(worker, path);
    assert.equal(events.at(-2).error.code, 'send.deadline');
    assert.match(responsesOf(await threadOf(worker, path))[0].error, /too long/);
    assert.equal((await say(worker, path, 'Hello')).at(-1).turns, 5);
  });
});

test('a thread whose tool ran to its end is not asked to run it again', async () => {
  const script = (held) => ({ answers: { results: () => held.pass(unfinished('Half')) } });
  let runs = 0;
  const counting = (held) => ({ ...script(held), hold: () => `run ${++runs}` });
  const first = async (worker, path, held) => {
    await send(worker, path, 'call hold');
    await within(held.reached);
  };
  await acrossProcesses({ script: counting }, first, async (worker, path) => {
    const events = await eventsOf(worker, path);
    assert.equal(events.at(-1).turns, 4);
    assert.deepEqual(responsesOf(await threadOf(worker, path)), [{ output: 'run 1' }]);
    assert.equal(runs, 1);
  });
});

test('results come before a message also if the process ends between them', async () => {
  const from = [
    { role: 'user', parts: [{ text: 'Go' }] },
    { role: 'model', parts: [callOf('ask_user')] },
  ];
  const first = async (worker, path) => {
    assert.equal((await say(worker, path, 'And this?')).at(-1).type, 'waiting');
  };
  const script = () => ({});
  await acrossProcesses({ script, body: { tools, from } }, first, async (worker, path) => {
    const results = [{ callId: '1.1.0', response: 'yes' }];
    await linesOf(await post(worker, `${path}/results`, { results }));
    const lines = await threadOf(worker, path);
    assert.deepEqual(textsOf(lines), ['Go', 'And this?']);
    assert.equal(lines.length, 5);
  });
});
