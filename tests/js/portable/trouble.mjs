// After any failure of a send, the next request is valid and contains everything that the user wrote.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const text = (utf8) => new TextDecoder().decode(utf8);

const asked = { functionCall: { id: 'c1', name: 'look', args: {} }, thoughtSignature: 'c2lnbmVk' };
const look = { name: 'look', run: () => ({ seen: 'a fox' }) };

const tale = Array.from({ length: 40 }, (_, i) => `Here goes fox ${i}. `).join('');

/** Returns a functionCall if the message asks to look, and a long text otherwise. */
function answerTo({ contents }) {
  const [part] = contents.at(-1).parts;
  return { parts: [/look/i.test(part.text) ? asked : { text: tale }] };
}

/** Returns a conversation with the emulator, and the bodies sent to the model and to create caches. */
async function talk(strata, { faults = [], emulator = {}, client = {}, ...options } = {}) {
  const core = await strata.load();
  const checker = await strata.check.loadChecker();
  const bodies = [];
  const cached = [''];
  const answer = strata.createEmulator({
    ...{ checker, faults, now, ...emulator },
    respond: ({ body }) => answerTo(body),
  });
  const fetch = async (url, init) => {
    if (url.includes(':stream')) bodies.push(text(init.body));
    else if (init.method === 'POST') cached.push(text(init.body));
    return answer(url, init);
  };
  const gemini = new strata.GeminiClient({ fetch, retry: false, ...client });
  const settings = { model, now, tools: [look], answerRetry: false, ...options };
  const chat = new strata.Conversation(core, gemini, settings);
  return { core, checker, chat, bodies, cached, gemini };
}

async function collect(events, into = []) {
  for await (const event of events) into.push(event);
  return into;
}

const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => JSON.parse(text(thread.content(i))));
const rolesOf = (thread) => turnsOf(thread).map(({ role }) => role);

/** Sends another message and checks that all requests are valid and contain `texts`. */
async function checkNextSend({ checker, chat, bodies, cached }, ...texts) {
  await collect(chat.send('What now?'));
  for (const body of bodies) ok(checker.lint(body, { model }).ok, body);
  const sent = bodies.at(-1) + cached.at(-1);
  for (const expected of [...texts, 'What now?']) ok(sent.includes(expected), expected);
  equal(rolesOf(chat.thread).at(-1), 'model');
}

