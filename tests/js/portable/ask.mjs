// Tests the short path: connect, ask, stream as text, events or a response, messages made of parts and files, and
// readers that leave, stall or come twice.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
const chunk = (parts, finishReason) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  usageMetadata,
});
const framed = (chunks) => chunks.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`);
const answer = (...chunks) => new Response(framed(chunks).join(''));
const saying = (...texts) =>
  answer(...texts.map((text) => chunk([{ text }])), chunk([{ text: '' }], 'STOP'));

/** Returns a conversation whose n-th request gets the n-th answer, or the last one, and the bodies it sent. */
async function talk(pkg, answers, options = {}) {
  const strata = await pkg.load();
  const bodies = [];
  const signals = [];
  const fetch = async (_, { body, signal }) => {
    bodies.push(JSON.parse(decode(body)));
    signals.push(signal);
    return (answers[bodies.length - 1] ?? answers.at(-1))(signal);
  };
  const client = new pkg.GeminiClient({ fetch, retry: false });
  const settings = { model, answerRetry: { initialMs: 1 }, ...options };
  const chat = new pkg.Conversation(strata, client, settings);
  return { chat, bodies, signals };
}

/** Returns an answer of many chunks, one every 5 ms, that ends when its signal aborts. */
const endless = (signal) =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (signal.aborted) controller.error(signal.reason);
        else controller.enqueue(encode(framed([chunk([{ text: 'more ' }])])[0]));
      },
    }),
  );

async function until(condition) {
  for (let i = 0; i < 400 && !condition(); i++) await new Promise((done) => setTimeout(done, 10));
  ok(condition(), 'the condition did not come true in 4 s');
}

async function collect(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

const asking = [
  {
    name: 'asks and returns text and finishReason of the last answer, and the usage of all requests',
    async run(pkg) {
      const call = { functionCall: { name: 'add', args: { a: 2 } }, thoughtSignature: 'c2lnbmVk' };
      const calls = () => answer(chunk([{ text: 'Adding. ' }, call], 'STOP'));
      const tools = [{ name: 'add', run: ({ a }) => a + 1 }];
      const { chat, bodies } = await talk(pkg, [calls, () => saying('It ', 'is 3.')], { tools });
      const result = await chat.ask('2 + 1?');
      const usage = {
        ...{ promptTokenCount: 6, candidatesTokenCount: 4, totalTokenCount: 10 },
        requests: 2,
      };
      deepEqual(result, { text: 'It is 3.', usage, finishReason: 'STOP', warnings: [] });
      equal(bodies.length, 2);
      deepEqual(
        chat.history.map(({ role }) => role),
        ['user', 'model', 'user', 'model'],
      );
      deepEqual(chat.history[2].parts[0].functionResponse.response, { output: 3 });
    },
  },
  {
    name: 'sends the request of an ask whose promise nobody awaits',
    async run(pkg) {
      const { chat, bodies } = await talk(pkg, [() => saying('Yes.')]);
      void chat.ask('Hi');
      await until(() => bodies.length === 1 && chat.history.length === 2);
    },
  },
  {
    name: 'throws what send throws, and keeps the message for the next ask',
    async run(pkg) {
      const refused = () =>
        new Response('{"error":{"code":400,"status":"INVALID_ARGUMENT"}}', { status: 400 });
      const { chat } = await talk(pkg, [refused, () => saying('Yes.')]);
      await rejects(chat.ask('Hi'), { code: 'api.INVALID_ARGUMENT' });
      equal((await chat.ask('')).text, 'Yes.');
      equal(chat.history.length, 2);
    },
  },
  {
    name: 'sends texts, Parts, Blobs and Files as the Parts of one Content',
    async run(pkg) {
      const { chat, bodies } = await talk(pkg, [() => saying('A cat.')]);
      const bytes = new Uint8Array([1, 2, 255]);
      const text = new Blob(['é'], { type: 'text/plain;charset=utf-8' });
      const uri = { fileData: { fileUri: 'https://example.com/a', mimeType: 'image/png' } };
      await chat.ask([
        'What?',
        new Blob([bytes], { type: 'image/png' }),
        text,
        uri,
        { text: 'End' },
      ]);
      deepEqual(bodies[0].contents, [
        {
          role: 'user',
          parts: [
            { text: 'What?' },
            { inlineData: { mimeType: 'image/png', data: 'AQL/' } },
            { inlineData: { mimeType: 'text/plain', data: 'w6k=' } },
            uri,
            { text: 'End' },
          ],
        },
      ]);
    },
  },
  {
    name: 'writes a large Blob as base64, with the method of the runtime if it has one',
    async run(pkg) {
      const bytes = Uint8Array.from({ length: 100_001 }, (_, index) => (index * 7) % 256);
      const blob = new Blob([bytes.subarray(1)], { type: 'image/png' });
      const sent = async () => {
        const { chat, bodies } = await talk(pkg, [() => saying('A cat.')]);
        await chat.ask([blob]);
        return bodies[0].contents[0].parts[0].inlineData.data;
      };
      const { prototype } = Uint8Array;
      const own = Object.getOwnPropertyDescriptor(prototype, 'toBase64');
      try {
        delete prototype.toBase64;
        const usual = await sent();
        const decoded = Uint8Array.from(atob(usual), (char) => char.charCodeAt(0));
        deepEqual(
          [decoded.length, decoded.every((byte, at) => byte === bytes[at + 1])],
          [100_000, true],
        );
        const toBase64 = () => 'AAAA';
        Object.defineProperty(prototype, 'toBase64', { value: toBase64, configurable: true });
        equal(await sent(), 'AAAA');
      } finally {
        delete prototype.toBase64;
        if (own) Object.defineProperty(prototype, 'toBase64', own);
      }
    },
  },
  {
    name: 'refuses nothing, an empty list, bytes and a Blob without a type, and adds no turn',
    async run(pkg) {
      const { chat, bodies } = await talk(pkg, [() => saying('Yes.')]);
      for (const input of [undefined, null, [], ['x', new Uint8Array(1)]])
        await rejects(chat.ask(input), { code: 'field.invalid', message: /\/input/ });
      await rejects(chat.ask(new Blob(['b'], { type: 'image/png' })), {
        code: 'field.invalid',
        message: /\/input must be a list with the Blob in it/,
      });
      await rejects(chat.ask(['a', new Blob(['b'])]), {
        code: 'field.invalid',
        message: /\/input\/1.*type/,
      });
      deepEqual([bodies.length, chat.history.length], [0, 0]);
    },
  },
];

const streaming = [
  {
    name: 'streams the text of an answer, then resolves its result',
    async run(pkg) {
      const { chat } = await talk(pkg, [() => saying('It ', 'works.')]);
      const stream = chat.stream('Hi');
      deepEqual(await collect(stream.textStream), ['It ', 'works.']);
      deepEqual(await stream.result, {
        text: 'It works.',
        usage: { ...usageMetadata, requests: 1 },
        finishReason: 'STOP',
        warnings: [],
      });
      // The send has ended with its result.
      equal((await chat.stream('Hi').result).text, 'It works.');
      equal((await chat.ask('Hi')).text, 'It works.');
    },
  },
  {
    name: 'starts the request before the stream is read',
    async run(pkg) {
      const { chat, bodies } = await talk(pkg, [() => saying('Yes.')]);
      const stream = chat.stream('Hi');
      equal((await stream.result).text, 'Yes.');
      equal(bodies.length, 1);
      const types = (await collect(stream)).map(({ type }) => type);
      deepEqual([types[0], types.at(-1)], ['turn', 'done']);
    },
  },
  {
    name: 'starts sends in the order of their calls, whichever method starts them',
    async run(pkg) {
      const { chat } = await talk(pkg, [() => saying('{}')], { concurrent: 'queue' });
      const [first, second] = [chat.stream('1'), chat.stream('2')];
      const rest = [chat.ask('3'), chat.object({ type: 'object' }, '4'), chat.ask('5')];
      await Promise.all([first.result, second.result, ...rest]);
      const asked = chat.history.filter(({ role }) => role === 'user');
      equal(asked.map(({ parts }) => parts[0].text).join(''), '12345');
      const alone = await talk(pkg, [() => saying('Yes.')]);
      const stream = alone.chat.stream('1');
      await rejects(alone.chat.ask('2'), { code: 'conversation.busy' });
      equal((await stream.result).text, 'Yes.');
    },
  },
  {
    name: 'aborts the send when a reader of events or of text leaves, and can be sent again',
    async run(pkg) {
      const { chat, signals } = await talk(pkg, [endless, endless, () => saying('Yes.')]);
      const first = chat.stream('Hi');
      for await (const event of first) if (event.type === 'text') break;
      ok(signals[0].aborted);
      await rejects(first.result, { code: 'stream.left' });
      for await (const text of chat.stream('').textStream) if (text) break;
      ok(signals[1].aborted);
      equal((await chat.ask('')).text, 'Yes.');
    },
  },
  {
    name: 'aborts with the signal, whose reason the reader and the result get',
    async run(pkg) {
      const { chat } = await talk(pkg, [endless]);
      const controller = new AbortController();
      const stream = chat.stream('Hi', { signal: controller.signal });
      const reason = new Error('enough');
      const reading = collect(stream.textStream);
      setTimeout(() => controller.abort(reason), 30);
      equal(await rejects(reading), reason);
      equal(await rejects(stream.result), reason);
    },
  },
  {
    name: 'aborts a send that nobody reads once its buffer is full',
    async run(pkg) {
      const { chat, signals } = await talk(pkg, [endless, () => saying('Yes.')]);
      const stream = chat.stream('Hi', { stallTimeoutMs: 20 });
      await until(() => signals[0]?.aborted);
      await rejects(stream.result, { code: 'stream.stalled' });
      equal((await chat.ask('')).text, 'Yes.');
    },
  },
  {
    name: 'receives the whole of a long answer for its result, which can still be read',
    async run(pkg) {
      const texts = Array.from({ length: 300 }, (_, index) => `${index} `);
      const { chat } = await talk(pkg, [() => saying(...texts)]);
      const { result, textStream } = chat.stream('Hi', { stallTimeoutMs: 20 });
      equal((await result).text, texts.join(''));
      deepEqual((await collect(textStream)).filter(Boolean), texts);
      equal(chat.history.length, 2);
      // Also if the buffer was full before somebody asked.
      const late = chat.stream('Hi again', { stallTimeoutMs: 0 });
      const events = [];
      await new Promise((resolve) => setTimeout(resolve, 50));
      equal((await late.result).text, texts.join(''));
      for await (const event of late) events.push(event.type);
      equal(events.at(-1), 'done');
    },
  },
  {
    name: 'aborts a send whose reader stops reading, also if somebody waits for the result',
    async run(pkg) {
      const { chat, signals } = await talk(pkg, [endless]);
      const stream = chat.stream('Hi', { stallTimeoutMs: 20 });
      const reader = stream[Symbol.asyncIterator]();
      await reader.next();
      await rejects(stream.result, { code: 'stream.stalled' });
      ok(signals[0].aborted);
    },
  },
  {
    name: 'throws in a text stream that has delivered a part of a failed answer, and goes on in events',
    async run(pkg) {
      const cut = () => answer(chunk([{ text: 'Half' }]));
      const { chat } = await talk(pkg, [cut, () => saying('Whole')]);
      const texts = [];
      const read = async () => {
        for await (const text of chat.stream('Hi').textStream) texts.push(text);
      };
      await rejects(read, { code: 'answer.cut' });
      deepEqual(texts, ['Half']);
      equal((await chat.ask('')).text, 'Whole');
      const again = await talk(pkg, [cut, () => saying('Whole')]);
      const events = await collect(again.chat.stream('Hi'));
      deepEqual(
        events
          .filter(({ type }) => ['text', 'fault', 'retry', 'done'].includes(type))
          .map(({ type }) => type),
        ['text', 'fault', 'retry', 'text', 'done'],
      );
    },
  },
  {
    name: 'can be read once',
    async run(pkg) {
      const { chat } = await talk(pkg, [() => saying('Yes.')]);
      const stream = chat.stream('Hi');
      const response = stream.toResponse();
      throws(() => stream.toResponse(), { code: 'stream.read' });
      await rejects(collect(stream.textStream), { code: 'stream.read' });
      ok((await response.text()).includes('Yes.'));
    },
  },
];

const eventsIn = (text) =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(block);
      equal(JSON.parse(data).type, type);
      return JSON.parse(data);
    });

const responding = [
  {
    name: 'responds with server-sent events that hold nothing private',
    async run(pkg) {
      const options = { systemInstruction: 'A secret plan.', answerRetry: false };
      const { chat } = await talk(pkg, [() => saying('Yes', '.\n\nNo.')], options);
      const response = chat.stream('Hi').toResponse({ headers: { 'x-own': '1' } });
      equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      equal(response.headers.get('x-own'), '1');
      const text = await response.text();
      ok(!text.includes('secret'));
      deepEqual(
        eventsIn(text).map(({ type, text }) => [type, text]),
        [
          ['text', 'Yes'],
          ['text', '.\n\nNo.'],
          ['done', 'Yes.\n\nNo.'],
        ],
      );
    },
  },
  {
    name: 'adds the events that it is asked for, with bytes as text',
    async run(pkg) {
      const { chat } = await talk(pkg, [() => saying('Yes.')]);
      const response = chat.stream('Hi').toResponse({ events: ['turn', 'done'] });
      const events = eventsIn(await response.text());
      deepEqual(
        events.map(({ type }) => type),
        ['turn', 'text', 'turn', 'done'],
      );
      deepEqual(JSON.parse(events[0].content), { role: 'user', parts: [{ text: 'Hi' }] });
      const other = chat.stream('Hi');
      throws(() => other.toResponse({ event: [] }), { code: 'field.unknown' });
      throws(() => other.toResponse({ events: ['turns'] }), {
        code: 'field.invalid',
        message: /^\/events\/0 must be 'request' or .*'turn' or .*, not this text$/,
      });
      ok((await other.toResponse().text()).includes('event: done'));
    },
  },
  {
    name: 'ends the response of a failed send with the code of the error alone',
    async run(pkg) {
      const refused = () => new Response('{"error":{"message":"A secret plan."}}', { status: 400 });
      const { chat } = await talk(pkg, [refused]);
      const text = await chat.stream('Hi').toResponse().text();
      deepEqual(eventsIn(text), [{ type: 'failed', code: 'api.400' }]);
    },
  },
  {
    name: 'aborts the send when the response is canceled',
    async run(pkg) {
      const { chat, signals } = await talk(pkg, [endless, () => saying('Yes.')]);
      const reader = chat.stream('Hi').toResponse().body.getReader();
      await reader.read();
      await reader.cancel();
      await until(() => signals[0].aborted);
      equal((await chat.ask('')).text, 'Yes.');
    },
  },
];

const connecting = [
  {
    name: 'connects to the emulator where it was asked for, and to nothing without a key',
    async run(pkg) {
      for (const options of [{ model }, { model, apiKey: '' }, { model, emulator: false }]) {
        const error = await rejects(pkg.connect(options), { code: 'key.missing' });
        match(error.message, /apiKey.*emulator: true/);
      }
      const chat = await pkg.connect({ model, emulator: true, systemInstruction: 'Be brief.' });
      match((await chat.ask('Hi')).text, /emulator/);
      match(
        (await (await pkg.connect({ model, emulator: true, apiKey: 'k' })).ask('Hi')).text,
        /emulator/,
      );
    },
  },
  {
    name: "connects by the caller's client, and refuses a second way",
    async run(pkg) {
      const client = new pkg.GeminiClient({ fetch: async () => saying('Mine.') });
      equal((await (await pkg.connect({ model, client })).ask('Hi')).text, 'Mine.');
      await rejects(pkg.connect({ model, client, apiKey: 'k' }), { code: 'field.invalid' });
      await rejects(pkg.connect({ model, client, emulator: true }), { code: 'field.invalid' });
      await rejects(pkg.connect({ model, client, modle: 1 }), { code: 'field.unknown' });
      for (const [given, meant] of [
        [{ apikey: 'k' }, 'apiKey'],
        [{ key: 'k' }, 'apiKey'],
        [{ emulater: true }, 'emulator'],
        [{ apiKey: 'k', baseUrl: '/' }, 'client: new GeminiClient\\({ baseUrl }\\)'],
        [{ emulator: true, messages: [] }, 'history'],
      ]) {
        const message = new RegExp(`is not an option\\. Did you mean ${meant}\\?`);
        await rejects(pkg.connect({ model, ...given }), { code: 'field.unknown', message });
      }
      await rejects(pkg.connect(), { code: 'field.invalid' });
    },
  },
  {
    name: 'opens a stored conversation',
    async run(pkg) {
      const client = new pkg.GeminiClient({ fetch: async () => saying('Yes.') });
      const place = { store: new pkg.MemoryStore(), id: 'a' };
      await (await pkg.connect({ model, client, ...place })).ask('Hi');
      const again = await pkg.connect({ model, client, ...place });
      deepEqual(again.history[0], { role: 'user', parts: [{ text: 'Hi' }] });
      equal(again.history.length, 2);
    },
  },
];

export default [...asking, ...streaming, ...responding, ...connecting];
