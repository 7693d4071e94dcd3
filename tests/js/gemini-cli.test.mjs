// Compares how a Conversation and Gemini CLI handle faulty answers, loops, HTTP errors, and the next speaker, case by
// case. Each deliberate difference names its reason.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import { root } from '../../scripts/setup/run.mjs';

const model = 'gemini-3.8-flash';
const casesOf = (name) =>
  JSON.parse(readFileSync(join(root, 'tests', 'cases', `gemini_cli_${name}.json`), 'utf8'));
const event = (value) => `data: ${JSON.stringify(value)}\r\n\r\n`;
const candidate = (parts, finishReason) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
});
const signed = (part) => ({ ...part, thoughtSignature: 'c2lnbmVk' });
const says = (reply) => event(candidate([{ text: reply }], 'STOP'));
const textOf = (bytes) => new TextDecoder().decode(bytes);

/** Returns a conversation with scripted answers; the last one repeats. */
async function talk(answers, options = {}, retry = false) {
  const strata = await load();
  const bodies = [];
  const fetch = async (url, init) => {
    bodies.push({ url, body: JSON.parse(textOf(init.body)) });
    const answer = answers[Math.min(bodies.length, answers.length) - 1];
    return typeof answer === 'function' ? answer() : new Response(answer);
  };
  const client = new GeminiClient({ fetch, retry });
  return { chat: new Conversation(strata, client, { model, ...options }), bodies, strata };
}

