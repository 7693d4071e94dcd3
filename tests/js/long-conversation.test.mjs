// A long agent's work with a server that fails all the time: it ends right, nothing is done twice, and what is
// sent keeps its beginning.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as strata from 'prompt-strata';

const model = 'gemini-3.8-flash';
const text = (utf8) => new TextDecoder().decode(utf8);
const tasks = 20;
const stepsPerTask = 10;
const now = () => '2026-11-21T10:00:00Z';

const signed = (part, n) => ({ ...part, thoughtSignature: btoa(`signature of step ${n}`) });
const call = (name, n) => ({ functionCall: { id: `${name}-${n}`, name, args: { n } } });

/** The model: what it says follows from the last turn, whatever was added to the request behind it. */
function answerTo({ contents }) {
  const said = contents.flatMap(({ parts }) => parts.map((part) => ({ ...part }))).reverse();
  const last = said.find((part) => part.functionResponse || /^Task \d+$/.test(part.text));
  const done = last.functionResponse?.response.output.done ?? 0;
  if (done > 0 && done % stepsPerTask === 0) {
    return { parts: [{ text: `Task ${done / stepsPerTask} is done, after ${done} steps.` }] };
  }
  const n = last.functionResponse ? done + 1 : (Number(last.text.slice(5)) - 1) * stepsPerTask + 1;
  const parts = [signed(call('step', n), n)];
  // Now and then two at once.
  return { parts: n % 7 === 0 ? [call('look', n), ...parts].map(firstSigned(n)) : parts };
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

/** Every tenth request for an answer goes wrong, each in another way. */
const faults = Array.from({ length: 60 }, (_, i) => ({
  ...kinds[i % kinds.length],
  at: 10 * (i + 1),
}));

function conversation(core, extra) {
  const requests = [];
  const ran = [];
  const emulator = strata.createEmulator({
    ...{ strata: core, faults, chunkBytes: 37 },
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

/** Sends until it is answered; gives all events, and how often a send failed. */
async function insist(chat, words) {
  const events = [];
  for (let failed = 0; failed < 20; failed++) {
    try {
      for await (const event of chat.send(failed === 0 ? words : '')) events.push(event);
      // After results a model may say nothing; this one has always more to do.
      if (!chat.unanswered) return { events, failed };
    } catch (error) {
      assert.equal(error.name, 'GeminiError', error);
    }
  }
  throw new Error(`no answer to ${words}`);
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

/** The requests among these events, and whether they were answered at all. */
function requestsIn(events) {
  const requests = [];
  for (const { type, body, manifest } of events) {
    if (type === 'request') requests.push({ body: text(body), manifest, answered: false });
    else if (['usage', 'metadata', 'fault'].includes(type)) requests.at(-1).answered = true;
  }
  return requests;
}

/**
 * Each manifest tells how much came again of the last request that was answered; where no layer below changed,
 * all of it.
 */
function checkPrefixes(sent) {
  let rolled = 0;
  for (let i = 1; i < sent.length; i++) {
    const after = sent[i];
    const before = sent.slice(0, i).findLast(({ answered }) => answered);
    const { stablePrefixBytes: told } = after.manifest;
    const common = commonPrefix(bytesOf(before.body), bytesOf(after.body));
    assert.ok(told <= common, `request ${i}: ${told} told, ${common} are the same`);
    const same = (name) =>
      layerOf(before.manifest, name).fingerprint === layerOf(after.manifest, name).fingerprint;
    if (!same('static') || !same('dynamic')) {
      rolled++;
      continue;
    }
    // All of the request before, but for its closing brackets and for what a retry had added to it.
    const kept = before.nudged
      ? before.body.lastIndexOf(',{"role":"user"')
      : before.body.length - 2;
    assert.ok(
      told >= bytesOf(before.body.slice(0, kept)).length,
      `request ${i}: only ${told} of ${kept}`,
    );
  }
  return rolled;
}

function checkTurns(turns) {
  const words = turns.filter(({ parts }) => parts[0].text).map(({ parts }) => parts[0].text);
  const asked = words.filter((said) => /^Task \d+$/.test(said));
  assert.deepEqual(
    asked,
    Array.from({ length: tasks }, (_, i) => `Task ${i + 1}`),
  );
  assert.equal(words.at(-1), `Task ${tasks} is done, after ${tasks * stepsPerTask} steps.`);
  const steps = turns.filter(({ parts }) => parts.some(({ functionCall }) => functionCall));
  assert.equal(steps.length, tasks * stepsPerTask);
}

async function endure(extra = {}) {
  const core = await strata.load();
  const { chat, requests, ran } = conversation(core, extra);
  const sent = [];
  let failures = 0;
  for (let task = 1; task <= tasks; task++) {
    const { events, failed } = await insist(chat, `Task ${task}`);
    failures += failed;
    sent.push(...requestsIn(events));
  }
  checkTurns(turnsOf(chat.thread));
  assert.equal(new Set(ran).size, ran.length, 'a call ran twice');
  assert.equal(ran.filter((name) => name.startsWith('step')).length, tasks * stepsPerTask);
  assert.ok(requests.length >= tasks * (stepsPerTask + 1) + 20, `${requests.length} requests`);
  assert.ok(failures >= 3, `${failures} sends failed`);
  for (const { body } of sent) assert.ok(core.lint(body, { model }).ok, body);
  return checkPrefixes(sent);
}

test('200 steps with a fault at every tenth request end right, on one stable prefix', async () => {
  assert.equal(await endure(), 0);
});

test('the same where old turns move to the static layer now and then', async () => {
  const rolled = await endure({ cachedHistory: 'text', bufferTokens: 8000 });
  assert.ok(rolled >= 2 && rolled <= 10, `${rolled} times`);
});
