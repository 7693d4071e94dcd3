// Answers: the same Content and events whatever the cuts of the network, and a signature that goes back to the
// byte and is missed when it is dropped.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3-pro-preview';
const now = '2026-11-21T10:00:00Z';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const cuts = [1, 7, 4096];

const signature = 'EqQFCqEFAb4+9vs0/'.repeat(40) + '9A==';
const usage = { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 };

// As the API spells it: spaces, an escape, a number that JavaScript would respell.
const callPart =
  '{"functionCall": {"name": "weather","args": {"city": "Z\\u00fcrich","limit": 1.0,"id": 9007199254740993}},' +
  `"thoughtSignature": "${signature}"}`;

const chunk = (parts, more = '') =>
  `{"candidates": [{"content": {"parts": [${parts}],"role": "model"}${more},"index": 0}],` +
  `"usageMetadata": ${JSON.stringify(usage)},"modelVersion": "${model}","responseId": "r1"}`;

const chunks = [
  chunk('{"text": "I will ","thought": true}'),
  chunk('{"text": "look — 日本","thought": true}'),
  chunk(callPart),
  chunk('', ',"finishReason": "STOP"'),
];

const forms = {
  'events with CRLF': (lines) => lines.map((line) => `data: ${line}\r\n\r\n`).join(''),
  'events with LF': (lines) => lines.map((line) => `data: ${line}\n\n`).join(''),
  'a JSON array': (lines) => `[${lines.join(',\r\n')}]`,
};

/** What the assembler makes of bytes that come `cut` at a time. */
function read(strata, text, cut) {
  const bytes = encode(text);
  const response = strata.response();
  const events = [];
  for (let at = 0; at < bytes.length; at += cut) {
    events.push(...response.push(bytes.slice(at, at + cut)));
  }
  const answer = response.finish();
  response[dispose]();
  return { events, ...answer, content: answer.content && decode(answer.content) };
}

const tools = '[{"functionDeclarations":[{"name":"weather"}]}]';
const question = { role: 'user', parts: [{ text: 'Weather?' }] };
const result = {
  role: 'user',
  parts: [{ functionResponse: { name: 'weather', response: { sky: 'clear' } } }],
};

const whole = [
  {
    name: 'one Content, the same in cuts of 1, 7 and 4096, in every form of stream',
    async run(pkg) {
      const strata = await pkg.load();
      const expected = `{"parts":[{"text":"I will look — 日本","thought":true},${callPart}],"role":"model"}`;
      const seen = [];
      for (const [form, text] of Object.entries(forms)) {
        for (const cut of cuts) {
          const answer = read(strata, text(chunks), cut);
          deepEqual(JSON.parse(answer.content), JSON.parse(expected), `${form} ${cut}`);
          ok(answer.content.includes(callPart), `${form} ${cut}: ${answer.content}`);
          equal(answer.finishReason, 'STOP');
          deepEqual(answer.usage, usage);
          seen.push(JSON.stringify(answer));
        }
      }
      equal(new Set(seen).size, 1);
    },
  },
  {
    name: 'events are small, and in the order of the bytes',
    async run(pkg) {
      const { events } = read(await pkg.load(), forms['events with CRLF'](chunks), 5);
      const told = events.filter(({ type }) => !['usage', 'metadata'].includes(type));
      deepEqual(
        told.map(({ type, text, name }) => [type, text ?? name]),
        [
          ['thought', 'I will '],
          ['thought', 'look — 日本'],
          ['functionCall', 'weather'],
        ],
      );
      equal(told[2].args.city, 'Zürich');
    },
  },
  {
    name: 'an answer that came whole is kept to the byte',
    async run(pkg) {
      const strata = await pkg.load();
      const content = `{ "role":"model",\n "parts": [ ${callPart} ] }`;
      const text = `{"candidates":[{"content":${content},"finishReason":"STOP"}]}`;
      for (const cut of cuts) equal(read(strata, text, cut).content, content);
    },
  },
  {
    name: 'streamed arguments become one call with the signature of its first part',
    async run(pkg) {
      const strata = await pkg.load();
      const part = (call, more = '') => `{"functionCall": ${call}${more}}`;
      const partial = (value) =>
        part(
          `{"partialArgs": [{"jsonPath": "$.city","stringValue": "${value}"}],"willContinue": true}`,
        );
      const lines = [
        chunk(
          part('{"name": "weather","willContinue": true}', `,"thoughtSignature": "${signature}"`),
        ),
        chunk(partial('Zü')),
        chunk(partial('rich')),
        chunk(part('{}'), ',"finishReason": "STOP"'),
      ];
      for (const cut of cuts) {
        const { content, events } = read(strata, forms['events with CRLF'](lines), cut);
        deepEqual(JSON.parse(content).parts, [
          {
            functionCall: { name: 'weather', args: { city: 'Zürich' } },
            thoughtSignature: signature,
          },
        ]);
        equal(events.filter(({ type }) => type === 'functionCall').length, 1);
      }
    },
  },
  {
    name: 'a call goes back with its bytes; without its signature it is found at its part',
    async run(pkg) {
      const strata = await pkg.load();
      for (const cut of cuts) {
        const { content } = read(strata, forms['events with CRLF'](chunks), cut);
        const thread = strata.thread({ model });
        for (const turn of [question, content, result]) thread.append(turn);
        const request = thread.assemble({ now, tools });
        equal(request.ok, true);
        const text = decode(request.body);
        ok(text.includes(`"thoughtSignature": "${signature}"`));
        ok(text.includes(content));
        deepEqual(strata.lint(request.body, { model }).diagnostics, []);
        const dropped = text.replace(`,"thoughtSignature": "${signature}"`, '');
        equal(dropped.length, text.length - signature.length - 23);
        const report = strata.lint(dropped, { model });
        equal(report.ok, false);
        const turn = JSON.parse(text).contents.findIndex(({ role }) => role === 'model');
        deepEqual(
          report.diagnostics.map(({ code, path }) => [code, path]),
          [['signature.missing', `/contents/${turn}/parts/1`]],
        );
      }
    },
  },
];

