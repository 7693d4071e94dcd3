// Bad responses and bad input, from the client to the thread: each causes a typed error with a location, leaves the
// thread unchanged, and never shows the API key.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const key = 'AIzaSyErrors-test-key_0123456789';
const now = '2026-11-21T10:00:00Z';
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);

const says = (role, text) => ({ role, parts: [{ text }] });
const event = (value) =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\r\n\r\n`;
const chunk = (parts, more = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
});
const done = { finishReason: 'STOP' };

/** Returns a client whose fetch returns this answer. */
function clientOf(pkg, answer) {
  const fetch = async (...request) => answer(...request);
  return new pkg.GeminiClient({ apiKey: key, fetch, retry: false });
}

const streaming =
  (...events) =>
  () =>
    new Response(events.map(event).join(''));

/** Returns a stream that fails like a lost connection. */
const broken =
  (...events) =>
  () => {
    const pieces = events.map((value) => encode(event(value)));
    const pull = (out) => {
      const piece = pieces.shift();
      if (piece) out.enqueue(piece);
      else out.error(new TypeError(`connection reset by ${key}`));
    };
    return new Response(new ReadableStream({ pull }));
  };

const refusing =
  (code, status, details = []) =>
  () =>
    new Response(JSON.stringify({ error: { code, message: `refused: ${key}`, status, details } }), {
      status: code,
    });

/** Returns every text in an error and in its properties, to search for secrets. */
function allTextOf(error) {
  const seen = new Set();
  const texts = [];
  const visit = (value) => {
    if (typeof value === 'string') texts.push(value);
    if (value instanceof Uint8Array) texts.push(decode(value));
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const name of Reflect.ownKeys(value)) visit(value[name]);
  };
  visit(error);
  return texts.join('\n');
}

async function filled(pkg) {
  const strata = await pkg.load();
  const thread = strata.thread({ model });
  for (const turn of [says('user', 'One?'), says('model', 'One.')]) thread.append(turn);
  return { strata, thread };
}

/** Performs one turn without a Conversation: assembles, streams, and appends the answer. */
async function turn(strata, thread, client) {
  const { body } = thread.assemble({ now, trigger: 'Two?' });
  const next = thread.fork();
  next.append(says('user', 'Two?'));
  const response = strata.response();
  const { body: stream } = await client.stream(model, body);
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    response.push(read.value);
  }
  const { content } = response.finish();
  next.append(content);
  return next;
}

const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' };
const quota = {
  error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED', details: [retryInfo] },
};
const deep = '['.repeat(10_000);

const answers = {
  'a stream that is cut between two events': [
    streaming(chunk([{ text: 'Tw' }])),
    { name: 'GeminiError', code: 'answer.cut' },
  ],
  'a stream that is cut inside an event': [
    () => new Response(`data: {"candidates":[{"content":{"parts":[{"te`),
    { name: 'GeminiError', code: 'answer.cut' },
  ],
  'a connection that breaks': [
    broken(chunk([{ text: 'Tw' }])),
    { name: 'GeminiError', code: 'network' },
  ],
  'an empty stream': [streaming(), { name: 'GeminiError', code: 'answer.cut' }],
  'an error in mid-stream': [
    streaming(chunk([{ text: 'Tw' }]), quota),
    { name: 'GeminiError', code: 'api.RESOURCE_EXHAUSTED', status: 429, retryAfterMs: 34_400 },
  ],
  'an event that is not JSON': [
    streaming('{"candidates":[{"content":{"parts":[{"text":tru}]}}]}', chunk([], done)),
    { name: 'GeminiError', code: /^answer\.(invalid|cut)$/, message: /at byte \d+/ },
  ],
  'an event that is too deep': [
    streaming(`{"candidates":${deep}`, chunk([], done)),
    { name: 'GeminiError', code: /^answer\.(invalid|cut)$/ },
  ],
  'an answer that is an HTML page': [
    () => new Response('<html><title>Welcome</title></html>'),
    { name: 'GeminiError', code: /^answer\./ },
  ],
  'a blocked prompt': [
    streaming({ promptFeedback: { blockReason: 'SAFETY' } }),
    { name: 'GeminiError', code: 'answer.blocked', blockReason: 'SAFETY' },
  ],
  'HTTP 429 with RetryInfo': [
    refusing(429, 'RESOURCE_EXHAUSTED', [retryInfo]),
    { name: 'GeminiError', code: 'api.RESOURCE_EXHAUSTED', status: 429, retryAfterMs: 34_400 },
  ],
  'HTTP 400': [
    refusing(400, 'INVALID_ARGUMENT'),
    { name: 'GeminiError', code: 'api.INVALID_ARGUMENT', status: 400, retryAfterMs: undefined },
  ],
  'HTTP 502 with a page that shows the key': [
    () => new Response(`<title>Bad Gateway for ${key}</title>`, { status: 502 }),
    { name: 'GeminiError', code: 'api.502', status: 502, message: /^Bad Gateway/ },
  ],
  'no answer at all': [
    () => {
      throw new TypeError('fetch failed', { cause: new Error(`no route for ${key}`) });
    },
    { name: 'GeminiError', code: 'network', status: 0 },
  ],
  'a call without its signature': [
    streaming(chunk([{ functionCall: { name: 'f', args: {} } }], done)),
    { name: 'HistoryError', code: 'signature.missing', message: /\/contents\/3\/parts\/0/ },
  ],
  'a part of a wrong type': [
    streaming(chunk([{ text: 'x', inlineData: {} }], done)),
    { name: 'HistoryError', code: 'part.multiple_data', message: /\/contents\/3\/parts\/0/ },
  ],
};

const network = Object.entries(answers).map(([what, [answer, expected]]) => ({
  name: `throws a typed error without the key and leaves the thread unchanged for ${what}`,
  async run(pkg) {
    const { strata, thread } = await filled(pkg);
    const before = thread.save();
    const error = await rejects(turn(strata, thread, clientOf(pkg, answer)), expected);
    ok(error instanceof pkg.StrataError);
    ok(error.message.length > 0);
    ok(!allTextOf(error).includes(key), 'the error shows the key');
    deepEqual(thread.save(), before);
    const working = clientOf(pkg, streaming(chunk([{ text: 'Two.' }], done)));
    equal((await turn(strata, thread, working)).length, 4);
  },
}));

const conversations = [
  {
    name: 'throws the same errors from a Conversation and restores its state',
    async run(pkg) {
      const strata = await pkg.load();
      for (const [what, [answer, expected]] of Object.entries(answers)) {
        let answering = streaming(chunk([{ text: 'One.' }], done));
        const client = clientOf(pkg, (...request) => answering(...request));
        const chat = new pkg.Conversation(strata, client, { model, answerRetry: false });
        const send = async (text) => {
          for await (const { type } of chat.send(text)) equal(typeof type, 'string');
        };
        await send('One?');
        const before = chat.thread.save();
        answering = answer;
        const error = await rejects(send('Two?'), {}, what);
        ok(error instanceof pkg.StrataError, what);
        if (expected.name === 'GeminiError') equal(error.name, 'GeminiError', what);
        ok(!allTextOf(error).includes(key), what);
        const saved = decode(chat.thread.save());
        ok(saved.startsWith(decode(before)), what);
        ok(chat.thread.length <= 3, `${what}: ${saved}`);
        equal(chat.thread.report().ok, true, what);
      }
    },
  },
];

const requests = [
  {
    name: 'returns diagnostics with paths instead of a body that the API would reject',
    async run(pkg) {
      const { thread } = await filled(pkg);
      for (const trigger of [{ role: 'user', parts: [{ text: 5 }] }, { role: 'user' }, {}]) {
        const { ok: valid, body, diagnostics } = thread.assemble({ now, trigger });
        equal(valid, false);
        equal(body.length, 0);
        match(diagnostics[0].path, /^\/contents\/2/);
      }
    },
  },
  {
    name: 'rejects a key that is not a valid header value without showing it',
    async run({ GeminiClient }) {
      for (const apiKey of [`${key}\n`, `${key} \u2028`]) {
        const error = await rejects(async () => new GeminiClient({ apiKey }));
        ok(!allTextOf(error).includes(key.slice(0, 12)));
      }
    },
  },
];

export default [...network, ...conversations, ...requests];
