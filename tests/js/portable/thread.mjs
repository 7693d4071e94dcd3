// Threads return Contents byte for byte, do not change when they reject a Content, and restore earlier states with
// rewind, fork, and save.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';

const says = (role, text) => ({ role, parts: [{ text }] });
const call = { functionCall: { name: 'weather', args: { city: 'Rome' } } };
const signed = { role: 'model', parts: [{ ...call, thoughtSignature: signature }] };
const signedBy = { thoughtSignature: signature };
const result = (response) => ({
  role: 'user',
  parts: [{ functionResponse: { name: 'weather', response } }],
});

// A complete step, then an answer.
const turns = [says('user', 'Weather?'), signed, result({ sky: 'clear' }), says('model', 'Clear.')];

async function open(pkg, options = {}) {
  const strata = await pkg.load();
  return { strata, thread: strata.thread({ model, ...options }) };
}

async function filled(pkg, contents = turns) {
  const opened = await open(pkg);
  for (const content of contents) opened.thread.append(content);
  return opened;
}

/** Returns the observable state of a thread. */
const stateOf = (thread) => ({
  length: thread.length,
  tokens: thread.tokens,
  saved: decode(thread.save()),
  report: thread.report(),
  request: thread.assemble({ now, trigger: 'next' }).manifest,
});

/** Returns whether a thread that ends in text right behind tool results can be sent. */
function sendsTextAfterResults(thread) {
  const { ok: sendable, diagnostics } = thread.assemble({ now, dynamic: { text: '' } });
  const found = diagnostics.find(({ code }) => code === 'response.not_followed_by_model');
  equal(found?.severity === 'error', !sendable);
  return sendable;
}

const exact = {
  'number spelling':
    '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1.0,"b":9007199254740993,"c":1E400,"d":-0.0}}}]}',
  'key order': '{"parts":[{"thought":false,"text":"x"}],"role":"user"}',
  escapes: '{"role":"user","parts":[{"text":"\\u0041\\/\\ud83d\\udc22\\n\\ud83d"}]}',
  'white space': ' {\t"role" : "user",\r\n "parts":[ {"text":"x"} ] }\n',
  'unknown fields': '{"role":"model","parts":[{"text":"x","sparkle":{"z":1,"a":[]}}],"later":null}',
  'other alphabets': '{"role":"user","parts":[{"text":"Zürich 日本 🐢 \u2028"}]}',
};

const bytes = [
  {
    name: 'content() returns the original bytes of a Content given as text or bytes',
    async run(pkg) {
      for (const [what, text] of Object.entries(exact)) {
        const { thread } = await open(pkg, { policy: 'warn' });
        thread.append(text);
        thread.append(encode(text));
        equal(decode(thread.content(0)), text, what);
        deepEqual(thread.content(1), encode(text), what);
      }
    },
  },
  {
    name: 'content() returns a copy',
    async run(pkg) {
      const { thread } = await filled(pkg);
      const first = thread.content(0);
      equal(first.byteOffset, 0);
      equal(first.buffer.byteLength, first.length);
      first.fill(0);
      equal(decode(thread.content(0)), JSON.stringify(turns[0]));
    },
  },
  {
    name: 'writes an object like JSON.stringify',
    async run(pkg) {
      const { thread } = await filled(pkg);
      turns.forEach((turn, i) => equal(decode(thread.content(i)), JSON.stringify(turn)));
    },
  },
  {
    name: 'writes bytes inside an object as base64',
    async run(pkg) {
      const { thread } = await open(pkg);
      const withFile = (data) => ({
        ...{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data } }] },
      });
      thread.append(withFile(new Uint8Array([1, 2, 3])));
      equal(decode(thread.content(0)), JSON.stringify(withFile('AQID')));
      const meta = { tokens: 1n };
      throws(() => thread.append(withFile('AQID'), meta), { code: 'field.invalid' });
    },
  },
  {
    name: 'sends all turns in a request, byte for byte and in order',
    async run(pkg) {
      const { thread } = await open(pkg, { policy: 'warn' });
      const texts = [exact.escapes, exact['unknown fields'], exact['key order']];
      for (const text of texts) thread.append(text);
      const { body } = thread.assemble({ now, dynamic: { text: '' }, bufferTokens: -1 });
      ok(decode(body).includes(texts.join(',')), decode(body));
    },
  },
];

