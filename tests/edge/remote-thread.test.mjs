// Tests connectThread against the Worker in workerd: events, tools of the caller, connections and processes that end.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { root, run } from '../../scripts/setup/run.mjs';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { connectThread, MediaResult, RemoteError, tool } from 'prompt-strata/remote';
import {
  callerKey as key,
  chunk,
  hangingAnswer,
  setUp,
  slowAnswer,
  startWorker,
  stopWorker,
} from './worker-process.mjs';

setUp();

const retry = { initialMs: 1, maxMs: 100, attempts: 60 };
const schema = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] };

/** Returns a tool that counts its calls. */
function sensor(run = ({ room }) => ({ room, celsius: 12 })) {
  const calls = [];
  const counted = tool({
    ...{ name: 'read_sensor', description: 'The temperature of a room', schema },
    run(args, context) {
      calls.push(args);
      return run(args, context);
    },
  });
  return { calls, tool: counted };
}

const call = { functionCall: { name: 'read_sensor', args: { room: 'cellar' } } };
const asks = `data: ${JSON.stringify({
  candidates: [
    {
      content: { role: 'model', parts: [{ ...call, thoughtSignature: 'c2ln' }] },
      finishReason: 'STOP',
    },
  ],
})}\r\n\r\n`;

/** The model calls the tool once for each message, and then counts to three. */
async function sensing(request) {
  const { contents } = await request.json();
  const [{ functionResponse: result }] = contents.at(-1).parts;
  if (!result) return new Response(asks);
  return slowAnswer({ count: 3, ms: 1 });
}

/** Connects to a Worker that may be replaced by another process. */
function clientOf(holder) {
  const { fetch: real = fetch } = holder;
  const moved = async (url, init) => {
    const { pathname, search } = new URL(url);
    return real(new URL(pathname + search, await holder.worker.ready), init);
  };
  return (options = {}) =>
    connectThread({ url: 'http://worker.invalid', key, retry, fetch: moved, ...options });
}