/** Sends `input` and returns all events and the error, if any. */
async function send(chat, input, events = []) {
  try {
    for await (const happened of chat.send(input)) events.push(happened);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

/** Runs `work` without waiting; returns its result and the delays of at least half a second. */
async function withoutWaiting(work) {
  const { setTimeout: real } = globalThis;
  const { random } = Math;
  const waits = [];
  globalThis.setTimeout = (fire, ms) => (
    ms >= 500 && ms <= 400_000 && waits.push(ms),
    real(fire, 0)
  );
  try {
    return { result: await work(), waits };
  } finally {
    globalThis.setTimeout = real;
    Math.random = random;
  }
}

// Answers

const codes = {
  NO_FINISH_REASON: 'answer.cut',
  MALFORMED_FUNCTION_CALL: 'answer.malformed_call',
  UNEXPECTED_TOOL_CALL: 'answer.unexpected_call',
  NO_RESPONSE_TEXT: 'answer.empty',
  THINKING_ONLY_RESPONSE: 'answer.thoughts_only',
  MAX_TOKENS_EXCEEDED: 'answer.max_tokens',
  SAFETY_BLOCKED: 'answer.safety',
  RECITATION_BLOCKED: 'answer.recitation',
  OTHER_BLOCKED: 'answer.other',
};

// A stream without a finishReason was cut, also after tool results: more text, or more calls of the same step, can be
// missing. Gemini CLI keeps what it received. It also runs calls of an answer that Google marked as malformed, which
// NousResearch/hermes-agent#83886 calls a fault.
const differences = {
  tool_call_malformed_finish: 'answer.malformed_call',
  text_no_finish_after_tool_response: 'answer.cut',
  tool_call_no_finish: 'answer.cut',
};

const tool = { name: 'f', run: () => 1 };
const callsF = candidate([signed({ functionCall: { name: 'f', args: {} } })], 'STOP');
const validation = casesOf('stream_validation');

for (const entry of validation.cases) {
  test(`answer: ${entry.name}`, async () => {
    const parts = [
      ...(entry.thoughts ? [{ text: 'Let me see', thought: true }] : []),
      ...(entry.tool_call ? [signed({ functionCall: { name: 'f', args: {} } })] : []),
      ...(entry.tool_call ? [] : [{ text: entry.text }]),
    ];
    const answer = event(candidate(parts, entry.finish ?? undefined));
    const before = entry.request === 'function_response' ? [event(callsF)] : [];
    const options = { tools: [tool], answerRetry: false };
    const { chat, bodies } = await talk([...before, answer, says('ok')], options);
    const { events, error } = await send(chat, 'Hi');
    const wanted = entry.result === 'ok' ? undefined : codes[entry.result];
    assert.equal(error?.code, differences[entry.name] ?? wanted);
    assert.equal(events.findLast(({ type }) => type === 'fault')?.code, error?.code);
    // In every case the user's text is in the thread, and the next request is valid.
    assert.match(textOf(chat.thread.content(0)), /Hi/);
    await send(chat, error ? '' : 'And now?');
    const last = JSON.stringify(bodies.at(-1).body);
    const checker = await loadChecker();
    assert.deepEqual(checker.lint(last, { model }).diagnostics.filter(isError), []);
  });
}

const isError = ({ severity }) => severity === 'error';

test('answer: makes four attempts after 1, 2, and 4 seconds, with a nudge after empty ones', async () => {
  const { attempts, delays_ms, nudge_on } = validation.retry.at(-1);
  for (const [name, code] of Object.entries(codes)) {
    const parts = { THINKING_ONLY_RESPONSE: [{ text: 'Hm', thought: true }] }[name] ?? [
      { text: '' },
    ];
    const reasons = { NO_FINISH_REASON: undefined, MALFORMED_FUNCTION_CALL: name };
    const finish = name in reasons ? reasons[name] : 'STOP';
    if (!['NO_FINISH_REASON', 'MALFORMED_FUNCTION_CALL', ...nudge_on].includes(name)) continue;
    const { chat, bodies } = await talk([event(candidate(parts, finish))]);
    const { result, waits } = await withoutWaiting(() => send(chat, 'Hi'));
    assert.equal(result.error.code, code);
    assert.equal(bodies.length, attempts);
    assert.deepEqual(waits, delays_ms);
    const [first, second] = bodies.map(({ body }) => JSON.stringify(body.contents.slice(1)));
    assert.equal(second !== first, nudge_on.includes(name), name);
    // Gemini CLI removes the user's turn. A Conversation never removes a text that the user wrote.
    assert.equal(chat.thread.length, 1);
  }
});

test('answer: does not retry after a safety filter or the token limit', async () => {
  for (const finish of ['SAFETY', 'MAX_TOKENS']) {
    const { chat, bodies } = await talk([event(candidate([{ text: '' }], finish))]);
    assert.ok((await send(chat, 'Hi')).error);
    assert.equal(bodies.length, 1);
  }
});

// Gemini CLI keeps a Content without parts, but the API rejects it in the next request.
const rejectedHere = ['empty_parts'];

for (const { name, response, valid_head: theirs } of casesOf('curation').is_valid_response) {
  test(`answer: checks its Content: ${name}`, async () => {
    const [first, ...others] = response.candidates;
    const candidates = first ? [{ ...first, finishReason: 'STOP' }, ...others] : [];
    const { chat } = await talk([event({ candidates })], { answerRetry: false });
    const { error } = await send(chat, 'Hi');
    const isValid = theirs && !rejectedHere.includes(name);
    assert.equal(error === undefined, isValid, error?.code);
    assert.equal(chat.thread.length, isValid ? 2 : 1);
  });
}

// Loops

const sentence = 'This is a sentence that has exactly 50 characters.';
const filler = (length, seed) =>
  Array.from({ length }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((seed * length + i) % 20_000)),
  ).join('');
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

const texts = {
  content_same_50_x9: times(9, () => sentence),
  content_short_repeat: times(200, () => 'abc '),
  content_in_code_fence: ['```\n', ...times(15, () => sentence), '\n```'],
  content_table: times(15, () => '| a | b |\n'),
  content_divider_no_newline: times(15, () => '-'.repeat(80)),
  content_59_a: ['a'.repeat(59)],
  content_all_caps_is_divider: ['A'.repeat(200)],
  content_far_apart: times(15, (i) => sentence + filler(300, i)),
  content_near: times(15, (i) => sentence + filler(60, i)),
  content_reset_by_tool: [
    ...times(9, () => sentence),
    { name: 'f', args: {} },
    ...times(9, () => sentence),
  ],
};

const partFor = (piece) =>
  typeof piece === 'string' ? { text: piece } : signed({ functionCall: piece });

const loops = casesOf('loop_detection');

for (const entry of loops.cases.filter(({ events }) => events)) {
  test(`loop: ${entry.name}`, async () => {
    const answers = entry.events.map(({ tool: name, args }) =>
      event(candidate([signed({ functionCall: { name, args } })], 'STOP')),
    );
    const tools = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name, run: () => 1 }));
    const options = { tools, maxToolRounds: 100 };
    const { chat } = await talk([...answers, says('Done.')], options);
    const { events } = await send(chat, 'Go');
    const answered = events.filter(({ type }) => type === 'functionCall' || type === 'loop');
    const at = answered.findIndex(({ type }) => type === 'loop') - 1;
    assert.equal(at < 0 ? -1 : at, entry.detected_at_event);
    assert.equal(events.filter(({ type }) => type === 'loop').length, entry.count);
  });
}

