// Tests the Worker in workerd as it is deployed: bundled by `wrangler deploy --dry-run`, run by Miniflare, and
// answered by the emulator.
import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import {
  ask,
  callerKey,
  chunk,
  create,
  headers,
  linesOf,
  ofType,
  post,
  say,
  setUp,
  startWorker,
  stopWorker,
  threadOf,
  upstreamKey,
} from './worker-process.mjs';
import { guessedId } from './worker-routes.mjs';

setUp();

let worker;
before(async () => {
  worker = await startWorker({ bindings: { SHOW_REQUESTS: 'true' } });
});

const get = (path, init) => ask(worker, path, init);
const send = (path, body, init) => post(worker, `${path}/messages`, body, init);

async function eventsOf(response) {
  assert.equal(response.status, 200);
  return linesOf(response);
}

test('GET / shows the upstream and an example call', async () => {
  const response = await get('/');
  const text = await response.text();
  assert.match(text, /emulator answers/);
  assert.match(text, /curl http:\/\/localhost\/threads -X POST -H 'authorization: Bearer KEY'/);
  const head = await get('/', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
});

test('POST /threads answers with the state, and the path of the thread', async () => {
  const response = await post(worker, '/threads', {});
  assert.equal(response.status, 201);
  const state = await response.json();
  assert.match(state.id, /^thread_[\w-]{22}$/);
  assert.equal(response.headers.get('location'), `/threads/${state.id}`);
  const { configuration, turns, state: name, openCalls } = state;
  const expected = { configuration: 'assistant', turns: 0, name: 'idle', openCalls: [] };
  assert.deepEqual({ configuration, turns, name, openCalls }, expected);
  assert.deepEqual(await (await get(`/threads/${state.id}`)).json(), state);
  const withoutBody = await ask(worker, '/threads', { method: 'POST' });
  assert.equal(withoutBody.status, 201);
});

test('a send streams requests, a tool call with its result, an answer and the number of turns', async () => {
  const path = await create(worker);
  const events = await eventsOf(await send(path, { message: 'What is the weather in Oslo?' }));
  assert.equal(events[0].type, 'sent');
  assert.equal(`/threads/${events[0].thread}`, path);
  assert.equal(ofType(events, 'request').length, 2);
  const [called] = ofType(events, 'toolCall');
  assert.equal(called.call.name, 'get_weather');
  assert.deepEqual([called.callId, called.runsAt], ['1.1.0', 'deployment']);
  const [result] = ofType(events, 'toolResult');
  assert.match(result.response.output.source, /invented/);
  assert.deepEqual([result.callId, result.runsAt], ['1.1.0', 'deployment']);
  assert.ok(ofType(events, 'text').length > 0);
  assert.equal(events.at(-2).type, 'done');
  const { type, turns } = events.at(-1);
  assert.deepEqual({ type, turns }, { type: 'stored', turns: 4 });
  const { thoughtSignature } = JSON.parse(ofType(events, 'turn')[1].content).parts[0];
  assert.ok(ofType(events, 'request')[1].body.includes(thoughtSignature));
});

test('takes Parts and Contents as messages', async () => {
  const path = await create(worker);
  const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
  for (const message of [
    [{ text: 'Look' }, image],
    { role: 'user', parts: [{ text: 'Look' }, image] },
  ]) {
    const events = await eventsOf(await send(path, { message }));
    assert.deepEqual(ofType(events, 'failed'), []);
    const { parts } = JSON.parse(ofType(events, 'turn')[0].content);
    assert.deepEqual(parts, [{ text: 'Look' }, image]);
  }
});

test('starts with an exported thread, and with an array of Contents', async () => {
  const path = await create(worker);
  await say(worker, path, 'Hello');
  const from = await (await get(`${path}/export`)).text();
  const contents = (await threadOf(worker, path)).map(({ content }) => content);
  for (const history of [from, contents]) {
    const imported = await create(worker, { from: history });
    const second = await say(worker, imported, 'And again');
    assert.equal(ofType(second, 'turn')[0].index, 2);
  }
});

test('starts with the messages of another client', async () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is 12,3 / 4.5?' },
    { role: 'assistant', content: 'About 2.7' },
  ];
  for (const from of [messages, JSON.stringify(messages)]) {
    const path = await create(worker, { from });
    const contents = (await threadOf(worker, path)).map(({ content }) => content);
    assert.deepEqual(contents, [
      { role: 'user', parts: [{ text: 'What is 12,3 / 4.5?' }] },
      { role: 'model', parts: [{ text: 'About 2.7' }] },
    ]);
  }
});

