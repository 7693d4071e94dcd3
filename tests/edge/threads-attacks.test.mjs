// Attacks on threads: each is refused or bounded, nothing of another caller leaks, and nobody else is blocked.
// worker-access.test.mjs tests keys and origins.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import test, { after, before, describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ask,
  chunk,
  create,
  hangingAnswer,
  linesOf,
  setUp,
  startWorker,
  textsOf,
  upstreamKey,
  within,
} from './worker-process.mjs';
import { guessedId, threadRequests } from './worker-routes.mjs';

setUp();

const keyHash = (key) => createHash('sha256').update(key).digest('hex');
const keys = { alice: 'key-of-alice_0123456789abcdef', mallory: 'key-of-mallory_0123456789abcdef' };
const callers = Object.entries(keys).map(([id, key]) => ({ id, keyHash: keyHash(key) }));
const GATEWAY_CALLERS = JSON.stringify(callers);
const adminKey = 'admin-key_0123456789abcdef';
// Only Alice and the model may see it.
const privateText = 'a private text of Alice';
const secrets = [...Object.values(keys), upstreamKey, adminKey, privateText, 'friendly assistant'];

const as = (name, more = {}) => ({
  authorization: `Bearer ${keys[name]}`,
  'content-type': 'application/json',
  accept: 'application/x-ndjson',
  ...more,
});
const postAs = (name, body, more) => ({
  method: 'POST',
  headers: as(name, more),
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const answered = () => new Response(chunk('Hello', { finishReason: 'STOP' }));
const callPart = { functionCall: { id: 'c1', name: 'ask_me', args: {} }, thoughtSignature: 'AAAA' };
const calling = () =>
  new Response(
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [callPart] }, finishReason: 'STOP' }] })}\r\n\r\n`,
  );

/** Answers with a call where the question asks for it and has no result, never where it says so, else at once. */
async function api(request) {
  const { contents } = JSON.parse(await request.text());
  const [{ text, functionResponse }] = contents.at(-1).parts;
  if (functionResponse || !text) return answered();
  if (text.includes('hang')) return hangingAnswer();
  return text.includes('call') ? calling() : answered();
}

const logs = [];
let worker;
before(async () => {
  const bindings = { CALLER_KEY: undefined, GATEWAY_CALLERS, GATEWAY_ADMIN_KEY: adminKey };
  worker = await startWorker({ bindings, api, logs });
});
after(() => {
  const text = logs.join('');
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in the log`);
});

const start = (settings) =>
  startWorker({
    api,
    ...settings,
    bindings: { CALLER_KEY: undefined, GATEWAY_CALLERS, ...settings.bindings },
  });

/** Asserts that a response refuses, in few words and without anything private. */
async function assertRefused(response, status, code) {
  const text = await within(response.text());
  assert.equal(response.status, status, `${response.url} ${text.slice(0, 300)}`);
  assert.equal(JSON.parse(text).error.code, code, text.slice(0, 300));
  assert.ok(text.length < 1000, text);
  const whole = JSON.stringify([...response.headers]) + text;
  for (const secret of secrets) assert.ok(!whole.includes(secret), `${secret} in ${whole}`);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  return text;
}

const ownTools = [
  { name: 'ask_me', description: 'Asks.', parameters: { type: 'OBJECT', properties: {} } },
];

/** Creates a thread of a caller, in which the messages were sent. */
async function threadOfCaller(name, { messages = [], tools } = {}) {
  const path = await create(worker, tools ? { tools } : {}, { headers: as(name) });
  for (const message of messages) {
    const response = await ask(worker, `${path}/messages`, postAs(name, { message }));
    assert.equal(response.status, 200);
    await linesOf(response);
  }
  return path;
}

const turnsOf = async (path) =>
  textsOf(await linesOf(await ask(worker, `${path}/turns`, { headers: as('alice') })));

