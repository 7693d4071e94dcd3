// Imports histories that the real @langchain/core and @langchain/google make and serialize: each signature of an answer
// is in the thread, on the Part that it signs. Both packages are optional: without them, the tests are skipped.
// STRATA_PEERS names another folder whose node_modules holds them.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { root } from '../../scripts/setup/run.mjs';

const peers = process.env.STRATA_PEERS ?? root;
const packages = ['@langchain/core', '@langchain/google'];
const missing = packages.filter((name) => !existsSync(join(peers, 'node_modules', name)));
const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const sign = (text) => Buffer.from(`signature of ${text}`).toString('base64');
const thought = (text) => ({ text, thought: true });
const callOf = (id, city) => ({ functionCall: { id, name: 'weather', args: { city } } });
const signed = (part, name) => ({ ...part, thoughtSignature: sign(name) });

/** What the server answers, as the Parts of each chunk, and the Parts that the thread must have. */
const answers = {
  'a signed text': {
    chunks: [[signed({ text: 'Hello!' }, 'hello')]],
    parts: [signed({ text: 'Hello!' }, 'hello')],
  },
  'a text whose signature follows in an empty one': {
    chunks: [[{ text: 'Hel' }], [{ text: 'lo!' }], [signed({ text: '' }, 'hello')]],
    parts: [signed({ text: 'Hello!' }, 'hello')],
  },
  'nothing but a signature': {
    chunks: [[signed({ text: '' }, 'nothing')]],
    parts: [signed({ text: '' }, 'nothing')],
  },
  'a thought, a text and parallel calls': {
    chunks: [
      [thought('I need the weather.')],
      [{ text: 'Let me look.' }],
      [signed(callOf('c1', 'Oslo'), 'call'), callOf('c2', 'Rome')],
    ],
    parts: [
      thought('I need the weather.'),
      { text: 'Let me look.' },
      signed(callOf('c1', 'Oslo'), 'call'),
      callOf('c2', 'Rome'),
    ],
  },
  'the same call twice': {
    chunks: [[signed(callOf('c1', 'Oslo'), 'call'), callOf('c2', 'Oslo')]],
    parts: [signed(callOf('c1', 'Oslo'), 'call'), callOf('c2', 'Oslo')],
  },
  'a signed thought and a signed text': {
    chunks: [[signed(thought('Hm.'), 'thought')], [signed({ text: 'Hello!' }, 'hello')]],
    parts: [signed(thought('Hm.'), 'thought'), signed({ text: 'Hello!' }, 'hello')],
  },
  'a signed picture and code': {
    chunks: [
      [signed({ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }, 'picture')],
      [signed({ executableCode: { language: 'PYTHON', code: '1 + 1' } }, 'code')],
      [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } }],
    ],
    parts: [
      signed({ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }, 'picture'),
      signed({ executableCode: { language: 'PYTHON', code: '1 + 1' } }, 'code'),
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
    ],
  },
};

let strata;
let checker;
let messagesOf;
let ChatGoogle;
let server;
let endpoint;
let chunks;

const chunkOf = (parts, isLast) => ({
  candidates: [{ content: { role: 'model', parts }, ...(isLast && { finishReason: 'STOP' }) }],
  modelVersion: model,
});

/** Answers like the Gemini API: with all Parts at once, or with a chunk for each list. */
function respond(request, response) {
  request.resume();
  if (!request.url.includes('stream')) {
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(chunkOf(chunks.flat(), true)));
  }
  response.setHeader('content-type', 'text/event-stream');
  const last = chunks.length - 1;
  const events = chunks.map(
    (parts, i) => `data: ${JSON.stringify(chunkOf(parts, i === last))}\n\n`,
  );
  response.end(events.join(''));
}

before(async () => {
  if (skip) return;
  strata = await load();
  checker = await loadChecker();
  const require = createRequire(join(peers, 'package.json'));
  const importPeer = (name) => import(pathToFileURL(require.resolve(name)).href);
  messagesOf = await importPeer('@langchain/core/messages');
  ({ ChatGoogle } = await importPeer('@langchain/google'));
  server = createServer(respond).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  endpoint = `http://127.0.0.1:${server.address().port}`;
});
after(() => server?.close());

