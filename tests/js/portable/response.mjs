// The response assembler builds the same Content and events for bytes split at arbitrary positions, and keeps each
// signature byte for byte.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3-pro-preview';
const now = '2026-11-21T10:00:00Z';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const sizes = [1, 7, 4096];

const signature = 'EqQFCqEFAb4+9vs0/'.repeat(40) + '9A==';
const usage = { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 };

// The spelling of the API: spaces, an escape, and numbers that JavaScript would write differently.
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

/** Assembles an answer from chunks of `size` bytes. */
function read(strata, text, size) {
  const bytes = encode(text);
  const response = strata.response();
  const events = [];
  for (let at = 0; at < bytes.length; at += size) {
    events.push(...response.push(bytes.slice(at, at + size)));
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
    name: 'builds the same Content from chunks of 1, 7, and 4096 bytes in every stream format',
    async run(pkg) {
      const strata = await pkg.load();
      const expected = `{"parts":[{"text":"I will look — 日本","thought":true},${callPart}],"role":"model"}`;
      const seen = [];
      for (const [form, text] of Object.entries(forms)) {
        for (const size of sizes) {
          const answer = read(strata, text(chunks), size);
          deepEqual(JSON.parse(answer.content), JSON.parse(expected), `${form} ${size}`);
          ok(answer.content.includes(callPart), `${form} ${size}: ${answer.content}`);
          equal(answer.finishReason, 'STOP');
          deepEqual(answer.usage, usage);
          // Each read has its token counts once.
          const events = answer.events.filter(({ type }) => type !== 'usage');
          seen.push(JSON.stringify({ ...answer, events }));
        }
      }
      equal(new Set(seen).size, 1);
    },
  },
  {
    name: 'emits small events in the order of the bytes',
    async run(pkg) {
      const { events } = read(await pkg.load(), forms['events with CRLF'](chunks), 5);
      const emitted = events.filter(({ type }) => !['usage', 'metadata'].includes(type));
      deepEqual(
        emitted.map(({ type, text, name }) => [type, text ?? name]),
        [
          ['thought', 'I will '],
          ['thought', 'look — 日本'],
          ['functionCall', 'weather'],
        ],
      );
      equal(emitted[2].args.city, 'Zürich');
    },
  },
  {
    name: 'keeps a single response object byte for byte',
    async run(pkg) {
      const strata = await pkg.load();
      const content = `{ "role":"model",\n "parts": [ ${callPart} ] }`;
      const text = `{"candidates":[{"content":${content},"finishReason":"STOP"}]}`;
      for (const size of sizes) equal(read(strata, text, size).content, content);
    },
  },
  {
    name: 'joins streamed arguments into one functionCall with the signature of its first part',
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
      for (const size of sizes) {
        const { content, events } = read(strata, forms['events with CRLF'](lines), size);
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
    name: 'sends a functionCall back byte for byte; lint reports its part if the signature is missing',
    async run(pkg) {
      const strata = await pkg.load();
      const checker = await pkg.check.loadChecker();
      for (const size of sizes) {
        const { content } = read(strata, forms['events with CRLF'](chunks), size);
        const thread = strata.thread({ model });
        for (const turn of [question, content, result]) thread.append(turn);
        const request = thread.assemble({ now, tools });
        equal(request.ok, true);
        const text = decode(request.body);
        ok(text.includes(`"thoughtSignature": "${signature}"`));
        ok(text.includes(content));
        deepEqual(checker.lint(request.body, { model }).diagnostics, []);
        const dropped = text.replace(`,"thoughtSignature": "${signature}"`, '');
        equal(dropped.length, text.length - signature.length - 23);
        const report = checker.lint(dropped, { model });
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

/** Returns the error that finish() throws for `text`, and the events before it. */
function failure(strata, text, size, expected) {
  const response = strata.response();
  const bytes = encode(text);
  const events = [];
  for (let at = 0; at < bytes.length; at += size) {
    events.push(...response.push(bytes.slice(at, at + size)));
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
    name: 'throws answer.cut with the partial Content for a stream cut at any byte',
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
    name: 'returns the events of a last event without a blank line, and skips a byte order mark',
    async run(pkg) {
      const strata = await pkg.load();
      const last = chunk('{"text": "Bye"}', ',"finishReason": "STOP"');
      for (const ending of ['', '\n', '\r\n', '\r']) {
        for (const size of sizes) {
          const bytes = encode(`\ufeffdata: ${chunk('{"text": "Hi "}')}\n\ndata: ${last}${ending}`);
          const response = strata.response();
          const events = [];
          for (let at = 0; at < bytes.length; at += size)
            events.push(...response.push(bytes.slice(at, at + size)));
          deepEqual(events.filter(({ type }) => type === 'text').length, 1);
          const rest = response.end();
          equal(rest[0].text, 'Bye');
          deepEqual(response.end(), []);
          equal(response.finish().text, 'Hi Bye');
          throws(() => response.end(), { message: 'end() was called after finish()' });
          response[dispose]();
        }
      }
    },
  },
  {
    name: 'emits and throws an error in mid-stream with its retry delay',
    async run(pkg) {
      const strata = await pkg.load();
      const pretty = JSON.stringify(quota, null, 2);
      const first = `data: ${chunks[0]}\r\n\r\n`;
      for (const tail of [`data: ${JSON.stringify(quota)}\r\n\r\n`, pretty, `[${pretty}]`]) {
        for (const size of sizes) {
          const { error, events } = failure(strata, first + tail, size, {
            code: 'api.RESOURCE_EXHAUSTED',
            status: 429,
            retryAfterMs: 34_400,
            message: 'Resource exhausted',
          });
          const emitted = events.find(({ type }) => type === 'error');
          deepEqual(emitted?.error, {
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
    name: 'reports the blockReason of a blocked prompt',
    async run(pkg) {
      const blocked = '{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}';
      const { error } = failure(await pkg.load(), blocked, 7, { code: 'answer.blocked' });
      deepEqual([error.blockReason, error.partial], ['PROHIBITED_CONTENT', null]);
    },
  },
  {
    name: 'throws for bytes that are not an answer',
    async run(pkg) {
      const strata = await pkg.load();
      const cases = [
        '',
        '\n\n',
        '<html>no</html>',
        'data: {"candidates":\r\n\r\n',
        '{}',
        'data: {"candidates":[{"content":{"parts":[]},"finishReason":"STOP"},]}\r\n\r\n',
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
    name: 'accepts no bytes after finish or dispose',
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
    name: 'assembles two answers at the same time',
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

const kinds = [
  {
    name: 'says what an answer is: its kind, its text, its calls, and why it cannot be used',
    async run(strata) {
      const core = await strata.load();
      const finish = (parts, finishReason, options) => {
        const response = core.response();
        const candidates = [{ content: { role: 'model', parts }, finishReason }];
        response.push(encode(JSON.stringify({ candidates })));
        const { kind, text, calls, blank, fault } = response.finish(options);
        return [kind, text, calls.length, blank, fault?.code];
      };
      const call = { functionCall: { name: 'f', args: {} } };
      const thought = { text: 'Hm.', thought: true };
      const cases = [
        [[thought, { text: 'Hi' }], 'STOP', ['text', 'Hi', 0, false, undefined]],
        [[call, call], 'STOP', ['calls', '', 2, false, undefined]],
        [[thought], 'STOP', ['thoughts_only', '', 0, false, 'answer.thoughts_only']],
        [[{ text: '' }], 'STOP', ['empty', '', 0, true, 'answer.empty']],
        [[{ text: '' }], 'MAX_TOKENS', ['max_tokens', '', 0, true, 'answer.max_tokens']],
        [[{ text: '' }], 'SPII', ['safety', '', 0, true, 'answer.safety']],
        [[{ text: 'x' }], 'CONTINUATION', ['cut', 'x', 0, false, 'answer.cut']],
        [
          [{ inlineData: { mimeType: 'image/png', data: '' } }],
          'STOP',
          ['data', '', 0, false, undefined],
        ],
      ];
      for (const [parts, reason, expected] of cases) deepEqual(finish(parts, reason), expected);
      const after = finish([{ text: '' }], 'STOP', { afterResponses: true });
      deepEqual(after, ['empty', '', 0, true, undefined]);
    },
  },
];

export default [...whole, ...failing, ...kinds];