describe("another caller's thread", () => {
  test('every route answers as for an id that does not exist, and changes nothing', async () => {
    const path = await threadOfCaller('alice', { messages: [privateText] });
    const guessed = `/threads/${guessedId}`;
    const unknown = threadRequests(guessed);
    for (const [index, [route, init]] of threadRequests(path).entries()) {
      const foreign = await ask(worker, route, { ...init, headers: as('mallory') });
      const missing = await ask(worker, unknown[index][0], { ...init, headers: as('mallory') });
      const text = await assertRefused(foreign, 404, 'thread.unknown');
      assert.equal(await missing.text(), text);
      const headersOf = ({ headers }) => [...headers].filter(([name]) => name !== 'date');
      assert.deepEqual(headersOf(foreign), headersOf(missing));
    }
    assert.deepEqual(await turnsOf(path), [privateText]);
  });

  test('headers and queries that name the owner mean nothing', async () => {
    const path = await threadOfCaller('alice', { messages: [privateText] });
    const id = path.split('/').at(-1);
    const claim = JSON.stringify({ id, caller: 'alice', configuration: 'assistant' });
    const more = {
      ...{ 'x-thread': claim, 'x-caller': 'alice', caller: 'alice' },
      ...{ 'x-forwarded-user': 'alice', 'x-original-url': path, 'x-rewrite-url': path },
    };
    for (const [route, init] of threadRequests(path)) {
      const url = `${route}${route.includes('?') ? '&' : '?'}caller=alice&id=${id}`;
      const response = await ask(worker, url, { ...init, headers: as('mallory', more) });
      await assertRefused(response, 404, 'thread.unknown');
    }
    // In a thread of her own the header leads nowhere else.
    const own = await threadOfCaller('mallory', { messages: ['mine'] });
    const seen = await ask(worker, `${own}/turns`, { headers: as('mallory', more) });
    assert.deepEqual(textsOf(await linesOf(seen)), ['mine']);
    const created = await ask(worker, '/threads', postAs('mallory', {}, more));
    assert.equal(created.status, 201);
    assert.notEqual((await created.json()).id, id);
    assert.deepEqual(await turnsOf(path), [privateText]);
  });

  test('another caller cannot post the results of its calls, and the owner still can', async () => {
    const path = await threadOfCaller('alice', { messages: ['call me'], tools: ownTools });
    const state = await (await ask(worker, path, { headers: as('alice') })).json();
    assert.equal(state.state, 'waiting');
    const [{ callId }] = state.openCalls;
    const results = (name, result, id = callId) =>
      ask(worker, `${path}/results`, postAs(name, { results: [{ callId: id, ...result }] }));
    await assertRefused(await results('mallory', { response: 'false' }), 404, 'thread.unknown');
    await assertRefused(await results('alice', { response: 1 }, '1.77.3'), 404, 'call.unknown');
    const events = await linesOf(await results('alice', { response: 'true' }));
    assert.equal(events.at(-1).type, 'stored');
    const same = await results('alice', { response: 'true' });
    assert.equal(same.status, 200);
    await same.body.cancel();
    await assertRefused(await results('alice', { response: 'other' }), 409, 'call.answered');
  });
});

