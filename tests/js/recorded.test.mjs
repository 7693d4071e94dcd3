// Passes recorded answers of the live API through the assembler, a thread, a request, and lint. The recordings are
// not part of the project.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { before } from 'node:test';
import { GeminiClient, load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';
import { finishedContent } from './portable/finished-content.mjs';

const folder = sharedPath('fixtures');
const skip = missingFrom('recorded answers', 'fixtures');
const model = 'gemini-3-pro-preview';
const now = '2026-11-21T10:00:00Z';
const key = 'AIzaSyRecorded-test-key_0123456789';
const question = { role: 'user', parts: [{ text: 'What is the weather in San Francisco?' }] };
const result = {
  role: 'user',
  parts: [{ functionResponse: { name: 'weather', response: { sky: 'foggy' } } }],
};

const recording = (name) => readFileSync(join(folder, name), 'utf8');

/** Returns the network bytes of a recorded stream. */
const streamOf = (name) =>
  Buffer.from(
    recording(name)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `data: ${line}\r\n\r\n`)
      .join(''),
  );

// Sizes of network reads; Infinity reads everything at once.
const sizes = [1, 2, 3, 7, 64, 4096, Infinity];

const isPlainText = (part) =>
  'text' in part && Object.keys(part).every((key) => ['text', 'thought'].includes(key));

/** Applies one of the partialArgs to the arguments; the recordings contain no nested paths. */
function addPiece(args, { jsonPath, stringValue, numberValue, boolValue }) {
  const [, name] = /^\$\.(\w+)$/.exec(jsonPath);
  args[name] =
    stringValue === undefined ? (numberValue ?? boolValue) : (args[name] ?? '') + stringValue;
}

