// Compares `repair` with how Gemini CLI changes histories (signatures, hardening, curation), case by case. Each
// deliberate difference names its reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before, describe } from 'node:test';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { root } from '../../scripts/setup/run.mjs';

const casesOf = (name) =>
  JSON.parse(readFileSync(join(root, 'tests', 'cases', `gemini_cli_${name}.json`), 'utf8'));
const textOf = (bytes) => new TextDecoder().decode(bytes);
const placeOf = ({ code, path }) => `${code} ${path}`;
const strict = { model: 'gemini-3.8-flash', dummySignatures: true };
// Vertex AI rejects empty texts, and this model requires no signatures.
const unsigned = { model: 'gemini-2.5-flash', backend: 'vertex' };

let strata;
let checker;
before(async () => {
  strata = await load();
  checker = await loadChecker();
});

function repair(contents, options) {
  const { body, diagnostics } = checker.repair({ contents }, options);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    contents: JSON.parse(textOf(body)).contents,
    repaired: diagnostics.filter((found) => found.repaired).map(placeOf),
    errors: errors.map(placeOf),
  };
}

/** Compares the results; `differs[name]` describes a deliberate difference and its reason. */
function checkAgainst(name, actual, theirs, differs) {
  const difference = differs[name];
  if (!difference) return assert.deepEqual(actual.contents, theirs);
  assert.notDeepEqual(actual.contents, theirs, 'there is no difference anymore');
  const { why, repaired = [], errors = [] } = difference;
  assert.deepEqual([actual.repaired, actual.errors], [repaired, errors], why);
  if (difference.contents) assert.deepEqual(actual.contents, difference.contents, why);
}

function checkNames(differs, cases) {
  const names = cases.map(({ name }) => name);
  for (const name of Object.keys(differs)) assert.ok(names.includes(name), name);
}

describe('placeholders in the active loop', () => {
  for (const { name, contents, result } of casesOf('thought_signatures').ensure_active_loop) {
    test(name, () => {
      // Gemini 3.1 accepts text after results; for stricter models, repair moves it.
      const mine = repair(contents, { ...strict, model: 'gemini-3.1-pro-preview' });
      // repair appends an error result for each unanswered call.
      assert.deepEqual(mine.contents.slice(0, result.length), result);
      const others = mine.repaired.filter((line) => !line.startsWith('signature.missing'));
      assert.ok(others.every((line) => line.startsWith('call.open')));
      assert.equal(mine.contents.length, result.length + others.length);
    });
  }
});

describe('id prefixes', () => {
  // repair never rewrites an id of the model, and keeps its prefix and unknown fields next to it.
  for (const { name, contents, result } of casesOf('thought_signatures')
    .strip_tool_call_id_prefixes) {
    test(`keeps every id: ${name}`, () => {
      const [mine] = repair(contents, { ...strict, dummySignatures: false }).contents;
      assert.deepEqual(mine, contents[0]);
      assert.equal(name === 'no_id', JSON.stringify(result[0]) === JSON.stringify(mine));
    });
  }
});

const signed = 'only the current turn needs signatures; earlier turns are not checked';
const noText = 'repair adds no text in the name of the user or the model';
const hardening = {
  ends_model: { why: noText, errors: ['turn.ends_with_model /contents/1'] },
  single_model: { why: noText, errors: ['turn.ends_with_model /contents/0'] },
  two_users: { why: 'the API accepts consecutive user Contents; each keeps its bytes' },
  thought_removed: { why: 'a thought can have the signature, and sending it back is allowed' },
  call_without_response_then_text: {
    why: `${signed}; strict models reject results before text in one Content`,
    repaired: ['call.open /contents/1'],
  },
  responses_out_of_order: {
    why: 'ids pair calls and results, so the order is only a warning and is kept',
    repaired: ['signature.missing /contents/1/parts/0'],
  },
  orphan_first: { why: 'repair invents no call', errors: ['response.orphan /contents/0'] },
  orphan_after_user: { why: 'repair invents no call', errors: ['response.orphan /contents/1'] },
  id_same_name_differs: {
    why: 'the id pairs the two, and repair corrects the name: it invents no call and loses no result',
    repaired: [
      'response.name_mismatch /contents/2/parts/0',
      'signature.missing /contents/1/parts/0',
    ],
  },
  empty_parts_turns: {
    why: 'empty Contents are dropped, and user Contents are not joined',
    repaired: ['parts.empty /contents/0', 'parts.empty /contents/2'],
  },
  custom_keys_scrubbed: {
    why: 'unknown fields are warnings; only fields that the API rejects are removed',
  },
  all_thoughts: { why: noText, errors: ['turn.ends_with_model /contents/0'] },
  parallel_split_responses: { why: signed, repaired: ['response.split /contents/3'] },
};

describe('history hardening', () => {
  const { cases, sentinels } = casesOf('history_hardening');
  checkNames(hardening, cases);
  for (const { name, history, result } of cases) {
    test(name, () => {
      const lost = 'The result of this call was lost.';
      const theirs = JSON.parse(JSON.stringify(result).replaceAll(sentinels.lost, lost));
      checkAgainst(name, repair(history, strict), theirs, hardening);
    });
  }

  test('lint rejects results that Gemini CLI moved before text, for strict models', () => {
    const { result } = cases.find(({ name }) => name === 'call_without_response_then_text');
    const { diagnostics } = checker.lint({ contents: result }, strict);
    const codes = diagnostics.map(({ code }) => code);
    assert.ok(codes.includes('response.trailing_content'), codes.join());
  });
});

const curation = casesOf('curation');
const noParts = 'the API rejects a Content without parts';
const emptyThought = 'the API rejects an empty unsigned text even if it is a thought';
const validity = {
  model_no_parts: noParts,
  model_empty_parts: noParts,
  model_empty_thought: emptyThought,
};

// The API sends such answers itself, and a thread takes them as they come.
const taken = ['model_call_and_empty_text_part'];

describe('valid Contents', () => {
  const cases = curation.is_valid_content;
  checkNames(validity, cases);
  for (const { name, content, valid_head: theirs } of cases) {
    test(name, () => {
      const before = [{ role: 'user', parts: [{ text: 'a' }] }];
      const call = { functionCall: { id: '1', name: 'f', args: {} } };
      if (name === 'user_function_response') before.push({ role: 'model', parts: [call] });
      const thread = strata.thread({ ...unsigned, from: before });
      const append = () => thread.append(content);
      if (theirs && !validity[name]) return assert.ok(append().ok);
      if (taken.includes(name)) {
        append();
        return assert.deepEqual(JSON.parse(textOf(thread.content(1))), content);
      }
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
    why: 'only the empty text is removed; the call and its result are kept',
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
    test(name, () => checkAgainst(name, repair(history, unsigned), theirs, curated));
  }
});

describe('roles', () => {
  for (const { name, history, error } of curation.validate_history_roles) {
    test(name, () => {
      const { diagnostics } = checker.lint({ contents: history }, strict);
      const found = diagnostics.filter(({ code }) => code === 'role.invalid');
      assert.equal(found.length, error ? 1 : 0);
      // The API still accepts this role for results.
      if (error) assert.equal(found[0].severity, 'warning');
    });
  }
});

describe('consecutive roles and thoughts', () => {
  const cases = [...curation.coalesce_consecutive_roles, ...curation.strip_thoughts];
  for (const { name, history } of cases) {
    test(`joins no Contents and drops no thoughts: ${name}`, () => {
      const expected = history.filter(({ parts }) => parts.length > 0);
      assert.deepEqual(repair(history, strict).contents, expected);
    });
  }
});
