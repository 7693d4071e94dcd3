// Judges recorded exchanges with the API: what it answered with 200 has no error and is not repaired, and of what it
// refused each fault is found that a body can show. Runs the recorded tool loops through a Conversation.
import assert from 'node:assert/strict';
import test, { before, describe } from 'node:test';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { loadChecker } from 'prompt-strata/check';
import {
  answerParts,
  callOf,
  contentsOf,
  exchanges,
  functionsOf,
  judgedAt,
  partsOf,
  requestOf,
  responsesOf,
  resultOf,
  servedAs,
  skip,
  toolLoops,
} from './traffic.mjs';

let strata;
let checker;
before(async () => {
  strata = await load();
  checker = await loadChecker();
});

/** Returns the options with which an exchange is judged: its model, at a time when that was served. */
const optionsOf = (exchange) => ({
  model: servedAs(exchange),
  backend: exchange.backend,
  now: judgedAt(exchange),
});

const errorsIn = ({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error');
const lineOf = ({ code, path, message }) => `${code} ${path}: ${message}`;
const isOld = ({ model }) => /^gemini-(1|pro)/.test(model ?? '');
const judged = exchanges.filter((exchange) => requestOf(exchange) !== undefined);

test('no request that was answered has an error, or is changed by repair', { skip }, () => {
  const accepted = judged.filter((exchange) => exchange.status === 200 && !isOld(exchange));
  assert.ok(accepted.length > 1900, `${accepted.length} requests`);
  const wrong = [];
  for (const exchange of accepted) {
    const options = optionsOf(exchange);
    const errors = errorsIn(checker.lint(exchange.request, options)).map(lineOf);
    const { body } = checker.repair(exchange.request, options);
    const changed = Buffer.from(body).toString() !== exchange.request;
    if (errors.length > 0 || changed) wrong.push([exchange.id, options.model, changed, ...errors]);
  }
  assert.deepEqual(wrong, []);
});

// Refusals that no body shows, by Google's words.
const invisible = [
  [/^API key not valid/, 'a fault of the key'],
  [/^Cannot fetch content from the provided URL/, 'a URL that Google cannot reach'],
  [/^The input token count/, 'the recorder shortened the texts'],
  [/^\$grpcMessage$/, 'the place of the caller'],
];
// Refusals in another form than the catalogue's words.
const otherWords = { b07ad7daec438007: 'role.invalid', '67f83aff94d0ad08': 'cache.too_small' };

describe('each refusal that a body shows is found', { skip }, () => {
  const refused = exchanges.filter(({ status, kind }) => status === 400 && kind !== 'response');
  test('there are refusals', () => assert.ok(refused.length > 30, `${refused.length}`));
  for (const exchange of refused) {
    const { message } = responsesOf(exchange)[0].error;
    const reason = invisible.find(([words]) => words.test(message))?.[1];
    const name = `${exchange.id} ${exchange.model}: ${message.split('\n')[0].slice(0, 70)}`;
    if (reason) {
      test(`${name} (not in the body: ${reason})`, () => {
        assert.deepEqual(errorsIn(checker.lint(exchange.request, optionsOf(exchange))), []);
      });
    } else {
      test(name, () => {
        const errors = errorsIn(checker.lint(exchange.request, optionsOf(exchange)));
        const expected = otherWords[exchange.id];
        const found = errors.some(({ code, upstream }) =>
          expected ? code === expected : upstream === message,
        );
        assert.ok(found, JSON.stringify(errors));
      });
    }
  }
});

/** Returns the results of a loop by the name of their function, in the order in which they were sent. */
function recordedResults(loop) {
  const results = new Map();
  for (const [i, exchange] of loop.entries()) {
    if (i === 0) continue;
    const sent = contentsOf(requestOf(exchange));
    const earlier = contentsOf(requestOf(loop[i - 1])).length;
    const calls = answerParts(loop[i - 1])
      .map(callOf)
      .filter(Boolean);
    const found = sent.slice(earlier).flatMap(partsOf).map(resultOf).filter(Boolean);
    // Some clients name a result by its call's id.
    found.forEach(({ response }, at) => {
      const { name } = calls[at] ?? {};
      if (name) results.set(name, [...(results.get(name) ?? []), response ?? {}]);
    });
  }
  return results;
}

// Stands for an answer that is not kept, because it is too large.
const standIn = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }],
};