/** Sends an answer in these chunks to a conversation with each setting of onText. */
async function sendWithEachSetting(chunks, tools = []) {
  const answers = [chunks.join(''), says('ok')];
  const sends = ['event', 'end'].map(async (onText) => {
    const options = { answerRetry: false, tools, loopDetection: { onText } };
    const { chat } = await talk(answers, options);
    return send(chat, 'Go');
  });
  const [reported, ended] = await Promise.all(sends);
  return { reported, ended };
}

const textsIn = (events) => events.filter(({ type }) => type === 'text').length;

for (const entry of loops.cases.filter(({ events }) => !events)) {
  test(`loop: ${entry.name}`, async () => {
    const pieces = texts[entry.name];
    const chunks = pieces.map((piece, i) =>
      event(candidate([partFor(piece)], i === pieces.length - 1 ? 'STOP' : undefined)),
    );
    const { reported, ended } = await sendWithEachSetting(chunks, [tool]);
    // The divider pattern of Gemini CLI also matches capitals, digits, and dots, by an unintended character range.
    const detected = entry.name === 'content_all_caps_is_divider' ? 0 : entry.detected_at_event;
    assert.equal(ended.error?.code, detected < 0 ? undefined : 'answer.loop');
    if (detected >= 0) assert.equal(textsIn(ended.events) - 1, detected);
    // By default the detection is the same, and the answer is stored.
    assert.equal(reported.error, undefined);
    const at = reported.events.findIndex(({ type }) => type === 'loop');
    assert.equal(at < 0 ? -1 : textsIn(reported.events.slice(0, at)) - 1, detected);
    assert.equal(
      reported.events.filter(({ type }) => type === 'loop').length,
      detected < 0 ? 0 : 1,
    );
  });
}

// Not among the cases of Gemini CLI, which ends these answers.
const row = '{"city": "Oslo", "sky": "clear", "note": ""}';
const looping = 'The sky is clear. ';
const structured = {
  'equal rows': [`[${times(60, () => row).join(', ')}]`, false],
  'equal rows of numbers': [`[${times(60, () => '[0, 0, 1.5]').join(',')}]`, false],
  'equal objects, pretty': [
    `[\n${times(60, () => '  {\n    "a": null\n  }').join(',\n')}\n]`,
    false,
  ],
  'equal rows outside a list': [times(60, () => row).join(', '), false],
  'equal lists outside a list': [times(60, () => '[0]').join(',\n'), false],
  'equal lines of JSON': [times(60, () => row).join('\n'), false],
  'rows between two texts': [
    `Here they are:\n[${times(60, () => row).join(', ')}]\nThat is all.`,
    false,
  ],
  'a string with quotes and brackets in it': [
    `[${times(60, () => String.raw`"say \"[{\" and \\"`).join()}]`,
    false,
  ],
  'a loop in a string': [`{"text": "${looping.repeat(60)}`, true],
  'a loop after JSON': [`[${row}]\n${looping.repeat(60)}`, true],
  'a loop after a bracket that does not start JSON': [`[Note: ${looping.repeat(60)}`, true],
};

