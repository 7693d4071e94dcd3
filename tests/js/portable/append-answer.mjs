// Thread.appendAnswer moves an answer into a thread without a copy outside of WebAssembly, or changes nothing; and
// ResponseAssembler.content looks at an answer without ending it.
import { deepEqual, equal, ok, throws } from './assert.mjs';
import { finishedContent } from './finished-content.mjs';

const model = 'gemini-3-pro-preview';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => bytes && new TextDecoder().decode(bytes);
const question = { role: 'user', parts: [{ text: 'Weather?' }] };

const chunk = (parts, more = '') =>
  `data: {"candidates": [{"content": {"parts": [${parts}],"role": "model"}${more},"index": 0}]}\r\n\r\n`;
const stop = ',"finishReason": "STOP"';
const call =
  '{"functionCall": {"name": "weather","args": {"limit": 1.0}},"thoughtSignature": "QUJD"}';
const piece = (fields) => `{"functionCall": {${fields}}}`;

/** Answers in the spelling of the API, each as the texts of its reads. */
const answers = {
  'texts that are joined': [chunk('{"text": "Z\\u00fcrich "}'), chunk('{"text": "日本"}', stop)],
  'a thought and a signed call': [chunk('{"text": "Hm","thought": true}'), chunk(call, stop)],
  'streamed arguments': [
    chunk(piece('"name": "f","willContinue": true')),
    chunk(piece('"partialArgs": [{"jsonPath": "$.a","stringValue": "x"}],"willContinue": true')),
    chunk(piece('"partialArgs": [{"jsonPath": "$.b[1]","boolValue": true}]'), stop),
  ],
  'a call whose last piece does not come': [
    chunk(piece('"name": "f","willContinue": true')),
    chunk('', stop),
  ],
  'a last event without a blank line': [
    chunk('{"text": "Hi"}'),
    `data: {"candidates":[{"content":{"parts":[{"text":"!"}]},"finishReason":"STOP"}]}`,
  ],
  'a response that is not streamed': [
    `{"candidates": [{"content": {"role":"model",\n "parts": [ ${call} ] },"finishReason": "STOP"}]}`,
  ],
};

/** Returns a response that has received these texts. */
function received(strata, texts) {
  const response = strata.response();
  for (const text of texts) response.push(encode(text));
  return response;
}

function threadOf(strata, options = {}) {
  const thread = strata.thread({ model, policy: 'warn', ...options });
  thread.append(question);
  return thread;
}

const moves = [
  {
    name: 'appends what append would of the finished Content, before and after end and finish',
    async run(pkg) {
      const strata = await pkg.load();
      const meta = { model, at: '2026-11-21T10:00:00Z', tokens: 7 };
      for (const [name, texts] of Object.entries(answers)) {
        const expected = threadOf(strata);
        const report = expected.append(received(strata, texts).finish().content, meta);
        for (const before of [() => {}, (r) => r.end(), (r) => r.finish(), (r) => r.content()]) {
          const thread = threadOf(strata);
          const response = received(strata, texts);
          before(response);
          deepEqual(thread.appendAnswer(response, meta), report, name);
          equal(decode(thread.save()), decode(expected.save()), name);
        }
      }
    },
  },
  {
    name: 'does under each policy what append does',
    async run(pkg) {
      const empty = '{"text": "Hi"},{"text": "","thought": true}';
      const all = { ...answers, 'an empty text': [chunk(empty, stop)] };
      const strata = await pkg.load();
      for (const policy of ['reject', 'repair', 'warn']) {
        for (const [name, texts] of Object.entries(all)) {
          const [one, other] = [threadOf(strata, { policy }), threadOf(strata, { policy })];
          const outcome = (append) => {
            try {
              return append();
            } catch ({ code, message, diagnostics }) {
              return { code, message, diagnostics };
            }
          };
          const appended = outcome(() => one.append(received(strata, texts).finish().content));
          deepEqual(
            outcome(() => other.appendAnswer(received(strata, texts))),
            appended,
            name,
          );
          equal(decode(other.save()), decode(one.save()), name);
        }
      }
    },
  },
  {
    name: 'leaves nothing of the response but dispose',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = threadOf(strata);
      const response = received(strata, answers['texts that are joined']);
      thread.appendAnswer(response);
      const uses = {
        push: () => response.push(encode('x')),
        end: () => response.end(),
        content: () => response.content(),
        finish: () => response.finish(),
        appendAnswer: () => thread.appendAnswer(response),
      };
      for (const [name, use] of Object.entries(uses))
        throws(use, { name: 'ReferenceError', message: /appended to a thread/ }, name);
      response[dispose]();
      equal(thread.length, 2);
    },
  },
  {
    name: 'leaves a rejected answer in the response, which another append takes with a placeholder',
    async run(pkg) {
      const strata = await pkg.load();
      const unsigned = chunk('{"functionCall": {"name": "f","args": {}}}', stop);
      const thread = threadOf(strata, { policy: 'reject' });
      const response = received(strata, [unsigned]);
      const before = decode(thread.save());
      throws(() => thread.appendAnswer(response), {
        name: 'HistoryError',
        code: 'signature.missing',
      });
      throws(() => thread.appendAnswer(response, { invented: 1 }), {
        name: 'StrataError',
        code: 'field.unknown',
        message: /\/meta\/invented/,
      });
      throws(() => thread.appendAnswer(response, {}, { placeholder: 5 }), {
        code: 'field.invalid',
      });
      equal(decode(thread.save()), before);
      ok(decode(response.content()).includes('"name": "f"'));
      const { diagnostics } = thread.appendAnswer(response, { model }, { placeholder: true });
      equal(diagnostics[0].code, 'signature.missing');
      ok(decode(thread.content(1)).includes('thoughtSignature'));
    },
  },
];

