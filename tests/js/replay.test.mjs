// Recordings of an API, replayed without it: by the function and by the command.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { GeminiClient, connect, tool } from 'prompt-strata';
import { createEmulator, createReplay } from 'prompt-strata/testing';
import { folderRecordings, serve } from 'prompt-strata/node';
import { startEmulator } from '../support/running-emulator.mjs';

const model = 'gemini-3.8-flash';
const key = 'AIzaSyReplay-test-key_0123456789abcdefg';
let folder;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'strata-replay-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = () => readdirSync(folder).filter((name) => name.endsWith('.json'));
const textOf = (name) => readFileSync(join(folder, name), 'utf8');
const recorded = () => createReplay({ recordings: folderRecordings(folder) });
const recorder = (upstream = createEmulator()) =>
  createReplay({ recordings: folderRecordings(folder), upstream });
const never = () => assert.fail('The network is closed.');

const weather = tool({
  name: 'get_weather',
  description: 'The weather in a city',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => ({ city, sky: 'clear' }),
});

/** A program: two turns with parallel calls. Returns its history as bytes. */
async function program({ wire, ...client }, question = 'How is the weather in Paris and Rome?') {
  const chat = await connect({
    ...{ model, tools: [weather], now: () => '2026-11-29T00:00:00Z' },
    client: new GeminiClient({ apiKey: key, retry: false, ...client }),
    ...(wire && { wire }),
  });
  await chat.ask(question);
  await chat.ask('And in Oslo?');
  return Array.from({ length: chat.thread.length }, (_, i) =>
    new TextDecoder().decode(chat.thread.content(i)),
  );
}

for (const wire of ['generateContent', 'interactions']) {
  test(`a program on ${wire} gets the recorded bytes without a network`, async () => {
    const emulator = createEmulator();
    const first = await program({ wire, fetch: recorder(emulator) });
    assert.match(first.join('\n'), /[sS]ignature/);
    assert.deepEqual(await program({ wire, fetch: recorded() }), first);
    assert.ok(files().every((name) => !textOf(name).includes(key)));
  });
}

test('a changed request fails, and says where it differs', async () => {
  await program({ fetch: recorder() });
  const error = await program({ fetch: recorded() }, 'How is the weather in Bern?').catch(
    (reason) => reason,
  );
  assert.equal(error.status, 400);
  assert.match(error.message, /No recording of POST \/v1beta\/models\/gemini-3\.8-flash:stream/);
  assert.match(
    error.message,
    /\/body\/contents\/\d\/parts\/0\/text was "How is the weather in Paris and Rome\?" and is "How is the weather in Bern\?"/,
  );
});

test('nothing recorded says what to do', async () => {
  const client = new GeminiClient({ fetch: recorded() });
  const error = await client.models.get(model).catch((reason) => reason);
  assert.match(error.message, /There are no recordings: record them with a key first/);
  assert.equal(existsSync(join(folder, 'none')), false);
});

describe('the same request', () => {
  const ask = (fetch, init = {}) =>
    fetch(
      `https://generativelanguage.googleapis.com/v1beta/models/${model}:countTokens?key=${key}`,
      {
        method: 'POST',
        body: '{"a":1,"b":[2]}',
        ...init,
      },
    );
  let count = 0;
  const upstream = async () => Response.json({ count: (count += 1) });

  test('gets its answers in their order, whatever its host, key and order of fields', async () => {
    const record = recorder(upstream);
    for (let i = 0; i < 2; i++) await (await ask(record)).json();
    assert.equal(files().length, 1);
    assert.doesNotMatch(textOf(files()[0]), new RegExp(key));
    const replay = recorded();
    const numbers = [];
    for (let i = 0; i < 3; i++)
      numbers.push((await (await ask(replay, { body: '{ "b": [2], "a": 1 }' })).json()).count);
    assert.deepEqual(numbers, [1, 2, 2]);
    const other = await replay(`http://localhost/v1beta/models/${model}:countTokens`, {
      method: 'POST',
      body: '{"a":1,"b":[2]}',
    });
    assert.equal(other.headers.get('x-prompt-strata-replay'), 'recorded');
    // A new run replaces the answers of the one before.
    await (await ask(recorder(upstream))).json();
    assert.equal((await (await ask(recorded())).json()).count, 3);
  });

  test('is not answered by what passes, or by a damaged recording', async () => {
    const refused = await ask(recorder(async () => new Response('{}', { status: 503 })));
    assert.equal(refused.status, 503);
    assert.deepEqual(files(), []);
    await (await ask(recorder(upstream))).json();
    writeFileSync(join(folder, files()[0]), '{"format":');
    assert.equal((await ask(recorded())).headers.get('x-prompt-strata-replay'), 'missing');
  });

  test('keeps bytes that are no text, and a key in the error of an answer out', async () => {
    const bytes = new Uint8Array([0xff, 0, 0x80]);
    await (await ask(recorder(async () => new Response(bytes)))).arrayBuffer();
    assert.deepEqual(new Uint8Array(await (await ask(recorded())).arrayBuffer()), bytes);
    const words = `API key ${key} not valid`;
    await (await ask(recorder(async () => new Response(words, { status: 400 })))).text();
    assert.equal(await (await ask(recorded())).text(), 'API key [secret] not valid');
  });
});

test('the command records with a key and replays without', async () => {
  const asked = [];
  const emulator = createEmulator();
  const google = await serve((request) => {
    asked.push(request.headers.get('x-goog-api-key'));
    return emulator(request);
  });
  process.env.STRATA_REPLAY_KEY = key;
  after(() => delete process.env.STRATA_REPLAY_KEY);
  const recording = await startEmulator(
    ...['--record', folder, '--key-env', 'STRATA_REPLAY_KEY', '--base-url', google.url],
  );
  const first = await program({ baseUrl: recording.url, apiKey: 'any' });
  await recording.stop();
  await google.close();
  assert.deepEqual([...new Set(asked)], [key]);
  assert.match(recording.output(), /its answer is recorded in/);
  assert.doesNotMatch(recording.output(), new RegExp(key));
  const replaying = await startEmulator('--replay', folder);
  assert.deepEqual(await program({ baseUrl: replaying.url, apiKey: 'any' }), first);
  assert.match(replaying.output(), /Nothing is sent/);
  await replaying.stop();
});

test('invalid options are named', () => {
  assert.throws(() => createReplay({ recordings: {}, upstrem: never }), /upstrem/);
  assert.throws(() => createReplay({}), /recordings/);
});