const troubles = [
  {
    name: 'keeps tool results after an empty answer and sends them with the next message',
    async run(strata) {
      const talking = await talk(strata, { faults: [{ kind: 'empty', at: 2 }] });
      const events = await collect(talking.chat.send('Please look.'));
      ok(events.some(({ type }) => type === 'empty'));
      deepEqual(rolesOf(talking.chat.thread), ['user', 'model', 'user']);
      equal(talking.chat.unanswered, true);
      await checkNextSend(talking, 'Please look.', 'a fox');
    },
  },
  {
    name: 'keeps the question and drops the answer after an abort in mid-stream',
    async run(strata) {
      const talking = await talk(strata, { emulator: { delayMs: 1 } });
      const controller = new AbortController();
      const reading = (async () => {
        for await (const { type } of talking.chat.send('Hello there', controller)) {
          if (type === 'text') controller.abort(new Error('enough'));
        }
      })();
      await rejects(reading, { message: 'enough' });
      deepEqual(rolesOf(talking.chat.thread), ['user']);
      await checkNextSend(talking, 'Hello there');
    },
  },
  {
    name: 'sends the request again without a cache that was deleted',
    async run(strata) {
      const rules = 'Be kind, be brief and name your sources. '.repeat(600);
      const talking = await talk(strata, {
        caching: { registry: new strata.MemoryCacheRegistry() },
        static: { text: rules },
      });
      await collect(talking.chat.send('First'));
      const [cached] = talking.bodies.map((body) => JSON.parse(body).cachedContent);
      await talking.gemini.caches.delete(cached);
      const events = await collect(talking.chat.send('Second'));
      ok(events.some(({ type }) => type === 'cacheLost'));
      equal(events.at(-1).type, 'done');
      await checkNextSend(talking, 'First', 'Second');
    },
  },
  {
    name: 'throws a repeated 429 with its delay, and sends the same text only once',
    async run(strata) {
      const talking = await talk(strata, { faults: [{ kind: 'http429', retryDelay: '30s' }] });
      await rejects(collect(talking.chat.send('Hello there')), {
        name: 'GeminiError',
        ...{ status: 429, rpcStatus: 'RESOURCE_EXHAUSTED', retryAfterMs: 30_000 },
      });
      await collect(talking.chat.send('Hello there'));
      deepEqual(rolesOf(talking.chat.thread), ['user', 'model']);
      await checkNextSend(talking, 'Hello there');
    },
  },
  {
    name: 'retries a functionCall without a signature, then throws and keeps the question',
    async run(strata) {
      const faults = [{ kind: 'unsigned' }, { kind: 'unsigned' }];
      const talking = await talk(strata, { faults, answerRetry: { attempts: 2, initialMs: 1 } });
      const events = [];
      const failed = collect(talking.chat.send('Please look.'), events);
      const error = await rejects(failed, { name: 'GeminiError', code: 'answer.unusable' });
      match(text(error.partial), /functionCall/);
      equal(events.filter(({ type }) => type === 'fault').length, 2);
      deepEqual(rolesOf(talking.chat.thread), ['user']);
      await checkNextSend(talking, 'Please look.');
    },
  },
  {
    name: 'adds the placeholder to a functionCall without a signature if allowed, and reports it',
    async run(strata) {
      const faults = [{ kind: 'unsigned' }];
      const talking = await talk(strata, { faults, dummySignatures: true });
      const events = await collect(talking.chat.send('Please look.'));
      const reported = events.flatMap(({ diagnostics = [] }) => diagnostics);
      ok(
        reported.some(({ code, repaired }) => code === 'signature.missing' && repaired),
        'not reported',
      );
      const [part] = turnsOf(talking.chat.thread)[1].parts;
      equal(part.thoughtSignature, 'skip_thought_signature_validator');
      deepEqual(part.functionCall, asked.functionCall);
      await checkNextSend(talking, 'Please look.', 'a fox');
    },
  },
];

const key = 'AIzaSyTrouble-test-key_0123456789';

/** Returns a stream that starts and then fails with an error that repeats the key in every string. */
function leaking(form) {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.Help', links: [{ url: `?k=${key}` }] },
  ];
  const error = JSON.stringify({
    error: { code: 500, status: 'INTERNAL', message: `bad ${key}`, details },
  });
  const content = { role: 'model', parts: [{ text: 'Once' }] };
  const first = `data: ${JSON.stringify({ candidates: [{ content }] })}\r\n\r\n`;
  const escaped = error.replaceAll(key, `\\u0041${key.slice(1)}`);
  return first + (form === 'data' ? `data: ${escaped}\r\n\r\n` : error);
}

