// Tests how the Worker parses and checks the bodies, headers and queries of requests to threads.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { loadParts } from './worker-parts.mjs';

const parts = await loadParts(['requests', 'thread-call']);

/** Asserts that a body is refused with a code and a message that says where. */
function assertRefused(parse, body, code, place) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const refused = (error) => {
    assert.deepEqual([error.status, error.code], [400, code], `${text}: ${error.message}`);
    assert.ok(error.message.startsWith(`${place} `), `${text}: ${error.message}`);
    return true;
  };
  assert.throws(() => parse(text), refused);
}

const invalid = 'field.invalid';
const unknown = 'field.unknown';
const many = (count, element) => Array.from({ length: count }, (_, index) => element(index));

describe('POST /threads', () => {
  const { parseCreate } = parts;
  const tool = { name: 'look_up', description: 'Looks up', parameters: { type: 'OBJECT' } };

  test('takes no body, and every field', () => {
    assert.deepEqual(parseCreate(''), {});
    assert.deepEqual(parseCreate('{}'), {});
    const whole = { configuration: 'assistant', tools: [tool], from: [{ role: 'user' }] };
    assert.deepEqual(parseCreate(JSON.stringify(whole)), whole);
    assert.deepEqual(parseCreate('{"from":"{}"}'), { from: '{}' });
    assert.deepEqual(parseCreate('{"tools":[]}'), { tools: [] });
    const json = [{ name: 'a', parametersJsonSchema: { type: 'object' } }];
    assert.deepEqual(parseCreate(JSON.stringify({ tools: json })).tools, json);
  });

  for (const [body, code, place] of [
    ['{', 'json.invalid', 'The body'],
    ['[]', invalid, 'The body'],
    ['null', invalid, 'The body'],
    ['"x"', invalid, 'The body'],
    [{ config: 'a' }, unknown, '/config'],
    [{ url: 'https://evil.example' }, unknown, '/url'],
    [{ configuration: '' }, invalid, '/configuration'],
    [{ configuration: 7 }, invalid, '/configuration'],
    [{ configuration: null }, invalid, '/configuration'],
    [{ from: 7 }, invalid, '/from'],
    [{ from: null }, invalid, '/from'],
    [{ tools: {} }, invalid, '/tools'],
    [{ tools: [7] }, invalid, '/tools/0'],
    [{ tools: [{}] }, invalid, '/tools/0/name'],
    [{ tools: [{ name: '' }] }, invalid, '/tools/0/name'],
    [{ tools: [{ name: '1a' }] }, invalid, '/tools/0/name'],
    [{ tools: [{ name: 'a b' }] }, invalid, '/tools/0/name'],
    [{ tools: [{ name: 'x'.repeat(65) }] }, invalid, '/tools/0/name'],
    [{ tools: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }, invalid, '/tools/2/name'],
    [{ tools: [{ ...tool, url: 'https://evil.example' }] }, unknown, '/tools/0/url'],
    [{ tools: [{ ...tool, run: 'x' }] }, unknown, '/tools/0/run'],
    [{ tools: [{ ...tool, description: 1 }] }, invalid, '/tools/0/description'],
    [{ tools: [{ ...tool, parameters: [] }] }, invalid, '/tools/0/parameters'],
    [{ tools: [{ ...tool, parametersJsonSchema: {} }] }, invalid, '/tools/0/parametersJsonSchema'],
    [{ tools: [{ googleSearch: {} }] }, unknown, '/tools/0/googleSearch'],
    [{ tools: many(129, (index) => ({ name: `t${index}` })) }, invalid, '/tools'],
    ['{"__proto__":{"configuration":"x"}}', unknown, '/__proto__'],
  ]) {
    test(`refuses ${JSON.stringify(body).slice(0, 70)}`, () =>
      assertRefused(parseCreate, body, code, place));
  }
});