test('server-sent events are the default', async () => {
  const { authorization, 'content-type': type } = headers;
  const path = await create(worker);
  const init = { headers: { authorization, 'content-type': type } };
  const response = await send(path, { message: 'Hello' }, init);
  assert.match(response.headers.get('content-type'), /^text\/event-stream/);
  const text = await response.text();
  assert.match(text, /^id: 1\.1\.1\ndata: \{"type":"sent"/);
  assert.match(text, /\ndata: \{"type":"stored","turns":2\}\n\n$/);
});

async function assertRejected(response, status, code) {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.match(response.headers.get('content-type'), /^application\/json/);
  const { error } = JSON.parse(text);
  assert.equal(error.code, code, text);
  return error;
}

test('names few of very many faults, in answers and in events', async () => {
  const empty = Array(2000).fill({});
  const created = await post(worker, '/threads', { from: empty });
  const text = await created.text();
  assert.equal(created.status, 422);
  assert.ok(text.length < 20_000, `${text.length} bytes`);
  const { diagnostics } = JSON.parse(text).error;
  assert.equal(diagnostics.length, 20);
  assert.equal(diagnostics.reduce((sum, { more = 0 }) => sum + 1 + more, 0) >= 2000, true);
  const path = await create(worker);
  const events = await (await send(path, { message: empty })).text();
  assert.match(events, /"failed"/);
  assert.ok(events.length < 20_000, `${events.length} bytes`);
});

test('rejects invalid requests with a status and a code', async () => {
  const path = await create(worker);
  await assertRejected(await send(path, '{'), 400, 'json.invalid');
  const latin = Uint8Array.from('{"message":"caf\xe9"}', (letter) => letter.charCodeAt(0));
  const bytes = { method: 'POST', body: latin };
  await assertRejected(await get(`${path}/messages`, bytes), 400, 'json.invalid_utf8');
  await assertRejected(await send(path, { history: [] }), 400, 'field.unknown');
  await assertRejected(await send(path, {}), 400, 'field.invalid');
  await assertRejected(await post(worker, '/threads', { from: 7 }), 400, 'field.invalid');
  const orphan = [{ role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }];
  const invalid = await post(worker, '/threads', { from: orphan });
  const { diagnostics } = await assertRejected(invalid, 422, 'response.orphan');
  assert.equal(diagnostics[0].code, 'response.orphan');
  await assertRejected(await send(path, ' '.repeat(5_000_000)), 413, 'size.too_large');
  const many = JSON.stringify({ from: Array(510_000).fill(0) });
  await assertRejected(await post(worker, '/threads', many), 413, 'size.too_many_values');
  const inText = { from: JSON.stringify(Array(300_000).fill({})) };
  await assertRejected(await post(worker, '/threads', inText), 413, 'size.too_many_values');
  const deep = `{"message":[${'['.repeat(250)}${']'.repeat(250)}]}`;
  await assertRejected(await send(path, deep), 400, 'json.too_deep');
  const key = { headers: { ...headers, 'idempotency-key': 'a b' } };
  await assertRejected(await send(path, { message: 'x' }, key), 400, 'idempotency.invalid');
  await assertRejected(await get(`${path}/turns?after=x`), 400, 'query.invalid');
  await assertRejected(await get(`${path}/events?until=later`), 400, 'query.invalid');
  for (const route of ['/nothing', '/chat', '/threads/', `${path}/`, `${path}/turns/1`])
    await assertRejected(await get(route), 404, 'route.unknown');
  await assertRejected(await get(`${path}/constructor`), 404, 'route.unknown');
  await assertRejected(await get(`/threads/${guessedId}`), 404, 'thread.unknown');
});

test('rejects methods that a route does not have, and lists those that it has', async () => {
  const path = await create(worker);
  for (const [route, method, allow] of [
    ['/', 'POST', 'GET, HEAD'],
    ['/threads', 'GET', 'POST'],
    ['/threads', 'DELETE', 'POST'],
    [path, 'POST', 'GET, HEAD, DELETE'],
    [path, 'PUT', 'GET, HEAD, DELETE'],
    [`${path}/turns`, 'POST', 'GET, HEAD'],
    [`${path}/messages`, 'GET', 'POST'],
    [`${path}/events`, 'POST', 'GET, HEAD'],
    [`${path}/results`, 'GET', 'POST'],
    [`${path}/abort`, 'GET', 'POST'],
    [`${path}/fork`, 'GET', 'POST'],
    [`${path}/rewind`, 'PATCH', 'POST'],
    [`${path}/export`, 'POST', 'GET, HEAD'],
  ]) {
    const response = await get(route, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
    assert.equal(response.headers.get('allow'), allow, `${method} ${route}`);
    await assertRejected(response, 405, 'method.not_allowed');
  }
});

test('answers HEAD as GET, without the body', async () => {
  const path = await create(worker);
  await say(worker, path, 'Hello');
  for (const route of ['', '/turns', '/export', '/events']) {
    const head = await get(path + route, { method: 'HEAD' });
    assert.equal(head.status, 200, route);
    assert.equal(await head.text(), '');
    const whole = await get(`${path}${route}?until=end`);
    assert.equal(head.headers.get('content-type'), whole.headers.get('content-type'));
    assert.notEqual(await whole.text(), '');
  }
  assert.equal((await get(`/threads/${guessedId}`, { method: 'HEAD' })).status, 404);
  assert.equal((await get(`${path}/messages`, { method: 'HEAD' })).status, 405);
});

test('reports a later failure as an event before the last one', async () => {
  const events = await say(worker, await create(worker), '');
  assert.deepEqual(
    events.map(({ type }) => type),
    ['sent', 'failed', 'stored'],
  );
  assert.equal(events[1].error.code, 'trigger.missing');
});

test('a caller that disconnects does not affect other requests', async () => {
  const response = await send(await create(worker), { message: 'Tell me something long' });
  const reader = response.body.getReader();
  await reader.read();
  await reader.cancel();
  assert.equal((await say(worker, await create(worker), 'Hello')).at(-1).type, 'stored');
});

/** Returns the events of one send to a Worker for which `api` answers as the Gemini API, and the stored thread. */
async function askApi(api) {
  const apiWorker = await startWorker({ api });
  try {
    const path = await create(apiWorker);
    const events = await say(apiWorker, path, 'Hello');
    return { events, lines: await threadOf(apiWorker, path) };
  } finally {
    await stopWorker(apiWorker);
  }
}

test('calls the Gemini API with its key, and reports refused and cut answers as events', async () => {
  const retryInfo = {
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: '301s',
  };
  const quota = {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: `${upstreamKey} ${callerKey}`,
    details: [retryInfo],
  };
  const unavailable = { code: 503, status: 'UNAVAILABLE', message: 'overloaded' };
  const cases = [
    [() => Response.json({ error: quota }, { status: 429 }), 'api.RESOURCE_EXHAUSTED'],
    [() => new Response(chunk('Once') + JSON.stringify({ error: unavailable })), 'api.UNAVAILABLE'],
    [() => new Response(chunk('Once')), 'answer.cut'],
  ];
  for (const [answer, code] of cases) {
    let sent;
    const { events, lines } = await askApi((request) => ((sent = request), answer()));
    assert.equal(sent.headers.get('x-goog-api-key'), upstreamKey);
    assert.ok(!sent.url.includes(upstreamKey));
    const [{ error }] = ofType(events, 'failed');
    assert.equal(error.code, code);
    if (error.status === 429) assert.equal(error.retryAfterMs, 301_000);
    assert.match(JSON.stringify(lines), /"Hello"/);
    for (const key of [upstreamKey, callerKey])
      assert.ok(!JSON.stringify({ events, lines }).includes(key), 'an event contains a key');
  }
  const { events } = await askApi(() => new Response(chunk('Hi', { finishReason: 'STOP' })));
  assert.equal(events.at(-2).type, 'done');
});