const secrets = [
  {
    name: 'redacts a key that an error in mid-stream repeats, in events, errors, and the store',
    async run(strata) {
      const core = await strata.load();
      for (const form of ['data', 'bare']) {
        const fetch = async () => new Response(leaking(form));
        const client = new strata.GeminiClient({ fetch, apiKey: key, retry: false });
        const store = new strata.MemoryStore();
        const chat = await strata.Conversation.open(core, client, {
          ...{ model, now, store, id: 'one' },
          answerRetry: { attempts: 2, initialMs: 1 },
        });
        const events = [];
        const error = await rejects(collect(chat.send('Hi'), events), { status: 500 });
        match(error.message, /bad \[api key\]/);
        equal(error.details[0].links[0].url, '?k=[api key]');
        const emitted = JSON.stringify(events, (_, value) =>
          value instanceof Uint8Array ? text(value) : value,
        );
        match(emitted, /"fault"/);
        const all = [
          emitted,
          JSON.stringify(error),
          String(error.stack),
          ...(await store.read('one')),
        ];
        for (const one of all) ok(!one.includes(key), one);
      }
    },
  },
  {
    name: 'redacts a key that an answer repeats in its error, but not in the metadata of the answer',
    async run(strata) {
      const core = await strata.load();
      const content = { role: 'model', parts: [] };
      const finish = { finishReason: 'OTHER', finishMessage: `f ${key}` };
      const answers = [
        { candidates: [{ content, ...finish }], responseId: key, modelVersion: key },
        { candidates: [{ content, finishReason: `O_${key}` }], responseId: key },
        { promptFeedback: { blockReason: key, blockReasonMessage: key }, responseId: key },
      ];
      for (const answer of answers) {
        const fetch = async () => new Response(`data: ${JSON.stringify(answer)}\r\n\r\n`);
        const client = new strata.GeminiClient({ fetch, apiKey: key, retry: false });
        const chat = new strata.Conversation(core, client, { model, now, answerRetry: false });
        const events = [];
        const error = await rejects(collect(chat.send('Hi'), events), { requestId: '[api key]' });
        const { finishReason, message } = error;
        const seen = JSON.stringify([error, finishReason, message, String(error.stack)]);
        ok(!seen.includes(key), seen);
        const { metadata } = events.find(({ type }) => type === 'metadata');
        equal(metadata.responseId, key);
      }
    },
  },
];