describe('paths', () => {
  test('guessed ids and malformed ones are unknown threads or routes', async () => {
    const ids = [
      guessedId,
      ...[
        'thread_',
        `thread_${'A'.repeat(21)}`,
        `thread_${'A'.repeat(23)}`,
        `thread_${'é'.repeat(22)}`,
      ],
      ...['__proto__', 'constructor', 'null', '%00', '%', '*', 'x'.repeat(3000)],
      ...["'; DROP TABLE sends; --", 'alice%0Athread_AAAAAAAAAAAAAAAAAAAAAA'],
    ];
    for (const id of ids) {
      const response = await ask(worker, `/threads/${id}`, { headers: as('mallory') });
      const text = await assertRefused(response, 404, 'thread.unknown');
      assert.ok(!text.includes('DROP'));
    }
  });

  test('no path leads to another operation, another thread, or an object itself', async () => {
    const path = await threadOfCaller('alice', { messages: [privateText] });
    const own = await threadOfCaller('mallory');
    const id = path.split('/').at(-1);
    const tails = [
      ...['/create', '/delete', '/state', '/alarm', '/__proto__', '/constructor', '/toString'],
      ...[
        '/',
        '//',
        '/turns/',
        '/turns/0',
        '/turns%00',
        '/TURNS',
        '%2Fturns',
        ';turns',
        '/messages/..%2Fexport',
      ],
      ...[`/..%2F${id}`, `/%2e%2e%2f${id}/turns`, `/../${id}`, `/../${id}/turns`, `/..\\${id}`],
    ];
    for (const tail of tails) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await ask(worker, own + tail, { method, headers: as('mallory') });
        const text = await response.text();
        assert.ok([404, 405].includes(response.status), `${method} ${tail}: ${response.status}`);
        assert.ok(!text.includes(privateText));
      }
    }
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'HEAD']) {
      const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
      const response = await ask(worker, `${own}/messages`, {
        method,
        headers: as('mallory', override),
      });
      await response.arrayBuffer();
      assert.ok([405, 204].includes(response.status), `${method}: ${response.status}`);
    }
    assert.deepEqual(await turnsOf(path), [privateText]);
    assert.equal((await ask(worker, own, { headers: as('mallory') })).status, 200);
  });
});

