// repair fixes and reports what it can, keeps the rest as errors, and leaves every other byte unchanged.
import { deepEqual, equal, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const decode = (bytes) => new TextDecoder().decode(bytes);
const encode = (text) => new TextEncoder().encode(text);
const reported = ({ diagnostics }) =>
  diagnostics.map(({ code, path, repaired }) => [code, path, repaired]);

const opened = { role: 'user', parts: [{ text: 'Weather?' }] };
const call = { functionCall: { id: '1', name: 'weather', args: {} } };
const signed = { ...call, thoughtSignature: 'c2lnbmVk' };
const result = { functionResponse: { id: '1', name: 'weather', response: { sky: 'clear' } } };
const asked = (part) => ({ role: 'model', parts: [part] });
const answered = { role: 'user', parts: [result] };

async function repairOf(pkg) {
  const checker = await pkg.check.loadChecker();
  return (body, options = {}) => checker.repair(body, { model, ...options });
}

export default [
  {
    name: 'reads a signature in either spelling, even next to an empty one in the other spelling',
    async run(pkg) {
      const repair = await repairOf(pkg);
      for (const other of ['', null]) {
        const part = { ...call, thoughtSignature: 'UkVBTA==', thought_signature: other };
        for (const twice of [part, { thought_signature: other, ...part }]) {
          const contents = [opened, asked(twice), answered];
          const { body, diagnostics } = repair({ contents }, { dummySignatures: true });
          equal(decode(body), JSON.stringify({ contents }));
          // If both spellings have a value, they are a duplicate key.
          const codes = diagnostics.map(({ code }) => code);
          deepEqual(codes, other === null ? [] : ['json.duplicate_key']);
        }
      }
    },
  },
  {
    name: 'does not move results that could only be paired by elimination',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const calls = [signed, { functionCall: { ...call.functionCall, id: '2' } }];
      const results = ['X', 'Y'].map((sky) => ({
        functionResponse: { id: '2', name: 'weather', response: { sky } },
      }));
      const contents = [opened, { role: 'model', parts: calls }, { role: 'user', parts: results }];
      const { ok, body, diagnostics } = repair({ contents });
      equal(ok, false);
      equal(decode(body), JSON.stringify({ contents }));
      deepEqual(
        diagnostics.filter(({ repaired }) => repaired),
        [],
      );
    },
  },
  {
    name: 'reports one result for two equal calls as an error at its original path',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const named = (name, args) => ({ functionCall: { name, args } });
      const rain = { functionResponse: { name: 'weather', response: { sky: 'rain' } } };
      const first = { ...named('weather', { city: 'Paris' }), thoughtSignature: 'c2lnbmVk' };
      const calls = { role: 'model', parts: [first, named('weather', { city: 'Rome' })] };
      const contents = [opened, calls, { role: 'user', parts: [rain] }];
      const ambiguous = repair({ contents });
      equal(ambiguous.ok, false);
      deepEqual(reported(ambiguous), [['response.count', '/contents/2', undefined]]);
      deepEqual(JSON.parse(decode(ambiguous.body)), { contents });
      const mixed = { role: 'model', parts: [first, named('time', {}), rain] };
      deepEqual(reported(repair({ contents: [opened, mixed] })), [
        ['response.interleaved', '/contents/1', true],
        ['response.count', '/contents/1', true],
      ]);
    },
  },
  {
    name: 'keeps a thread with policy "repair" valid, or rejects the turn',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model, policy: 'repair' });
      const message = { role: 'user', parts: [{ text: 'Never mind.' }] };
      thread.append(opened);
      thread.append(asked(signed));
      deepEqual(reported(thread.append(message)), [['call.open', '/contents/1', true]]);
      const { parts } = JSON.parse(decode(thread.content(2)));
      deepEqual([thread.length, parts[0]], [3, message.parts[0]]);
      deepEqual(Object.keys(parts[1].functionResponse.response), ['error']);
      equal(thread.assemble({ now: '2026-11-21T10:00:00Z' }).ok, true);
      thread.append({ role: 'model', parts: [{ text: 'Good.' }] });
      for (const content of [message, asked(signed), answered]) thread.append(content);
      const { diagnostics } = throws(() => thread.append(message), { name: 'HistoryError' });
      deepEqual(
        diagnostics.map(({ code, severity }) => [code, severity]),
        [['response.not_followed_by_model', 'error']],
      );
      equal(thread.length, 7);
    },
  },
  {
    name: 'returns a body without errors byte for byte',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const text = ` {"contents" : [ ${JSON.stringify(opened)} ],\n"generationConfig":{"topK":1.0} }`;
      const { ok, diagnostics, body } = repair(text);
      equal(ok, true);
      deepEqual(
        diagnostics.map(({ code, severity }) => [code, severity]),
        [['config.sampling_ignored', 'warning']],
      );
      equal(decode(body), text);
      equal(decode(repair(encode(text)).body), text);
    },
  },
  {
    name: 'reports each repair with its path and fix, and changes nothing else',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const head = '{"contents":[{"role":"user", "parts":[{"text":"caf\\u00e9 1.0"}]';
      const { ok, diagnostics, body } = repair(`${head},"timestamp":1.50}]}`);
      equal(ok, true);
      equal(decode(body), `${head}}]}`);
      const [{ code, severity, path, fix, repaired }, ...others] = diagnostics;
      deepEqual(others, []);
      deepEqual([code, severity, path], ['field.unknown', 'info', '/contents/0/timestamp']);
      deepEqual([fix, repaired], ['remove the field', true]);
      deepEqual(repair(body), { ok: true, diagnostics: [], body });
    },
  },
  {
    name: 'reports what it cannot repair as an error next to the repairs',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const contents = [{ ...opened, role: 'USER' }, asked(call), answered];
      const { ok, diagnostics, body } = repair({ contents });
      equal(ok, false);
      deepEqual(reported({ diagnostics }), [
        ['role.invalid', '/contents/0/role', true],
        ['signature.missing', '/contents/1/parts/0', undefined],
      ]);
      deepEqual(JSON.parse(decode(body)).contents, [opened, asked(call), answered]);
    },
  },
  {
    name: 'adds placeholders only if requested, and never replaces a real signature',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const contents = [opened, asked(call), answered, opened, asked(signed), answered];
      equal(repair({ contents }).ok, true);
      contents.push(asked(call), answered);
      equal(repair({ contents }).ok, false);
      const { ok, body } = repair({ contents }, { dummySignatures: true });
      equal(ok, true);
      contents[6] = asked({ ...call, thoughtSignature: 'skip_thought_signature_validator' });
      deepEqual(JSON.parse(decode(body)).contents, contents);
    },
  },
  {
    name: 'strips signatures of another service if their origin is given',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const contents = [
        opened,
        { role: 'model', parts: [{ ...opened.parts[0], thoughtSignature: 'c2ln' }] },
        opened,
      ];
      const kept = repair({ contents }, { signaturesFrom: { backend: 'gemini' } });
      deepEqual(JSON.parse(decode(kept.body)), { contents });
      const stripped = repair({ contents }, { signaturesFrom: { backend: 'vertex' } });
      deepEqual(reported(stripped), [['signature.foreign', '/contents/1/parts/0', true]]);
      deepEqual(JSON.parse(decode(stripped.body)).contents[1].parts, opened.parts);
    },
  },
  {
    name: 'returns a body that is not JSON unchanged',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const { ok, diagnostics, body } = repair('{"contents":[');
      equal(ok, false);
      deepEqual(reported({ diagnostics }), [['json.invalid', '/contents/0', undefined]]);
      equal(decode(body), '{"contents":[');
      equal(repair(42).ok, false);
    },
  },
  {
    name: 'rejects an unknown option and lists the known ones',
    async run(pkg) {
      const strata = await pkg.load();
      const checker = await pkg.check.loadChecker();
      const body = { contents: [opened] };
      const thread = strata.thread({ model });
      const input = { now: '2026-11-21T10:00:00Z', trigger: 'Hi' };
      const unknown = (work, path, known) => {
        const error = throws(work, { name: 'StrataError', code: 'field.unknown' });
        equal(error.diagnostics[0].path, path);
        equal(error.message.includes(known), true, error.message);
      };
      unknown(() => checker.lint(body, { model, backends: 'vertex' }), '/backends', 'backend');
      const options = { model, dummySignature: true };
      unknown(() => checker.repair(body, options), '/dummySignature', 'dummySignatures');
      unknown(() => strata.thread({ model, sequence: 'api' }), '/sequence', 'sequencing');
      for (const method of ['assemble', 'cacheBody', 'cachePreview']) {
        const made = (more) => () => thread[method]({ ...input, ...more });
        unknown(made({ bufferToken: 5 }), '/bufferToken', 'bufferTokens');
        unknown(made({ static: { txt: 'a' } }), '/static/txt', 'text');
        unknown(made({ dynamic: { 'a/b': 1 } }), '/dynamic/a~1b', 'placement');
      }
      equal(checker.lint(body, { model, dummySignatures: true }).ok, true);
    },
  },
  {
    name: 'rejects an invalid option value and lists the valid ones',
    async run(pkg) {
      const strata = await pkg.load();
      const checker = await pkg.check.loadChecker();
      const expected = { name: 'StrataError', code: 'field.invalid' };
      const misspelled = (work, path, values) => {
        const error = throws(work, expected);
        equal(error.diagnostics[0].path, path);
        for (const value of values)
          equal(error.message.includes(`'${value}'`), true, error.message);
      };
      const body = { contents: [opened] };
      const both = ['gemini', 'vertex'];
      misspelled(() => checker.lint(body, { model, backend: 'Vertex' }), '/backend', both);
      misspelled(() => checker.repair(body, { model, backend: 'x' }), '/backend', both);
      misspelled(() => strata.thread({ model, backend: '' }), '/backend', both);
      misspelled(() => strata.thread({ model, policy: 'fix' }), '/policy', ['reject', 'repair']);
      misspelled(() => strata.thread({ model, sequencing: 'lax' }), '/sequencing', [
        'strict',
        'api',
      ]);
    },
  },
];
