// Runs the examples of src/catalogue/examples.json: each failing input yields its code, the fixed one does not, and
// repair turns one into the other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { load } from 'prompt-strata';
import { load as loadLite } from 'prompt-strata/lite';
import {
  examples,
  inputOf,
  kinds,
  probeBody,
  withoutExample,
} from '../../src/catalogue/examples.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { repairExample, runExample } from './run-example.mjs';

const path = join(root, 'src', 'catalogue', 'catalogue.json');
const { rules } = JSON.parse(readFileSync(path, 'utf8'));
const ruleOf = (code) => rules.find((rule) => rule.code === code);
const jsonOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

let strata;
let lite;
before(async () => {
  [strata, lite] = await Promise.all([load(), loadLite()]);
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
  const found = await runExample(strata, example, side);
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
  const { body, diagnostics } = repairExample(strata, example, failing);
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
    if (kind === 'body') checkRepair(example);
  });
}

const inLite = ({ kind, failing }) =>
  ['body', 'turns', 'assemble'].includes(kind) && !JSON.stringify(failing).includes('"template"');

// The module lite has no texts for rules with `"module": "core"`, so it must not report them.
for (const example of examples.filter(inLite)) {
  test(`${example.code}: lite reports it in the same words, or does without the rule`, async () => {
    for (const side of ['failing', 'fixed']) {
      const whole = await runExample(strata, example, side);
      const expected = whole.filter(({ code }) => ruleOf(code).module !== 'core');
      assert.deepEqual(await runExample(lite, example, side), expected);
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
