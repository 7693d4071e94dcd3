// Tests that numbers which a double would round keep their digits on their way through the Worker.
import assert from 'node:assert/strict';
import test from 'node:test';
import { scriptedApi } from './scripted-api.mjs';
import { ask, create, post, say, setUp, startWorker, within } from './worker-process.mjs';

setUp();

const id = '12345678901234567890';
const numbers = `{"id":${id},"e":1e400,"d":0.12345678901234567890123,"small":1.50,"__proto__":{"n":-${id}}}`;

/** Starts a Worker whose API keeps the texts of requests. */
async function start() {
  const { api: scripted } = scriptedApi();
  const texts = [];
  const api = async (request) => {
    texts.push(await request.clone().text());
    return scripted(request);
  };
  const worker = await startWorker({ api, deployment: 'tests/edge/deployments/held-tool.ts' });
  return { worker, texts };
}

const textOf = async (response) => within((await response).text());

test('results reach the model and readers with all digits', async () => {
  const { worker, texts } = await start();
  const path = await create(worker, { tools: [{ name: 'ask_user' }] });
  await say(worker, path, 'call ask_user');
  const body = `{"results":[{"callId":"1.1.0","response":${numbers}}]}`;
  const events = await textOf(post(worker, `${path}/results`, body));
  assert.match(events, /"type":"stored"/);
  const sent = numbers;
  for (const text of [texts.at(-1), await textOf(ask(worker, `${path}/export`)), events])
    assert.ok(text.includes(sent), text);
  // The same result again is the same, and one with another last digit is not.
  assert.equal((await post(worker, `${path}/results`, body)).status, 200);
  const other = await post(worker, `${path}/results`, body.replace(id, '12345678901234567891'));
  assert.equal(other.status, 409);
});

test('messages, histories and declarations keep their digits', async () => {
  const { worker, texts } = await start();
  const parameters = `{"type":"OBJECT","properties":{"n":{"type":"NUMBER","maximum":${id}}}}`;
  const past = `{"role":"user","parts":[{"text":"a","partMetadata":{"n":-${id}}}]}`;
  const answer = '{"role":"model","parts":[{"text":"b"}]}';
  const tools = `[{"name":"ask_user","parameters":${parameters}}]`;
  const path = await create(worker, `{"tools":${tools},"from":[${past},${answer}]}`);
  const part = `{"text":"c","partMetadata":{"n":${id}1}}`;
  const messages = [`{"role":"user","parts":[${part}]}`, `[${part}]`];
  for (const message of messages) {
    const events = await textOf(post(worker, `${path}/messages`, `{"message":${message}}`));
    assert.match(events, /"type":"stored"/);
    for (const digits of [`"maximum":${id}`, `"n":-${id}`, `"n":${id}1`])
      assert.ok(texts.at(-1).includes(digits), `${digits} in ${texts.at(-1)}`);
  }
});
