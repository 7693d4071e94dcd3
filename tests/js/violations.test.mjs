// Histories that clients send and Gemini refuses, as peers' clients were measured with: what is found, where,
// and whether repair mends it. docs/violations.md is generated from the same file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before, describe } from 'node:test';
import { load } from 'prompt-strata';
import { root } from '../../scripts/setup/run.mjs';

const { model, peers, violations } = JSON.parse(
  readFileSync(join(root, 'tests', 'cases', 'violations.json'), 'utf8'),
);
const lineOf = ({ severity, code, path }) => `${severity} ${code} ${path}`;
const placeOf = ({ code, path }) => `${code} ${path}`;
const isError = (line) => line.startsWith('error ');

let strata;
before(async () => {
  strata = await load();
});

/** What repair did, as the file says it. */
function repaired(body, options) {
  const { ok, diagnostics, body: bytes } = strata.repair(body, { model, ...options });
  const repaired = diagnostics.filter((found) => found.repaired);
  const left = diagnostics.filter((found) => !found.repaired);
  const text = new TextDecoder().decode(bytes);
  const result = { ok, repaired: repaired.map(placeOf), left: left.map(lineOf) };
  if (repaired.length === 0) return { result, text };
  return { result: { ...result, contents: JSON.parse(text).contents }, text };
}

/** What holds of every repaired body. */
function checkMended({ result, text }, options) {
  const again = strata.repair(text, { model, ...options });
  assert.equal(new TextDecoder().decode(again.body), text, 'repaired twice');
  const { ok, diagnostics } = strata.lint(text, { model });
  assert.equal(ok, result.ok);
  assert.deepEqual(diagnostics.map(lineOf), result.left);
}

for (const { name, contents, found, repair, withPlaceholders, peers: cells } of violations) {
  describe(name, () => {
    const body = JSON.stringify({ contents });

    test('is found, with its place', () => {
      const { ok, diagnostics } = strata.lint(body, { model });
      assert.deepEqual(diagnostics.map(lineOf), found);
      assert.equal(ok, !found.some(isError));
    });

    test('is repaired, or stays as it is', () => {
      const plain = repaired(body, {});
      assert.deepEqual(plain.result, repair);
      if (repair.repaired.length === 0) assert.equal(plain.text, body);
      checkMended(plain, {});
    });

    test('gets placeholders where signatures are missing, and nowhere else', () => {
      const options = { dummySignatures: true };
      const filled = repaired(body, options);
      assert.deepEqual(filled.result, withPlaceholders ?? repair);
      checkMended(filled, options);
    });

    test('has a cell a peer', () => {
      if (cells !== null) assert.equal(cells.length, peers.length);
    });
  });
}

test('there are as many as were measured', () => {
  assert.equal(violations.length, 24);
});