/** Opens a socket to the Worker and writes the head of a POST. Resolves to the text of the answer. */
async function openPost(path, head, write) {
  const { hostname, port } = await worker.ready;
  const socket = connect(Number(port), hostname);
  let answer = '';
  const closed = new Promise((resolve) => {
    socket.on('data', (data) => (answer += data));
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${keys.mallory}`,
  ];
  socket.write(`${[...lines, 'content-type: application/json', ...head].join('\r\n')}\r\n\r\n`);
  void write?.(socket);
  return { socket, closed };
}

const chunked = ['transfer-encoding: chunked'];

describe('bodies', () => {
  let path;
  before(async () => {
    path = await threadOfCaller('mallory');
  });

  test('oversized and deep bodies are refused by every route that takes one', async () => {
    const depth = 100_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const bodies = [
      [`{"message":"${'x'.repeat(4 * 1024 * 1024)}"}`, 413, 'size.too_large'],
      [`{"message":${deep}}`, 400, 'json.too_deep'],
      ['{"message":', 400, 'json.invalid'],
      [Buffer.from([0x22, 0xff, 0x22]), 400, 'json.invalid_utf8'],
    ];
    for (const route of [
      '/threads',
      ...['messages', 'results', 'fork', 'rewind'].map((name) => `${path}/${name}`),
    ])
      for (const [body, status, code] of bodies)
        await assertRefused(
          await ask(worker, route, { ...postAs('mallory', ''), body }),
          status,
          code,
        );
    assert.deepEqual(
      await linesOf(await ask(worker, `${path}/turns`, { headers: as('mallory') })),
      [],
    );
  });

  test('names of prototypes in a body are unknown fields', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString'])
      for (const route of ['/threads', `${path}/messages`]) {
        const body = `{"${name}":{"configuration":"x"},"message":"a"}`;
        await assertRefused(
          await ask(worker, route, postAs('mallory', body)),
          400,
          'field.unknown',
        );
      }
    const created = await ask(worker, '/threads', postAs('mallory', {}));
    assert.equal((await created.json()).configuration, 'assistant');
  });

  test('a compressed body is refused', async () => {
    const init = postAs('mallory', '{"message":"a"}', { 'content-encoding': 'gzip' });
    await assertRefused(
      await ask(worker, `${path}/messages`, init),
      415,
      'content_type.unsupported',
    );
  });

  test('a body is refused at the first byte too many, although it has not ended', async () => {
    const most = 4 * 1024 * 1024;
    const { socket, closed } = await openPost(`${path}/messages`, chunked, (to) => {
      to.write(`${most.toString(16)}\r\n${' '.repeat(most)}\r\n1\r\n \r\n`);
    });
    const answer = await within(closed);
    socket.destroy();
    assert.match(answer, /^HTTP\/1.1 413 [\s\S]*size\.too_large/);
  });

  // Who still writes when the connection ends may lose the answer (RFC 9112, section 9.6).
  test('a body that never ends is cut off', async () => {
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const { socket, closed } = await openPost(`${path}/messages`, chunked, async (to) => {
      while (!to.destroyed) {
        if (!to.write(piece)) await sleep(1);
      }
    });
    const answer = await within(closed);
    assert.ok(socket.bytesWritten < 64 * 1024 * 1024, `${socket.bytesWritten} bytes were taken`);
    assert.match(answer, /^$|^HTTP\/1.1 413 [\s\S]*size\.too_large/);
  });

  // The time that a body may take is a minute: the test waits for it beside the others.
  test('slow bodies block nobody, and end after a minute', async () => {
    const opened = await Promise.all(
      Array.from({ length: 40 }, () =>
        openPost(`${path}/messages`, chunked, async (to) => {
          to.write('5\r\n{"mes\r\n');
          while (!to.destroyed) {
            await sleep(2000);
            to.write('1\r\n \r\n');
          }
        }),
      ),
    );
    const other = await threadOfCaller('alice', { messages: ['Hello'] });
    assert.deepEqual(await turnsOf(other), ['Hello']);
    for (const { socket, closed } of opened) {
      assert.match(await closed, /^HTTP\/1.1 408 [\s\S]*body\.timeout/);
      socket.destroy();
    }
    assert.deepEqual(
      await linesOf(await ask(worker, `${path}/turns`, { headers: as('mallory') })),
      [],
    );
  });

  test('a body that breaks off is not a message', async () => {
    const { socket } = await openPost(`${path}/messages`, ['content-length: 1000'], (to) =>
      to.write('{"message":"half"}'),
    );
    await sleep(50);
    socket.destroy();
    const state = await (await ask(worker, path, { headers: as('mallory') })).json();
    assert.deepEqual([state.state, state.turns], ['idle', 0]);
  });
});

describe('values', () => {
  test('keys, ids of events and queries are data, whatever they hold', async () => {
    const path = await threadOfCaller('mallory', { messages: ['one'] });
    const evil = `');DROP/**/TABLE/**/sends;--`;
    const sent = await ask(
      worker,
      `${path}/messages`,
      postAs('mallory', { message: evil }, { 'idempotency-key': evil }),
    );
    assert.equal((await linesOf(sent)).at(-1).type, 'stored');
    for (const key of ['', 'two words', 'x'.repeat(201), 'tab\there'])
      if (key !== '')
        await assertRefused(
          await ask(
            worker,
            `${path}/messages`,
            postAs('mallory', { message: 'a' }, { 'idempotency-key': key }),
          ),
          400,
          'idempotency.invalid',
        );
    for (const id of [evil, '1.1', '-1.0.0', '1e9.1.1', '9'.repeat(400), 'NaN.NaN.NaN']) {
      const response = await ask(worker, `${path}/events?until=end`, {
        headers: as('mallory', { 'last-event-id': id }),
      });
      const text = await within(response.text());
      assert.equal(response.status, 400, `${id}: ${text.slice(0, 300)}`);
    }
    for (const query of [
      'after=-1',
      'after=1e3',
      'limit=0',
      'limit=x',
      'after=99999999999999999999',
    ])
      await assertRefused(
        await ask(worker, `${path}/turns?${query}`, { headers: as('mallory') }),
        400,
        'query.invalid',
      );
    const lines = await linesOf(await ask(worker, `${path}/turns`, { headers: as('mallory') }));
    assert.deepEqual(textsOf(lines), ['one', evil]);
  });
});

