// Answers that the live API gave, as clients keep them: what a thread makes of them is what the assembler makes
// of the network's bytes. The recordings are not part of the project.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { load } from 'prompt-strata';
import { missingFrom, sharedPath } from '../shared-folder.mjs';

const folder = sharedPath('fixtures');
const skip = missingFrom('recorded answers', 'fixtures');
const model = 'gemini-3-pro-preview';
const encoder = new TextEncoder();
const textOf = (bytes) => new TextDecoder().decode(bytes);

let strata;
before(async () => {
  strata = await load();
});

/** The responses of a recording, as they came. */
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

/** The ways in which clients keep a raw_response. */
const keptAs = {
  'a list of values': (responses) => responses.map((one) => JSON.parse(one)),
  'a list of texts': (responses) => responses,
  'the text of a list': (responses) => `[${responses.join(',')}]`,
};

const recordings = skip
  ? []
  : readdirSync(folder).filter((name) => /\.(chunks\.txt|json)$/.test(name) && !/429/.test(name));
test('recorded answers are imported as they were assembled', { skip }, () =>
  assert.ok(recordings.length > 0),
);

for (const name of recordings) {
  for (const [form, keep] of Object.entries(keptAs)) {
    test(`${name} kept as ${form}`, () => {
      const responses = responsesOf(name);
      const turn = { type: 'model_response', content: 'lost', raw_response: keep(responses) };
      const from = [{ type: 'user_task', instruction: 'Weather?' }, turn];
      const thread = strata.thread({ model, from, policy: 'warn' });
      const { role, parts } = JSON.parse(textOf(thread.content(1)));
      const expected = assembled(responses);
      assert.deepEqual({ role, parts }, { role: 'model', parts: expected.parts });
      // A history that ends with a call waits for its result, one that ends with text is no request.
      const told = thread.report().diagnostics.filter(({ severity }) => severity !== 'info');
      const ends = ['call.open', 'turn.ends_with_model'];
      assert.deepEqual(
        told.filter(({ code }) => !ends.includes(code)),
        [],
      );
    });
  }
}