async function read(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

const typesOf = (events) => events.map(({ type }) => type);
const remoteOnly = ['sent', 'resumed', 'stored'];

let emulated;
before(async () => {
  emulated = { worker: await startWorker() };
});

test('has the events of a local conversation, and its answers', async () => {
  const thread = await clientOf(emulated)();
  const question = 'What is the weather in Oslo?';
  const events = await read(thread.send(question));
  const weather = tool({
    ...{ name: 'get_weather', description: 'The weather in a city.' },
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    run: ({ city }) => ({ city, sky: 'clear' }),
  });
  const client = new GeminiClient({ fetch: createEmulator() });
  const options = { model: 'gemini-3.8-flash', tools: [weather] };
  const local = await read(new Conversation(await load(), client, options).send(question));
  // The number of pieces depends on the length of the answer.
  const left = (type) => ![...remoteOnly, 'usage', 'metadata'].includes(type);
  const structure = (all) =>
    typesOf(all)
      .filter(left)
      .filter((type, index, types) => type !== types[index - 1]);
  assert.deepEqual(structure(events), structure(local));
  const { callId, runsAt } = events.find(({ type }) => type === 'toolResult');
  assert.deepEqual([callId, runsAt], ['1.1.0', 'deployment']);
  const { text, usage, finishReason } = await thread.ask('And what time is it?');
  assert.ok(text.length > 0 && usage.totalTokenCount > 0);
  assert.equal(finishReason, 'STOP');
  const pieces = await read(thread.stream('Hello').textStream);
  assert.ok(pieces.join('').length > 0);
});

test('turns are those of the thread, and an exported thread can be imported', async () => {
  const connect = clientOf(emulated);
  const thread = await connect();
  await thread.ask('What is the weather in Oslo?');
  const history = await thread.history();
  assert.deepEqual(
    history.map(({ role }) => role),
    ['user', 'model', 'user', 'model'],
  );
  assert.equal(history[0].parts[0].text, 'What is the weather in Oslo?');
  const { turns, state, openCalls, configuration } = await thread.state();
  assert.deepEqual([turns, state, openCalls, configuration], [4, 'idle', [], 'assistant']);
  const copy = await connect({ from: await thread.export() });
  assert.deepEqual(await copy.history(), history);
  const contents = await connect({ from: history });
  assert.deepEqual(await contents.history(), history);
  const fork = await thread.fork({ turns: 4 });
  await fork.rewind(0);
  assert.deepEqual(await fork.history(), []);
  assert.equal((await thread.history()).length, 4);
});

test('many turns are read over several pages', async () => {
  const from = Array.from({ length: 1200 }, (_, i) => ({
    ...{ role: i % 2 ? 'model' : 'user', parts: [{ text: `turn ${i}` }] },
  }));
  const thread = await clientOf(emulated)({ from });
  const turns = await read(thread.turns({ after: 100 }));
  assert.deepEqual(
    turns.map(({ index, content }) => [index, content.parts[0].text]),
    from.slice(100).map(({ parts }, i) => [i + 100, parts[0].text]),
  );
});

test('refuses what the Worker refuses', async () => {
  const connect = clientOf(emulated);
  const thread = await connect();
  await assert.rejects(connect({ key: 'another-key', id: thread.id }), (error) => {
    assert.ok(error instanceof RemoteError);
    return error.status === 401 && error.kind === 'auth' && !error.message.includes('another-key');
  });
  await assert.rejects(connect({ id: `thread_${'A'.repeat(22)}` }), { code: 'thread.unknown' });
  await assert.rejects(connect({ configuration: 'none' }), { code: 'configuration.unknown' });
  await assert.rejects(thread.answer([{ callId: '1.9.9', response: 1 }]), { code: 'call.unknown' });
  await assert.rejects(thread.ask({ role: 'model', parts: [{ text: 'x' }] }), { status: 400 });
  await thread.delete();
  await assert.rejects(thread.ask('Hello'), { code: 'thread.unknown', kind: 'notFound' });
});

test('runs a tool of the caller once, and the send continues', async () => {
  const holder = { worker: await startWorker({ api: sensing }) };
  const { calls, tool: own } = sensor();
  const thread = await clientOf(holder)({ tools: [own] });
  const events = await read(thread.send('How warm is the cellar?'));
  const waiting = events.find(({ type }) => type === 'waiting');
  assert.deepEqual(waiting.calls, [{ callId: '1.1.0', ...call.functionCall }]);
  const result = events.find(({ type }) => type === 'toolResult');
  assert.deepEqual(result.response, { output: { room: 'cellar', celsius: 12 } });
  assert.deepEqual([result.callId, result.runsAt], ['1.1.0', 'caller']);
  assert.deepEqual(calls, [{ room: 'cellar' }]);
  assert.equal(events.at(-1).turns, 4);
  const inlineData = { mimeType: 'image/png', data: 'AQID' };
  const chart = sensor(() => new MediaResult('a chart', [{ inlineData }]));
  const drawing = await clientOf(holder)({ tools: [chart.tool] });
  await drawing.ask('How warm is the cellar?');
  const [{ functionResponse }] = (await drawing.history())[2].parts;
  assert.deepEqual(functionResponse.parts, [{ inlineData }]);
});

test('calls that nobody answers stay open, and another client answers them', async () => {
  const holder = { worker: await startWorker({ api: sensing }) };
  const connect = clientOf(holder);
  const { calls, tool: own } = sensor();
  const declared = await connect({ tools: [own] });
  const other = await connect({ id: declared.id });
  await assert.rejects(other.ask('How warm is the cellar?'), { code: 'conversation.waiting' });
  const { state, openCalls } = await other.state();
  assert.deepEqual([state, openCalls], ['waiting', [{ callId: '1.1.0', ...call.functionCall }]]);
  await other.answer([{ callId: '1.1.0', response: { celsius: 13 } }]);
  for await (const event of other.watch()) if (event.type === 'stored') break;
  assert.equal((await other.history()).length, 4);
  assert.equal(calls.length, 0);
});

test('a blank text posts a result that could not be posted, and a message waits for no open call', async () => {
  let isDown = true;
  const network = async (url, init) => {
    if (isDown && url.pathname.endsWith('/results')) throw new TypeError('lost');
    return fetch(url, init);
  };
  const holder = { worker: await startWorker({ api: sensing }), fetch: network };
  const connect = clientOf(holder);
  const { calls, tool: own } = sensor();
  const thread = await connect({ tools: [own], retry: { initialMs: 1, attempts: 2 } });
  await assert.rejects(thread.ask('How warm is the cellar?'), { code: 'network' });
  const other = await connect({ id: thread.id });
  await assert.rejects(other.ask('next'), { code: 'conversation.waiting' });
  assert.equal((await other.state()).lastSend, 1);
  isDown = false;
  assert.equal((await thread.ask('')).finishReason, 'STOP');
  assert.equal(calls.length, 1);
  await assert.rejects(thread.ask(''), { code: 'trigger.missing' });
});

test('another process continues a send that waits, and answers its calls before a message', async () => {
  const connect = clientOf({ worker: await startWorker({ api: sensing }) });
  const { calls, tool: own } = sensor();
  const { id } = await connect({ tools: [own] });
  const without = await connect({ id });
  await assert.rejects(without.ask('How warm is the cellar?'), { code: 'conversation.waiting' });
  const events = await read((await connect({ id, tools: [own] })).send(''));
  assert.deepEqual(typesOf(events).slice(0, 3), ['waiting', 'toolCall', 'toolResult']);
  assert.equal(events.at(-1).turns, 4);
  await assert.rejects(without.ask('And the attic?'), { code: 'conversation.waiting' });
  await (await connect({ id, tools: [own] })).ask('Thanks.');
  const texts = (await without.history()).flatMap(({ role, parts: [{ text }] }) =>
    role === 'user' && text ? [text] : [],
  );
  assert.deepEqual(texts, ['How warm is the cellar?', 'And the attic?', 'Thanks.']);
  assert.equal(calls.length, 3);
});

/** Returns a response whose body breaks after some bytes: it ends, or fails. */
function cutAfter(response, bytes, ends) {
  let room = bytes;
  const reader = response.body.getReader();
  const pull = async (controller) => {
    const { done, value } = await reader.read();
    if (done) return controller.close();
    controller.enqueue(value.slice(0, room));
    room -= value.length;
    if (room > 0) return undefined;
    await reader.cancel();
    return ends ? controller.close() : controller.error(new TypeError('lost'));
  };
  const { status, headers } = response;
  return new Response(new ReadableStream({ pull }), { status, headers });
}

/** Breaks each stream of events, the next one later than the last. */
function breaking(step) {
  let connections = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    connections++;
    return cutAfter(response, step * connections, connections % 2 === 1);
  };
}

