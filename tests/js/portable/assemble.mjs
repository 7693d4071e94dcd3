// Tests assemble(): the order of the four layers, input that is sent unchanged, what a cached request omits, and
// the prefix that a request shares with the previous one.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const parse = ({ body }) => JSON.parse(decode(body));

const says = (role, text) => ({ role, parts: [{ text }] });
const signed = {
  role: 'model',
  parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2lnbmVk' }],
};
const result = {
  role: 'user',
  parts: [{ functionResponse: { name: 'f', response: { ok: true } } }],
};
const old = [
  says('user', 'One?'),
  says('model', 'One.'),
  says('user', 'Two?'),
  says('model', 'Two.'),
];

const tools =
  '[ {"functionDeclarations" : [{"name":"f","parameters":{"type":"OBJECT","minProperties":1.0}}]} ]';
const otherTools = '[{"functionDeclarations":[{"name":"g"}]}]';
const toolConfig = '{"functionCallingConfig":{"mode":"AUTO"}}';
const generationConfig = '{"maxOutputTokens":1e3}';
const safetySettings = '[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]';
const fields = { tools, toolConfig, generationConfig, safetySettings };
const layers = { now, static: { text: 'STATIC' }, dynamic: { text: '{"dynamic":1}' } };

async function open(pkg, contents = old, options = {}) {
  const strata = await pkg.load();
  const thread = strata.thread({ model, ...options });
  for (const content of contents) thread.append(content);
  return { strata, thread };
}

const textOf = ({ parts }) => parts[0].text ?? Object.keys(parts[0])[0];
const textsOf = (assembled) => parse(assembled).contents.map(textOf);
const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);
const layerOf = ({ manifest }, name) => manifest.layers.find(({ layer }) => layer === name);

const order = [
  {
    name: 'orders the fields of the body from the most stable to the least stable',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({ ...fields, ...layers, trigger: 'Three?' });
      const expected = ['systemInstruction', 'tools', 'toolConfig', 'generationConfig'];
      deepEqual(Object.keys(parse(request)), [...expected, 'safetySettings', 'contents']);
      // The order of the input does not matter.
      const backwards = Object.fromEntries(Object.entries(fields).reverse());
      const again = thread.assemble({ trigger: 'Three?', ...layers, ...backwards });
      deepEqual(again.body, request.body);
    },
  },
  {
    name: 'orders the layers: static, dynamic, buffered, trigger',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({ ...layers, trigger: 'Three?' });
      equal(textOf(parse(request).systemInstruction), 'STATIC');
      deepEqual(textsOf(request), ['{"dynamic":1}', 'One?', 'One.', 'Two?', 'Two.', 'Three?']);
      deepEqual(
        request.manifest.layers.map(({ layer }) => layer),
        ['static', 'dynamic', 'buffered', 'trigger'],
      );
      const asUser = thread.assemble({
        ...layers,
        static: { text: 'STATIC', role: 'user' },
        trigger: 'Three?',
      });
      equal(parse(asUser).systemInstruction, undefined);
      deepEqual(textsOf(asUser).slice(0, 2), ['STATIC', '{"dynamic":1}']);
    },
  },
  {
    name: 'places the dynamic text before the current turn, never inside a step',
    async run(pkg) {
      const { thread } = await open(pkg, [...old, says('user', 'Use f'), signed, result]);
      const dynamic = { text: '{"dynamic":1}', placement: 'before-current-turn' };
      const request = thread.assemble({ ...layers, dynamic });
      deepEqual(textsOf(request).slice(3), [
        ...['Two.', '{"dynamic":1}', 'Use f', 'functionCall', 'functionResponse'],
      ]);
      equal(request.ok, true);
    },
  },
  {
    name: 'renders the static and the dynamic text with the default templates',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      const request = thread.assemble({
        now,
        static: {
          template: templates.defaultTemplate('static'),
          variables: { main_instruction: 'Answer in "one" sentence.' },
        },
        dynamic: {
          template: templates.defaultTemplate('dynamic'),
          variables: { todos: [{ title: 'Pack "it" \\ \n', checked: false }] },
        },
        trigger: 'Three?',
      });
      equal(request.ok, true);
      const instruction = JSON.parse(textOf(parse(request).systemInstruction));
      equal(instruction.main_instruction, 'Answer in "one" sentence.');
      const dynamic = JSON.parse(textsOf(request)[0]);
      match(JSON.stringify(dynamic), /2026-11-21T10:00:00Z/);
      match(JSON.stringify(dynamic), /Pack \\"it\\"/);
    },
  },
  {
    name: 'sends fields and a trigger given as text or bytes unchanged, byte for byte',
    async run(pkg) {
      const { thread } = await open(pkg);
      for (const form of [(text) => text, encode]) {
        const given = Object.entries(fields).map(([name, text]) => [name, form(text)]);
        const body = decode(
          thread.assemble({ ...layers, ...Object.fromEntries(given), trigger: 'x' }).body,
        );
        for (const [name, text] of Object.entries(fields)) ok(body.includes(`"${name}":${text}`));
      }
      const trigger = '{ "parts":[{"text":"\\u0041 1.0"}],\t"role":"user" }';
      for (const given of [encode(trigger), JSON.parse(trigger)]) {
        const { body } = thread.assemble({ ...layers, trigger: given });
        ok(
          decode(body).endsWith(
            `,${given instanceof Uint8Array ? trigger : JSON.stringify(given)}]}`,
          ),
        );
      }
    },
  },
  {
    name: 'returns a body that passes lint and owns its buffer',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const { thread } = await open(pkg);
      const input = { ...layers, ...fields, trigger: 'Three?' };
      const { body, ok: valid } = thread.assemble(input);
      equal(valid, true);
      equal(checker.lint(body, { model }).ok, true);
      deepEqual([body.byteOffset, body.buffer.byteLength], [0, body.length]);
      const copy = body.slice();
      body.fill(0);
      deepEqual(thread.assemble(input).body, copy);
      for (let i = 0; i < 40; i++) thread.fork().append(says('user', 'x'.repeat(100_000)));
      deepEqual(thread.assemble(input).body, copy);
    },
  },
];

