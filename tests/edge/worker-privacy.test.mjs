// Tests what callers see of the deployment: nothing of its instruction and tools, and results only where it allows.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ask,
  chunk,
  create,
  ofType,
  post,
  say,
  setUp,
  startWorker,
  threadOf,
} from './worker-process.mjs';

setUp();

const several = 'tests/edge/deployments/several.mjs';
const question = 'What is the weather in Oslo?';
const textOf = async (response) => (await response).text();

// From the instruction and the declarations of the tools.
const privateTexts = [
  /friendly assistant/,
  /weather is invented/,
  /Invented for a demonstration/,
  /IANA name/,
];

/** Returns everything that a caller can read of a thread, after one message. */
async function visibleTexts(worker, path) {
  const texts = [await textOf(post(worker, `${path}/messages`, { message: question }))];
  for (const route of ['', '/turns', '/events?until=end', '/export'])
    texts.push(await textOf(ask(worker, path + route)));
  const fork = await post(worker, `${path}/fork`, {});
  texts.push(
    await textOf(ask(worker, `${fork.headers.get('location')}/export`)),
    await fork.text(),
  );
  return texts;
}

test('callers see sizes and fingerprints, not the instruction and the tools', async () => {
  const worker = await startWorker();
  const path = await create(worker);
  const texts = await visibleTexts(worker, path);
  for (const text of texts) for (const pattern of privateTexts) assert.doesNotMatch(text, pattern);
  const [events, , turns, again, exported] = texts;
  for (const text of [events, turns, again, exported]) {
    assert.match(text, /"fingerprints":/);
    assert.match(text, /"reason":"Hidden: SHOW_REQUESTS is off"/);
  }
  const [request] = ofType(await say(worker, path, 'Hello'), 'request');
  assert.deepEqual(Object.keys(request), ['eventId', 'type', 'purpose', 'model', 'manifest']);
  assert.ok(request.manifest.layers.every(({ bytes }) => bytes >= 0));
  // The export can be imported, and continued.
  const from = await textOf(ask(worker, `${path}/export`));
  const imported = await create(worker, { from });
  assert.equal(await textOf(ask(worker, `${imported}/export`)), from);
  assert.equal((await say(worker, imported, 'And again')).at(-1).type, 'stored');
});

test('SHOW_REQUESTS shows whole requests', async () => {
  const worker = await startWorker({ bindings: { SHOW_REQUESTS: 'true' } });
  const [events] = await visibleTexts(worker, await create(worker));
  for (const pattern of privateTexts) assert.match(events, pattern);
});

test("hides the API's error messages without SHOW_REQUESTS", async () => {
  const message = 'tools[0].function_declarations[0].description: Invented for a demonstration';
  const error = { code: 400, status: 'INVALID_ARGUMENT', message };
  const api = () => Response.json({ error }, { status: 400 });
  const worker = await startWorker({ api });
  const [failed] = ofType(await say(worker, await create(worker), 'Hello'), 'failed');
  assert.equal(failed.error.code, 'api.INVALID_ARGUMENT');
  assert.equal(failed.error.status, 400);
  for (const pattern of privateTexts) assert.doesNotMatch(failed.error.message, pattern);
  const shown = await startWorker({ bindings: { SHOW_REQUESTS: 'true' }, api });
  const [whole] = ofType(await say(shown, await create(shown), 'Hello'), 'failed');
  assert.equal(whole.error.message, message);
});

