// Moves conversations between the two APIs of Gemini, on the emulator, which checks every request and every signature.
// What it refuses is what the catalogue says: these tests show that both halves of the package agree.
import assert from 'node:assert/strict';
import test from 'node:test';
import { connect, GeminiClient } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { MemoryStore } from 'prompt-strata/stores';

const model = 'gemini-3.8-flash';
const weather = {
  name: 'weather',
  description: 'The weather in a city',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => ({ sky: `clear in ${city}` }),
};
const question = 'What is the weather in Paris and Rome?';

/** Returns an emulated service, and the requests that it had. */
function service() {
  const requests = [];
  const record = ({ path, status, body }) => requests.push({ path, status, body });
  return { requests, fetch: createEmulator({ checkSignatures: true, record }) };
}

const chatOf = ({ fetch }, options) =>
  connect({ client: new GeminiClient({ fetch }), model, tools: [weather], ...options });

const signaturesIn = (value) => {
  const found = [];
  JSON.stringify(value, (key, each) => {
    if (/^(?:thoughtSignature|signature)$/.test(key)) found.push(each);
    return each;
  });
  return found;
};

const signedCalls = (contents) =>
  contents
    .flatMap(({ parts }) => parts)
    .filter(({ functionCall }) => functionCall)
    .map(({ functionCall, thoughtSignature }) => [functionCall.args.city, thoughtSignature]);

for (const wires of [
  ['generateContent', 'interactions'],
  ['interactions', 'generateContent'],
]) {
  const [first, second] = wires;
  test(`a conversation with signed parallel calls moves from ${first} to ${second} and back`, async () => {
    const api = service();
    const store = new MemoryStore();
    const chat = await chatOf(api, { wire: first, store, id: 'a' });
    await chat.ask(question);
    const calls = signedCalls(chat.history);
    assert.deepEqual(calls.map(([city]) => city).sort(), ['Paris', 'Rome']);
    assert.ok(calls[0][1]);
    const form = chat.thread.content(1);
    chat.wire = second;
    await chat.ask(question);
    chat.wire = first;
    await chat.ask('Thank you');
    assert.ok(api.requests.every(({ status }) => status === 200));
    const paths = api.requests.map(({ path }) => /interactions/.test(path));
    const isSecond = second === 'interactions';
    assert.deepEqual(paths, [!isSecond, !isSecond, isSecond, isSecond, !isSecond]);
    // A request has the signatures of all turns before it, in their order. That which opens a turn of steps may be a copy.
    const all = signaturesIn(chat.history);
    const last = [...new Set(signaturesIn(api.requests.at(-1).body))];
    assert.deepEqual(last, all.slice(0, last.length));
    assert.ok(last.length >= 4);
    const opened = await chatOf(api, { wire: second, store, id: 'a' });
    assert.deepEqual(opened.history, chat.history);
    assert.deepEqual(opened.thread.content(1), form);
    await opened.ask('And again?');
    assert.equal(api.requests.at(-1).status, 200);
  });
}

test('of 60 requests, nearly all bytes of each stand at the start of the next', async () => {
  const bodies = [];
  const emulator = createEmulator();
  const fetch = (url, init) => {
    bodies.push(new TextDecoder().decode(init.body));
    return emulator(url, init);
  };
  const chat = await chatOf(
    { fetch },
    { wire: 'interactions', systemInstruction: 'Be brief.', generationConfig: { seed: 1 } },
  );
  for (let i = 0; bodies.length < 60; i++) await chat.ask(i % 2 ? question : `Message ${i}`);
  const shares = bodies.slice(1).map((body, index) => {
    const before = bodies[index];
    let at = 0;
    while (at < before.length && before[at] === body[at]) at++;
    return at / before.length;
  });
  assert.ok(Math.min(...shares) >= 0.95, String(Math.min(...shares)));
});

test("state: 'server' has the answers of the whole history", async () => {
  const api = service();
  const chat = await chatOf(api, { wire: 'interactions', state: 'server' });
  await chat.ask(question);
  await chat.ask('Thank you');
  const [, second, third] = api.requests.map(({ body }) => body);
  assert.deepEqual(
    [second.input, third.input].map((input) => input.map(({ type }) => type)),
    [['function_result', 'function_result'], ['user_input']],
  );
  assert.ok(api.requests.every(({ status }) => status === 200));
});

test('object, and settings of one message, are written in the words of the Interactions API', async () => {
  const api = service();
  const chat = await chatOf(api, { wire: 'interactions', tools: [] });
  const schema = { type: 'object', properties: { sky: { type: 'string' } }, required: ['sky'] };
  const { object } = await chat.object(schema, question, {
    generationConfig: { maxOutputTokens: 500 },
  });
  assert.equal(typeof object.sky, 'string');
  const { generation_config: config, response_format: format } = api.requests[0].body;
  assert.equal(config.max_output_tokens, 500);
  assert.equal([format].flat()[0].mime_type, 'application/json');
});
