// Applying the edits of `lint` gives the body of `repair`. `npm run verify -- edits` breaks thousands of requests.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadChecker } from 'prompt-strata/check';
import { brokenRequest, checkEdits, failingExamples } from './lint-edits.mjs';
import { skip } from './traffic.mjs';

const checker = await loadChecker();

test('the edits of failing examples are those of their repair', () => {
  const counts = failingExamples().map((example) => checkEdits(checker, example));
  assert.ok(counts.filter((count) => count > 0).length > 20);
});

test('the edits of broken recorded requests are those of their repair', { skip }, () => {
  let edits = 0;
  for (let seed = 1; seed <= 200; seed++) edits += checkEdits(checker, brokenRequest(seed));
  assert.ok(edits > 200);
});