test('connections that break at any point cost no event and repeat none', async () => {
  const worker = await startWorker({ api: sensing });
  const whole = await read(
    (await clientOf({ worker })({ tools: [sensor().tool] })).send('How warm is the cellar?'),
  );
  for (const step of [150, 211, 333, 700]) {
    const { calls, tool: own } = sensor();
    const thread = await clientOf({ worker, fetch: breaking(step) })({ tools: [own] });
    const events = await read(thread.send('How warm is the cellar?'));
    assert.deepEqual(
      events.map(({ eventId }) => eventId),
      whole.map(({ eventId }) => eventId),
    );
    assert.deepEqual(typesOf(events), typesOf(whole));
    assert.equal(calls.length, 1);
    assert.equal((await thread.state()).turns, 4);
  }
});

/** A network that loses requests, responses and the ends of streams. The same seed loses the same ones. */
function unreliable(seed) {
  let state = seed;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return async (url, init) => {
    if (random() < 0.2) throw new TypeError('lost before the request');
    const response = await fetch(url, init);
    if (random() < 0.2) {
      await response.body?.cancel();
      throw new TypeError('lost before the response');
    }
    if (random() < 0.2) return new Response('<html>bad gateway</html>', { status: 502 });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    return isStream ? cutAfter(response, Math.floor(random() * 3000), random() < 0.5) : response;
  };
}

test('sends over an unreliable network: each message once, each tool once, each event once', async () => {
  const worker = await startWorker({ api: sensing });
  for (const seed of [3, 17, 2026]) {
    const { calls, tool: own } = sensor();
    const thread = await clientOf({ worker, fetch: unreliable(seed) })({ tools: [own] });
    const messages = Array.from({ length: 5 }, (_, i) => `Question ${i}`);
    for (const message of messages) {
      const events = await read(thread.send(message));
      const ids = events.flatMap(({ eventId }) => (eventId ? [eventId] : []));
      assert.equal(new Set(ids).size, ids.length);
      const numbers = ids.map((id) => Number(id.split('.')[2]));
      assert.deepEqual(
        numbers,
        numbers.map((_, i) => i + 1),
        `seed ${seed}`,
      );
    }
    assert.equal(calls.length, messages.length);
    const texts = (await thread.history()).flatMap(({ role, parts: [{ text }] }) =>
      role === 'user' && text ? [text] : [],
    );
    assert.deepEqual(texts, messages);
  }
});