test('keeps the bytes of a Content when it hides texts of manifests', async () => {
  const worker = await startWorker();
  const path = await create(worker);
  await say(worker, path, 'Hello');
  const saved = await textOf(ask(worker, `${path}/export`));
  const content = '{ "role":"user" ,"parts":[{"text":"1.0 \\u00e9"}], "n":1e400}';
  const meta = '{"at":"2026-01-01T00:00:00Z"}';
  const line = `{"strata":1,"kind":"user","sequencing":"api","meta":${meta},"content":${content}}`;
  const answerLine = saved.split('\n')[1].replace(/"content":\{/, '"content":{  ');
  const imported = await create(worker, { from: `${line}\n${answerLine}\n` });
  for (const route of ['/export', '/turns']) {
    const text = await textOf(ask(worker, imported + route));
    assert.ok(text.startsWith(`${line}\n`), text);
    assert.ok(text.includes('"content":{  "role"'), text);
  }
});

test('results of the deployment’s tools are visible, unless its configuration hides them', async () => {
  const worker = await startWorker({ deployment: several });
  // As JSON: the emulator repeats results in its answers, as a model may.
  const result = /celsius\\*"/;
  for (const [configuration, isVisible] of [
    ['open', true],
    ['hiding', false],
  ]) {
    const path = await create(worker, { configuration });
    const texts = await visibleTexts(worker, path);
    const [events, , turns, again, exported] = texts;
    for (const text of [turns, again, exported])
      assert.equal(result.test(text), isVisible, `${configuration}: ${text}`);
    for (const text of texts) assert.doesNotMatch(text, /PRIVATE-INSTRUCTION/);
    const [{ call, response }] = ofType(
      events
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      'toolResult',
    );
    assert.equal(call.name, 'get_weather');
    assert.deepEqual(call.args, { city: 'Oslo' });
    assert.equal(JSON.stringify(response).includes('celsius'), isVisible);
    // A fork into a configuration that hides nothing does not bring them back.
    const fork = await post(worker, `${path}/fork`, { configuration: 'open' });
    const seen = await textOf(ask(worker, `${fork.headers.get('location')}/export`));
    assert.equal(result.test(seen), isVisible, seen);
  }
});

test('the model reads hidden results', async () => {
  const requests = [];
  const call = { functionCall: { name: 'get_weather', args: { city: 'Oslo' } } };
  const signed = { ...call, thoughtSignature: 'c2lnbmVk' };
  const first = `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [signed] }, finishReason: 'STOP' }] })}\r\n\r\n`;
  const api = async (request) => {
    requests.push(await request.text());
    const answer = chunk('It is cold.', { finishReason: 'STOP' });
    return new Response(requests.length === 1 ? first : answer);
  };
  const worker = await startWorker({ deployment: several, api });
  const path = await create(worker, { configuration: 'hiding' });
  assert.equal((await say(worker, path, question)).at(-1).type, 'stored');
  assert.match(requests[1], /celsius/);
  assert.equal(JSON.stringify(await threadOf(worker, path)).includes('celsius'), false);
});

test('tools of callers are refused where the configuration does not allow them', async () => {
  const worker = await startWorker({ deployment: several });
  const tools = [{ name: 'read_sensor', parameters: { type: 'OBJECT', properties: {} } }];
  const refusals = [
    [{ configuration: 'closed', tools }, 'tools.not_allowed'],
    [{ configuration: 'hiding', tools }, 'tools.not_allowed'],
    [{ tools: [...tools, { name: 'get_weather' }] }, 'tools.name_taken'],
    [{ configuration: 'other' }, 'configuration.unknown'],
    [{ configuration: 'constructor' }, 'configuration.unknown'],
  ];
  for (const [body, code] of refusals) {
    const response = await post(worker, '/threads', body);
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code], [400, code], error.message);
    assert.doesNotMatch(error.message, /hiding|open/);
  }
  await create(worker, { configuration: 'closed', tools: [] });
  const path = await create(worker, { tools });
  const fork = await post(worker, `${path}/fork`, { configuration: 'other' });
  assert.equal(fork.status, 400);
});

test('invalid tools of callers are refused with what is wrong, and create nothing', async () => {
  const worker = await startWorker();
  const valid = { name: 'read_sensor', parameters: { type: 'OBJECT', properties: {} } };
  for (const [tool, code, path] of [
    [{ parameters: { type: 'NOPE' } }, 'schema.invalid_value', '/tools/1/parameters/type'],
    [
      { parameters: { type: 'OBJECT', properties: {}, required: ['city'] } },
      'schema.required_undefined',
      '/tools/1/parameters/required/0',
    ],
  ]) {
    const tools = [valid, { name: 'get_tide', ...tool }];
    const response = await post(worker, '/threads', { tools });
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code], [422, code]);
    assert.equal(error.diagnostics[0].path, path);
    assert.ok(error.message.startsWith(path), error.message);
  }
});