/** Returns the recorded answer as a stream. */
function replay(exchange) {
  const responses = exchange.response ? responsesOf(exchange) : [standIn];
  return new Response(responses.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join(''));
}

/** Sends the first request of a loop in a Conversation, with tools that return the recorded results. */
async function runLoop(loop) {
  const { model, backend, now } = optionsOf(loop[0]);
  const contents = contentsOf(requestOf(loop[0]));
  const results = recordedResults(loop);
  const ran = [];
  const run = (name) => () => (ran.push(name), results.get(name)?.shift() ?? {});
  const names = new Set([...results.keys(), ...functionsOf(requestOf(loop[0]))]);
  const tools = [...names].map((name) => ({ name, description: name, run: run(name) }));
  const bodies = [];
  const fetch = async (_url, { body }) => {
    bodies.push(JSON.parse(Buffer.from(body).toString()));
    return replay(loop[bodies.length - 1]);
  };
  const client = new GeminiClient({ fetch, retry: false });
  const thread = strata.thread({
    model,
    backend,
    now,
    policy: 'warn',
    sequencing: 'api',
    from: contents,
  });
  const chat = new Conversation(strata, client, {
    model,
    backend,
    thread,
    tools,
    now: () => now,
    maxToolRounds: loop.length - 1,
    answerRetry: false,
    loopDetection: false,
    contextGuard: false,
    dummySignatures: true,
  });
  const events = [];
  for await (const event of chat.send('')) events.push(event);
  return { chat, bodies, events, ran };
}

test('every recorded tool loop runs through a Conversation', { skip }, async () => {
  const loops = toolLoops();
  assert.ok(loops.length > 250, `${loops.length} loops`);
  const failed = [];
  for (const loop of loops) {
    try {
      const { bodies, ran } = await runLoop(loop);
      assert.equal(bodies.length, loop.length, 'number of requests');
      const calls = loop.slice(0, -1).flatMap(answerParts).map(callOf).filter(Boolean);
      assert.deepEqual(ran.toSorted(), calls.map(({ name }) => name).toSorted(), 'calls');
      for (const [i, exchange] of loop.slice(0, -1).entries()) {
        const sent = bodies[i + 1].contents.flatMap(partsOf);
        for (const { thoughtSignature } of answerParts(exchange).filter(callOf)) {
          if (!thoughtSignature) continue;
          const kept = sent.some((part) => part.thoughtSignature === thoughtSignature);
          assert.ok(kept, 'a signature was lost');
        }
      }
      for (const body of bodies) {
        assert.deepEqual(errorsIn(checker.lint(body, optionsOf(loop[0]))).map(lineOf), []);
      }
    } catch (error) {
      failed.push([loop.map(({ id }) => id).join(' '), error.code ?? '', error.message]);
    }
  }
  assert.deepEqual(failed, []);
});

test('what Google ran itself stays in the answer, and no tool runs', { skip }, async () => {
  const answered = exchanges.filter((exchange) => {
    const parts = answerParts(exchange);
    return parts.some((part) => part.toolCall) || (parts.some(resultOf) && parts.some(callOf));
  });
  assert.ok(answered.length > 0);
  for (const exchange of answered) {
    const ran = [];
    const parts = answerParts(exchange);
    const own = parts.filter((part) => callOf(part)).map((part) => callOf(part).name);
    const answeredNames = parts
      .map(resultOf)
      .filter(Boolean)
      .map(({ name }) => name);
    const open = own.filter((name) => !answeredNames.includes(name));
    const client = new GeminiClient({ fetch: async () => replay(exchange), retry: false });
    const chat = new Conversation(strata, client, {
      model: servedAs(exchange) ?? 'gemini-3-flash-preview',
      tools: [...new Set(own)].map((name) => ({ name, run: () => ran.push(name) })),
      maxToolRounds: 0,
      answerRetry: false,
      loopDetection: false,
      dummySignatures: true,
    });
    for await (const event of chat.send('Go')) assert.ok(event);
    assert.deepEqual(ran, [], exchange.id);
    const answer = JSON.parse(Buffer.from(chat.thread.content(1)).toString());
    const kept = answer.parts.filter(resultOf).length;
    assert.equal(kept, answeredNames.length, exchange.id);
    assert.ok(open.length === 0 || answer.parts.some(callOf), exchange.id);
  }
});