test('a send survives the process of the Worker', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-remote-'));
  const settings = { folder, api: () => slowAnswer({ count: 40, ms: 20 }) };
  const holder = { worker: await startWorker(settings) };
  try {
    const thread = await clientOf(holder)();
    const types = [];
    let restarted = false;
    let text = '';
    for await (const event of thread.send('Count')) {
      types.push(event.type);
      if (event.type === 'fault') text = '';
      if (event.type === 'text') text += event.text;
      if (event.type !== 'text' || restarted) continue;
      restarted = true;
      await stopWorker(holder.worker);
      holder.worker = await startWorker(settings);
    }
    assert.deepEqual(
      types.filter((type) => ['sent', 'fault', 'resumed', 'done', 'stored'].includes(type)),
      ['sent', 'fault', 'resumed', 'done', 'stored'],
    );
    assert.equal(text, Array.from({ length: 40 }, (_, i) => `${i + 1} `).join(''));
    const history = await thread.history();
    assert.deepEqual([history.length, history[1].parts[0].text], [2, text]);
  } finally {
    await stopWorker(holder.worker);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a tool of the caller runs once, even if the process ends while it runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-remote-'));
  const settings = { folder, api: sensing };
  const holder = { worker: await startWorker(settings) };
  try {
    const { calls, tool: own } = sensor(async ({ room }) => {
      await stopWorker(holder.worker);
      holder.worker = await startWorker(settings);
      return { room };
    });
    const thread = await clientOf(holder)({ tools: [own] });
    await thread.ask('How warm is the cellar?');
    assert.equal(calls.length, 1);
    assert.equal((await thread.history()).length, 4);
  } finally {
    await stopWorker(holder.worker);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an abort and a reader that leaves end the send in the Worker, also one that waits for others', async () => {
  const api = async (request) => {
    const { contents } = await request.json();
    return contents.at(-1).parts[0].text === 'Hang'
      ? hangingAnswer()
      : new Response(chunk('Hi', { finishReason: 'STOP' }));
  };
  const connect = clientOf({ worker: await startWorker({ api }) });
  const thread = await connect();
  const controller = new AbortController();
  const hanging = (async () => {
    for await (const { type } of thread.send('Hang', { signal: controller.signal }))
      if (type === 'text') break;
  })();
  await hanging;
  assert.equal((await thread.state()).state, 'idle');
  const running = thread.ask('Hang', { signal: controller.signal });
  const waits = new AbortController();
  const queued = thread.ask('Later', { signal: waits.signal });
  for await (const event of thread.watch()) if (event.type === 'text') break;
  waits.abort(new Error('not any more'));
  await assert.rejects(queued, { message: 'not any more' });
  assert.equal((await thread.state()).state, 'running');
  controller.abort(new Error('enough'));
  await assert.rejects(running, { message: 'enough' });
  assert.equal((await thread.state()).state, 'idle');
  const texts = (await thread.history()).map(({ parts }) => parts[0].text);
  assert.ok(!texts.includes('Later'));
  assert.equal((await thread.ask('Hello')).text, 'Hi');
});

test('a watcher whose connection breaks before its first event misses nothing', async () => {
  const openingBytes = 'id: 0.0.0\n\n'.length;
  let attempts = 0;
  const network = async (url, init) => {
    if (!url.pathname.endsWith('/events')) return fetch(url, init);
    attempts++;
    if (attempts === 2) {
      await thread.ask('one');
      await thread.ask('two');
      throw new TypeError('lost');
    }
    const response = await fetch(url, init);
    return attempts === 1 ? cutAfter(response, openingBytes, true) : response;
  };
  const thread = await clientOf({ worker: emulated.worker, fetch: network })();
  const sends = [];
  for await (const event of thread.watch()) {
    if (event.type === 'sent') sends.push(event.send);
    if (event.type === 'stored' && sends.length === 2) break;
  }
  assert.deepEqual(sends, [1, 2]);
});

test('two watchers see the same events, and a deletion ends them', async () => {
  const thread = await clientOf(emulated)();
  const watched = async () => {
    const events = [];
    try {
      for await (const event of thread.watch()) events.push(event);
    } catch (error) {
      return { events, code: error.code };
    }
  };
  const watchers = [watched(), watched()];
  await thread.ask('Hello');
  await thread.ask('Hello again');
  await thread.delete();
  const [first, second] = await Promise.all(watchers);
  assert.deepEqual(first, second);
  assert.equal(first.code, 'thread.deleted');
  assert.deepEqual(
    typesOf(first.events).filter((type) => remoteOnly.includes(type)),
    ['sent', 'stored', 'sent', 'stored'],
  );
});

test('the programs of docs/remote-thread.md print what it says', async () => {
  const text = readFileSync(join(root, 'docs', 'remote-thread.md'), 'utf8');
  const programs = [...text.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm)];
  assert.equal(programs.length, 2);
  const folder = join(root, 'build', 'examples');
  mkdirSync(folder, { recursive: true });
  const env = { WORKER_URL: String(await emulated.worker.ready), CALLER_KEY: key };
  for (const [, name, code] of programs) {
    writeFileSync(join(folder, name), code);
    const printed = (await run(process.execPath, [join(folder, name)], { env })).split('\n');
    for (const [, line] of code.matchAll(/console\.log\(.*\n *\/\/ (.*)$/gm))
      assert.ok(printed.includes(line), printed.join('\n'));
  }
});
