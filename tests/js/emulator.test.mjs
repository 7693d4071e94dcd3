// The emulator in Node: it replays answers recorded from the live API, continues a recorded history, and is not
// part of the main bundle. The recordings are not part of the project.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { GeminiClient, load } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { root } from '../../scripts/setup/run.mjs';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';

const recorded = sharedPath('fixtures', 'google-tool-call-gemini3.chunks.txt');
const skip = missingFrom('recorded answers', 'fixtures');
const model = 'gemini-3-pro-preview';
const encode = (value) => new TextEncoder().encode(JSON.stringify(value));
const user = { role: 'user', parts: [{ text: 'What is the weather in San Francisco?' }] };

let strata;
before(async () => {
  strata = await load();
});

const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Returns the Content that a client assembles from the recording in reads of `chunkBytes` bytes. */
async function replay(chunks, chunkBytes) {
  const fetch = createEmulator({ chunkBytes, respond: () => ({ chunks }) });
  const response = await new GeminiClient({ fetch }).stream(model, encode({ contents: [user] }));
  const assembler = strata.response();
  for await (const bytes of response.body) assembler.push(bytes);
  return new TextDecoder().decode(assembler.finish().content);
}

for (const chunkBytes of [1, 7, 4096]) {
  test(
    `keeps the signature of a recorded functionCall in reads of ${chunkBytes} bytes`,
    { skip },
    async () => {
      const chunks = linesOf(recorded);
      const signature = /"thoughtSignature":"([^"]+)"/.exec(chunks[0])[1];
      const content = await replay(chunks, chunkBytes);
      assert.ok(content.includes(`"thoughtSignature":"${signature}"`));
      assert.equal(JSON.parse(content).parts[0].functionCall.name, 'weather');
    },
  );
}

test(
  'continues a recorded functionCall, and rejects it without its signature',
  { skip },
  async () => {
    const content = await replay(linesOf(recorded), undefined);
    const response = { temperature: 17, sky: 'foggy' };
    const result = { role: 'user', parts: [{ functionResponse: { name: 'weather', response } }] };
    const body = (call) =>
      `{"contents":[${JSON.stringify(user)},${call},${JSON.stringify(result)}]}`;
    const client = new GeminiClient({ fetch: createEmulator() });
    const send = (call) => client.generate(model, new TextEncoder().encode(body(call)));
    const answer = await (await send(content)).json();
    assert.match(answer.candidates[0].content.parts[0].text, /temperature 17, sky foggy/);
    const unsigned = content.replace(/,"thoughtSignature":"[^"]+"/, '');
    assert.notEqual(unsigned, content);
    await assert.rejects(send(unsigned), {
      name: 'GeminiError',
      status: 400,
      message: /^Function call is missing a thought_signature in functionCall parts\./,
    });
  },
);

test('the main file of the package does not contain the emulator', () => {
  const codeOf = (file) => readFileSync(join(root, 'dist', file), 'utf8');
  const loaded = ['index.js'];
  for (const file of loaded)
    for (const [, next] of codeOf(file).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      if (!loaded.includes(next)) loaded.push(next);
  assert.ok(loaded.length > 1);
  assert.deepEqual(
    loaded.filter((file) => codeOf(file).includes('emulated signature')),
    [],
  );
  assert.ok(
    readdirSync(join(root, 'dist')).some(
      (file) => file.endsWith('.js') && codeOf(file).includes('emulated signature'),
    ),
  );
});
