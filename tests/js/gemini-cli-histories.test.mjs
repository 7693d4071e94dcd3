// What Gemini CLI makes of histories (signatures, hardening, curation), case by case, beside what `repair`
// makes of them. Where this package chooses otherwise, the case says why.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before, describe } from 'node:test';
import { load } from 'prompt-strata';
import { root } from '../../scripts/setup/run.mjs';

const casesOf = (name) =>
  JSON.parse(readFileSync(join(root, 'tests', 'cases', `gemini_cli_${name}.json`), 'utf8'));
const textOf = (bytes) => new TextDecoder().decode(bytes);
const placeOf = ({ code, path }) => `${code} ${path}`;
const strict = { model: 'gemini-3.8-flash', dummySignatures: true };
// The service that refuses empty texts, with a model that asks for no signatures.
const old = { model: 'gemini-2.5-flash', backend: 'vertex' };

let strata;
before(async () => {
  strata = await load();
});

function mend(contents, options) {
  const { body, diagnostics } = strata.repair({ contents }, options);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    contents: JSON.parse(textOf(body)).contents,
    repaired: diagnostics.filter((found) => found.repaired).map(placeOf),
    errors: errors.map(placeOf),
  };
}

/** `differs[name]` says what is made of a case instead, and why. */
function checkAgainst(name, mine, theirs, differs) {
  const other = differs[name];
  if (!other) return assert.deepEqual(mine.contents, theirs);
  assert.notDeepEqual(mine.contents, theirs, 'does not differ any more');
  const { why, repaired = [], errors = [] } = other;
  assert.deepEqual([mine.repaired, mine.errors], [repaired, errors], why);
  if (other.contents) assert.deepEqual(mine.contents, other.contents, why);
}

function checkNames(differs, cases) {
  const names = cases.map(({ name }) => name);
  for (const name of Object.keys(differs)) assert.ok(names.includes(name), name);
}

describe('placeholders in the active loop', () => {
  for (const { name, contents, result } of casesOf('thought_signatures').ensure_active_loop) {
    test(name, () => {
      // 3.1 takes text behind results, which stricter models make repair move.
      const mine = mend(contents, { ...strict, model: 'gemini-3.1-pro-preview' });
      // Calls that nobody answered get their explicit error result behind these.
      assert.deepEqual(mine.contents.slice(0, result.length), result);
      const others = mine.repaired.filter((line) => !line.startsWith('signature.missing'));
      assert.ok(others.every((line) => line.startsWith('call.open')));
      assert.equal(mine.contents.length, result.length + others.length);
    });
  }
});

describe('prefixes of ids', () => {
  // An id is the model's: it goes back as it came, with its prefix, beside fields that are new to us.
  for (const { name, contents, result } of casesOf('thought_signatures')
    .strip_tool_call_id_prefixes) {
    test(`${name}: no id is rewritten`, () => {
      const [mine] = mend(contents, { ...strict, dummySignatures: false }).contents;
      assert.deepEqual(mine, contents[0]);
      assert.equal(name === 'no_id', JSON.stringify(result[0]) === JSON.stringify(mine));
    });
  }
});

const signed = 'only the current turn is signed: earlier ones are not looked at';
const words = 'no words are put into the mouth of the user or the model';
const hardening = {
  ends_model: { why: words, errors: ['turn.ends_with_model /contents/1'] },
  single_model: { why: words, errors: ['turn.ends_with_model /contents/0'] },
  two_users: { why: 'the API takes two user Contents; each keeps its bytes' },
  thought_removed: { why: 'a thought may carry the signature; sending it back is allowed' },
  call_without_response_then_text: {
    why: `${signed}; results are never put before text in one Content, which strict models refuse`,
    repaired: ['call.open /contents/1'],
  },
  responses_out_of_order: {
    why: 'ids say which result is whose, so the order is a warning and stays',
    repaired: ['signature.missing /contents/1/parts/0'],
  },
  orphan_first: { why: 'no call is made up', errors: ['response.orphan /contents/0'] },
  orphan_after_user: { why: 'no call is made up', errors: ['response.orphan /contents/1'] },
  id_same_name_differs: {
    why: 'an id that fits pairs the two, and the name is put right: no call is made up, no result lost',
    repaired: ['response.name_mismatch /contents/2/parts/0', 'signature.missing /contents/1/parts/0'],
  },
  empty_parts_turns: {
    why: 'what is empty is dropped, the user Contents are not joined',
    repaired: ['parts.empty /contents/0', 'parts.empty /contents/2'],
  },
  custom_keys_scrubbed: {
    why: 'unknown fields are warnings; those known to be refused are removed',
  },
  all_thoughts: { why: words, errors: ['turn.ends_with_model /contents/0'] },
  parallel_split_responses: { why: signed, repaired: ['response.split /contents/3'] },
};

