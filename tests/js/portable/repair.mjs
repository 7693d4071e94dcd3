// repair: what can be repaired is repaired and told, what can't stays an error, and all else is left alone.
import { deepEqual, equal, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const decode = (bytes) => new TextDecoder().decode(bytes);
const encode = (text) => new TextEncoder().encode(text);
const told = ({ diagnostics }) => diagnostics.map(({ code, path, repaired }) => [code, path, repaired]);

const opened = { role: 'user', parts: [{ text: 'Weather?' }] };
const call = { functionCall: { id: '1', name: 'weather', args: {} } };
const signed = { ...call, thoughtSignature: 'c2lnbmVk' };
const result = { functionResponse: { id: '1', name: 'weather', response: { sky: 'clear' } } };
const asked = (part) => ({ role: 'model', parts: [part] });
const answered = { role: 'user', parts: [result] };

async function repairOf(pkg) {
  const strata = await pkg.load();
  return (body, options = {}) => strata.repair(body, { model, ...options });
}

export default [
  {
    name: 'a signature counts in either spelling, also beside one that signs nothing',
    async run(pkg) {
      const repair = await repairOf(pkg);
      for (const other of ['', null]) {
        const part = { ...call, thoughtSignature: 'UkVBTA==', thought_signature: other };
        for (const twice of [part, { thought_signature: other, ...part }]) {
          const contents = [opened, asked(twice), answered];
          const { body, diagnostics } = repair({ contents }, { dummySignatures: true });
          equal(decode(body), JSON.stringify({ contents }));
          // Both spellings are one key twice, where both have a value.
          const codes = diagnostics.map(({ code }) => code);
          deepEqual(codes, other === null ? [] : ['json.duplicate_key']);
        }
      }
    },
  },
  {
    name: 'results that only being left over pairs stay where they are',
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
    name: 'one result of two equal calls stays an error, told where it was given',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const named = (name, args) => ({ functionCall: { name, args } });
      const rain = { functionResponse: { name: 'weather', response: { sky: 'rain' } } };
      const first = { ...named('weather', { city: 'Paris' }), thoughtSignature: 'c2lnbmVk' };
      const calls = { role: 'model', parts: [first, named('weather', { city: 'Rome' })] };
      const contents = [opened, calls, { role: 'user', parts: [rain] }];
      const unsure = repair({ contents });
      equal(unsure.ok, false);
      deepEqual(told(unsure), [['response.count', '/contents/2', undefined]]);
      deepEqual(JSON.parse(decode(unsure.body)), { contents });
      const mixed = { role: 'model', parts: [first, named('time', {}), rain] };
      deepEqual(told(repair({ contents: [opened, mixed] })), [
        ['response.interleaved', '/contents/1', true],
        ['response.count', '/contents/1', true],
      ]);
    },
  },
  {
    name: 'a thread that mends stays one that can be assembled, or refuses',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model, policy: 'repair' });
      const words = { role: 'user', parts: [{ text: 'Never mind.' }] };
      thread.append(opened);
      thread.append(asked(signed));
      deepEqual(told(thread.append(words)), [['call.open', '/contents/1', true]]);
      const { parts } = JSON.parse(decode(thread.content(2)));
      deepEqual([thread.length, parts[0]], [3, words.parts[0]]);
      deepEqual(Object.keys(parts[1].functionResponse.response), ['error']);
      equal(thread.assemble({ now: '2026-11-21T10:00:00Z' }).ok, true);
      thread.append({ role: 'model', parts: [{ text: 'Good.' }] });
      for (const content of [words, asked(signed), answered]) thread.append(content);
      const { diagnostics } = throws(() => thread.append(words), { name: 'HistoryError' });
      deepEqual(
        diagnostics.map(({ code, severity }) => [code, severity]),
        [['response.not_followed_by_model', 'error']],
      );
      equal(thread.length, 7);
    },
  },
  {
    name: 'a body without errors comes back byte for byte',
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
    name: 'a mend is a note that says where and what, and touches nothing else',
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
    name: 'what can not be repaired stays an error beside what was',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const contents = [{ ...opened, role: 'USER' }, asked(call), answered];
      const { ok, diagnostics, body } = repair({ contents });
      equal(ok, false);
      deepEqual(told({ diagnostics }), [
        ['role.invalid', '/contents/0/role', true],
        ['signature.missing', '/contents/1/parts/0', undefined],
      ]);
      deepEqual(JSON.parse(decode(body)).contents, [opened, asked(call), answered]);
    },
  },
  {
    name: 'placeholders only when asked for, and never over a real signature',
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
    name: 'signatures of another service are stripped where it is known where they come from',
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
      deepEqual(told(stripped), [['signature.foreign', '/contents/1/parts/0', true]]);
      deepEqual(JSON.parse(decode(stripped.body)).contents[1].parts, opened.parts);
    },
  },
  {
    name: 'what is no JSON comes back as it is',
    async run(pkg) {
      const repair = await repairOf(pkg);
      const { ok, diagnostics, body } = repair('{"contents":[');
      equal(ok, false);
      deepEqual(told({ diagnostics }), [['json.invalid', '/contents/0', undefined]]);
      equal(decode(body), '{"contents":[');
      equal(repair(42).ok, false);
    },
  },
  {
    name: 'an option that there is not is an error that names it and those that there are',
    async run(pkg) {
      const strata = await pkg.load();
      const body = { contents: [opened] };
      const thread = strata.thread({ model });
      const input = { now: '2026-11-21T10:00:00Z', trigger: 'Hi' };
      const unknown = (work, path, known) => {
        const error = throws(work, { name: 'StrataError', code: 'field.unknown' });
        equal(error.diagnostics[0].path, path);
        equal(error.message.includes(known), true, error.message);
      };
      unknown(() => strata.lint(body, { model, backends: 'vertex' }), '/backends', 'backend');
      const options = { model, dummySignature: true };
      unknown(() => strata.repair(body, options), '/dummySignature', 'dummySignatures');
      unknown(() => strata.thread({ model, sequence: 'api' }), '/sequence', 'sequencing');
      for (const method of ['assemble', 'cacheBody', 'cachePreview']) {
        const made = (more) => () => thread[method]({ ...input, ...more });
        unknown(made({ bufferToken: 5 }), '/bufferToken', 'bufferTokens');
        unknown(made({ static: { txt: 'a' } }), '/static/txt', 'text');
        unknown(made({ dynamic: { 'a/b': 1 } }), '/dynamic/a~1b', 'placement');
      }
      equal(strata.lint(body, { model, dummySignatures: true }).ok, true);
    },
  },
  {
    name: 'a misspelt option is an error that names it and its values',
    async run(pkg) {
      const strata = await pkg.load();
      const expected = { name: 'StrataError', code: 'field.invalid' };
      const misspelt = (work, path, words) => {
        const error = throws(work, expected);
        equal(error.diagnostics[0].path, path);
        for (const word of words) equal(error.message.includes(`'${word}'`), true, error.message);
      };
      const body = { contents: [opened] };
      const both = ['gemini', 'vertex'];
      misspelt(() => strata.lint(body, { model, backend: 'Vertex' }), '/backend', both);
      misspelt(() => strata.repair(body, { model, backend: 'x' }), '/backend', both);
      misspelt(() => strata.thread({ model, backend: '' }), '/backend', both);
      misspelt(() => strata.thread({ model, policy: 'mend' }), '/policy', ['reject', 'repair']);
      misspelt(() => strata.thread({ model, sequencing: 'lax' }), '/sequencing', ['strict', 'api']);
    },
  },
];