const blocked = '{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}';
const limited = '{"error":{"code":429,"message":"later","status":"RESOURCE_EXHAUSTED"}}';

/** Responses without a complete answer: their texts, what was done then, and the error. */
const refused = {
  nothing: [[], '', { name: 'StrataError', code: 'answer.unfinished' }],
  'an answer that still streams': [
    [chunk('{"text": "Hel"}')],
    '',
    { name: 'StrataError', code: 'answer.unfinished', message: /has not ended/ },
  ],
  'an event of which a half has come': [
    [chunk('{"text": "Hi"}', stop).slice(0, -30)],
    '',
    { code: 'answer.unfinished' },
  ],
  'an answer that was cut off': [
    [chunk('{"text": "Hel"}')],
    'end',
    { name: 'GeminiError', code: 'answer.cut' },
  ],
  'an answer that was cut off, after finish': [
    [chunk('{"text": "Hel"}')],
    'finish',
    { code: 'answer.cut' },
  ],
  'an answer without parts': [
    ['{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}'],
    'end',
    { name: 'GeminiError', code: 'answer.empty', finishReason: 'STOP', partial: null },
  ],
  'a filtered answer': [
    ['{"candidates":[{"finishReason":"SAFETY"}]}'],
    'end',
    { name: 'GeminiError', code: 'answer.safety', finishReason: 'SAFETY' },
  ],
  'an answer of an empty text': [
    [chunk('{"text": ""}', stop)],
    'end',
    { name: 'GeminiError', code: 'answer.empty' },
  ],
  'an answer that another response continues': [
    [chunk('{"text": "Once"}', ',"finishReason": "CONTINUATION"')],
    'end',
    { name: 'GeminiError', code: 'answer.cut', finishReason: 'CONTINUATION' },
  ],
  'a blocked prompt': [
    [blocked],
    'end',
    { name: 'GeminiError', code: 'answer.blocked', blockReason: 'PROHIBITED_CONTENT' },
  ],
  'an error in mid-stream': [
    [chunk('{"text": "Hel"}'), limited],
    '',
    { name: 'GeminiError', code: 'api.RESOURCE_EXHAUSTED', message: 'later', status: 429 },
  ],
  'bytes that are no answer': [['<html>'], 'end', { name: 'GeminiError', code: /^answer\./ }],
};