/** Returns a conversation whose API answers each request with the next list of Parts. */
async function answered(strata, answers, more = {}) {
  const asked = [];
  const fetch = async (_, { body }) => {
    asked.push(text(body));
    const parts = answers[Math.min(asked.length, answers.length) - 1];
    const content = { role: 'model', parts };
    const answer = { candidates: [{ content, finishReason: 'STOP' }] };
    return new Response(`data: ${JSON.stringify(answer)}\n\n`);
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = new strata.Conversation(await strata.load(), client, {
    ...{ model, now, answerRetry: { attempts: 2, initialMs: 1 } },
    ...more,
  });
  return { chat, asked };
}

const oddities = [
  {
    name: 'ignores invalid token counts',
    async run(strata) {
      const parts = [{ text: 'Hello.' }];
      for (const candidatesTokenCount of [-3, 2.5, '12', null, 1e300]) {
        const answer = {
          candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
        };
        const usageMetadata = { candidatesTokenCount, promptTokenCount: candidatesTokenCount };
        const body = JSON.stringify({ ...answer, usageMetadata });
        const fetch = async () => new Response(`data: ${body}\n\n`);
        const client = new strata.GeminiClient({ fetch, retry: false });
        const options = {
          model,
          now,
          answerRetry: false,
          caching: { registry: new strata.MemoryCacheRegistry() },
        };
        const chat = new strata.Conversation(await strata.load(), client, options);
        for (const message of ['Hi', 'Again']) await collect(chat.send(message));
        equal(chat.thread.length, 4, String(candidatesTokenCount));
      }
    },
  },
  {
    name: 'uses the defaults for retry options that are undefined',
    async run(strata) {
      let asked = 0;
      const fetch = async () => {
        asked++;
        return new Response('{}', { status: asked < 3 ? 503 : 400 });
      };
      const unset = { attempts: undefined, statuses: undefined, factor: undefined };
      const client = new strata.GeminiClient({ fetch, retry: { ...unset, initialMs: 1 } });
      await rejects(client.generate(model, new Uint8Array(0)), { code: 'api.400' });
      equal(asked, 3);
      const answerRetry = {
        attempts: undefined,
        codes: undefined,
        factor: undefined,
        initialMs: 1,
      };
      const { chat, asked: bodies } = await answered(strata, [[null]], { answerRetry });
      await rejects(collect(chat.send('Hi')), { name: 'GeminiError', code: 'answer.empty' });
      equal(bodies.length, 4);
    },
  },
  {
    name: 'retries an answer with invalid Parts',
    async run(strata) {
      for (const parts of [[null], [5], [{ text: 'Hm' }, null], [{}], [{ functionCall: null }]]) {
        const { chat } = await answered(strata, [parts, [{ text: 'Hello.' }]]);
        const events = await collect(chat.send('Hi'));
        equal(events.filter(({ type }) => type === 'retry').length, 1, JSON.stringify(parts));
        deepEqual(turnsOf(chat.thread)[1].parts, [{ text: 'Hello.' }]);
      }
      const { chat } = await answered(strata, [[null]]);
      await rejects(collect(chat.send('Hi')), { name: 'GeminiError', code: /^answer\./ });
      deepEqual(rolesOf(chat.thread), ['user']);
    },
  },
  {
    name: 'stores an unknown kind of Part unchanged and sends it back',
    async run(strata) {
      const reference = { videoRef: { uri: 'x' }, thoughtSignature: 'c2lnbmVk' };
      for (const parts of [[{ text: 'Hi' }, reference], [reference]]) {
        const { chat, asked } = await answered(strata, [parts, [{ text: 'Yes.' }]]);
        const events = await collect(chat.send('Hi'));
        const reported = events.flatMap(({ diagnostics = [] }) => diagnostics);
        deepEqual(
          reported.map(({ code, severity }) => [code, severity]),
          [['field.unknown', 'info']],
        );
        deepEqual(turnsOf(chat.thread)[1].parts, parts);
        await collect(chat.send('Again?'));
        ok(asked[1].includes(JSON.stringify(reference)), asked[1]);
      }
    },
  },
  {
    name: 'stores a Part with only a signature as it came',
    async run(strata) {
      const alone = { thoughtSignature: 'c2lnbmVk' };
      const { chat } = await answered(strata, [[{ text: 'Hi' }, alone]]);
      const events = await collect(chat.send('Hi'));
      deepEqual(
        events.flatMap(({ diagnostics = [] }) => diagnostics),
        [],
      );
      // The API takes it back: recorded in a5d7154d3cdff96f.
      deepEqual(turnsOf(chat.thread)[1].parts, [{ text: 'Hi' }, alone]);
      const retried = await answered(strata, [[alone], [{ text: 'Hello.' }]]);
      await collect(retried.chat.send('Hi'));
      deepEqual(turnsOf(retried.chat.thread)[1].parts, [{ text: 'Hello.' }]);
    },
  },
  {
    name: 'rejects a model Content as a message and stores nothing',
    async run(strata) {
      const { chat, asked } = await answered(strata, [[{ text: 'Hello.' }]]);
      const own = { role: 'model', parts: [{ text: 'I say' }] };
      const other = { ...own, role: 'assistant' };
      const bytes = (content) => new TextEncoder().encode(JSON.stringify(content));
      for (const input of [own, bytes(own), other, bytes(other)]) {
        const expected = { code: 'trigger.missing', message: /^A message is a user Content/ };
        await rejects(collect(chat.send(input)), { name: 'HistoryError', ...expected });
        equal(chat.thread.length, 0);
      }
      equal(asked.length, 0);
      await collect(chat.send('Hi'));
      equal(chat.thread.length, 2);
    },
  },
  {
    name: 'rejects a damaged stored line',
    async run(strata) {
      const store = new strata.MemoryStore();
      const client = new strata.GeminiClient({ fetch: strata.createEmulator(), retry: false });
      const core = await strata.load();
      const options = { model, store, id: 'a' };
      const first = await strata.Conversation.open(core, client, options);
      await collect(first.send('Hi'));
      const lines = await store.read('a');
      const broken = '{"strata":1,"kind":"result","index":';
      for (const damaged of [
        [...lines, broken],
        [lines[0], lines[1].slice(0, -5)],
      ]) {
        await store.write('a', 0, damaged);
        await rejects(strata.Conversation.open(core, client, options), {
          name: 'HistoryError',
          code: 'store.damaged',
          message: /^The stored conversation "a", line [23] cannot be read: Invalid JSON/,
        });
      }
    },
  },
];

export default [...troubles, ...secrets, ...oddities];