for (const [what, [text, loop]] of Object.entries(structured)) {
  for (const size of [1, 7, 64, 10_000]) {
    test(`loop: ${what}, ${size} characters a chunk`, async () => {
      const count = Math.ceil(text.length / size);
      const chunks = times(count, (i) =>
        event(
          candidate(
            [{ text: text.slice(i * size, (i + 1) * size) }],
            i === count - 1 ? 'STOP' : undefined,
          ),
        ),
      );
      const { reported, ended } = await sendWithEachSetting(chunks);
      assert.equal(ended.error?.code, loop ? 'answer.loop' : undefined);
      assert.equal(reported.error, undefined);
      assert.deepEqual(
        reported.events.filter(({ type }) => type === 'loop').map(({ kind }) => kind),
        loop ? ['text'] : [],
      );
    });
  }
}

test('loop: informs the model the first time and ends the send the second time', async () => {
  const again = event(callsF);
  const { chat, bodies } = await talk([again], { tools: [tool], maxToolRounds: 100 });
  const { events, error } = await send(chat, 'Go');
  assert.equal(error, undefined);
  assert.deepEqual(
    events.filter(({ type }) => type === 'loop').map(({ count }) => count),
    [1, 2],
  );
  assert.equal(bodies.length, 10);
  const repeats = event(candidate([{ text: 'na '.repeat(100) }], 'STOP'));
  const sung = await talk([repeats], { loopDetection: { onText: 'end' } });
  const { result } = await withoutWaiting(() => send(sung.chat, 'Sing'));
  assert.equal(result.error.code, 'answer.loop');
  assert.equal(sung.bodies.length, 2);
  assert.match(JSON.stringify(sung.bodies[1].body.contents.at(-1)), /again and again/);
});

test('loop: makes all attempts for an answer that repeats a text and is cut', async () => {
  const { chat, bodies } = await talk([event(candidate([{ text: 'na '.repeat(100) }]))]);
  const { result } = await withoutWaiting(() => send(chat, 'Sing'));
  assert.equal(result.error.code, 'answer.cut');
  assert.equal(bodies.length, 4);
  const counts = result.events.filter(({ type }) => type === 'loop').map(({ count }) => count);
  assert.deepEqual(counts, [1, 2, 3, 4]);
});

// Next speaker

const speaker = casesOf('next_speaker');
const judged = (answer) => JSON.stringify(candidate([{ text: JSON.stringify(answer) }], 'STOP'));

for (const { answer, result } of speaker.llm) {
  test(`next speaker: ${JSON.stringify(answer)} means ${result}`, async () => {
    const { chat, bodies } = await talk([says('I will look it up.'), judged(answer)], {
      continue: {},
    });
    const { events, error } = await send(chat, 'Hi');
    assert.equal(error, undefined);
    assert.equal(events.find(({ type }) => type === 'nextSpeaker')?.speaker ?? null, result);
    assert.equal(bodies.length, 2);
    assert.equal(chat.thread.length, 2);
    const { generationConfig } = bodies[1].body;
    assert.deepEqual(generationConfig.responseJsonSchema.required, ['reasoning', 'next_speaker']);
  });
}