const refusals = [
  {
    name: 'changes neither the thread nor the response if there is no complete answer',
    async run(pkg) {
      const strata = await pkg.load();
      for (const [what, [texts, then, error]] of Object.entries(refused)) {
        const thread = threadOf(strata, { policy: 'reject' });
        const response = received(strata, texts);
        if (then === 'end') response.end();
        if (then === 'finish') throws(() => response.finish(), error, what);
        const [before, content] = [decode(thread.save()), decode(response.content())];
        const thrown = throws(() => thread.appendAnswer(response), error, what);
        if (thrown.partial) equal(decode(thrown.partial), content, what);
        equal(decode(thread.save()), before, what);
        equal(decode(response.content()), content, what);
        response[dispose]();
      }
    },
  },
  {
    name: 'takes the rest of an answer that was refused because it still streamed',
    async run(pkg) {
      const strata = await pkg.load();
      for (const [name, texts] of Object.entries(answers)) {
        const expected = threadOf(strata);
        expected.appendAnswer(received(strata, texts));
        const thread = threadOf(strata);
        const response = strata.response();
        const text = texts.join('');
        // From there on, the answer may be complete.
        const end = encode(text.slice(0, text.lastIndexOf('"finishReason"'))).length;
        encode(text).forEach((byte, at) => {
          if (at < end && at % 5 === 0)
            throws(() => thread.appendAnswer(response), { code: 'answer.unfinished' }, name);
          response.push(Uint8Array.of(byte));
        });
        thread.appendAnswer(response);
        equal(decode(thread.save()), decode(expected.save()), name);
      }
      const continued = received(strata, [
        chunk('{"text": "Once "}', ',"finishReason": "CONTINUATION"'),
      ]);
      const thread = threadOf(strata);
      continued.end();
      throws(() => thread.appendAnswer(continued), { code: 'answer.cut' });
      continued.push(encode(chunk('{"text": "more."}', stop)));
      thread.appendAnswer(continued);
      ok(decode(thread.content(1)).includes('"Once more."'));
    },
  },
  {
    name: 'refuses what is no response of the same instance, and what was disposed',
    async run(pkg) {
      const [strata, other] = [await pkg.load(), await pkg.load()];
      const thread = threadOf(strata);
      const texts = answers['texts that are joined'];
      const foreign = received(other, texts);
      const invalid = {
        name: 'StrataError',
        code: 'field.invalid',
        message: /^\/response must be/,
      };
      for (const wrong of [foreign, undefined, null, 5, {}, question, encode('{}')])
        throws(() => thread.appendAnswer(wrong), invalid, String(wrong));
      equal(foreign.finish().text, 'Zürich 日本');
      const gone = received(strata, texts);
      gone[dispose]();
      throws(() => thread.appendAnswer(gone), { name: 'ReferenceError', message: /disposed/ });
      equal(thread.length, 1);
      const response = received(strata, texts);
      thread[dispose]();
      throws(() => thread.appendAnswer(response), {
        name: 'ReferenceError',
        message: /thread was disposed/,
      });
      equal(response.finish().text, 'Zürich 日本');
    },
  },
  {
    name: 'keeps the redaction of errors',
    async run(pkg) {
      const strata = await pkg.load();
      const response = strata.response({ redact: (text) => text.replaceAll('later', '[secret]') });
      response.push(encode(limited));
      const error = throws(() => threadOf(strata).appendAnswer(response), { message: '[secret]' });
      ok(!JSON.stringify(error).includes('later'));
    },
  },
];

const looks = [
  {
    name: 'returns at every byte what finish would return there, and ends nothing',
    async run(pkg) {
      const strata = await pkg.load();
      for (const [name, texts] of Object.entries(answers)) {
        const bytes = encode(texts.join(''));
        const response = strata.response();
        equal(response.content(), undefined);
        const events = [];
        for (let at = 0; at < bytes.length; at++) {
          events.push(...response.push(bytes.subarray(at, at + 1)));
          const soFar = decode(finishedContent(strata, bytes.subarray(0, at + 1)));
          equal(decode(response.content()), soFar, `${name}, byte ${at}`);
        }
        equal(decode(response.content()), decode(response.content()), name);
        const whole = strata.response();
        deepEqual([...events, ...response.end()], [...whole.push(bytes), ...whole.end()], name);
        const content = decode(response.content());
        equal(decode(response.finish().content), content, name);
        equal(decode(response.content()), content, name);
        response[dispose]();
        throws(() => response.content(), { name: 'ReferenceError', message: /disposed/ });
      }
    },
  },
  {
    name: 'returns copies: a caller may write into the bytes',
    async run(pkg) {
      const strata = await pkg.load();
      const response = received(strata, answers['a response that is not streamed']);
      response.end();
      const expected = decode(response.content());
      response.content().fill(0);
      equal(decode(response.content()), expected);
    },
  },
];

/** Returns the names of the calls into WebAssembly that `work` makes, constructors and `delete` included. */
async function callsOf({ instance: { module } }, work) {
  const [names, undo] = [[], []];
  const replace = (owner, key, make) => {
    const original = owner[key];
    owner[key] = make(original);
    undo.push(() => (owner[key] = original));
  };
  const counted = (name) => (original) =>
    function (...args) {
      names.push(name);
      return original.apply(this, args);
    };
  for (const name of ['Core', 'Thread', 'Response']) {
    const { prototype } = module[name];
    const methods = new Set([...Object.keys(prototype), 'delete']);
    for (const method of methods) replace(prototype, method, counted(method));
    replace(
      module,
      name,
      (original) =>
        new Proxy(original, {
          construct(target, args) {
            names.push(`new ${name}`);
            return Reflect.construct(target, args);
          },
        }),
    );
  }
  try {
    await work();
    // The buffer grows once, and then serves all calls.
    return names.filter((name) => name !== 'buffer');
  } finally {
    for (const restore of undo.reverse()) restore();
  }
}

