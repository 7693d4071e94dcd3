// The AI SDK's Chat, which useChat wraps, with ThreadTransport against the Worker in workerd: answers, tools of the page,
// a page that is loaded again while an answer streams, and answers that are written anew.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AbstractChat } from 'ai';
import { ThreadTransport, uiMessagesOf } from 'prompt-strata/ai-sdk/ui';
import { connectThread, tool } from 'prompt-strata/remote';
import { callerKey as key, setUp, slowAnswer, startWorker, stopWorker } from './worker-process.mjs';

setUp();

const schema = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] };
const sensor = tool({
  ...{ name: 'read_sensor', description: 'The temperature of a room', schema },
  run: ({ room }) => ({ room, celsius: 12 }),
});
const functionCall = { name: 'read_sensor', args: { room: 'cellar' } };
const calls = {
  candidates: [
    {
      content: { role: 'model', parts: [{ functionCall, thoughtSignature: 'c2ln' }] },
      finishReason: 'STOP',
    },
  ],
};

/** What an answer waits for behind its first piece. */
let gate = Promise.resolve();
const waitsBehindFirst = () =>
  new TransformStream({
    async transform(piece, controller) {
      controller.enqueue(piece);
      await gate;
    },
  });

/** The model calls the tool if a message speaks of the cellar, and then counts to three. */
async function model(request) {
  const { contents } = await request.json();
  const [{ text = '' }] = contents.at(-1).parts;
  if (text.includes('cellar')) return new Response(`data: ${JSON.stringify(calls)}\r\n\r\n`);
  return new Response(slowAnswer({ count: 3, ms: 50 }).body.pipeThrough(waitsBehindFirst()));
}

/** The state of a chat as a page without React has it. */
const stateOf = (messages) => ({
  ...{ status: 'ready', error: undefined, messages },
  pushMessage(message) {
    this.messages = [...this.messages, message];
  },
  popMessage() {
    this.messages = this.messages.slice(0, -1);
  },
  replaceMessage(index, message) {
    this.messages = this.messages.map((each, i) => (i === index ? message : each));
  },
  snapshot: (value) => structuredClone(value),
});

class Page extends AbstractChat {
  constructor(thread, messages = []) {
    super({ id: thread.id, transport: new ThreadTransport(thread), state: stateOf(messages) });
  }
}

/** Waits until the answer to the second message has begun. */
async function answerOf(page) {
  for (let i = 0; page.messages.length < 4; i += 1) {
    assert.ok(i < 6000, `no answer: ${page.error}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const textOf = (message) =>
  message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
const shape = ({ parts }) => parts.map(({ type, state }) => (state ? `${type} ${state}` : type));

test('a page chats with a thread, is loaded again while an answer streams, and writes one anew', async () => {
  const worker = await startWorker({ api: model });
  const url = await worker.ready;
  const connect = (options = {}) =>
    connectThread({ url: String(url), key, tools: [sensor], ...options });
  const thread = await connect();
  const page = new Page(thread);
  await page.sendMessage({ text: 'How warm is the cellar?' });
  assert.equal(page.error, undefined);
  const [, answer] = page.messages;
  assert.deepEqual(shape(answer), [
    'step-start',
    'dynamic-tool output-available',
    'step-start',
    'text done',
  ]);
  const first = textOf(answer);

  // The page is left while an answer streams.
  let goOn;
  gate = new Promise((resolve) => (goOn = resolve));
  const left = page.sendMessage({ text: 'Count.' });
  await answerOf(page);
  const again = await connect({ id: thread.id });
  const second = new Page(again, uiMessagesOf(await again.history()));
  const resumed = second.resumeStream();
  await answerOf(second);
  goOn();
  await Promise.all([resumed, left]);
  assert.equal(second.error, undefined);
  assert.equal(textOf(second.messages.at(-1)), textOf(page.messages.at(-1)));
  assert.equal(textOf(second.messages.at(-1)), first);

  const before = (await again.state()).turns;
  await second.regenerate();
  assert.equal(second.error, undefined);
  assert.equal((await again.state()).turns, before);
  assert.deepEqual(
    second.messages.map(({ role }) => role),
    ['user', 'assistant', 'user', 'assistant'],
  );
  assert.equal(await new ThreadTransport(again).reconnectToStream(), null);
  await stopWorker(worker);
});