/** Returns an answer of the model as LangChain's message. */
async function answerOf(given, way) {
  chunks = given;
  const outputVersion = way === 'LangChain 1' ? 'v1' : 'v0';
  const options = { model, endpoint, outputVersion, apiKey: 'a-key', platformType: 'gai' };
  const chat = new ChatGoogle(options);
  if (way !== 'stream') return chat.invoke('Hi');
  let answer;
  for await (const chunk of await chat.stream('Hi')) {
    answer = answer ? answer.concat(chunk) : chunk;
  }
  return answer;
}

/** The forms in which messages are stored. */
const forms = {
  'the messages themselves': (messages) => messages,
  'JSON.stringify': (messages) => JSON.stringify(messages),
  mapChatMessagesToStoredMessages: (messages) =>
    messagesOf.mapChatMessagesToStoredMessages(messages),
  'flat fields': (messages) =>
    messages.map((message) => ({ ...message.toJSON().kwargs, type: message.getType() })),
};

/** A text may be in pieces, and a call's id is not compared: both are LangChain's. */
function joinedTexts(parts) {
  const joined = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const continues = part.text !== undefined && last?.text !== undefined;
    if (continues && !part.thought && !last.thought && !last.thoughtSignature) {
      joined[joined.length - 1] = { ...part, text: last.text + part.text };
    } else {
      joined.push(part);
    }
  }
  return joined;
}

const partsOf = (thread, index) =>
  JSON.parse(new TextDecoder().decode(thread.content(index))).parts;

describe('imports what @langchain/google makes of', { skip }, () => {
  for (const [name, { chunks: given, parts }] of Object.entries(answers)) {
    for (const way of ['invoke', 'stream', 'LangChain 1']) {
      test(`${name} (${way})`, async () => {
        const answer = await answerOf(given, way);
        const question = new messagesOf.HumanMessage('Hi');
        for (const [form, store] of Object.entries(forms)) {
          const from = store([question, answer]);
          const { saved, diagnostics } = checker.import(from, { model });
          const thread = strata.thread({ model, from: saved, policy: 'warn' });
          assert.deepEqual(joinedTexts(partsOf(thread, 1)), parts, form);
          assert.deepEqual(diagnostics, [], form);
        }
      });
    }
  }
});

test('continues a tool loop of LangChain', { skip }, async () => {
  const { AIMessage, HumanMessage, SystemMessage, ToolMessage } = messagesOf;
  const answer = await answerOf(answers['a thought, a text and parallel calls'].chunks, 'invoke');
  const results = answer.tool_calls.map(
    ({ id, name, args }) =>
      new ToolMessage({
        content: JSON.stringify({ ...args, sky: 'clear' }),
        tool_call_id: id,
        name,
      }),
  );
  const final = await answerOf(answers['a signed text'].chunks, 'stream');
  const messages = [new SystemMessage('Be kind.'), new HumanMessage('Weather?'), answer];
  messages.push(...results, final, new HumanMessage('Thanks'), new AIMessage('You are welcome.'));
  for (const [form, store] of Object.entries(forms)) {
    const { saved, systemText } = checker.import(store(messages), { model });
    const thread = strata.thread({ model, from: saved });
    assert.equal(systemText, 'Be kind.', form);
    assert.deepEqual(thread.report(), { ok: true, diagnostics: [] }, form);
    const responses = partsOf(thread, 2).map(({ functionResponse }) => functionResponse);
    assert.deepEqual(responses, [
      { id: 'c1', name: 'weather', response: { city: 'Oslo', sky: 'clear' } },
      { id: 'c2', name: 'weather', response: { city: 'Rome', sky: 'clear' } },
    ]);
    const { body } = thread.assemble({ now, trigger: 'And tomorrow?' });
    assert.equal(checker.lint(body, { model }).ok, true, form);
    const text = new TextDecoder().decode(body);
    for (const signature of [sign('call'), sign('hello')])
      assert.ok(text.includes(signature), form);
  }
});
