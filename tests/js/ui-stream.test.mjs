// The answers of a conversation in the AI SDK's UI message stream, read by the AI SDK itself, and its messages of a page.
import assert from 'node:assert/strict';
import test from 'node:test';
import { DefaultChatTransport, readUIMessageStream } from 'ai';
import { connect, GeminiClient, tool } from 'prompt-strata';
import { messageOf, uiMessagesOf } from 'prompt-strata/ai-sdk/ui';
import { createEmulator } from 'prompt-strata/testing';

const model = 'gemini-3.8-flash';
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = tool({
  name: 'get_weather',
  description: 'The weather in a city',
  schema,
  run: ({ city }) => {
    if (city === 'Rome') throw new Error('No station');
    return { city, celsius: 4 };
  },
});
const chunk = (parts, more = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});

const talk = (emulatorOptions = {}, options = {}) =>
  connect({
    client: new GeminiClient({ fetch: createEmulator(emulatorOptions), retry: false }),
    ...{ model, ...options },
  });

const userMessage = (text) => ({ id: 'u', role: 'user', parts: [{ type: 'text', text }] });

/** Sends a message as useChat does, to a route that answers with a conversation. Returns what the page then shows. */
async function useRoute(chat, text, { onChunk = () => {} } = {}) {
  const fetch = async (_, { body }) => {
    const { messages } = JSON.parse(body);
    return chat.stream(messageOf(messages.at(-1))).toUIMessageResponse();
  };
  const transport = new DefaultChatTransport({ fetch });
  const options = { chatId: 'c', trigger: 'submit-message', messages: [userMessage(text)] };
  const chunks = await transport.sendMessages(options);
  const seen = chunks.pipeThrough(
    new TransformStream({
      transform(each, controller) {
        onChunk(each);
        controller.enqueue(each);
      },
    }),
  );
  let last;
  let error;
  for await (const message of readUIMessageStream({ stream: seen, onError: (e) => (error = e) }))
    last = message;
  return { message: last, error };
}

const shape = ({ parts }) => parts.map(({ type, state }) => (state ? `${type} ${state}` : type));

test('text, parallel calls and their results, of which one failed, are the parts that useChat shows', async () => {
  const chat = await talk({}, { tools: [weather] });
  const types = [];
  const { message } = await useRoute(chat, 'How is the weather in Paris and Rome?', {
    onChunk: ({ type }) => types.push(type),
  });
  assert.deepEqual(shape(message), [
    'step-start',
    'dynamic-tool output-available',
    'dynamic-tool output-error',
    'step-start',
    'text done',
  ]);
  const [, paris, rome, , text] = message.parts;
  assert.deepEqual(paris.output, { city: 'Paris', celsius: 4 });
  assert.match(rome.errorText, /No station/);
  assert.match(text.text, /Paris/);
  assert.equal(types[0], 'start');
  assert.equal(types.at(-1), 'finish');

  const [user, answer] = uiMessagesOf(chat.history);
  assert.deepEqual(user.parts, [
    { type: 'text', text: 'How is the weather in Paris and Rome?', state: 'done' },
  ]);
  const plain = (parts) => JSON.parse(JSON.stringify(parts));
  assert.deepEqual(plain(answer.parts), plain(message.parts));
});

test('thoughts, files and sources', async () => {
  const groundingChunks = [{ web: { uri: 'https://example.com/a', title: 'A' } }];
  const chunks = [
    chunk([{ text: 'Let me draw.', thought: true }]),
    chunk([{ text: 'Here: ' }]),
    chunk([{ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }]),
    chunk([{ text: 'Done.' }], { finishReason: 'STOP', groundingMetadata: { groundingChunks } }),
  ];
  const chat = await talk({ respond: () => ({ chunks }) });
  const { message } = await useRoute(chat, 'Draw');
  assert.deepEqual(shape(message), [
    ...['step-start', 'reasoning done', 'text done', 'file', 'text done', 'source-url'],
  ]);
  assert.equal(message.parts[3].url, 'data:image/png;base64,iVBORw==');
  assert.equal(message.parts[5].url, 'https://example.com/a');
});

test('an answer that failed and is requested again replaces what the page had of it', async () => {
  const chat = await talk(
    { faults: [{ kind: 'cut-stream' }] },
    { answerRetry: { attempts: 2, initialMs: 0 } },
  );
  const types = [];
  const { message } = await useRoute(chat, 'Hello', { onChunk: ({ type }) => types.push(type) });
  assert.ok(types.includes('reset-step'), types.join());
  assert.deepEqual(shape(message), ['step-start', 'text done']);
  assert.equal(
    message.parts[1].text,
    chat.history
      .at(-1)
      .parts.map(({ text }) => text)
      .join(''),
  );
});

test('an error reaches the page as its code only', async (t) => {
  const printed = t.mock.method(console, 'error', () => {});
  const chat = await talk({ faults: [{ kind: 'http429' }] }, { answerRetry: false });
  const { error } = await useRoute(chat, 'Hello');
  assert.equal(error.message, 'api.RESOURCE_EXHAUSTED');
  assert.equal(printed.mock.callCount(), 1);
});

test('the response is the protocol of version 7, and a page that leaves aborts the send', async () => {
  const chat = await talk();
  const answer = chat.stream('Hello');
  const response = answer.toUIMessageResponse({ status: 201, headers: { 'x-a': 'b' } });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
  assert.equal(response.headers.get('x-a'), 'b');
  const reader = response.body.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), 'data: {"type":"start"}\n\n');
  await reader.cancel();
  await assert.rejects(answer.result, { code: 'stream.left' });
  assert.throws(() => answer.toUIMessageResponse(), { code: 'stream.read' });
  assert.throws(() => chat.stream('').toUIMessageResponse({ events: [] }), {
    code: 'field.unknown',
  });
  const whole = await (await talk()).stream('Hello').toUIMessageResponse().text();
  assert.ok(whole.endsWith('data: [DONE]\n\n'));
});

test("a page's message is its texts and files, and files come back", () => {
  const parts = [
    { type: 'text', text: 'What is this?' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,aGk=' },
    { type: 'file', mediaType: 'video/mp4', url: 'https://youtu.be/abc' },
    { type: 'data-x', data: 1 },
  ];
  const input = messageOf({ id: 'a', role: 'user', parts });
  assert.deepEqual(input, [
    { text: 'What is this?' },
    { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    { fileData: { mimeType: 'video/mp4', fileUri: 'https://youtu.be/abc' } },
  ]);
  const [message] = uiMessagesOf([{ role: 'user', parts: input }]);
  assert.deepEqual(messageOf(message), input);
  for (const none of [{ content: 'Hi' }, userMessage(''), { parts: [{ type: 'data-x', data: 1 }] }])
    assert.throws(() => messageOf(none), { code: 'field.invalid' });
  assert.throws(() => uiMessagesOf('x'), { code: 'field.invalid' });
});
