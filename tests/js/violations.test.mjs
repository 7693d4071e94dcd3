// Checks what lint and repair report for the histories of tests/cases/violations.json, from which docs/violations.md
// is generated.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before, describe } from 'node:test';
import { loadChecker } from 'prompt-strata/check';
import { root } from '../../scripts/setup/run.mjs';

const { model, peers, violations } = JSON.parse(
  readFileSync(join(root, 'tests', 'cases', 'violations.json'), 'utf8'),
);
const lineOf = ({ severity, code, path }) => `${severity} ${code} ${path}`;
const placeOf = ({ code, path }) => `${code} ${path}`;
const isError = (line) => line.startsWith('error ');

let checker;
before(async () => {
  checker = await loadChecker();
});

/** Returns what repair did, in the form of the case file. */
function repaired(body, options) {
  const { ok, diagnostics, body: bytes } = checker.repair(body, { model, ...options });
  const repaired = diagnostics.filter((found) => found.repaired);
  const remaining = diagnostics.filter((found) => !found.repaired);
  const text = new TextDecoder().decode(bytes);
  const result = { ok, repaired: repaired.map(placeOf), left: remaining.map(lineOf) };
  if (repaired.length === 0) return { result, text };
  return { result: { ...result, contents: JSON.parse(text).contents }, text };
}

/** Checks that repair does not change a repaired body again and that lint reports the remaining findings. */
function checkRepaired({ result, text }, options) {
  const again = checker.repair(text, { model, ...options });
  assert.equal(new TextDecoder().decode(again.body), text, 'repaired twice');
  const { ok, diagnostics } = checker.lint(text, { model });
  assert.equal(ok, result.ok);
  assert.deepEqual(diagnostics.map(lineOf), result.left);
}

for (const { name, contents, found, repair, withPlaceholders, peers: cells } of violations) {
  describe(name, () => {
    const body = JSON.stringify({ contents });

    test('is reported with its path', () => {
      const { ok, diagnostics } = checker.lint(body, { model });
      assert.deepEqual(diagnostics.map(lineOf), found);
      assert.equal(ok, !found.some(isError));
    });

    test('is repaired or stays unchanged', () => {
      const plain = repaired(body, {});
      assert.deepEqual(plain.result, repair);
      if (repair.repaired.length === 0) assert.equal(plain.text, body);
      checkRepaired(plain, {});
    });

    test('gets placeholders only for missing signatures', () => {
      const options = { dummySignatures: true };
      const filled = repaired(body, options);
      assert.deepEqual(filled.result, withPlaceholders ?? repair);
      checkRepaired(filled, options);
    });

    test('has one cell for each peer', () => {
      if (cells !== null) assert.equal(cells.length, peers.length);
    });
  });
}

test('covers all 24 histories', () => {
  assert.equal(violations.length, 24);
});