const triggers = [
  {
    name: 'sends a text trigger as the last Content and does not change the thread',
    async run(pkg) {
      const { thread } = await open(pkg);
      const before = thread.save();
      const request = thread.assemble({ ...layers, trigger: 'Say "hi"\n\ud83d' });
      equal(textsOf(request).at(-1), 'Say "hi"\n\ufffd');
      ok(layerOf(request, 'trigger').bytes > 0);
      deepEqual(thread.save(), before);
    },
  },
  {
    name: 'uses the functionResponses that end the thread as the trigger',
    async run(pkg) {
      const { thread } = await open(pkg, [says('user', 'Use f'), signed, result]);
      for (const trigger of [undefined, '', ' \n']) {
        const request = thread.assemble({ ...layers, trigger });
        equal(request.ok, true);
        deepEqual(parse(request).contents.at(-1), result);
        equal(parse(request).contents.length, 4);
        equal(layerOf(request, 'trigger').bytes, JSON.stringify(result).length);
      }
    },
  },
  {
    name: 'sends an unanswered text once, even if it is also given as the trigger',
    async run(pkg) {
      const { thread } = await open(pkg, [...old, says('user', 'Three?')]);
      const [none, again, whole] = [undefined, 'Three?', says('user', 'Three?')].map(
        (trigger) => thread.assemble({ ...layers, trigger }).body,
      );
      deepEqual(again, none);
      deepEqual(whole, none);
      deepEqual(textsOf({ body: none }).slice(-2), ['Two.', 'Three?']);
    },
  },
  {
    name: 'builds no request without a trigger and reports trigger.missing',
    async run(pkg) {
      const { strata, thread } = await open(pkg);
      for (const request of [
        thread.assemble(layers),
        strata.thread({ model }).assemble({ ...layers, trigger: '  ' }),
      ]) {
        equal(request.ok, false);
        deepEqual(codes(request), ['trigger.missing']);
        equal(request.body.length, 0);
      }
    },
  },
  {
    name: 'validates the trigger together with the thread before it',
    async run(pkg) {
      const { thread } = await open(pkg, [says('user', 'Use f'), signed]);
      const request = thread.assemble({ ...layers, trigger: 'never mind' });
      equal(request.ok, false);
      ok(codes(request).includes('call.open'));
      equal(thread.assemble({ ...layers, trigger: result }).ok, true);
    },
  },
  {
    name: 'rejects text after an unanswered functionResponse in a strict thread, and only there',
    async run(pkg) {
      const contents = [says('user', 'Use f'), signed, result];
      for (const [sequencing, valid] of [
        [undefined, false],
        ['strict', false],
        ['api', true],
      ]) {
        const { thread } = await open(pkg, contents, { sequencing });
        const request = thread.assemble({ ...layers, trigger: 'And?' });
        equal(request.ok, valid, sequencing);
        const [finding] = request.diagnostics;
        equal(finding.code, 'response.not_followed_by_model');
        equal(finding.path, '/contents/4');
      }
    },
  },
];