/** The error that `text` ends in, and the events before it. */
function failure(strata, text, cut, expected) {
  const response = strata.response();
  const bytes = encode(text);
  const events = [];
  for (let at = 0; at < bytes.length; at += cut) {
    events.push(...response.push(bytes.slice(at, at + cut)));
  }
  const error = throws(() => response.finish(), { name: 'GeminiError', ...expected });
  return { error, events };
}

const quota = {
  error: {
    code: 429,
    message: 'Resource exhausted',
    status: 'RESOURCE_EXHAUSTED',
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }],
  },
};

const failing = [
  {
    name: 'a stream that is cut in the middle, at any byte, is an error with what had come',
    async run(pkg) {
      const strata = await pkg.load();
      const text = forms['events with CRLF'](chunks);
      const end = text.lastIndexOf('"finishReason"');
      for (let length = 0; length < end; length += 61) {
        const { error } = failure(strata, text.slice(0, length), 4096, { code: 'answer.cut' });
        if (error.partial) ok(JSON.parse(decode(error.partial)).parts.length > 0);
      }
      const { error } = failure(strata, text.slice(0, end), 7, { code: 'answer.cut' });
      ok(decode(error.partial).includes(callPart));
    },
  },
  {
    name: 'an error in mid-stream is told as an event and thrown with its delay',
    async run(pkg) {
      const strata = await pkg.load();
      const pretty = JSON.stringify(quota, null, 2);
      const first = `data: ${chunks[0]}\r\n\r\n`;
      for (const tail of [`data: ${JSON.stringify(quota)}\r\n\r\n`, pretty, `[${pretty}]`]) {
        for (const cut of cuts) {
          const { error, events } = failure(strata, first + tail, cut, {
            code: 'api.RESOURCE_EXHAUSTED',
            status: 429,
            retryAfterMs: 34_400,
            message: 'Resource exhausted',
          });
          const told = events.find(({ type }) => type === 'error');
          deepEqual(told?.error, {
            code: 429,
            status: 'RESOURCE_EXHAUSTED',
            message: 'Resource exhausted',
            retryAfterMs: 34_400,
          });
          match(decode(error.partial), /I will /);
        }
      }
    },
  },
  {
    name: 'a prompt that was blocked says why',
    async run(pkg) {
      const blocked = '{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}';
      const { error } = failure(await pkg.load(), blocked, 7, { code: 'answer.blocked' });
      deepEqual([error.blockReason, error.partial], ['PROHIBITED_CONTENT', null]);
    },
  },
  {
    name: 'bytes that are no answer are an error, not an answer',
    async run(pkg) {
      const strata = await pkg.load();
      const cases = [
        '',
        '\n\n',
        '<html>no</html>',
        'data: {"candidates":\r\n\r\n',
        '{}',
        'data: 5\r\n\r\n',
      ];
      for (const text of [...cases, `data: ${'['.repeat(10_000)}\r\n\r\n`]) {
        const { error } = failure(strata, text, 7, { code: /^answer\./ });
        equal(error.partial, null, text.slice(0, 20));
      }
      const bad = strata.response();
      bad.push(new Uint8Array([...encode('data: {"a":"'), 0xff, ...encode('"}\n\n')]));
      throws(() => bad.finish(), { name: 'GeminiError', code: /^answer\./ });
    },
  },
  {
    name: 'an answer that was finished or disposed takes no more',
    async run(pkg) {
      const strata = await pkg.load();
      const response = strata.response();
      response.push(encode(forms['events with CRLF'](chunks)));
      const first = response.finish();
      deepEqual(response.finish(), first);
      throws(() => response.push(new Uint8Array(1)), { name: 'ReferenceError' });
      response[dispose]();
      response[dispose]();
      throws(() => response.finish(), { name: 'ReferenceError', message: /disposed/ });
      for (const bytes of [5, {}, null, true]) {
        throws(() => strata.response().push(bytes), { code: 'field.invalid' }, String(bytes));
      }
    },
  },
  {
    name: 'two answers at once do not mix',
    async run(pkg) {
      const strata = await pkg.load();
      const [a, b] = [strata.response(), strata.response()];
      const other = [chunk('{"text": "Other."}', ',"finishReason": "STOP"')];
      const bytesOfA = encode(forms['events with CRLF'](chunks));
      const bytesOfB = encode(forms['events with CRLF'](other));
      for (let at = 0; at < bytesOfA.length; at += 16) {
        a.push(bytesOfA.slice(at, at + 16));
        b.push(bytesOfB.slice(at, at + 16));
      }
      ok(decode(a.finish().content).includes(callPart));
      equal(JSON.parse(decode(b.finish().content)).parts[0].text, 'Other.');
    },
  },
];

export default [...whole, ...failing];
