// assemble: the four layers in their order, what is sent as it was given, what a cache leaves out, and what a
// request shares with the one before.
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
  '[ {"functionDeclarations" : [{"name":"f","parameters":{"type":"OBJECT","x":1.0}}]} ]';
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
    name: 'fields stand in the order in which they change least',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({ ...fields, ...layers, trigger: 'Three?' });
      const expected = ['systemInstruction', 'tools', 'toolConfig', 'generationConfig'];
      deepEqual(Object.keys(parse(request)), [...expected, 'safetySettings', 'contents']);
      // In whatever order they are given.
      const backwards = Object.fromEntries(Object.entries(fields).reverse());
      const again = thread.assemble({ trigger: 'Three?', ...layers, ...backwards });
      deepEqual(again.body, request.body);
    },
  },
  {
    name: 'layers stand in their order: static, dynamic, buffered, trigger',
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
    name: 'the dynamic text may stand before the current turn, never inside a step',
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
    name: 'the default templates make the static and the dynamic text',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({
        now,
        static: { variables: { main_instruction: 'Answer in "one" sentence.' } },
        dynamic: { variables: { todos: [{ title: 'Pack "it" \\ \n', checked: false }] } },
        trigger: 'Three?',
      });
      equal(request.ok, true);
      const fixed = JSON.parse(textOf(parse(request).systemInstruction));
      equal(fixed.main_instruction, 'Answer in "one" sentence.');
      const dynamic = JSON.parse(textsOf(request)[0]);
      match(JSON.stringify(dynamic), /2026-11-21T10:00:00Z/);
      match(JSON.stringify(dynamic), /Pack \\"it\\"/);
    },
  },
  {
    name: 'what is given as text or bytes is sent as it is, to the byte',
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
    name: 'the body passes lint and is an array of its own',
    async run(pkg) {
      const { strata, thread } = await open(pkg);
      const input = { ...layers, ...fields, trigger: 'Three?' };
      const { body, ok: fine } = thread.assemble(input);
      equal(fine, true);
      equal(strata.lint(body, { model }).ok, true);
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
    name: 'case A: an instruction is the last Content, and the thread is not changed',
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
    name: 'case B: the results that end the thread are the trigger',
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
    name: 'an unanswered text is sent once, whether it is given again or not',
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
    name: 'without a trigger there is no request, and the diagnostics say why',
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
    name: 'a trigger is judged with what stands before it',
    async run(pkg) {
      const { thread } = await open(pkg, [says('user', 'Use f'), signed]);
      const request = thread.assemble({ ...layers, trigger: 'never mind' });
      equal(request.ok, false);
      ok(codes(request).includes('call.open'));
      equal(thread.assemble({ ...layers, trigger: result }).ok, true);
    },
  },
  {
    name: 'a strict thread refuses text behind a result that nobody answered, another one does not',
    async run(pkg) {
      const contents = [says('user', 'Use f'), signed, result];
      for (const [sequencing, fine] of [
        [undefined, false],
        ['strict', false],
        ['api', true],
      ]) {
        const { thread } = await open(pkg, contents, { sequencing });
        const request = thread.assemble({ ...layers, trigger: 'And?' });
        equal(request.ok, fine, sequencing);
        const [finding] = request.diagnostics;
        equal(finding.code, 'response.not_followed_by_model');
        equal(finding.path, '/contents/4');
      }
    },
  },
];