/** Returns a thread whose prompt is large enough to cache, and the cache that its cacheBody would create. */
async function withCache(pkg, more = {}) {
  const { strata, thread } = await open(pkg);
  const input = { ...layers, ...fields, static: { text: 'long '.repeat(6000) }, ...more };
  const { body, turns, key } = thread.cacheBody(input);
  const cache = { name: 'cachedContents/abc', model: `models/${model}`, turns, key };
  return {
    strata,
    thread,
    input: { ...input, trigger: 'Three?' },
    cache,
    created: parse({ body }),
  };
}

const caching = [
  {
    name: 'omits every field that a request with cachedContent must not contain',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const { thread, input, cache, created } = await withCache(pkg);
      deepEqual(Object.keys(created), ['model', 'systemInstruction', 'tools', 'toolConfig']);
      const request = thread.assemble({ ...input, cache });
      equal(request.manifest.cache.decision, 'hit');
      const expected = ['generationConfig', 'safetySettings', 'cachedContent', 'contents'];
      deepEqual(Object.keys(parse(request)), expected);
      equal(parse(request).cachedContent, cache.name);
      deepEqual(textsOf(request), ['{"dynamic":1}', 'One?', 'One.', 'Two?', 'Two.', 'Three?']);
      equal(layerOf(request, 'static').cached, true);
      equal(checker.lint(request.body, { model, cache: { model, tokens: 9000 } }).ok, true);
    },
  },
  {
    name: 'puts old turns in the cache as Contents, each turn in exactly one place',
    async run(pkg) {
      const more = { cachedHistory: 'contents', bufferTokens: 1 };
      const { thread, input, cache, created } = await withCache(pkg, more);
      equal(cache.turns, 2);
      deepEqual(created.contents.slice(0, 2), old.slice(0, 2));
      equal(created.contents.at(-1).role, 'user');
      const request = thread.assemble({ ...input, cache });
      equal(request.manifest.cache.decision, 'hit');
      deepEqual(textsOf(request), ['{"dynamic":1}', 'Two?', 'Two.', 'Three?']);
    },
  },
  {
    name: 'quotes old turns in the static text, each turn in exactly one place',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({ ...layers, bufferTokens: 1, trigger: 'Three?' });
      const instruction = textOf(parse(request).systemInstruction);
      match(instruction, /^STATIC/);
      ok(instruction.includes(JSON.stringify(old.slice(0, 2))), instruction);
      deepEqual(textsOf(request), ['{"dynamic":1}', 'Two?', 'Two.', 'Three?']);
    },
  },
  {
    name: 'does not use a cache that does not match and reports why',
    async run(pkg) {
      const { thread, input, cache } = await withCache(pkg);
      const inline = thread.assemble({ ...input, cache: null });
      const cases = [
        [{ ...cache, key: 'other' }, {}, 'cache.stale'],
        [cache, { tools: otherTools }, 'cache.stale'],
        [cache, { static: { text: 'other' } }, 'cache.stale'],
        [{ ...cache, model: 'models/gemini-3-pro' }, {}, 'cache.model_mismatch'],
        [{ ...cache, turns: 3 }, {}, 'cache.splits_step'],
      ];
      for (const [given, change, code] of cases) {
        const request = thread.assemble({ ...input, ...change, cache: given });
        deepEqual(codes(request), [code]);
        equal(request.ok, true, code);
        ok(request.manifest.cache.decision !== 'hit', code);
        equal(parse(request).cachedContent, undefined);
        ok(parse(request).systemInstruction, code);
        if (Object.keys(change).length === 0) deepEqual(request.body, inline.body, code);
      }
    },
  },
  {
    name: 'sends everything inline for a model without explicit caching',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model: 'gemini-4-argon' });
      const cache = { name: 'cachedContents/abc', model: 'gemini-4-argon', turns: 0, key: 'k' };
      const request = thread.assemble({ ...layers, cache, trigger: 'hi' });
      deepEqual(codes(request), ['cache.unsupported_model']);
      equal(request.manifest.cache.decision, 'unsupported');
      equal(parse(request).cachedContent, undefined);
    },
  },
];

