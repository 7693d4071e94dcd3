// Compares requests with the turn filters of pipe. Where this package keeps what pipe leaves out, the test shows the
// cost of leaving it out.
import assert from 'node:assert/strict';
import test, { before, describe } from 'node:test';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { loadTemplates } from 'prompt-strata/templates';
import { calls, casesOf, decode, errorsOf, results, says, user } from './contents.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';

let strata;
let checker;
let templates;
before(async () => {
  strata = await load();
  checker = await loadChecker();
  templates = await loadTemplates();
});

const open = () => strata.thread({ model, sequencing: 'api' });

describe('pipe: the turns in a request', () => {
  const filters = casesOf('pipe_turn_filters');

  // Different from pipe, which keeps at most three results and therefore sends calls without results.
  filters.turns_for_prompt.cases.forEach(({ turns, kept }, index) => {
    test(`turns_for_prompt ${index + 1}: sends every turn`, () => {
      const contents = turns.map((type, i) => geminiTurn(type, i));
      if (turns[0] !== 'user_task') contents.unshift(user('first'));
      const thread = strata.thread({ model, from: contents, policy: 'warn', sequencing: 'api' });
      const { body } = thread.assemble({ now, bufferTokens: -1, trigger: 'next' });
      const orphan = turns.includes('tool_response') && !turns.includes('function_calling');
      if (orphan) return assert.deepEqual([body.length, thread.length], [0, contents.length]);
      const sent = JSON.parse(decode(body)).contents.map((each) => JSON.stringify(each));
      for (const content of contents) assert.ok(sent.includes(JSON.stringify(content)));
      if (kept.length === turns.length) return;
      const dropped = { contents: kept.map((type, i) => geminiTurn(type, i)) };
      assert.notDeepEqual(errorsOf(checker.lint(dropped, { model })), []);
    });
  });

  function geminiTurn(type, i) {
    if (type === 'user_task') return user(`q${i}`);
    if (type === 'model_response') return says(`a${i}`);
    return type === 'function_calling' ? calls(['']) : results(['']);
  }

  // Different from pipe: a single result is never rewritten in place, because everything after it would leave the
  // stable prefix. The test shows that cost. Old results are masked together instead.
  filters.expire_old_tool_responses.cases.forEach((each, index) => {
    test(`expire_old_tool_responses ${index + 1}: keeps the text of results`, () => {
      const { turns, expired_indices: expired } = each;
      const contents = turns.flatMap((turn, i) =>
        turn.type === 'user_task'
          ? [user(turn.instruction), calls([''])]
          : [resultOf(turn.response), says(`a${i}`)],
      );
      const thread = strata.thread({ model, from: contents, sequencing: 'api' });
      const ask = (input = {}) => thread.assemble({ now, dynamic: { text: '' }, ...input });
      const first = ask({ trigger: 'one' });
      const second = ask({ trigger: 'two', previous: first.manifest });
      for (const { type, response } of turns) {
        if (type === 'tool_response')
          assert.match(decode(second.body), new RegExp(response.message));
      }
      const rewritten = contents.map((content) => ({ ...content }));
      for (const i of expired) rewritten[2 * i] = resultOf({ status: 'expired' });
      const other = strata.thread({ model, from: rewritten, sequencing: 'api' });
      const input = { now, dynamic: { text: '' }, trigger: 'two', previous: first.manifest };
      const { stablePrefixBytes } = other.assemble(input).manifest;
      assert.equal(stablePrefixBytes < second.manifest.stablePrefixBytes, each.changed);
    });
  });

  const resultOf = (response) => ({
    role: 'user',
    parts: [{ functionResponse: { name: 'lookup', response } }],
  });

  filters.references.cases.forEach(({ disabled, ttl, sent }) => {
    test(`references: disabled ${disabled}, ttl ${ttl} is ${sent ? '' : 'not '}sent`, () => {
      const variables = { file_references: [{ path: 'a.ts', disabled, ttl }] };
      const template = templates.defaultTemplate('dynamic');
      const { body } = open().assemble({ now, dynamic: { template, variables }, trigger: 'go' });
      assert.equal(decode(body).includes('a.ts'), sent);
    });
  });

  // Different from pipe: turns cannot be edited, only removed with rewind, which is checked.
  test('edits: throws a RangeError for a turn that does not exist', () => {
    const thread = open();
    thread.append(user('a'));
    assert.throws(() => thread.content(1), RangeError);
    assert.throws(() => thread.rewind(2), RangeError);
    assert.ok(!('edit' in thread));
    assert.equal(filters.edits.length, 2);
  });
});