/** A thread whose prompt is big enough to be cached, and the cache as it would have been created. */
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
    name: 'with a cache nothing is sent that a cached request may not carry',
    async run(pkg) {
      const { strata, thread, input, cache, created } = await withCache(pkg);
      deepEqual(Object.keys(created), ['model', 'systemInstruction', 'tools', 'toolConfig']);
      const request = thread.assemble({ ...input, cache });
      equal(request.manifest.cache.decision, 'hit');
      const expected = ['generationConfig', 'safetySettings', 'cachedContent', 'contents'];
      deepEqual(Object.keys(parse(request)), expected);
      equal(parse(request).cachedContent, cache.name);
      deepEqual(textsOf(request), ['{"dynamic":1}', 'One?', 'One.', 'Two?', 'Two.', 'Three?']);
      equal(layerOf(request, 'static').cached, true);
      equal(strata.lint(request.body, { model, cache: { model, tokens: 9000 } }).ok, true);
    },
  },
  {
    name: 'old turns can live in the cache as Contents, each turn in exactly one place',
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
    name: 'old turns can live in the static text, quoted, each turn in exactly one place',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({ ...layers, bufferTokens: 1, trigger: 'Three?' });
      const fixed = textOf(parse(request).systemInstruction);
      match(fixed, /^STATIC/);
      ok(fixed.includes(JSON.stringify(old.slice(0, 2))), fixed);
      deepEqual(textsOf(request), ['{"dynamic":1}', 'Two?', 'Two.', 'Three?']);
    },
  },
  {
    name: 'a cache that does not fit is not used, and a diagnostic says why',
    async run(pkg) {
      const { thread, input, cache } = await withCache(pkg);
      const inline = thread.assemble({ ...input, cache: null });
      const cases = [
        [{ ...cache, key: 'other' }, {}, 'cache.stale'],
        [cache, { tools: '[]' }, 'cache.stale'],
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
    name: 'a model without explicit caching sends inline',
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

// What is told is whole pieces: it may fall short of the bytes by what happens to be alike, never exceed them.
function checkPrefix(before, after, slack, message) {
  const real = commonPrefix(before.body, after.body);
  const told = after.manifest.stablePrefixBytes;
  ok(told <= real && told >= real - slack, `${message}: ${told} told, ${real} shared`);
}

const prefixes = [
  {
    name: 'stablePrefixBytes is what the bodies share',
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
      // Behind the last shared piece the next may begin alike: a comma, a bracket, `{"role":"user"…`.
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
      checkPrefix(before, ask({ trigger: 'Three?', tools: '[]', previous }), 12, 'tools');
    },
  },
  {
    name: 'turns that were added behind a history that was sent are shared up to there',
    async run(pkg) {
      const { thread } = await open(pkg);
      const before = thread.assemble({ ...layers, trigger: 'Three?' });
      for (const turn of [says('user', 'Three?'), says('model', 'Three.')]) thread.append(turn);
      const previous = before.manifest;
      const after = thread.assemble({ ...layers, trigger: 'Four?', previous });
      // All of the first body but the brackets that close it.
      equal(commonPrefix(before.body, after.body), before.body.length - 2);
      equal(after.manifest.stablePrefixBytes, before.body.length - 2);
      thread.rewind(4);
      checkPrefix(before, thread.assemble({ ...layers, trigger: 'x', previous }), 40, 'rewound');
    },
  },
  {
    name: 'the same input gives the same bytes and fingerprints, in another instance too',
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

const wrong = [
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
    name: 'an input of another type is an error that says where, and the next request is as ever',
    async run(pkg) {
      const { thread } = await open(pkg);
      const input = { ...layers, trigger: 'Three?' };
      const expected = thread.assemble(input);
      for (const [change, code, path] of wrong) {
        for (const method of ['assemble', 'cacheBody']) {
          // A cache's body has no trigger.
          if (method === 'cacheBody' && path.startsWith?.('/trigger/')) continue;
          if (method === 'cacheBody' && code === 'json.invalid_utf8') continue;
          const work = () => thread[method]({ ...input, ...change });
          const what = `${method} ${Object.keys(change)} ${path}`;
          const error = throws(work, { code }, what);
          ok(error instanceof pkg.StrataError, what);
          const [finding] = error.diagnostics;
          if (path instanceof RegExp) match(finding.path, path, what);
          else equal(finding.path, path, what);
        }
      }
      for (const nothing of [undefined, null, 5]) {
        throws(() => thread.assemble(nothing), { code: 'field.invalid' });
      }
      deepEqual(thread.assemble(input), expected);
    },
  },
  {
    name: 'empty everything is a request without layers',
    async run(pkg) {
      const { strata, thread } = await open(pkg, []);
      const empty = { now, static: { text: '' }, dynamic: { text: '' } };
      const request = thread.assemble({ ...empty, tools: '', trigger: 'hi' });
      equal(decode(request.body), '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}');
      equal(strata.lint(request.body, { model }).ok, true);
      equal(thread.assemble(empty).ok, false);
    },
  },
  {
    name: 'a dynamic text that is not JSON is wrapped, and told',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = thread.assemble({ ...layers, dynamic: { text: 'say "x"' }, trigger: 'hi' });
      deepEqual(codes(request), ['dynamic.not_json']);
      deepEqual(JSON.parse(textsOf(request)[0]), { text: 'say "x"' });
    },
  },
];

export default [...order, ...triggers, ...caching, ...prefixes, ...inputs];
