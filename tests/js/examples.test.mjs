// Runs the examples of src/catalogue/examples.json: each failing input yields its code, the fixed one does not, and
// repair turns one into the other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { loadTemplates } from 'prompt-strata/templates';
import {
  examples,
  inputOf,
  kinds,
  probeBody,
  withoutExample,
} from '../../src/catalogue/examples.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { lintOptions, repairExample, runExample } from './run-example.mjs';

const path = join(root, 'src', 'catalogue', 'rules.json');
const { rules } = JSON.parse(readFileSync(path, 'utf8'));
const ruleOf = (code) => rules.find((rule) => rule.code === code);
const jsonOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

let engines;
let checker;
before(async () => {
  const [strata, templates] = await Promise.all([load(), loadTemplates()]);
  checker = await loadChecker();
  engines = { strata, templates, checker };
});

test('every rule has one example or a reason why it has none', () => {
  const codes = [...examples.map(({ code }) => code), ...Object.keys(withoutExample)];
  const expected = rules.map(({ code }) => code);
  const missing = expected.filter((code) => !codes.includes(code));
  assert.deepEqual(missing, [], 'rules without an example in src/catalogue/examples.json');
  const unknown = codes.filter((code) => !expected.includes(code));
  assert.deepEqual(unknown, [], 'examples of rules that do not exist');
  assert.equal(new Set(codes).size, codes.length, 'a rule has two examples');
});

/** Returns the codes of an input. The examples need signatures, and only the placeholder is at hand. */
async function codesOf(example, side) {
  const found = await runExample(engines, example, side);
  const codes = found.filter(({ code }) => code !== 'signature.dummy' || code === example.code);
  return codes.map(({ code, severity }) => `${severity} ${code}`);
}

// `also` names the codes that may come with the example's own.
function checkFailing({ code, also = [] }, found) {
  const codes = found.map((line) => line.split(' ')[1]);
  assert.ok(codes.includes(code), codes.join());
  if (also.length === 0) assert.equal(codes[0], code);
  const others = codes.filter((each) => each !== code && !also.includes(each));
  assert.deepEqual(others, []);
}

function checkFixed({ code }, found) {
  const bad = found.filter((line) => line.startsWith('error ') || line.endsWith(` ${code}`));
  assert.deepEqual(bad, []);
}

function checkRepair(example) {
  const { code, failing, fixed, repair } = example;
  const { body, diagnostics } = repairExample(checker, example, failing);
  const repaired = diagnostics.some((found) => found.repaired && found.code === code);
  assert.equal(repaired, Boolean(ruleOf(code).fix) && repair !== false);
  if (repaired) assert.deepEqual(jsonOf(body), inputOf(fixed));
}

for (const example of examples) {
  const { code, kind } = example;
  test(`${code}: the failing example yields it, the fixed one does not`, async () => {
    assert.ok(kind in kinds, kind);
    checkFailing(example, await codesOf(example, 'failing'));
    checkFixed(example, await codesOf(example, 'fixed'));
    if (kind === 'body' || kind === 'interaction') checkRepair(example);
  });
}

/** Returns the value at a JSON Pointer, or the object or array that lacks it. */
function nearest(value, pointer) {
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) break;
    value = value[name];
  }
  return value;
}

const valueOf = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Checks where the findings of a body are: in UTF-16 units, and in bytes. */
function checkRanges(checker, body, options) {
  const bytes = Buffer.from(body);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const value = valueOf(text);
  const inBytes = checker.lint(body, options).diagnostics;
  const inUnits = checker.lint(body, { ...options, positions: 'utf16' }).diagnostics;
  for (const [index, { code, path, range, line, column }] of inUnits.entries()) {
    const where = `${code} ${path}`;
    const [begin, end] = range;
    if (begin === end) assert.ok(code.startsWith('json.'), where);
    else if (value !== undefined)
      assert.deepEqual(JSON.parse(text.slice(begin, end)), nearest(value, path), where);
    const before = text.slice(0, begin).split('\n');
    assert.deepEqual([line, column], [before.length, before.at(-1).length + 1], where);
    const own = inBytes[index];
    assert.deepEqual(
      [bytes.subarray(0, own.range[0]), bytes.subarray(...own.range)].map(String),
      [text.slice(0, begin), text.slice(begin, end)],
      where,
    );
    const lineStart = bytes.subarray(0, own.range[0]).lastIndexOf(10) + 1;
    assert.deepEqual([own.line, own.column], [line, own.range[0] - lineStart + 1], where);
  }
  return inUnits.length;
}

// A body of 100 MB has its only finding at its beginning, and takes seconds.
const located = examples.filter(({ kind, code }) => kind === 'body' && code !== 'size.too_large');

for (const example of located) {
  test(`${example.code}: its findings are where the values that they name are written`, () => {
    const input = inputOf(example.failing);
    const bodies =
      input instanceof Uint8Array
        ? [input]
        : [
            JSON.stringify(input),
            JSON.stringify({ 'é~/🐢 \u05e9\u05dc': '🐢', ...input }, null, 2).replaceAll(
              '\n',
              '\r\n',
            ),
          ];
    for (const body of bodies) {
      const options = lintOptions(example.options);
      assert.ok(checkRanges(checker, body, options) > 0);
    }
  });
}

test('a probe asks for one output token and leaves the bytes of odd bodies as they are', () => {
  assert.deepEqual(JSON.parse(probeBody({ contents: [], generationConfig: { topK: 1 } })), {
    contents: [],
    generationConfig: { maxOutputTokens: 1, topK: 1 },
  });
  const own = { generationConfig: { maxOutputTokens: 0 } };
  assert.deepEqual(JSON.parse(probeBody(own)), own);
  const text = '{"generationConfig":{"maxOutputTokens":1},"contents":[}';
  assert.equal(probeBody({ $text: ['{"contents":[}'] }), text);
  const { base64 } = probeBody({ $text: ['{"a":"', { $byte: 233 }, '"}'] });
  const bytes = Buffer.from('{"generationConfig":{"maxOutputTokens":1},"a":"\xE9"}', 'latin1');
  assert.deepEqual(Buffer.from(base64, 'base64'), bytes);
});