function commonPrefix(a, b) {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

// The manifest counts whole segments only: it may report fewer bytes than the bodies share, never more.
function checkPrefix(before, after, slack, message) {
  const shared = commonPrefix(before.body, after.body);
  const reported = after.manifest.stablePrefixBytes;
  const inRange = reported <= shared && reported >= shared - slack;
  ok(inRange, `${message}: ${reported} reported, ${shared} shared`);
}

const prefixes = [
  {
    name: 'reports in stablePrefixBytes how many bytes two bodies share',
    async run(pkg) {
      const { thread } = await open(pkg);
      const input = { ...layers, ...fields };
      const ask = (change) => thread.assemble({ ...input, ...change });
      const before = ask({ trigger: 'Three?' });
      equal(before.manifest.stablePrefixBytes, 0);
      const previous = before.manifest;
      const same = ask({ trigger: 'Three?', previous });
      equal(commonPrefix(before.body, same.body), before.body.length);
      equal(same.manifest.stablePrefixBytes, before.body.length - 2);
      // The segment after the last shared one may start with the same bytes: a comma, a bracket,
      // `{"role":"user"…`.
      const opening = ',{"role":"user","parts":[{"text":"'.length;
      checkPrefix(before, ask({ trigger: 'Four?', previous }), opening, 'trigger');
      const dynamic = { text: '{"dynamic":2}' };
      checkPrefix(before, ask({ trigger: 'Three?', dynamic, previous }), 80, 'dynamic');
      checkPrefix(
        before,
        ask({ trigger: 'Three?', static: { text: 'S' }, previous }),
        50,
        'static',
      );
      checkPrefix(before, ask({ trigger: 'Three?', tools: otherTools, previous }), 12, 'tools');
    },
  },
  {
    name: 'shares the whole previous body after turns are appended',
    async run(pkg) {
      const { thread } = await open(pkg);
      const before = thread.assemble({ ...layers, trigger: 'Three?' });
      for (const turn of [says('user', 'Three?'), says('model', 'Three.')]) thread.append(turn);
      const previous = before.manifest;
      const after = thread.assemble({ ...layers, trigger: 'Four?', previous });
      // All of the first body except its closing brackets.
      equal(commonPrefix(before.body, after.body), before.body.length - 2);
      equal(after.manifest.stablePrefixBytes, before.body.length - 2);
      thread.rewind(4);
      checkPrefix(before, thread.assemble({ ...layers, trigger: 'x', previous }), 40, 'rewound');
    },
  },
  {
    name: 'returns the same bytes and fingerprints for the same input in every instance',
    async run(pkg) {
      const requests = [];
      for (let i = 0; i < 2; i++) {
        const { thread } = await open(pkg);
        requests.push(thread.assemble({ ...layers, ...fields, trigger: 'Three?' }));
      }
      deepEqual(requests[0], requests[1]);
      match(requests[0].manifest.fingerprints.full, /^[0-9a-f]{64}$/);
      ok(!JSON.stringify(requests[0].manifest).includes('Three?'));
    },
  },
];

const invalidInputs = [
  [{ now: undefined }, 'field.invalid', '/now'],
  [{ now: 'yesterday' }, 'field.invalid', '/now'],
  [{ now: 5 }, 'field.invalid', '/now'],
  [{ static: 5 }, 'field.invalid', '/static'],
  [{ static: { text: 5 } }, 'field.invalid', '/static/text'],
  [{ static: { template: 5 } }, 'field.invalid', '/static/template'],
  [{ static: { role: 'admin' } }, 'field.invalid', '/static/role'],
  [{ static: { variables: 5 } }, 'json.invalid', '/static/variables'],
  [{ static: { variables: '[1]' } }, 'field.invalid', '/static/variables'],
  [{ static: { variables: '{"a":' } }, 'json.invalid', '/static/variables/a'],
  [{ dynamic: { placement: 'below' } }, 'field.invalid', '/dynamic/placement'],
  [{ dynamic: { variables: 'x' } }, 'json.invalid', '/dynamic/variables'],
  [{ trigger: 5 }, 'json.invalid', '/trigger'],
  [{ trigger: encode('{"role":') }, 'json.invalid', '/trigger/role'],
  [{ trigger: new Uint8Array([0x22, 0xff]) }, 'json.invalid_utf8', '/trigger'],
  [{ tools: 5 }, 'json.invalid', '/tools'],
  [{ tools: { a: 1n } }, 'json.invalid', '/tools'],
  [{ tools: '[{"functionDeclarations":[{]' }, 'json.invalid', '/tools/0/functionDeclarations/0'],
  [{ tools: '['.repeat(10_000) }, 'json.too_deep', /^\/tools(\/0)+$/],
  [{ toolConfig: 'x' }, 'json.invalid', '/toolConfig'],
  [{ generationConfig: encode('{"a":1,"a":2}') }, 'json.duplicate_key', '/generationConfig/a'],
  [{ safetySettings: true }, 'json.invalid', '/safetySettings'],
  [{ cache: 5 }, 'field.invalid', '/cache'],
  [{ cache: { name: 'x' } }, 'field.invalid', '/cache/model'],
  [{ cache: { name: 'x', model, key: 'k', turns: -1 } }, 'field.invalid', '/cache/turns'],
  [{ cachedHistory: 'both' }, 'field.invalid', '/cachedHistory'],
  [{ bufferTokens: 'many' }, 'field.invalid', '/bufferTokens'],
  [{ strict: 'yes' }, 'field.invalid', '/strict'],
];

const inputs = [
  {
    name: 'rejects input of the wrong type with its path, and still builds the next request',
    async run(pkg) {
      const templates = await pkg.templates.loadTemplates();
      const { thread } = await open(pkg);
      const input = { ...layers, trigger: 'Three?' };
      const expected = thread.assemble(input);
      const template = templates.template('x');
      const withTemplate = (change) =>
        Object.fromEntries(
          Object.entries(change).map(([name, value]) =>
            /static|dynamic/.test(name) &&
            typeof value === 'object' &&
            !('text' in value || 'template' in value)
              ? [name, { template, ...value }]
              : [name, value],
          ),
        );
      for (const [change, code, path] of invalidInputs) {
        for (const method of ['assemble', 'cacheBody']) {
          // The body of a cache has no trigger.
          if (method === 'cacheBody' && path.startsWith?.('/trigger/')) continue;
          if (method === 'cacheBody' && code === 'json.invalid_utf8') continue;
          const call = () => thread[method]({ ...input, ...withTemplate(change) });
          const what = `${method} ${Object.keys(change)} ${path}`;
          const error = throws(call, { code }, what);
          ok(error instanceof pkg.StrataError, what);
          const [finding] = error.diagnostics;
          if (path instanceof RegExp) match(finding.path, path, what);
          else equal(finding.path, path, what);
        }
      }
      for (const notObject of [undefined, null, 5]) {
        throws(() => thread.assemble(notObject), { code: 'field.invalid' });
      }
      deepEqual(thread.assemble(input), expected);
    },
  },
  {
    name: 'builds a request without layers from empty texts',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const { thread } = await open(pkg, []);
      const empty = { now, static: { text: '' }, dynamic: { text: '' } };
      const request = thread.assemble({ ...empty, tools: '', trigger: 'hi' });
      equal(decode(request.body), '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}');
      equal(checker.lint(request.body, { model }).ok, true);
      equal(thread.assemble(empty).ok, false);
    },
  },
  {
    name: 'wraps a dynamic text that is not JSON and reports it',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({ ...layers, dynamic: { text: 'say "x"' }, trigger: 'hi' });
      deepEqual(codes(request), ['dynamic.not_json']);
      deepEqual(JSON.parse(textsOf(request)[0]), { text: 'say "x"' });
    },
  },
];

export default [...order, ...triggers, ...caching, ...prefixes, ...inputs];