test('next speaker: is the model after tool results, without a request', async () => {
  const silent = event(candidate([{ text: '' }], 'STOP'));
  const answers = [event(callsF), silent, says('Done.'), judged({ next_speaker: 'user' })];
  const { chat, bodies } = await talk(answers, { tools: [tool], continue: {} });
  const { events } = await send(chat, 'Go');
  const [first] = events.filter(({ type }) => type === 'nextSpeaker');
  assert.equal(first.speaker, 'model');
  assert.equal(bodies.filter(({ url }) => url.endsWith(':generateContent')).length, 1);
  const instruction = bodies[2].body.contents.at(-1).parts[0].text;
  assert.equal(instruction, speaker.continue.text);
});

test('next speaker: continues at most maxTurns times, and never by default', async () => {
  const answers = times(20, (i) =>
    i % 2 === 0 ? says('More.') : judged({ next_speaker: 'model' }),
  );
  const { chat } = await talk(answers, { continue: { maxTurns: 3 } });
  const { events } = await send(chat, 'Hi');
  assert.equal(events.filter(({ type }) => type === 'nextSpeaker').length, 2);
  assert.equal(chat.thread.length, 6);
  const { chat: plain, bodies } = await talk(answers);
  await send(plain, 'Hi');
  assert.equal(bodies.length, 1);
});

// HTTP errors

const retry = casesOf('retry');
const errorResponse = (code, details = []) =>
  new Response(JSON.stringify({ error: { code, message: 'no', status: 'X', details } }), {
    status: code,
  });

test('retry: waits as long as Gemini CLI with its options and without jitter', async () => {
  const { attempts, initial_ms: initialMs, max_ms: maxMs, factor } = retry.defaults.head;
  const options = { attempts, initialMs, maxMs, factor, jitter: 0 };
  const { chat, bodies } = await talk([() => errorResponse(503)], {}, options);
  const { result, waits } = await withoutWaiting(() => send(chat, 'Hi'));
  assert.equal(result.error.status, 503);
  assert.equal(bodies.length, attempts);
  assert.deepEqual(waits, retry.base_delays_ms);
  const reported = result.events
    .filter(({ type }) => type === 'retry')
    .map(({ delayMs }) => delayMs);
  assert.deepEqual(reported, retry.base_delays_ms);
});

test('retry: shortens a delay by up to the jitter and never exceeds the maximum', async () => {
  const { initial_ms: initialMs, jitter } = retry.defaults.head;
  const [shortest] = retry.jitter_range_for_5000;
  for (const chance of [0, 0.999]) {
    const { chat } = await talk([() => errorResponse(503), says('ok')], {}, { initialMs, jitter });
    const { waits } = await withoutWaiting(() => {
      Math.random = () => chance;
      return send(chat, 'Hi');
    });
    assert.ok(waits[0] >= shortest && waits[0] <= initialMs, `${waits}`);
  }
});

// The list of statuses is the one of Google's SDK: 499 means that the client closed the connection, and Google sends
// no 599.
const otherStatus = { 499: false, 599: false };

for (const [status, retried] of Object.entries(retry.retryable_status)) {
  test(`retry: HTTP ${status}`, async () => {
    const { chat, bodies } = await talk([() => errorResponse(Number(status)), says('ok')], {}, {});
    await withoutWaiting(() => send(chat, 'Hi'));
    assert.equal(bodies.length, (otherStatus[status] ?? retried) ? 2 : 1);
  });
}

test('retry: waits the full RetryInfo delay, and does not retry after a daily quota', async () => {
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' };
  const { chat } = await talk([() => errorResponse(429, [info]), says('ok')], {}, {});
  const { waits } = await withoutWaiting(() => send(chat, 'Hi'));
  assert.ok(waits[0] >= 34_400 && waits[0] <= 34_400 * 1.2, `${waits}`);
  const quota = {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
  };
  const spent = await talk([() => errorResponse(429, [info, quota])], {}, {});
  const { result } = await withoutWaiting(() => send(spent.chat, 'Hi'));
  assert.equal(spent.bodies.length, 1);
  assert.equal(result.error.retryAfterMs, 34_400);
});