/** Counts the bytes that cross: into calls, and out of them as documents and as bytes. */
async function bytesOf({ instance }, work) {
  const crossed = { in: 0, documents: 0, bytes: {} };
  const { call: original } = instance;
  const sizeOf = (part) => part?.length ?? 0;
  instance.call = function (parts, action, parse = JSON.parse) {
    for (const part of parts) crossed.in += sizeOf(part);
    const seen = (text) => {
      crossed.documents += text.length;
      return parse(text);
    };
    const reply = original.call(this, parts, action, seen);
    const [, name] = /\.(\w+)\(/.exec(String(action)) ?? [];
    if (reply.bytes.length > 0)
      crossed.bytes[name] = (crossed.bytes[name] ?? 0) + reply.bytes.length;
    return reply;
  };
  try {
    await work();
    return crossed;
  } finally {
    delete instance.call;
  }
}

const counts = [
  {
    name: 'one ask crosses 5 + N times, and the Content of the answer only once, into the core',
    async run(pkg) {
      const strata = await pkg.load();
      const signature = 'QUJD'.repeat(50_000);
      const usage = '"usageMetadata": {"promptTokenCount": 9,"candidatesTokenCount": 2}';
      const reads = [
        chunk('{"text": "Hel"}'),
        chunk(`{"text": "lo","thoughtSignature": "${signature}"}`),
        `data: {"candidates": [{"finishReason": "STOP"}],${usage}}\r\n\r\n`,
      ];
      const body = () =>
        new ReadableStream({
          start(controller) {
            for (const read of reads) controller.enqueue(encode(read));
            controller.close();
          },
        });
      const client = new pkg.GeminiClient({ fetch: async () => new Response(body()) });
      const chat = new pkg.Conversation(strata, client, { model });
      const first = await callsOf(strata, () => chat.ask('Hi'));
      // The limits of the model, once.
      deepEqual(first.sort(), [...expected(reads.length), 'modelLimits'].sort());
      chat.thread.rewind(0);
      chat.thread.append(question);
      chat.thread.append({ role: 'model', parts: [{ text: 'Rain.' }] });
      const crossed = await bytesOf(strata, async () => {
        await chat.ask('And now?');
      });
      const size = signature.length;
      ok(crossed.in > size && crossed.in < 1.05 * size, `${crossed.in} bytes in`);
      // The event `part` has the signature, too.
      ok(crossed.documents < 1.05 * size, `${crossed.documents} characters out`);
      const others = Object.entries(crossed.bytes).filter(([, length]) => length > 1000);
      deepEqual(others, []);
      ok(decode(chat.thread.content(3)).includes(signature));
      deepEqual(await callsOf(strata, () => chat.ask('And then?')), expected(reads.length));
    },
  },
  {
    name: 'reads the bytes of a turn event when somebody asks, once, and before the thread changes',
    async run(pkg) {
      const strata = await pkg.load();
      const say = (text) => chunk(`{"text": "${text}"}`, stop);
      let count = 0;
      const client = new pkg.GeminiClient({
        fetch: async () => new Response(say(`No. ${++count}`)),
      });
      const chat = new pkg.Conversation(strata, client, { model });
      const turns = async (text) => {
        const events = [];
        for await (const event of chat.send(text)) if (event.type === 'turn') events.push(event);
        return events;
      };
      let kept;
      const read = await callsOf(strata, async () => (kept = await turns('Hello')));
      ok(!read.includes('content'), `${read}`);
      const [user, answer] = kept;
      const reads = await callsOf(strata, () => {
        const copy = { ...answer };
        equal(decode(copy.content), decode(answer.content));
        equal(answer.content, answer.content);
        deepEqual(structuredClone(answer), copy);
        ok(decode(user.content).includes('Hello'));
      });
      deepEqual(
        reads.filter((name) => name === 'content'),
        ['content'],
      );
      let [again, third] = [[], []];
      const first = await callsOf(strata, async () => (again = await turns('Again')));
      deepEqual(first, expected(1));
      const next = await callsOf(strata, async () => (third = await turns('And again')));
      deepEqual(next, ['content', ...expected(1)]);
      ok(decode(again[1].content).includes('No. 2'), 'before another turn');
      chat.thread.rewind(2);
      const [, last] = await turns('Once more');
      ok(decode(third[1].content).includes('No. 3'), 'before a rewind');
      chat[dispose]();
      ok(decode(last.content).includes('No. 4'), 'before dispose');
    },
  },
];

/** The calls of one ask whose answer comes in `reads` reads. */
const expected = (reads) => [
  ...['append', 'assemble', 'new Response'],
  ...Array.from({ length: reads - 1 }, () => 'push'),
  ...['finish', 'appendAnswer', 'delete'],
];

export default [...moves, ...refusals, ...looks, ...counts];
