// Imports recorded answers of the live API in the forms that clients store: the thread contains the same Content as
// the response assembler builds. The recordings are not part of the project.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';

const folder = sharedPath('fixtures');
const skip = missingFrom('recorded answers', 'fixtures');
const model = 'gemini-3-pro-preview';
const encoder = new TextEncoder();
const textOf = (bytes) => new TextDecoder().decode(bytes);

let strata;
let checker;
before(async () => {
  strata = await load();
  checker = await loadChecker();
});

/** Returns the responses of a recording as texts. */
function responsesOf(name) {
  const text = readFileSync(join(folder, name), 'utf8');
  return name.endsWith('.txt') ? text.split('\n').filter(Boolean) : [text];
}

function assembled(responses) {
  const response = strata.response();
  if (responses.length === 1) response.push(encoder.encode(responses[0]));
  else for (const one of responses) response.push(encoder.encode(`data: ${one}\r\n\r\n`));
  return JSON.parse(textOf(response.finish().content));
}

/** The forms in which clients store a raw_response. */
const storedForms = {
  'a list of values': (responses) => responses.map((one) => JSON.parse(one)),
  'a list of texts': (responses) => responses,
  'the text of a list': (responses) => `[${responses.join(',')}]`,
};

const recordings = skip
  ? []
  : readdirSync(folder).filter((name) => /\.(chunks\.txt|json)$/.test(name) && !/429/.test(name));
test('finds recorded answers', { skip }, () => assert.ok(recordings.length > 0));

for (const name of recordings) {
  for (const [form, convert] of Object.entries(storedForms)) {
    test(`imports ${name} stored as ${form}`, () => {
      const responses = responsesOf(name);
      const turn = { type: 'model_response', content: 'lost', raw_response: convert(responses) };
      const from = [{ type: 'user_task', instruction: 'Weather?' }, turn];
      const { saved } = checker.import(from, { model });
      const thread = strata.thread({ model, from: saved, policy: 'warn' });
      const { role, parts } = JSON.parse(textOf(thread.content(1)));
      const expected = assembled(responses);
      assert.deepEqual({ role, parts }, { role: 'model', parts: expected.parts });
      // The history ends with a functionCall or with a model text, which is expected here.
      const reported = thread.report().diagnostics.filter(({ severity }) => severity !== 'info');
      const expectedCodes = ['call.open', 'turn.ends_with_model'];
      assert.deepEqual(
        reported.filter(({ code }) => !expectedCodes.includes(code)),
        [],
      );
    });
  }
}
