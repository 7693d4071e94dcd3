// Each code that the shell throws is a rule of the catalogue or a row of web/sdk/base/errors.json, and each row there
// is thrown, and asked for again as it says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const { errors } = JSON.parse(read('web/sdk/base/errors.json'));
const rules = JSON.parse(read('src/catalogue/catalogue.json')).rules.map(({ code }) => code);
const codes = errors.map(({ code }) => code);
const sources = filesBelow('web/sdk', ['.ts']).map(read).join('\n');

const found = (pattern) => [...sources.matchAll(pattern)].map(([, code]) => code);
const made = found(/(?:(?:Strata|Gemini|History|Cache)Error|refusal)\(\s*'([^']+)'/g);
// Codes of the core that are about calls, not about requests.
const fromCore = [...read('src/prompt/manifest_diff.cpp').matchAll(/Error\{"([^"]+)"/g)].map(
  ([, code]) => code,
);
const written = found(/'([a-z]+\.[a-z_]+)'/g);

test('each code that the shell throws is explained', () => {
  assert.ok(made.includes('network') && written.includes('answer.max_tokens'));
  const unknown = [...made, ...written].filter((code) => ![...rules, ...codes].includes(code));
  assert.deepEqual(unknown, []);
});

test('each error that is explained is thrown, and is no rule', () => {
  for (const code of codes) {
    assert.ok(made.includes(code) || written.includes(code) || fromCore.includes(code), code);
    assert.ok(!rules.includes(code), code);
  }
  assert.deepEqual(codes, codes.toSorted());
});

test('what is asked for again is what the policy asks for again', () => {
  const [, policy] = /codes: \[([\s\S]*?)\n {2}\]/.exec(
    read('web/sdk/conversation/answer-retry.ts'),
  );
  const asked = [...policy.matchAll(/'([^']+)'/g)].map(([, code]) => code);
  const again = errors.filter((row) => row.again).map(({ code }) => code);
  assert.deepEqual(asked.toSorted(), again);
});