const invalidContents = [
  ['{"role":"user","parts":[{"te', 'json.invalid', '/contents/4/parts/0'],
  ['['.repeat(10_000), 'json.too_deep', /^\/contents\/4(\/0)+$/],
  ['', 'json.invalid', '/contents/4'],
  // Lint takes what Google's parser takes; what is stored is JSON.
  ['{"role":"user","parts":[{"text":"a"},]}', 'json.invalid', '/contents/4/parts/1'],
  ["{'role':'user'}", 'json.invalid', '/contents/4'],
  [new Uint8Array([0x22, 0xff, 0x22]), 'json.invalid_utf8', '/contents/4'],
  ['{"role":"user","role":"model"}', 'json.duplicate_key', '/contents/4/role'],
  ['null', 'field.invalid', '/contents/4'],
  [[], 'field.invalid', '/contents/4'],
  [{}, 'parts.empty', '/contents/4'],
  [{ role: 'user', parts: [] }, 'parts.empty', '/contents/4'],
  [{ role: 'user', parts: [{ text: 5 }] }, 'field.invalid', '/contents/4/parts/0/text'],
  [result({}), 'response.orphan', '/contents/4'],
  [signed, 'call.order', '/contents/4'],
];

const rejecting = [
  {
    name: 'rejects an invalid Content with code and path, and does not change the thread',
    async run(pkg) {
      const { thread } = await filled(pkg);
      const before = stateOf(thread);
      for (const [content, code, path] of invalidContents) {
        const error = throws(() => thread.append(content), { name: 'HistoryError', code });
        const finding = error.diagnostics.find((one) => one.code === code);
        if (path instanceof RegExp) match(finding.path, path);
        else equal(finding.path, path);
        deepEqual(stateOf(thread), before, code);
      }
      thread.append(says('user', 'Thanks'));
      equal(thread.length, 5);
    },
  },
  {
    name: 'rejects a Content that no request can carry because it nests too deep',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const { thread, strata } = await open(pkg, { model: 'gemini-2.5-flash', sequencing: 'api' });
      // The Content, its parts, the Part and the functionResponse are four levels.
      const nested = (depth) =>
        `{"role":"user","parts":[{"functionResponse":{"name":"weather","response":{"a":${'['.repeat(depth - 5)}${']'.repeat(depth - 5)}}}}]}`;
      thread.append(turns[0]);
      thread.append(signed);
      for (const depth of [199, 200]) {
        throws(() => thread.append(nested(depth)), { code: 'json.too_deep' });
        equal(thread.check(nested(depth)).diagnostics[0].code, 'json.too_deep');
        throws(() => thread.assemble({ now, trigger: JSON.parse(nested(depth)) }), {
          code: 'json.too_deep',
        });
      }
      thread.append(nested(198));
      const { body } = thread.assemble({ now });
      equal(
        checker.lint(body, { model }).diagnostics.some(({ code }) => code === 'json.too_deep'),
        false,
      );
      equal(strata.thread({ model, from: thread.save() }).length, 3);
    },
  },
  {
    name: 'rejects a value that is not JSON with json.invalid',
    async run(pkg) {
      const { thread } = await filled(pkg);
      const circular = {};
      circular.self = circular;
      for (const content of [5, true, 10n, Symbol('x'), () => {}, circular, { a: 1n }]) {
        throws(() => thread.append(content), { code: 'json.invalid' });
      }
      equal(thread.length, 4);
    },
  },
  {
    name: 'rejects functionResponses that do not match the functionCalls in number or name',
    async run(pkg) {
      const { thread } = await filled(pkg, turns.slice(0, 2));
      const [part] = result({}).parts;
      const other = { functionResponse: { name: 'stocks', response: {} } };
      const attempt = (parts, code) =>
        throws(() => thread.append({ role: 'user', parts }), { name: 'HistoryError', code });
      attempt([part, part], 'response.count');
      attempt([other], 'response.name_mismatch');
      attempt([{ text: 'never mind' }], 'call.open');
      equal(thread.length, 2);
      equal(thread.append(result({})).ok, true);
    },
  },
  {
    name: 'rejects a functionCall without a signature in the current turn, but not in earlier ones',
    async run(pkg) {
      const { strata, thread } = await filled(pkg, turns.slice(0, 1));
      const unsigned = { role: 'model', parts: [call] };
      const error = throws(() => thread.append(unsigned), { code: 'signature.missing' });
      equal(error.diagnostics[0].path, '/contents/1/parts/0');
      const lax = strata.thread({ model, policy: 'warn' });
      for (const turn of [turns[0], unsigned, turns[2]]) lax.append(turn);
      deepEqual(
        lax.report().diagnostics.map(({ code, path }) => [code, path]),
        [['signature.missing', '/contents/1/parts/0']],
      );
      equal(lax.assemble({ now }).ok, false);
      for (const turn of [turns[3], says('user', 'And now?')]) lax.append(turn);
      deepEqual(lax.report(), { ok: true, diagnostics: [] });
      equal(lax.assemble({ now }).ok, true);
    },
  },
  {
    name: 'requires a model',
    async run(pkg) {
      const strata = await pkg.load();
      for (const options of [{}, { model: '' }, { model: 5 }]) {
        const error = throws(() => strata.thread(options), { code: 'field.invalid' });
        equal(error.diagnostics[0].path, '/model');
      }
    },
  },
];

