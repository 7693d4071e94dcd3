// The emulator of each test: it starts anew, gives what a test writes, and fails tests that would pass by accident.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { GeminiClient, connect } from 'prompt-strata';
import { emulatorPerTest } from 'prompt-strata/testing';

const model = 'gemini-3.8-flash';
const clientOf = (fetch) =>
  new GeminiClient({ fetch, apiKey: 'a-secret-key', retry: { initialMs: 1 } });
const chatWith = (fetch, options) => connect({ client: clientOf(fetch), model, ...options });

describe('in a test', () => {
  const gemini = emulatorPerTest({ beforeEach, afterEach });

  for (const wire of ['generateContent', 'interactions']) {
    test(`on ${wire}, answers and faults come in the order in which they are written`, async () => {
      gemini.answer('First.');
      gemini.fail('http503');
      gemini.answer({ text: 'Second.' });
      const chat = await chatWith(gemini, { wire });
      assert.equal((await chat.ask('One')).text, 'First.');
      assert.equal((await chat.ask('Two')).text, 'Second.');
      await chat.ask('Three');
      gemini.answer({ parts: [{ text: 'Fifth.' }], finishReason: 'MAX_TOKENS' });
      assert.equal((await chat.ask('Four')).finishReason, 'MAX_TOKENS');
      const statuses = gemini.requests.map(({ status }) => status);
      assert.deepEqual(statuses, [200, 503, 200, 200, 200]);
    });
  }

  test('a call that the test writes is signed, so that its tool runs', async () => {
    const ran = [];
    const tools = [{ name: 'look', run: ({ at }) => ran.push(at) }];
    gemini.answer({ functionCall: { name: 'look', args: { at: 'the sky' } } });
    gemini.answer('Sunny.');
    assert.equal((await (await chatWith(gemini, { tools })).ask('Look')).text, 'Sunny.');
    assert.deepEqual(ran, ['the sky']);
    assert.equal(gemini.requests.length, 2);
  });

  test('each test begins without requests, and knows its own', async () => {
    assert.equal(gemini.requests.length, 0);
    assert.throws(() => gemini.lastRequest, /This test has sent no request yet/);
    await (await chatWith(gemini)).ask('Hello');
    const { body, headers } = gemini.lastRequest;
    assert.deepEqual(body.contents, [{ role: 'user', parts: [{ text: 'Hello' }] }]);
    assert.equal(headers['x-goog-api-key'], '[secret]');
  });

  test('other groups of requests fail where they are named', async () => {
    gemini.fail({ kind: 'http429', on: 'countTokens', retryDelay: '' });
    const client = new GeminiClient({ fetch: gemini, retry: false });
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
    const refused = await client.countTokens(model, body).catch((error) => error);
    assert.equal(refused.status, 429);
  });

  test('an error that the test writes is no refusal', async () => {
    const message = 'Written here.';
    gemini.answer({ error: { code: 400, status: 'INVALID_ARGUMENT', message } });
    await assert.rejects((await chatWith(gemini)).ask('Hello'), { status: 400 });
  });

  test('what is written is checked at once', () => {
    assert.throws(() => gemini.fail('http418'), { code: 'field.invalid', message: /fault\/kind/ });
    assert.throws(() => gemini.fail('http5O3'), {
      message: /'unsigned'.* Did you mean http503\?$/,
    });
  });
});

/** Runs one test of a runner without global hooks, and returns the emulator's fetch after it. */
async function runTest(body, options) {
  let before, after;
  const hooks = { beforeEach: (run) => (before = run), afterEach: (run) => (after = run) };
  const gemini = emulatorPerTest({ ...hooks, ...options });
  before();
  await body(gemini);
  after();
  return gemini;
}

const emptyTurn = new TextEncoder().encode('{"contents":[{"role":"user","parts":[]}]}');
const askEmpty = (gemini) =>
  clientOf(gemini)
    .generate(model, emptyTurn)
    .catch(() => undefined);

test('a test fails for an answer that nothing asked for', async () => {
  const forgets = async (gemini) => {
    gemini.answer('One.');
    gemini.answer('Two.');
    await (await chatWith(gemini)).ask('Hello');
  };
  await assert.rejects(runTest(forgets), /wrote what its generation request 2 gets, and sent 1\./);
});

test('a test fails for a refused request whose error it swallowed, unless it allows that', async () => {
  await assert.rejects(
    runTest(askEmpty),
    /refused a request of this test, as Gemini would: .*parts/s,
  );
  await runTest(askEmpty, { allowRefusals: true });
});

test('outside of tests nothing answers', async () => {
  const gemini = await runTest(() => {});
  assert.throws(() => gemini.answer('Late.'), /within a test only/);
  await assert.rejects(
    gemini('https://generativelanguage.googleapis.com/v1beta/models'),
    /within a test only/,
  );
});

test('without hooks it says which are missing; options are checked at once', () => {
  assert.throws(() => emulatorPerTest(), { code: 'field.invalid', message: /beforeEach/ });
  const hooks = { beforeEach, afterEach };
  assert.throws(() => emulatorPerTest({ ...hooks, sed: 1 }), { code: 'field.unknown' });
  assert.throws(() => emulatorPerTest({ ...hooks, allowRefusals: 1 }), { code: 'field.invalid' });
});