/**
 * Returns the expected parts of a recording: adjacent plain texts are joined, signed parts stay separate, and
 * streamed arguments are merged (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
function partsOf(name) {
  const lines = recording(name).split('\n').filter(Boolean);
  const recorded = lines.flatMap((line) => JSON.parse(line).candidates?.[0].content?.parts ?? []);
  const parts = [];
  let open;
  for (const part of recorded) {
    const last = parts.at(-1);
    const { partialArgs, willContinue, ...call } = part.functionCall ?? {};
    if (partialArgs || willContinue || (part.functionCall && open)) {
      if (!open) parts.push((open = { ...part, functionCall: { ...call, args: {} } }));
      for (const piece of partialArgs ?? []) addPiece(open.functionCall.args, piece);
      if (!willContinue) open = undefined;
    } else if (isPlainText(part) && last && isPlainText(last) && part.thought === last.thought) {
      last.text += part.text;
    } else {
      parts.push({ ...part });
    }
  }
  return parts;
}

let strata;
let checker;
before(async () => {
  strata = await load();
  checker = await loadChecker();
});

function assemble(bytes, size) {
  const response = strata.response();
  for (let at = 0; at < bytes.length; at += size) response.push(bytes.subarray(at, at + size));
  return Buffer.from(response.finish().content).toString();
}

function secondRequest(content) {
  const thread = strata.thread({ model });
  for (const turn of [question, content, result]) thread.append(turn);
  const request = thread.assemble({
    now,
    tools: '[{"functionDeclarations":[{"name":"weather"}]}]',
  });
  return Buffer.from(request.body).toString();
}

const places = ({ diagnostics }) =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code, path }) => [code, path]);

for (const size of sizes) {
  test(`builds one Content with its signature in reads of ${size} bytes`, { skip }, () => {
    const name = 'google-tool-call-gemini3.chunks.txt';
    const [, signed] = /("thoughtSignature":"[^"]+")/.exec(recording(name));
    const content = assemble(streamOf(name), size);
    assert.equal(content, assemble(streamOf(name), Infinity));
    assert.equal(content.split('"thoughtSignature"').length, 2);
    const body = secondRequest(content);
    assert.ok(body.includes(signed));
    assert.equal(checker.lint(body, { model }).ok, true);

    const unsigned = body.replace(`,${signed}`, '');
    assert.equal(unsigned.length, body.length - signed.length - 1);
    const { contents } = JSON.parse(body);
    const turn = contents.findIndex(({ role }) => role === 'model');
    const part = contents[turn].parts.findIndex(({ functionCall }) => functionCall);
    const path = `/contents/${turn}/parts/${part}`;
    assert.deepEqual(places(checker.lint(unsigned, { model })), [['signature.missing', path]]);
  });
}

const streams = [
  'google-tool-call-gemini3.chunks.txt',
  'google-reasoning-gemini3.chunks.txt',
  'google-reasoning.chunks.txt',
  'google-stream-tool-call-arguments.chunks.txt',
  'google-text.chunks.txt',
];
for (const name of streams) {
  test(
    `${name}: builds the same Content for every read size, which a thread accepts`,
    { skip },
    () => {
      const content = assemble(streamOf(name), Infinity);
      for (const size of sizes) assert.equal(assemble(streamOf(name), size), content);
      const signatures = recording(name).match(/"thoughtSignature":"[^"]+"/g) ?? [];
      for (const signature of signatures) assert.ok(content.includes(signature));
      assert.deepEqual(JSON.parse(content).parts, partsOf(name));
      const thread = strata.thread({ model });
      thread.append(question);
      assert.equal(thread.append(content).ok, true);
    },
  );
}

for (const name of streams) {
  test(
    `${name}: is moved into a thread as append takes it, and seen at every read`,
    { skip },
    () => {
      const bytes = streamOf(name);
      const expected = strata.thread({ model });
      expected.append(question);
      expected.append(assemble(bytes, Infinity));
      for (const size of sizes.filter((each) => each > 3)) {
        const response = strata.response();
        for (let at = 0; at < bytes.length; at += size) {
          response.push(bytes.subarray(at, at + size));
          assert.deepEqual(
            response.content(),
            finishedContent(strata, bytes.subarray(0, at + size)),
          );
        }
        const thread = strata.thread({ model });
        thread.append(question);
        thread.appendAnswer(response);
        assert.deepEqual(thread.save(), expected.save());
      }
    },
  );
}

for (const name of ['google-tool-call-gemini3.json', 'google-tool-call.json']) {
  test(`${name}: keeps a single response object byte for byte`, { skip }, () => {
    for (const size of sizes) {
      const content = assemble(Buffer.from(recording(name)), size);
      assert.ok(recording(name).includes(content));
      assert.deepEqual(JSON.parse(content), JSON.parse(recording(name)).candidates[0].content);
    }
  });
}

test(
  'throws a typed error with the delay and without the key for a recorded 429',
  { skip },
  async () => {
    const text = recording('google-429-retry-info.json');
    const fetch = async () => new Response(text, { status: 429 });
    const client = new GeminiClient({ apiKey: key, fetch, retry: false });
    const error = await client.stream(model, new Uint8Array(2)).catch((thrown) => thrown);
    const { error: recorded } = JSON.parse(text);
    assert.equal(error.name, 'GeminiError');
    assert.equal(error.code, `api.${recorded.status}`);
    assert.equal(error.status, 429);
    assert.equal(error.message, recorded.message);
    assert.deepEqual(error.details, recorded.details);
    const info = recorded.details.find((detail) => detail.retryDelay);
    assert.equal(error.retryAfterMs, Math.ceil(Number.parseFloat(info.retryDelay) * 1000));
    assert.ok(!`${error.stack}${JSON.stringify(error)}`.includes(key));
  },
);

test('throws the same error with the partial Content for a 429 in mid-stream', { skip }, () => {
  const text = recording('google-429-retry-info.json');
  const [first] = recording('google-text.chunks.txt').split('\n');
  for (const tail of [text, `data: ${JSON.stringify(JSON.parse(text))}\r\n\r\n`]) {
    const response = strata.response();
    response.push(Buffer.from(`data: ${first}\r\n\r\n${tail}`));
    const fields = { name: 'GeminiError', code: 'api.RESOURCE_EXHAUSTED', retryAfterMs: 34_400 };
    assert.throws(
      () => response.finish(),
      ({ partial, ...error }) => {
        assert.match(Buffer.from(partial).toString(), /There are/);
        for (const [field, value] of Object.entries(fields)) assert.equal(error[field], value);
        return true;
      },
    );
  }
});