const restoring = [
  {
    name: 'restores an earlier state with rewind and continues from it',
    async run(pkg) {
      const { thread } = await filled(pkg, turns.slice(0, 2));
      const before = stateOf(thread);
      for (const turn of turns.slice(2)) thread.append(turn);
      thread.append(says('user', 'More'));
      thread.rewind(2);
      deepEqual(stateOf(thread), before);
      throws(() => thread.append(says('user', 'no result')), { code: 'call.open' });
      thread.append(result({ sky: 'grey' }));
      equal(decode(thread.content(2)), JSON.stringify(result({ sky: 'grey' })));
      thread.rewind(0);
      deepEqual([thread.length, thread.tokens, thread.save().length], [0, 0, 0]);
    },
  },
  {
    name: 'forks a thread that changes independently and outlives the original',
    async run(pkg) {
      const { thread } = await filled(pkg);
      const whole = thread.fork();
      const half = thread.fork(2);
      deepEqual(stateOf(whole), stateOf(thread));
      half.append(result({ sky: 'green' }));
      thread.append(says('user', 'one way'));
      whole.append(says('user', 'another way'));
      equal(decode(half.content(2)), JSON.stringify(result({ sky: 'green' })));
      equal(decode(thread.content(4)), JSON.stringify(says('user', 'one way')));
      equal(decode(whole.content(4)), JSON.stringify(says('user', 'another way')));
      thread[dispose]();
      equal(decode(whole.content(0)), JSON.stringify(turns[0]));
      equal(half.length, 3);
    },
  },
  {
    name: 'restores the same thread, bytes, and meta from its saved form',
    async run(pkg) {
      const { strata, thread } = await open(pkg, { policy: 'warn' });
      const meta = { at: now, tokens: 1234, model, backend: 'gemini' };
      for (const text of Object.values(exact)) thread.append(text, meta);
      const saved = thread.save();
      const lines = decode(saved).trimEnd().split('\n');
      equal(lines.length, thread.length);
      for (const line of lines) JSON.parse(line);
      for (const from of [saved, decode(saved)]) {
        const loaded = strata.thread({ model, from, policy: 'warn' });
        deepEqual(loaded.save(), saved);
        deepEqual(stateOf(loaded), stateOf(thread));
        equal(loaded.tokens, 1234 * thread.length);
        Object.values(exact).forEach((text, i) => equal(decode(loaded.content(i)), text));
      }
    },
  },
  {
    name: 'opens from an array of Contents as a value, text, or bytes',
    async run(pkg) {
      const { strata, thread } = await open(pkg, { sequencing: 'api' });
      for (const content of turns) thread.append(content);
      const text = JSON.stringify(turns);
      for (const from of [turns, text, encode(text), { contents: turns }]) {
        deepEqual(stateOf(strata.thread({ model, from })), stateOf(thread));
      }
    },
  },
  {
    name: 'imports a history with sequencing api by default, and strict by choice',
    async run(pkg) {
      const strata = await pkg.load();
      const contents = [turns[0], turns[1], turns[2], says('user', 'And now?')];
      for (const from of [contents, JSON.stringify(contents), { contents }]) {
        equal(sendsTextAfterResults(strata.thread({ model, from })), true);
        equal(sendsTextAfterResults(strata.thread({ model, from, sequencing: 'api' })), true);
      }
      const strict = { model, sequencing: 'strict' };
      throws(() => strata.thread({ ...strict, from: contents }), {
        name: 'HistoryError',
        code: 'response.not_followed_by_model',
      });
      const warned = strata.thread({ ...strict, from: contents, policy: 'warn' });
      equal(sendsTextAfterResults(warned), false);
      // A history that is empty is a new thread.
      for (const from of [undefined, '', ' \n']) {
        const thread = strata.thread({
          model,
          policy: 'warn',
          ...(from !== undefined && { from }),
        });
        for (const content of contents) thread.append(content);
        equal(sendsTextAfterResults(thread), false, JSON.stringify(from));
      }
    },
  },
  {
    name: 'opens what append accepted and save wrote',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model });
      for (const content of [turns[0], turns[1], turns[2], says('user', 'And now?')])
        thread.append(content);
      const opened = strata.thread({ model, from: thread.save() });
      deepEqual(opened.save(), thread.save());
      equal(sendsTextAfterResults(opened), false);
    },
  },
  {
    name: 'keeps the sequencing of a saved thread, in forks and rewrites as well',
    async run(pkg) {
      const strata = await pkg.load();
      const contents = [turns[0], turns[1], turns[2]];
      for (const [sequencing, valid] of [
        ['api', true],
        ['strict', false],
      ]) {
        const thread = strata.thread({ model, sequencing });
        for (const content of contents) thread.append(content);
        const copies = [thread, thread.fork(), thread.rewrite([])];
        for (const from of copies.flatMap((copy) => [copy.save(), decode(copy.save())])) {
          for (const opened of [
            strata.thread({ model, from }),
            strata.thread({ model, from }).fork(),
          ]) {
            deepEqual(opened.save(), thread.save());
            opened.append(says('user', 'And now?'));
            equal(sendsTextAfterResults(opened), valid, sequencing);
          }
        }
        const opposite = valid ? 'strict' : 'api';
        const chosen = strata.thread({ model, from: thread.save(), sequencing: opposite });
        chosen.append(says('user', 'And now?'));
        equal(sendsTextAfterResults(chosen), !valid, `${sequencing}, opened as ${opposite}`);
      }
    },
  },
  {
    name: 'opens a thread that was saved before the sequencing was recorded as strict',
    async run(pkg) {
      const strata = await pkg.load();
      const from = turns
        .slice(0, 3)
        .map((content, i) => {
          const kind = ['user', 'model', 'tool'][i];
          return `{"strata":1,"kind":"${kind}","content":${JSON.stringify(content)}}\n`;
        })
        .join('');
      const thread = strata.thread({ model, from });
      equal(decode(thread.save()), from);
      thread.append(says('user', 'And now?'));
      equal(sendsTextAfterResults(thread), false);
    },
  },
  {
    name: 'reports the path of an error in the saved form',
    async run(pkg) {
      const strata = await pkg.load();
      const line = `{"strata":1,"content":${JSON.stringify(turns[0])}}\n`;
      const cases = [
        ['[{"role":"user"', 'json.invalid', '/0/role'],
        ['[{"role":"user","parts":[{"text":"a"}],}]', 'json.invalid', '/0/parts'],
        ['5', 'field.invalid', ''],
        [[says('user', 'x'), { role: 'model', parts: [] }], 'parts.empty', '/contents/1'],
        [`${line}{"strata":1,"content":5}\n`, 'field.invalid', '/contents/1'],
        [`${line}{"strata":2}\n`, 'field.invalid', '/1'],
        [`${line}{"strata":1,"con`, 'json.invalid', '/1/strata'],
        [`${line}${line.slice(0, 40)}`, 'json.invalid', '/1/content/role'],
      ];
      for (const [from, code, path] of cases) {
        const error = throws(() => strata.thread({ model, from }), { name: 'HistoryError', code });
        equal(error.diagnostics[0].path, path, String(from));
      }
    },
  },
];