describe('POST /threads/{id}/messages', () => {
  const { parseMessage } = parts;

  test('takes a text, Parts, a Content, and the empty text', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
    for (const message of [
      'Hello',
      '',
      [{ text: 'Hello' }, image],
      { parts: [image] },
      { role: 'user', parts: [{ text: 'Hello' }] },
    ])
      assert.deepEqual(parseMessage(JSON.stringify({ message })), { message });
  });

  for (const [body, code, place] of [
    ['', invalid, '/message'],
    ['{}', invalid, '/message'],
    [{ message: null }, invalid, '/message'],
    [{ message: 7 }, invalid, '/message'],
    [{ message: [] }, invalid, '/message'],
    [{ message: ['Hello'] }, invalid, '/message/0'],
    [{ message: [null] }, invalid, '/message/0'],
    [{ message: {} }, invalid, '/message/parts'],
    [{ message: { parts: [] } }, invalid, '/message/parts'],
    [{ message: { parts: ['x'] } }, invalid, '/message/parts/0'],
    [{ message: { role: 'model', parts: [{ text: 'x' }] } }, invalid, '/message/role'],
    [{ message: 'x', history: [] }, unknown, '/history'],
    [{ message: 'x', configuration: 'a' }, unknown, '/configuration'],
  ]) {
    test(`refuses ${JSON.stringify(body).slice(0, 70)}`, () =>
      assertRefused(parseMessage, body, code, place));
  }
});

describe('POST /threads/{id}/results', () => {
  const { parseResults } = parts;

  test('takes responses of any JSON, and errors', () => {
    const results = [
      { callId: '1.1.0', response: { degrees: 4 } },
      { callId: '1.1.1', response: null },
      { callId: '1.1.12', error: 'not found' },
      { callId: '1.2.0', response: 'see', parts: [{ inlineData: { mimeType: 'image/png' } }] },
    ];
    assert.deepEqual(parseResults(JSON.stringify({ results })), { results });
  });

  const result = { callId: '1.1.0', response: 1 };
  for (const [body, code, place] of [
    ['', invalid, '/results'],
    [{ results: {} }, invalid, '/results'],
    [{ results: [] }, invalid, '/results'],
    [{ results: [7] }, invalid, '/results/0'],
    [{ results: [{ response: 1 }] }, invalid, '/results/0/callId'],
    [{ results: [{ ...result, callId: 'x' }] }, invalid, '/results/0/callId'],
    [{ results: [{ ...result, callId: 1 }] }, invalid, '/results/0/callId'],
    [{ results: [{ callId: '1.1.0' }] }, invalid, '/results/0'],
    [{ results: [{ ...result, error: 'x' }] }, invalid, '/results/0'],
    [{ results: [{ callId: '1.1.0', error: 7 }] }, invalid, '/results/0/error'],
    [{ results: [{ ...result, parts: ['x'] }] }, invalid, '/results/0/parts/0'],
    [{ results: [{ ...result, parts: [] }] }, invalid, '/results/0/parts'],
    [{ results: [{ callId: '1.1.0', error: 'x', parts: [{}] }] }, invalid, '/results/0/parts'],
    [{ results: [{ ...result, url: 'x' }] }, unknown, '/results/0/url'],
    [{ results: [result, result] }, invalid, '/results/1/callId'],
    [
      { results: many(129, (index) => ({ callId: `1.${index}`, response: 1 })) },
      invalid,
      '/results',
    ],
  ]) {
    test(`refuses ${JSON.stringify(body).slice(0, 70)}`, () =>
      assertRefused(parseResults, body, code, place));
  }
});

test('fork, rewind and abort take and refuse their fields', () => {
  const { parseFork, parseRewind, parseAbort } = parts;
  assert.deepEqual(parseFork(''), {});
  assert.deepEqual(parseFork('{"turns":0,"configuration":"b"}'), { turns: 0, configuration: 'b' });
  assert.deepEqual(parseRewind('{"turns":2}'), { turns: 2 });
  assert.deepEqual(parseAbort(''), {});
  for (const turns of [-1, 1.5, '1', null, 1e300]) {
    assertRefused(parseFork, { turns }, invalid, '/turns');
    assertRefused(parseRewind, { turns }, invalid, '/turns');
  }
  assertRefused(parseRewind, '', invalid, '/turns');
  assertRefused(parseFork, { configuration: '' }, invalid, '/configuration');
  assertRefused(parseFork, { newId: 'x' }, unknown, '/newId');
  assert.deepEqual(parseAbort('{"send":2}'), { send: 2 });
  assertRefused(parseAbort, { send: 'all' }, invalid, '/send');
  assertRefused(parseAbort, { sends: [1] }, unknown, '/sends');
});

