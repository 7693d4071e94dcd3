// Passes recorded answers of the Interactions API, and recorded histories of generateContent, through a thread into
// requests. The recordings are not part of the project.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { before } from 'node:test';
import { load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';
import {
  callOf,
  contentsOf,
  exchanges,
  partsOf,
  requestOf,
  skip as noTraffic,
} from './traffic.mjs';

const skip = missingFrom('recorded interactions', 'interactions');
const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const input = { now, wire: 'interactions', static: { text: '' }, bufferTokens: -1 };
const decode = (bytes) => new TextDecoder().decode(bytes);
const recording = (name) => readFileSync(sharedPath('interactions', name), 'utf8');
const streamOf = (name) =>
  recording(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `data: ${line}\n\n`)
    .join('');

const names = ['basic', 'google-search', 'multi-turn-stateless-turn1', 'tool-call-step1'];
let strata;
let checker;

before(async () => {
  [strata, checker] = [await load(), await loadChecker()];
});

// Returns an answer that was read in pieces that end at these positions.
function read(bytes, ends = []) {
  const response = strata.response({ wire: 'interactions' });
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    response.push(bytes.subarray(from, end));
    from = end;
  }
  response.end();
  return response;
}

// Returns a thread in which the answer follows a question.
function threadWith(response) {
  const thread = strata.thread({ model, sequencing: 'api' });
  thread.append({ role: 'user', parts: [{ text: 'Hello' }] });
  thread.appendAnswer(response, { model });
  return thread;
}

for (const name of names) {
  test(`a recorded answer is in the next request as it came: ${name}`, { skip }, () => {
    // The white space between steps belongs to no step.
    const text = recording(`${name}.json`).replaceAll('},\n    {', '},{');
    const { steps } = JSON.parse(text);
    const thread = threadWith(read(Buffer.from(text)));
    const opened = strata.thread({ model, from: thread.save() });
    const kept = decode(opened.content(1));
    // Without the brackets, the bytes of the recording.
    assert.ok(text.includes(kept.slice(1, -1)));
    assert.deepEqual(JSON.parse(kept), steps);
    const parts = opened.tail.openCalls.map(({ id, name: called }) => ({
      functionResponse: { id, name: called, response: { sky: 'clear' } },
    }));
    const trigger = parts.length > 0 ? { role: 'user', parts } : 'And now?';
    const { body } = opened.assemble({ ...input, trigger });
    assert.ok(decode(body).includes(kept.slice(1, -1)));
  });

  test(`a recorded stream is one turn wherever it is cut: ${name}`, { skip }, () => {
    const bytes = Buffer.from(streamOf(`${name}.chunks.txt`));
    const whole = threadWith(read(bytes)).save();
    let seed = 7;
    const random = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let i = 0; i < 500; i++) {
      const ends = Array.from({ length: 1 + random(6) }, () => random(bytes.length)).sort(
        (a, b) => a - b,
      );
      assert.deepEqual(threadWith(read(bytes, ends)).save(), whole, `cut at ${ends}`);
    }
  });
}

const signedParallel = (request) =>
  contentsOf(request).some((content) => {
    const calls = partsOf(content).filter((part) => callOf(part));
    return content.role === 'model' && calls.length > 1 && calls[0].thoughtSignature;
  });

test(
  'recorded histories with signed parallel calls are written as valid steps',
  { skip: noTraffic },
  () => {
    const requests = exchanges
      .filter(({ status }) => status === 200)
      .map(requestOf)
      .filter((request) => request && signedParallel(request));
    assert.ok(requests.length > 3, `${requests.length} histories`);
    let written = 0;
    for (const request of requests) {
      const thread = strata.thread({ model, policy: 'warn', from: contentsOf(request) });
      const { tools, toolConfig } = request;
      // Some were accepted although the rules say otherwise, whatever the API.
      if (!thread.assemble({ ...input, wire: 'generateContent', tools, toolConfig }).ok) continue;
      written++;
      const { ok, body, diagnostics } = thread.assemble({ ...input, tools, toolConfig });
      assert.ok(ok, JSON.stringify(diagnostics));
      const found = checker.lint(body, { model, now });
      assert.ok(found.ok, JSON.stringify(found.diagnostics));
      const signatures = JSON.stringify(contentsOf(request)).match(/"thoughtSignature":"[^"]+"/g);
      for (const signature of signatures) assert.ok(decode(body).includes(signature.slice(19)));
    }
    assert.ok(written > 3, `${written} written`);
  },
);