const handles = [
  {
    name: 'throws a RangeError for an index outside the thread',
    async run(pkg) {
      const { thread } = await filled(pkg);
      for (const index of [-1, 4, 1.5, NaN, '0', undefined, 1n, Symbol('x')]) {
        throws(() => thread.content(index), { name: 'RangeError' });
      }
      for (const length of [-1, 5, 0.5, NaN, Infinity]) {
        throws(() => thread.rewind(length), { name: 'RangeError' });
        throws(() => thread.fork(length), { name: 'RangeError' });
      }
      equal(thread.length, 4);
    },
  },
  {
    name: 'throws after dispose, and allows a second dispose',
    async run(pkg) {
      const { strata, thread } = await filled(pkg);
      thread[dispose]();
      thread[dispose]();
      const uses = {
        append: () => thread.append(turns[0]),
        content: () => thread.content(0),
        length: () => thread.length,
        tokens: () => thread.tokens,
        tail: () => thread.tail,
        check: () => thread.check(turns[0]),
        rewind: () => thread.rewind(0),
        fork: () => thread.fork(),
        report: () => thread.report(),
        assemble: () => thread.assemble({ now }),
        cacheBody: () => thread.cacheBody({ now }),
        save: () => thread.save(),
      };
      for (const [name, use] of Object.entries(uses)) {
        throws(use, { name: 'ReferenceError', message: /disposed/ }, name);
      }
      equal(strata.thread({ model }).length, 0);
    },
  },
  {
    name: 'returns estimated tokens, or the count that the API reported',
    async run(pkg) {
      const { thread } = await open(pkg);
      thread.append(says('user', 'x'.repeat(4000)));
      ok(thread.tokens > 500 && thread.tokens < 2000, thread.tokens);
      thread.append(says('model', 'y'), { tokens: 100_000 });
      ok(thread.tokens > 100_500);
    },
  },
];