const request = (headers = {}, query = '') =>
  new Request(`https://worker.example/threads/x/events${query}`, { headers });

test('an idempotency key has 1 to 200 visible ASCII characters', () => {
  const keyOf = (key) => parts.idempotencyKeyOf(request({ 'idempotency-key': key }));
  assert.equal(parts.idempotencyKeyOf(request()), undefined);
  for (const key of ['k', '!~', 'x'.repeat(200)]) assert.equal(keyOf(key), key);
  for (const key of ['', 'a b', 'é', 'x'.repeat(201), 'a\tb'])
    assert.throws(() => keyOf(key), { status: 400, code: 'idempotency.invalid' }, key);
});

test('reads what a caller prefers and accepts', () => {
  const prefers = (prefer) => parts.wantsAsync(request({ prefer }));
  assert.ok(prefers('respond-async'));
  assert.ok(prefers('wait=10, Respond-Async'));
  assert.ok(prefers('respond-async; wait=10'));
  assert.ok(!prefers('respond-asynchronously'));
  assert.ok(!parts.wantsAsync(request()));
});

test('reads and checks queries', () => {
  const { eventsQueryOf, turnsQueryOf } = parts;
  assert.deepEqual(turnsQueryOf(request()), { after: 0 });
  assert.deepEqual(turnsQueryOf(request({}, '?after=3&limit=2')), { after: 3, limit: 2 });
  assert.deepEqual(eventsQueryOf(request()), { untilEnd: false });
  const whole = request({}, '?after=1.1.2&send=1&until=end');
  assert.deepEqual(eventsQueryOf(whole), { after: '1.1.2', send: 1, untilEnd: true });
  const both = request({ 'last-event-id': '2.1.1' }, '?after=1.1.1');
  assert.equal(eventsQueryOf(both).after, '2.1.1');
  for (const query of ['?after=x', '?after=-1', '?after=1e3', '?after=', '?limit=0', '?limit=1.5'])
    assert.throws(() => turnsQueryOf(request({}, query)), { status: 400, code: 'query.invalid' });
  for (const query of ['?send=x', '?until=now', '?until='])
    assert.throws(() => eventsQueryOf(request({}, query)), { status: 400, code: 'query.invalid' });
});

test('ids are random, have one form, and name an object together with the caller', () => {
  const { isThreadId, newThreadId, objectName } = parts;
  const ids = new Set(many(1000, () => newThreadId()));
  assert.equal(ids.size, 1000);
  for (const id of ids) assert.ok(isThreadId(id), id);
  const [id] = ids;
  for (const wrong of ['', `${id}x`, id.slice(1), id.slice(0, -1), ` ${id}`, `${id}\n`, `${id}/`])
    assert.ok(!isThreadId(wrong), wrong);
  assert.notEqual(objectName('a', id), objectName('b', id));
});

test('the object of a thread receives what the Worker checked, and no key', async () => {
  const { threadRequest, threadCallOf, operationOf } = parts;
  const sent = new Request('https://worker.example/threads/x/events?after=1.1.1&key=secret', {
    headers: {
      ...{ authorization: 'Bearer secret', 'x-goog-api-key': 'secret', cookie: 'secret' },
      ...{ 'x-thread': '{"id":"forged","caller":"forged"}', 'last-event-id': '1.1.2' },
      ...{ accept: 'application/x-ndjson', 'idempotency-key': 'k', prefer: 'respond-async' },
    },
  });
  const call = { id: 'thread_a', caller: 'website' };
  const passed = threadRequest(sent, 'messages', call, '{"message":"x"}');
  assert.equal(passed.url, 'https://thread/messages?after=1.1.1');
  assert.equal(operationOf(passed), 'messages');
  assert.deepEqual(threadCallOf(passed), call);
  assert.ok(![...passed.headers.values()].some((value) => /secret|forged/.test(value)));
  for (const name of ['accept', 'idempotency-key', 'last-event-id', 'prefer'])
    assert.equal(passed.headers.get(name), sent.headers.get(name));
  assert.equal(await passed.text(), '{"message":"x"}');
  assert.equal(threadRequest(sent, 'state', call).method, 'GET');
});
