// A long agent run against a server with many faults: it finishes, no call runs twice, and requests keep a stable
// prefix.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as strata from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';

const model = 'gemini-3.8-flash';
const text = (utf8) => new TextDecoder().decode(utf8);
const tasks = 20;
const stepsPerTask = 10;
const now = () => '2026-11-21T10:00:00Z';

const signed = (part, n) => ({ ...part, thoughtSignature: btoa(`signature of step ${n}`) });
const call = (name, n) => ({ functionCall: { id: `${name}-${n}`, name, args: { n } } });

/** Simulates the model: its answer depends on the last task or result, not on text added after it. */
function answerTo({ contents }) {
  const parts = contents.flatMap((content) => content.parts).reverse();
  const last = parts.find((part) => part.functionResponse || /^Task \d+$/.test(part.text));
  const done = last.functionResponse?.response.output.done ?? 0;
  if (done > 0 && done % stepsPerTask === 0) {
    return { parts: [{ text: `Task ${done / stepsPerTask} is done, after ${done} steps.` }] };
  }
  const n = last.functionResponse ? done + 1 : (Number(last.text.slice(5)) - 1) * stepsPerTask + 1;
  const step = signed(call('step', n), n);
  // Every seventh answer has two parallel calls.
  return { parts: n % 7 === 0 ? [call('look', n), step].map(firstSigned(n)) : [step] };
}

const firstSigned =
  (n) =>
  ({ functionCall }, index) =>
    index === 0 ? signed({ functionCall }, n) : { functionCall };

const kinds = [
  { kind: 'http429', retryDelay: '0.001s' },
  { kind: 'cut-stream' },
  { kind: 'empty' },
  { kind: 'http503' },
  { kind: 'mid-stream-error', form: 'bare' },
  { kind: 'blocked' },
  { kind: 'unsigned' },
  { kind: 'malformed-call' },
  { kind: 'network' },
  { kind: 'mid-stream-error', form: 'data' },
  { kind: 'max-tokens' },
  { kind: 'http500' },
  { kind: 'finish', finishReason: 'SAFETY' },
  { kind: 'mid-stream-error', form: 'line' },
];

/** Every tenth request for an answer fails, each with the next kind of fault. */
const faults = Array.from({ length: 60 }, (_, i) => ({
  ...kinds[i % kinds.length],
  at: 10 * (i + 1),
}));

function conversation({ core, checker }, extra) {
  const requests = [];
  const ran = [];
  const emulator = createEmulator({
    ...{ checker, faults, chunkBytes: 37 },
    respond: ({ body }) => answerTo(body),
  });
  const fetch = async (url, init) => {
    requests.push(text(init.body));
    return emulator(url, init);
  };
  const run =
    (name) =>
    ({ n }) => {
      ran.push(`${name} ${n}`);
      return name === 'step' ? { done: n, found: 'more of it. '.repeat(60) } : { seen: n, done: n };
    };
  const tools = ['step', 'look'].map((name) => ({ name, run: run(name) }));
  const retry = { initialMs: 1 };
  const client = new strata.GeminiClient({ fetch, retry });
  const chat = new strata.Conversation(core, client, {
    ...{ model, now, tools, answerRetry: retry },
    ...{ static: { text: 'Do all steps of a task.' }, dynamic: { text: '' } },
    ...extra,
  });
  return { chat, requests, ran };
}

/** Sends until there is an answer; returns all events and how many sends failed. */
async function sendUntilAnswered(chat, message) {
  const events = [];
  for (let failed = 0; failed < 20; failed++) {
    try {
      for await (const event of chat.send(failed === 0 ? message : '')) events.push(event);
      // A model can return an empty answer after results; this one always has more to do.
      if (!chat.unanswered) return { events, failed };
    } catch (error) {
      assert.equal(error.name, 'GeminiError', error);
    }
  }
  throw new Error(`no answer to ${message}`);
}

const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => JSON.parse(text(thread.content(i))));

function commonPrefix(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

const layerOf = ({ layers }, name) => layers.find(({ layer }) => layer === name);
const bytesOf = (body) => new TextEncoder().encode(body);

/** Returns the requests among the events, and whether each received any answer. */
function requestsIn(events) {
  const requests = [];
  for (const { type, body, manifest } of events) {
    if (type === 'request') requests.push({ body: text(body), manifest, answered: false });
    else if (['usage', 'metadata', 'fault'].includes(type)) requests.at(-1).answered = true;
  }
  return requests;
}

/**
 * Checks that each manifest reports a correct stable prefix with the last answered request: the whole previous
 * request unless the static or the dynamic layer changed. Returns how often a layer changed.
 */
function checkPrefixes(sent) {
  let rolled = 0;
  for (let i = 1; i < sent.length; i++) {
    const after = sent[i];
    const before = sent.slice(0, i).findLast(({ answered }) => answered);
    const { stablePrefixBytes: reported } = after.manifest;
    const common = commonPrefix(bytesOf(before.body), bytesOf(after.body));
    assert.ok(reported <= common, `request ${i}: ${reported} reported, ${common} shared`);
    const same = (name) =>
      layerOf(before.manifest, name).fingerprint === layerOf(after.manifest, name).fingerprint;
    if (!same('static') || !same('dynamic')) {
      rolled++;
      continue;
    }
    // The previous request without its closing brackets and without the text that a retry added.
    const expected = before.nudged
      ? before.body.lastIndexOf(',{"role":"user"')
      : before.body.length - 2;
    assert.ok(
      reported >= bytesOf(before.body.slice(0, expected)).length,
      `request ${i}: only ${reported} of ${expected}`,
    );
  }
  return rolled;
}

function checkTurns(turns) {
  const texts = turns.filter(({ parts }) => parts[0].text).map(({ parts }) => parts[0].text);
  const asked = texts.filter((text) => /^Task \d+$/.test(text));
  assert.deepEqual(
    asked,
    Array.from({ length: tasks }, (_, i) => `Task ${i + 1}`),
  );
  assert.equal(texts.at(-1), `Task ${tasks} is done, after ${tasks * stepsPerTask} steps.`);
  const steps = turns.filter(({ parts }) => parts.some(({ functionCall }) => functionCall));
  assert.equal(steps.length, tasks * stepsPerTask);
}

async function runAllTasks(extra = {}) {
  const core = await strata.load();
  const checker = await loadChecker();
  const { chat, requests, ran } = conversation({ core, checker }, extra);
  const sent = [];
  let failures = 0;
  for (let task = 1; task <= tasks; task++) {
    const { events, failed } = await sendUntilAnswered(chat, `Task ${task}`);
    failures += failed;
    sent.push(...requestsIn(events));
  }
  checkTurns(turnsOf(chat.thread));
  assert.equal(new Set(ran).size, ran.length, 'a call ran twice');
  assert.equal(ran.filter((name) => name.startsWith('step')).length, tasks * stepsPerTask);
  assert.ok(requests.length >= tasks * (stepsPerTask + 1) + 20, `${requests.length} requests`);
  assert.ok(failures >= 3, `${failures} sends failed`);
  for (const { body } of sent) assert.ok(checker.lint(body, { model }).ok, body);
  return checkPrefixes(sent);
}

test('finishes 200 steps with a fault in every tenth request, with one stable prefix', async () => {
  assert.equal(await runAllTasks(), 0);
});

test('finishes 200 steps with faults while old turns move to the static layer', async () => {
  const rolled = await runAllTasks({ cachedHistory: 'text', bufferTokens: 8000 });
  assert.ok(rolled >= 2 && rolled <= 10, `${rolled} times`);
});