describe('floods', () => {
  test('new threads are limited for each caller, also when they come at once', async () => {
    const limited = await start({ bindings: { MAX_THREADS: '5' } });
    const made = await Promise.all(
      Array.from({ length: 30 }, () => ask(limited, '/threads', postAs('mallory', {}))),
    );
    const statuses = made.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 5, statuses.join(' '));
    const refused = made.find(({ status }) => status === 429);
    assert.match(refused.headers.get('retry-after'), /^\d+$/);
    await assertRefused(refused, 429, 'limit.threads');
    const { id } = await made.find(({ status }) => status === 201).json();
    const fork = await ask(limited, `/threads/${id}/fork`, postAs('mallory', {}));
    await assertRefused(fork, 429, 'limit.threads');
    // Of one thread, the same request is not another one.
    for (let i = 0; i < 7; i++) {
      const post = postAs('alice', {}, { 'idempotency-key': 'one' });
      assert.equal((await ask(limited, '/threads', post)).status, 201);
    }
    assert.equal((await ask(limited, '/threads', postAs('alice', {}))).status, 201);
  });

  test('running sends are limited for each caller, and a place is free after an abort', async () => {
    const limited = await start({ bindings: { MAX_RUNNING_SENDS: '2' } });
    const paths = [];
    for (let i = 0; i < 3; i++) paths.push(await create(limited, {}, { headers: as('mallory') }));
    const hang = (path) =>
      ask(
        limited,
        `${path}/messages`,
        postAs('mallory', { message: 'hang' }, { prefer: 'respond-async' }),
      );
    for (const path of paths.slice(0, 2)) assert.equal((await hang(path)).status, 202);
    await assertRefused(await hang(paths[2]), 429, 'limit.sends');
    const ofAlice = await create(limited, {}, { headers: as('alice') });
    const sent = await ask(limited, `${ofAlice}/messages`, postAs('alice', { message: 'Hello' }));
    assert.equal((await linesOf(sent)).at(-1).type, 'stored');
    const aborted = await ask(limited, `${paths[0]}/abort`, {
      method: 'POST',
      headers: as('mallory'),
    });
    assert.deepEqual(await aborted.json(), { aborted: 1 });
    await within(
      (async () => {
        while ((await hang(paths[2])).status !== 202) await sleep(20);
      })(),
    );
  });

  test('messages that wait in a thread are limited', async () => {
    const path = await threadOfCaller('mallory');
    const hang = () =>
      ask(
        worker,
        `${path}/messages`,
        postAs('mallory', { message: 'hang' }, { prefer: 'respond-async' }),
      );
    const statuses = [];
    for (let i = 0; i < 17; i++) statuses.push((await hang()).status);
    assert.deepEqual(new Set(statuses), new Set([202]));
    const refused = await hang();
    assert.match(refused.headers.get('retry-after'), /^\d+$/);
    await assertRefused(refused, 429, 'thread.busy');
    const aborted = await ask(worker, `${path}/abort`, { method: 'POST', headers: as('mallory') });
    assert.deepEqual(await aborted.json(), { aborted: 17 });
  });

  test('many watchers that never read block no send', async () => {
    const path = await threadOfCaller('mallory', { messages: ['first'] });
    const watchers = await Promise.all(
      Array.from({ length: 100 }, () => ask(worker, `${path}/events`, { headers: as('mallory') })),
    );
    const sent = await ask(worker, `${path}/messages`, postAs('mallory', { message: 'second' }));
    assert.equal((await linesOf(sent)).at(-1).type, 'stored');
    await Promise.all(watchers.map(({ body }) => body.cancel()));
    assert.equal(
      (await ask(worker, path, { method: 'DELETE', headers: as('mallory') })).status,
      204,
    );
  });
});