describe('history hardening', () => {
  const { cases, sentinels } = casesOf('history_hardening');
  checkNames(hardening, cases);
  for (const { name, history, result } of cases) {
    test(name, () => {
      const lost = 'The result of this call was lost.';
      const theirs = JSON.parse(JSON.stringify(result).replaceAll(sentinels.lost, lost));
      checkAgainst(name, mend(history, strict), theirs, hardening);
    });
  }

  test('what it makes by hoisting results before text is refused by strict models', () => {
    const { result } = cases.find(({ name }) => name === 'call_without_response_then_text');
    const { diagnostics } = strata.lint({ contents: result }, strict);
    const codes = diagnostics.map(({ code }) => code);
    assert.ok(codes.includes('response.trailing_content'), codes.join());
  });
});

const curation = casesOf('curation');
const noParts = 'the API refuses a Content without parts';
const emptyThought = 'an empty unsigned text is refused as a thought too';
const validity = {
  model_no_parts: noParts,
  model_empty_parts: noParts,
  model_empty_thought: emptyThought,
};

describe('valid Contents', () => {
  const cases = curation.is_valid_content;
  checkNames(validity, cases);
  for (const { name, content, valid_head: theirs } of cases) {
    test(name, () => {
      const before = [{ role: 'user', parts: [{ text: 'a' }] }];
      const call = { functionCall: { id: '1', name: 'f', args: {} } };
      if (name === 'user_function_response') before.push({ role: 'model', parts: [call] });
      const thread = strata.thread({ ...old, from: before });
      const append = () => thread.append(content);
      if (theirs && !validity[name]) return assert.ok(append().ok);
      assert.throws(append, {
        name: 'HistoryError',
        code: /^(parts\.empty|part\.no_data|text\.empty)$/,
      });
      assert.equal(thread.length, before.length);
    });
  }
});

const curated = {
  empty_parts_model: { why: noParts, repaired: ['parts.empty /contents/1'] },
  user_no_parts_kept: { why: noParts, repaired: ['parts.empty /contents/0'] },
  call_with_empty_text_part: {
    why: 'only the empty text goes: the call beside it is kept, and so is its result',
    repaired: ['text.empty /contents/1/parts/0'],
  },
  empty_thought: {
    why: emptyThought,
    repaired: ['text.empty /contents/1/parts/0', 'parts.empty /contents/1'],
  },
};

describe('curated histories', () => {
  const cases = curation.extract_curated_history;
  checkNames(curated, cases);
  for (const { name, history, curated_head: theirs } of cases) {
    test(name, () => checkAgainst(name, mend(history, old), theirs, curated));
  }
});

describe('roles', () => {
  for (const { name, history, error } of curation.validate_history_roles) {
    test(name, () => {
      const { diagnostics } = strata.lint({ contents: history }, strict);
      const found = diagnostics.filter(({ code }) => code === 'role.invalid');
      assert.equal(found.length, error ? 1 : 0);
      // The API still takes it for results.
      if (error) assert.equal(found[0].severity, 'warning');
    });
  }
});

describe('one role after another, and thoughts', () => {
  const cases = [...curation.coalesce_consecutive_roles, ...curation.strip_thoughts];
  for (const { name, history } of cases) {
    test(`${name}: nothing is joined, no thought is dropped`, () => {
      const kept = history.filter(({ parts }) => parts.length > 0);
      assert.deepEqual(mend(history, strict).contents, kept);
    });
  }
});
