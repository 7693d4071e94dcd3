// Tests the Worker in workerd as it is deployed: bundled by `wrangler deploy --dry-run`, run by Miniflare, and
// answered by the emulator.
import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import {
  ask,
  callerKey,
  chunk,
  headers,
  linesOf,
  ofType,
  post as postTo,
  setUp,
  startWorker,
  stopWorker,
  upstreamKey,
} from './worker-process.mjs';

setUp();

let worker;
before(async () => {
  worker = await startWorker({ bindings: { SHOW_REQUESTS: 'true' } });
});

const get = (path, init) => ask(worker, path, init);
const post = (body, init) => postTo(worker, '/chat', body, init);

async function eventsOf(response) {
  assert.equal(response.status, 200);
  return linesOf(response);
}

test('GET / shows the upstream and an example call', async () => {
  const response = await get('/');
  const text = await response.text();
  assert.match(text, /emulator answers/);
  assert.match(text, /curl -N http:\/\/localhost\/chat -H 'authorization: Bearer KEY'/);
});

test('POST /chat streams requests, a tool call with its result, an answer and the saved thread', async () => {
  const events = await eventsOf(await post({ message: 'What is the weather in Oslo?' }));
  assert.equal(ofType(events, 'request').length, 2);
  const [called] = ofType(events, 'toolCall');
  assert.equal(called.call.name, 'get_weather');
  const [result] = ofType(events, 'toolResult');
  assert.match(result.response.output.source, /invented/);
  assert.ok(ofType(events, 'text').length > 0);
  assert.equal(events.at(-2).type, 'done');
  assert.equal(events.at(-1).type, 'saved');
  const { thoughtSignature } = JSON.parse(ofType(events, 'turn')[1].content).parts[0];
  assert.ok(ofType(events, 'request')[1].body.includes(thoughtSignature));
});

test('resumes a saved thread and an array of Contents', async () => {
  const first = await eventsOf(await post({ message: 'Hello' }));
  const history = first.at(-1).thread;
  const second = await eventsOf(await post({ message: 'And again', history }));
  assert.equal(ofType(second, 'turn')[0].index, 2);
  const contents = history
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).content)
    .filter(Boolean);
  const third = await eventsOf(await post({ message: 'And again', history: contents }));
  assert.equal(ofType(third, 'turn')[0].index, 2);
});

test('server-sent events are the default', async () => {
  const { authorization, 'content-type': type } = headers;
  const response = await post(
    { message: 'Hello' },
    { headers: { authorization, 'content-type': type } },
  );
  assert.match(response.headers.get('content-type'), /^text\/event-stream/);
  const text = await response.text();
  assert.match(text, /^event: turn\ndata: \{"type":"turn"/);
  assert.match(text, /event: saved\ndata: .*\n\n$/);
});

const assertRejected = async (response, status, code) => {
  assert.equal(response.status, status);
  assert.equal((await response.json()).error.code, code);
};

test('rejects invalid requests with a status and a code', async () => {
  await assertRejected(await post('{'), 400, 'json.invalid');
  const latin = Uint8Array.from('{"message":"caf\xe9"}', (letter) => letter.charCodeAt(0));
  await assertRejected(
    await get('/chat', { method: 'POST', body: latin }),
    400,
    'json.invalid_utf8',
  );
  await assertRejected(await post({ history: [] }), 400, 'message.missing');
  await assertRejected(await post({ message: 'x', history: 7 }), 400, 'history.invalid');
  const orphan = [{ role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }];
  const response = await post({ message: 'x', history: orphan });
  assert.equal(response.status, 422);
  assert.ok((await response.json()).error.diagnostics.length > 0);
  await assertRejected(await post(' '.repeat(5_000_000)), 413, 'size.too_large');
  await assertRejected(await get('/nothing'), 404, 'route.unknown');
  const wrongMethod = await get('/chat');
  assert.equal(wrongMethod.headers.get('allow'), 'POST');
  await assertRejected(wrongMethod, 405, 'method.not_allowed');
});

test('reports a later failure as an event before the saved thread', async () => {
  const events = await eventsOf(await post({ message: '' }));
  assert.deepEqual(
    events.map(({ type }) => type),
    ['failed', 'saved'],
  );
  assert.equal(events[0].error.code, 'trigger.missing');
});

test('a caller that disconnects does not affect other requests', async () => {
  const response = await post({ message: 'Tell me something long' });
  const reader = response.body.getReader();
  await reader.read();
  await reader.cancel();
  const events = await eventsOf(await post({ message: 'Hello' }));
  assert.equal(events.at(-1).type, 'saved');
});

/** Returns the events of one send to a Worker for which `api` answers as the Gemini API. */
async function askApi(api) {
  const apiWorker = await startWorker({ api });
  try {
    return await eventsOf(await postTo(apiWorker, '/chat', { message: 'Hello' }));
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
    const events = await askApi((request) => ((sent = request), answer()));
    assert.equal(sent.headers.get('x-goog-api-key'), upstreamKey);
    assert.ok(!sent.url.includes(upstreamKey));
    const [{ error }] = ofType(events, 'failed');
    assert.equal(error.code, code);
    if (error.status === 429) assert.equal(error.retryAfterMs, 301_000);
    assert.match(events.at(-1).thread, /"Hello"/);
    for (const key of [upstreamKey, callerKey]) {
      assert.ok(!JSON.stringify(events).includes(key), 'an event contains a key');
    }
  }
  const events = await askApi(() => new Response(chunk('Hi', { finishReason: 'STOP' })));
  assert.equal(events.at(-2).type, 'done');
});