const placeholder = 'skip_thought_signature_validator';
const unsigned = { role: 'model', parts: [call] };

const asking = [
  {
    name: 'describes the end of a thread: its kind, its open calls, its text',
    async run(pkg) {
      const { thread } = await open(pkg);
      const tails = [thread.tail];
      for (const content of turns) {
        thread.append(content);
        tails.push(thread.tail);
      }
      const none = { openCalls: [] };
      deepEqual(tails, [
        { kind: 'empty', awaitsAnswer: false, ...none },
        { kind: 'user', awaitsAnswer: true, ...none, text: 'Weather?' },
        {
          ...{ kind: 'model', awaitsAnswer: true },
          openCalls: [{ name: 'weather', args: { city: 'Rome' } }],
        },
        { kind: 'tool', awaitsAnswer: true, ...none },
        { kind: 'model', awaitsAnswer: false, ...none, text: 'Clear.' },
      ]);
      thread.rewind(1);
      deepEqual(thread.tail, tails[1]);
      deepEqual(thread.fork(0).tail, tails[0]);
    },
  },
  {
    name: 'leaves thoughts out of the text of the tail, and keeps the ids of calls',
    async run(pkg) {
      const { thread } = await open(pkg);
      thread.append(turns[0]);
      const thought = { text: 'Hm.', thought: true };
      const withId = { functionCall: { id: 'c1', name: 'weather', args: {} } };
      const parts = [thought, { text: 'I ' }, { text: 'look.' }, { ...withId, ...signedBy }];
      thread.append({ role: 'model', parts });
      const { text, openCalls } = thread.tail;
      equal(text, 'I look.');
      deepEqual(openCalls, [{ id: 'c1', name: 'weather', args: {} }]);
    },
  },
  {
    name: 'checks a Content as the next turn with the report of append, and adds nothing',
    async run(pkg) {
      for (const policy of ['reject', 'repair', 'warn']) {
        const { thread } = await open(pkg, { policy });
        for (const content of [...turns, unsigned, says('model', ''), says('nobody', 'x'), {}]) {
          const before = decode(thread.save());
          const report = thread.check(content);
          equal(decode(thread.save()), before, 'check changed the thread');
          let appended;
          try {
            appended = thread.append(content);
          } catch (error) {
            equal(error.name, 'HistoryError');
            equal(report.ok, false);
            appended = { ok: false, diagnostics: error.diagnostics };
          }
          deepEqual(report, appended, JSON.stringify(content));
        }
      }
    },
  },
  {
    name: 'check reports a Content that is not JSON, and throws for what is no input',
    async run(pkg) {
      const { thread } = await filled(pkg);
      const { ok: valid, diagnostics } = thread.check('{"role":');
      equal(valid, false);
      match(diagnostics[0].code, /^json\./);
      throws(() => thread.check(new Map()), { code: 'json.invalid' });
      throws(() => thread.check(turns[0], { tokenz: 1 }), { code: 'field.unknown' });
      throws(() => thread.check(turns[0], {}, { placeholder: 1 }), { code: 'field.invalid' });
      equal(thread.length, turns.length);
    },
  },
  {
    name: 'gives an unsigned functionCall the placeholder if asked, and reports it',
    async run(pkg) {
      const { thread } = await open(pkg);
      thread.append(turns[0]);
      throws(() => thread.append(unsigned), { code: 'signature.missing' });
      equal(thread.check(unsigned, undefined, { placeholder: false }).ok, false);
      const report = thread.check(unsigned, undefined, { placeholder: true });
      equal(report.ok, true);
      deepEqual(thread.append(unsigned, undefined, { placeholder: true }), report);
      const [{ code, repaired, path }] = report.diagnostics;
      deepEqual([code, repaired, path], ['signature.missing', true, '/contents/1/parts/0']);
      const [part] = JSON.parse(decode(thread.content(1))).parts;
      deepEqual(part, { ...call, thoughtSignature: placeholder });
    },
  },
  {
    name: 'does not touch what is valid, and still rejects what a placeholder does not repair',
    async run(pkg) {
      const { thread } = await open(pkg);
      thread.append(turns[0], undefined, { placeholder: true });
      thread.append(signed, undefined, { placeholder: true });
      deepEqual(JSON.parse(decode(thread.content(1))), signed);
      const options = { placeholder: true };
      throws(() => thread.append(says('model', 'x'), undefined, options), { name: 'HistoryError' });
      equal(thread.length, 2);
    },
  },
];

export default [...bytes, ...rejecting, ...restoring, ...handles, ...asking];
