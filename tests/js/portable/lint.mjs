// lint reports every finding with its path for bodies in any spelling, and returns a report for any input.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const encode = (text) => new TextEncoder().encode(text);
const user = (...parts) => ({ role: 'user', parts });
const hello = { contents: [user({ text: 'hi' })] };

const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);
const placeFields = ['range', 'line', 'column', 'edits'];
const withoutPlace = (found) =>
  Object.fromEntries(Object.entries(found).filter(([name]) => !placeFields.includes(name)));

/** Returns a report without places and edits, which only text and bytes have. */
const unplaced = (report) => ({
  ...report,
  diagnostics: report.diagnostics.map(({ places, ...found }) => ({
    ...withoutPlace(found),
    ...(places && { places: places.map(withoutPlace) }),
  })),
});
const places = ({ diagnostics }) => diagnostics.map(({ code, path }) => `${code} ${path}`);

async function lintOf(pkg) {
  const checker = await pkg.check.loadChecker();
  return (body, options = {}) => checker.lint(body, { model, ...options });
}

const step = {
  contents: [
    user({ text: 'Weather?' }),
    { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Rome' } } }] },
    user({ functionResponse: { name: 'weather', response: { sky: 'clear' } } }),
  ],
};
const snake = (body) =>
  JSON.stringify(body).replace(/"([a-z]+)([A-Z])/g, (_, a, b) => `"${a}_${b.toLowerCase()}`);

// A body with many different errors.
const broken = {
  systemInstruction: 'be kind',
  temperature: 1,
  tools: [{ functionDeclarations: [{ name: '1bad' }] }],
  generationConfig: {
    presencePenalty: 1,
    thinkingConfig: { thinkingLevel: 'LOW', thinkingBudget: 5 },
  },
  contents: [
    { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
    user(
      { functionResponse: { name: 'g', response: [1] } },
      { functionResponse: { name: 'g', response: {} } },
    ),
    { role: 'assistant', parts: [] },
    { ...user({}, { text: 'a', inlineData: {} }), timestamp: 1 },
    { role: 'model', parts: [{ text: 'bye' }] },
  ],
};

const found = [
  {
    name: 'reports nothing for a valid body',
    async run(pkg) {
      deepEqual((await lintOf(pkg))(hello), { ok: true, wire: 'generateContent', diagnostics: [] });
    },
  },
  {
    name: 'reads integers like the API, and knows the field names below the top level',
    async run(pkg) {
      const lint = await lintOf(pkg);
      const on25 = { model: 'gemini-2.5-flash' };
      for (const budget of ['1024', '1024.0', '1e3', '"1024"', '"oops"']) {
        const thinkingConfig = `"thinkingConfig":{"thinkingBudget":${budget}}`;
        const head = JSON.stringify(hello).slice(0, -1);
        const report = lint(`${head},"generationConfig":{${thinkingConfig}}}`, on25);
        deepEqual(codes(report), budget === '"oops"' ? ['field.invalid'] : []);
      }
      const report = lint({ ...hello, generationConfig: { maxTokens: 5, candidateCount: '2' } });
      deepEqual(places(report), [
        'field.unknown /generationConfig/maxTokens',
        'config.candidate_count /generationConfig/candidateCount',
      ]);
    },
  },
  {
    name: "reports code, severity, path, message, and Google's answer",
    async run(pkg) {
      const report = (await lintOf(pkg))(step);
      equal(report.ok, false);
      const [{ code, severity, path, message, upstream }, ...others] = report.diagnostics;
      deepEqual(others, []);
      deepEqual([code, severity, path], ['signature.missing', 'error', '/contents/1/parts/0']);
      match(message, /thoughtSignature/);
      match(upstream, /^Function call is missing a thought_signature in functionCall parts\./);
      match(upstream, /`default_api:weather` , position 2/);
    },
  },
  {
    name: 'reports all findings, not only the first',
    async run(pkg) {
      const reported = places((await lintOf(pkg))(broken));
      for (const expected of [
        'field.invalid /systemInstruction',
        'field.unknown /temperature',
        'tools.name_invalid /tools/0/functionDeclarations/0/name',
        'config.penalty_unsupported /generationConfig/presencePenalty',
        'thinking.both /generationConfig/thinkingConfig',
        'turn.first_not_user /contents/0',
        'call.order /contents/0',
        'response.not_object /contents/1/parts/0/functionResponse/response',
        'response.count /contents/1',
        'response.name_mismatch /contents/1/parts/0',
        'role.invalid /contents/2/role',
        'parts.empty /contents/2',
        'field.unknown /contents/3/timestamp',
        'part.no_data /contents/3/parts/0',
        'part.multiple_data /contents/3/parts/1',
        'turn.ends_with_model /contents/4',
      ]) {
        ok(reported.includes(expected), `${expected} is not among ${reported.join(', ')}`);
      }
    },
  },
  {
    name: 'reads both spellings of a field, and uses the spelling of the body in paths',
    async run(pkg) {
      const lint = await lintOf(pkg);
      match(snake(step), /"function_call"/);
      deepEqual(unplaced(lint(snake(step))), lint(step));
      const body = { system_instruction: 'x', ...hello };
      deepEqual(places(lint(body)), ['field.invalid /system_instruction']);
      const signed = structuredClone(step);
      signed.contents[1].parts[0].thoughtSignature = 'c2lnbmVk';
      deepEqual(codes(lint(signed)), []);
      deepEqual(codes(lint(snake(signed))), []);
    },
  },
  {
    name: 'returns the same report for a value, its text, and its bytes',
    async run(pkg) {
      const lint = await lintOf(pkg);
      const text = JSON.stringify(broken);
      const expected = lint(broken);
      deepEqual(unplaced(lint(text)), expected);
      deepEqual(lint(encode(text)), lint(text));
      deepEqual(unplaced(lint(JSON.stringify(broken, null, '\t'))), expected);
    },
  },
  {
    name: 'accepts every kind of buffer as a body, and writes one inside a value as base64',
    async run(pkg) {
      const lint = await lintOf(pkg);
      const checker = await pkg.check.loadChecker();
      const expected = lint(broken);
      const { buffer } = encode(JSON.stringify(broken)).slice();
      for (const body of [buffer, new DataView(buffer), new Uint8ClampedArray(buffer)]) {
        deepEqual(unplaced(lint(body)), expected);
      }
      const withFile = (data) => ({ contents: [user({ inlineData: { mimeType: 'a/b', data } })] });
      const file = new Uint8Array([1, 2, 3]);
      for (const data of [file, file.buffer, new DataView(file.buffer)]) {
        const { body } = checker.repair(withFile(data), { model });
        equal(new TextDecoder().decode(body), JSON.stringify(withFile('AQID')));
      }
      const large = new Uint8Array(100_000).map((_, at) => at);
      const { body } = checker.repair(withFile(large), { model });
      const [{ parts }] = JSON.parse(new TextDecoder().decode(body)).contents;
      equal(parts[0].inlineData.data.length, 133_336);
    },
  },
  {
    name: 'names the value that cannot be written as JSON; in options it throws a typed error',
    async run(pkg) {
      const lint = await lintOf(pkg);
      match(lint(new Map()).diagnostics[0].message, /cannot represent this Map/);
      match(
        lint({ contents: Promise.resolve() }).diagnostics[0].message,
        /Promise \(property "contents"\)/,
      );
      throws(() => lint(hello, { cache: { model, tokens: 1n } }), {
        ...{ name: 'StrataError', code: 'field.invalid', message: /cache.tokens/ },
      });
    },
  },
  {
    name: 'applies the rules of the model, the backend, and the given cache',
    async run(pkg) {
      const lint = await lintOf(pkg);
      deepEqual(codes(lint(step, { model: 'gemini-2.5-pro' })), []);
      deepEqual(codes(lint(step, { model: 'models/gemini-9-ultra' })), ['signature.missing']);
      const empty = { contents: [user({ text: '' })] };
      equal(lint(empty).ok, true);
      equal(lint(empty, { backend: 'vertex' }).ok, false);
      const cached = { cachedContent: 'cachedContents/x', tools: [], ...hello };
      const cache = { model: 'gemini-3-pro', tokens: 10 };
      deepEqual(places(lint(cached, { cache })).sort(), [
        'cache.forbidden_fields /tools',
        'cache.model_mismatch /cachedContent',
        'cache.too_small /cachedContent',
      ]);
    },
  },
];

const upstreams = [
  {
    name: "sets upstream only where Google's message is known",
    async run(pkg) {
      const lint = await lintOf(pkg);
      const upstreamOf = (body) => lint(body).diagnostics.map(({ upstream }) => upstream);
      const answered = (response) => {
        const signed = { ...step.contents[1].parts[0], thoughtSignature: 'c2lnbmVk' };
        const result = { functionResponse: { name: 'weather', response } };
        const contents = [step.contents[0], { role: 'model', parts: [signed] }, user(result)];
        return upstreamOf({ contents });
      };
      match(answered(['clear'])[0], /cannot start list\.$/);
      for (const response of ['clear', 5, true]) deepEqual(answered(response), [undefined]);
      deepEqual(upstreamOf('{"contents":'), ['Invalid JSON payload received.']);
    },
  },
];

const circular = {};
circular.self = circular;

// JavaScript values and texts that are not JSON.
const notJson = {
  'a number': 42,
  null: null,
  undefined,
  'a boolean': true,
  'a symbol': Symbol('x'),
  'a function': () => hello,
  'a BigInt': 10n,
  'a BigInt inside': { contents: 10n },
  'a circular object': circular,
  'an object that throws': {
    toJSON() {
      throw new Error('not today');
    },
  },
  'an object that is nothing': { toJSON() {} },
  'a Map': new Map([['contents', []]]),
  'a Set inside': { contents: new Set() },
  'a promise': Promise.resolve(hello),
  'a Blob': new Blob(['{}']),
  'numbers that are no bytes': new Float32Array(2),
  'zero bytes': new Uint8Array(0),
  'empty text': '',
  'white space': ' \r\n\t',
  'half a body': '{"contents":[{"role":"user","parts":[{"te',
  'two bodies': '{"contents":[]}{}',
  'a number with a plus': '{"a":+1}',
  'a control character in a string': '{"a":"\u0001"}',
};

const located = [
  ['{"contents":[{"role":"user","parts":[{"te', 'json.invalid', '/contents/0/parts/0'],
  [
    '{"contents":[{"role":"user","parts":[{"text":tru}]}]}',
    'json.invalid',
    '/contents/0/parts/0/text',
  ],
  ['{"contents":[{"role":"user","role":"model"}]}', 'json.duplicate_key', '/contents/0/role'],
  ['{"contents":"a"}', 'field.invalid', '/contents'],
  ['{"contents":[5]}', 'field.invalid', '/contents/0'],
  ['{"contents":[{"role":"user","parts":"x"}]}', 'field.invalid', '/contents/0/parts'],
  [
    '{"contents":[{"role":"user","parts":[{"text":1}]}]}',
    'field.invalid',
    '/contents/0/parts/0/text',
  ],
  ['{}', 'contents.empty', '/contents'],
  ['[]', 'field.invalid', ''],
  ['"x"', 'field.invalid', ''],
];

const bad = [
  {
    name: 'reports a body that is too large, from lint and from repair',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const large = Object.defineProperty(new Uint8Array(0), 'length', { value: 2 ** 29 });
      for (const judge of ['lint', 'repair']) {
        deepEqual(places(checker[judge](large, { model })), ['size.too_large ']);
      }
      equal(checker.lint(hello, { model }).ok, true);
    },
  },
  {
    name: 'reports a body that is not JSON, and still checks the next body',
    async run(pkg) {
      const lint = await lintOf(pkg);
      for (const [what, body] of Object.entries(notJson)) {
        const report = lint(body);
        equal(report.ok, false, what);
        deepEqual(codes(report), ['json.invalid'], what);
        equal(typeof report.diagnostics[0].message, 'string', what);
      }
      deepEqual(codes(lint(step)), ['signature.missing']);
    },
  },
  {
    name: 'reports the path of an error inside a body',
    async run(pkg) {
      const lint = await lintOf(pkg);
      for (const [body, code, path] of located) deepEqual(places(lint(body)), [`${code} ${path}`]);
    },
  },
  {
    name: "omits upstream when Google's message needs a location and there is none",
    async run(pkg) {
      const [finding] = (await lintOf(pkg))('[]').diagnostics;
      equal(finding.upstream, undefined);
    },
  },
  {
    name: 'reports json.too_deep for ten thousand levels without a stack overflow',
    async run(pkg) {
      const lint = await lintOf(pkg);
      const levels = 10_000;
      const nested = (open, close) => open.repeat(levels) + '1' + close.repeat(levels);
      for (const body of [nested('[', ']'), nested('{"a":', '}'), '['.repeat(levels)]) {
        const report = lint(body);
        deepEqual(codes(report), ['json.too_deep']);
        match(report.diagnostics[0].path, /^(\/[0a]){100,}$/);
      }
    },
  },
  {
    name: 'reports bytes that are not UTF-8',
    async run(pkg) {
      const lint = await lintOf(pkg);
      const head = encode('{"contents":[{"role":"user","parts":[{"text":"');
      const tail = encode('"}]}]}');
      const withBytes = (...bytes) => new Uint8Array([...head, ...bytes, ...tail]);
      for (const bytes of [
        [0xff],
        [0xc3],
        [0xc0, 0xaf],
        [0xed, 0xa0, 0x80],
        [0xf5, 0x80, 0x80, 0x80],
      ]) {
        const report = lint(withBytes(...bytes));
        deepEqual(places(report), ['json.invalid_utf8 /contents/0/parts/0/text'], bytes.join());
      }
      equal(lint(withBytes(0xf0, 0x9f, 0x90, 0xa2)).ok, true);
    },
  },
  {
    name: 'keeps the text after a lone surrogate',
    async run(pkg) {
      const lint = await lintOf(pkg);
      const text = 'ab\ud83d" ,next';
      const contents = [user({ text }), { role: 'model', parts: [] }, user({ text })];
      deepEqual(places(lint({ contents })), [
        'text.lone_surrogate /contents/0/parts/0/text',
        'parts.empty /contents/1',
        'text.lone_surrogate /contents/2/parts/0/text',
      ]);
      const raw =
        '{"contents":[{"role":"user","parts":[{"text":"ab\ud83d"}]},{"role":"who","parts":[{"text":"x"}]}]}';
      deepEqual(codes(lint(raw)).includes('role.invalid'), true);
    },
  },
  {
    name: 'reads a body of five megabytes completely',
    async run(pkg) {
      const lint = await lintOf(pkg);
      const text = 'Zürich '.repeat(720_000);
      const body = JSON.stringify({ contents: [user({ text })] });
      ok(encode(body).length > 5e6);
      deepEqual(lint(body), { ok: true, wire: 'generateContent', diagnostics: [] });
      deepEqual(places(lint(body.slice(0, -2))), ['json.invalid /contents/1']);
    },
  },
];

export default [...found, ...upstreams, ...bad];
