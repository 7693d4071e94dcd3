// Tests that everything that is made in WebAssembly for a conversation is freed with it, without the garbage collector.
import assert from 'node:assert/strict';
import test from 'node:test';
// Counts from the moment it is imported, so it comes first.
import { handles } from './faults/handles.mjs';
import * as strata from 'prompt-strata';
import { MemoryStore } from 'prompt-strata/stores';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';
import { importParts } from './lint-parts.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const core = await strata.load();
const checker = await loadChecker();
const small = { contextTokens: 300, threshold: 0.5 };

const { convertMessages } = await importParts('requests/openai');

const isSummary = ({ systemInstruction }) =>
  systemInstruction?.parts[0].text.includes('state_snapshot') ?? false;

/** Has a conversation of several sends, disposes it, and returns its events. */
async function converse(options, { summary = 'A summary.', sends = 5, respond } = {}) {
  const fetch = createEmulator({
    respond:
      respond ??
      (({ body }) => ({
        parts: [{ text: isSummary(body) ? summary : 'It is fine here. '.repeat(20) }],
      })),
  });
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = new strata.Conversation(core, client, { model, now, ...options });
  const events = [];
  for (let i = 0; i < sends; i++) {
    try {
      for await (const event of chat.send(`Question ${i}`)) events.push(event);
    } catch (error) {
      events.push({ type: 'thrown', error });
    }
  }
  chat[dispose]();
  return events;
}

const has = (events, type) => events.some((event) => event.type === type);

const copies = (name) => ({ name, beforeTurn: (thread) => thread.fork() });

const cases = {
  'a history that is refused': () => {
    const from = [{ role: 'model', parts: [{ functionResponse: { name: 'f', response: {} } }] }];
    assert.throws(() => core.thread({ model, from }), { name: 'HistoryError' });
  },
  'the answer that says who speaks next': async () => {
    const events = await converse({ continue: { maxTurns: 2 } }, { sends: 1 });
    assert.ok(has(events, 'request'));
  },
  'a summary that is too long': async () => {
    const events = await converse({ compression: small }, { summary: 'long '.repeat(3000) });
    assert.ok(events.some(({ failure }) => failure === 'inflated'));
  },
  'a summary whose turns cannot be stored': async () => {
    const store = new MemoryStore();
    const failing = {
      read: (id) => store.read(id),
      write: (...args) => store.write(...args),
      store: () => Promise.reject(new Error('disk full')),
      readStored: () => Promise.resolve(undefined),
      delete: () => Promise.resolve(),
    };
    const fetch = createEmulator({
      respond: ({ body }) => ({
        parts: [{ text: isSummary(body) ? 'Short.' : 'It is fine. '.repeat(30) }],
      }),
    });
    const client = new strata.GeminiClient({ fetch, retry: false });
    const options = { model, now, compression: small, store: failing, id: 'one' };
    const chat = await strata.Conversation.open(core, client, options);
    const events = [];
    for (let i = 0; i < 5; i++)
      for await (const each of chat.send(`Question ${i}`)) events.push(each);
    assert.ok(events.some(({ reason }) => reason === 'disk full'));
    chat[dispose]();
  },
  'the threads of plugins before the last one': async () => {
    const events = await converse({ plugins: [copies('one'), copies('two')] });
    assert.ok(has(events, 'thread'));
  },
  'the thread of a plugin before one that fails': async () => {
    const failing = {
      name: 'failing',
      beforeTurn: () => Promise.reject(new Error('no')),
    };
    const events = await converse({ plugins: [copies('one'), failing] });
    assert.ok(has(events, 'thrown'));
  },
  'the thread of a plugin that returns it after an abort': async () => {
    const controller = new AbortController();
    let finish;
    const late = {
      name: 'late',
      beforeTurn: (thread) => {
        const copy = thread.fork();
        return new Promise((resolve) => (finish = () => resolve(copy)));
      },
    };
    const client = new strata.GeminiClient({ fetch: createEmulator() });
    const chat = new strata.Conversation(core, client, { model, now, plugins: [late] });
    const asked = chat.ask('Hello', controller);
    while (!finish) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('enough'));
    await assert.rejects(asked, { message: 'enough' });
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(chat.thread.length, 1);
    chat[dispose]();
  },
  'the thread of converted OpenAI messages': () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const bytes = new TextEncoder().encode(JSON.stringify(messages));
    const { body } = convertMessages(checker, bytes, messages, { model });
    assert.equal(JSON.parse(new TextDecoder().decode(body)).contents.length, 1);
  },
  'the prompt of the last request': async () => {
    const events = await converse({ prompt: { profile: 'minimal' } });
    assert.ok(has(events, 'done'));
  },
};

for (const [name, run] of Object.entries(cases)) {
  test(`frees ${name}`, async () => {
    const before = handles.live;
    await run();
    assert.equal(handles.live, before);
  });
}

test('does not dispose the plugins of the options', async () => {
  const plugin = { name: 'shared', [dispose]: () => assert.fail('disposed') };
  await converse({ plugins: [plugin] }, { sends: 1 });
});
