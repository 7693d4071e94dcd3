// Measures what the gateway adds before a request leaves, compared with only parsing its body.
import { setTimeout as sleep } from 'node:timers/promises';
import { createGateway } from 'prompt-strata/gateway';
import { conversation, encode, fields, model, next } from './conversation.mjs';
import { interleaveMeasured } from './measure.mjs';
import { bytes, ms, times } from '../support/table.mjs';

const mostTimes = 2;
const url = `https://gateway.example/v1beta/models/${model}:generateContent`;
const headers = { 'content-type': 'application/json', 'x-goog-api-key': 'key' };
const text = (role, words) => ({ role, parts: [{ text: words }] });

const bodies = () => ({
  'a conversation with tools': { ...fields, contents: [...conversation(860), next(860)] },
  'short texts': {
    contents: Array.from({ length: 5001 }, (_, i) =>
      text(i % 2 === 0 ? 'user' : 'model', `${i}: ${'A short text. '.repeat(12)}`),
    ),
  },
  'one long text': { contents: [text('user', 'A long text. '.repeat(80_000))] },
  'one image': {
    contents: [
      {
        role: 'user',
        parts: [{ inlineData: { mimeType: 'image/png', data: 'QUJD'.repeat(2 ** 18) } }],
      },
    ],
  },
});

const answer = (part) =>
  JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
  });

/** Returns a function that sends `body` and resolves with the milliseconds until the upstream is asked. */
function gatewayFor(body, part) {
  let leftAt = 0;
  const upstream = async () => {
    leftAt = performance.now();
    return new Response(answer(part));
  };
  const gateway = createGateway({ upstream });
  return async () => {
    const request = new Request(url, { method: 'POST', headers, body });
    const start = performance.now();
    const response = await gateway.handle(request);
    await response.text();
    if (response.status !== 200 || response.headers.has('x-strata-repaired'))
      throw new Error('the gateway does not pass the measured body');
    // What it computes afterwards must not run in the next round.
    await sleep(5);
    return leftAt - start;
  };
}

async function measure(body) {
  return interleaveMeasured(
    {
      passed: gatewayFor(body, { text: 'Hi' }),
      looked: gatewayFor(body, { text: 'Hi', thoughtSignature: 'c2ln' }),
      parsed: () => {
        const start = performance.now();
        JSON.parse(new TextDecoder().decode(body));
        return performance.now() - start;
      },
    },
    { rounds: 40 },
  );
}

/** @returns {Promise<object>} */
export async function run() {
  const results = [];
  for (const [name, value] of Object.entries(bodies())) {
    const body = encode(value);
    results.push({ name, size: body.length, ...(await measure(body)) });
  }
  return {
    title: 'Passing a request through the gateway',
    about:
      'The time from the call of `handle` until the upstream is asked, for bodies that pass byte for byte. Where ' +
      'nothing is remembered for the caller, the keys of the memory are computed after the request has left; where ' +
      'something is, they are computed and looked up before. Both are compared with `TextDecoder` and `JSON.parse` ' +
      'only.',
    head: [
      'body',
      'size',
      'nothing remembered',
      'looked up',
      'decode + JSON.parse',
      'ratio',
      'ratio',
    ],
    rows: results.map(({ name, size, passed, looked, parsed }) => [
      ...[name, bytes(size), ms(passed), ms(looked), ms(parsed)],
      ...[times(passed / parsed), times(looked / parsed)],
    ]),
    verdicts: results.map(({ name, looked, parsed }) => ({
      ok: looked / parsed <= mostTimes,
      text: `${name}, looked up: ${times(looked / parsed)} the time of decoding and parsing, at most ${mostTimes}`,
    })),
  };
}
