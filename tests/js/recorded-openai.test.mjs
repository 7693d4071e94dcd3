// Recorded answers through OpenAI's dialect of the gateway: the message that a client gets, sent back, becomes the
// Content that the model gave, with the signatures in their places.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createGateway } from 'prompt-strata/gateway';
import { answerParts, exchanges, responsesOf, skip } from './traffic.mjs';

const url = 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions';
const kinds = new Set(['generateContent', 'streamGenerateContent', 'response']);
const known = ['text', 'functionCall', 'inlineData', 'thought', 'thoughtSignature'];
// Calls whose arguments come in pieces are another test's.
const isWhole = ({ functionCall: { partialArgs, willContinue } = {} }) =>
  partialArgs === undefined && willContinue === undefined;
const isKnown = (part) => isWhole(part) && Object.keys(part).every((name) => known.includes(name));

// Answers of one candidate whose parts have a form in the dialect.
const answers = exchanges.filter(
  (exchange) =>
    kinds.has(exchange.kind) &&
    responsesOf(exchange).every(({ candidates = [] }) => candidates.length < 2) &&
    responsesOf(exchange).some(
      // Some recorders wrote numbers in place of names.
      ({ candidates }) => typeof candidates?.[0]?.finishReason === 'string',
    ) &&
    answerParts(exchange).some(({ text, functionCall }) => text || functionCall) &&
    answerParts(exchange).every(isKnown),
);

/** Returns the parts with adjacent texts joined, without what says nothing, and with all members set. */
function normalized(parts) {
  const result = [];
  for (const { text, thought = false, thoughtSignature = '', functionCall, inlineData } of parts) {
    const isEmpty = !text && !functionCall && !inlineData && thoughtSignature === '';
    if (isEmpty) continue;
    const last = result.at(-1);
    const joins = text !== undefined && last?.text !== undefined && last.thought === thought;
    if (joins && thoughtSignature === '' && last.thoughtSignature === '') {
      last.text += text;
      continue;
    }
    const call = functionCall && { args: {}, ...functionCall };
    result.push({ text, thought, thoughtSignature, functionCall: call, inlineData });
  }
  return result;
}

let answer;
let lastBody;
const upstream = async (_, { body }) => {
  lastBody = JSON.parse(new TextDecoder().decode(new Uint8Array(body)));
  const [bytes, stream] = answer;
  const type = stream ? 'text/event-stream' : 'application/json';
  return new Response(bytes, { headers: { 'content-type': type } });
};
const { fetch } = createGateway({ upstream, memory: false, policy: 'observe' });
const post = (messages, stream) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
    body: JSON.stringify({ model: 'gemini-3.8-flash', messages, stream }),
  });

function deltaOf({ choices, error }) {
  assert.equal(error, undefined);
  return choices[0]?.delta ?? {};
}

function messageOfStream(text) {
  const message = { role: 'assistant', content: '' };
  for (const event of text.split('\n\n').filter((each) => each.startsWith('data: {'))) {
    const {
      content,
      reasoning_content: thoughts,
      tool_calls: calls = [],
      images = [],
      ...rest
    } = deltaOf(JSON.parse(event.slice('data: '.length)));
    message.content += content ?? '';
    if (thoughts) message.reasoning_content = (message.reasoning_content ?? '') + thoughts;
    Object.assign(message, rest);
    for (const { index, ...added } of calls) (message.tool_calls ??= [])[index] = added;
    for (const { index, ...added } of images) (message.images ??= [])[index] = added;
  }
  return message;
}

const user = { role: 'user', content: 'Hi' };

/** Returns the parts of the model's Content in the request that follows an answer. */
async function partsAfter(bytes, stream) {
  answer = [bytes, stream];
  const response = await post([user], stream);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const message = stream ? messageOfStream(text) : JSON.parse(text).choices[0].message;
  const results = (message.tool_calls ?? []).map(({ id }) => ({
    role: 'tool',
    tool_call_id: id,
    content: '{}',
  }));
  await (await post([user, message, ...results, user], stream)).text();
  return lastBody.contents[1].parts;
}

// Many unsigned answers are alike.
const isSigned = (exchange) =>
  answerParts(exchange).some(
    ({ thoughtSignature, functionCall }) => thoughtSignature ?? functionCall,
  );

test('recorded answers come back through chat completions as they were', { skip }, async () => {
  const chosen = answers.filter((exchange, index) => isSigned(exchange) || index % 10 === 0);
  assert.ok(chosen.length > 500, `${chosen.length} answers`);
  for (const exchange of chosen) {
    const expected = normalized(answerParts(exchange));
    const responses = responsesOf(exchange);
    const events = responses.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`);
    const isStream = responses.length !== 1 || exchange.response.trimStart().startsWith('data:');
    const parts = isStream
      ? await partsAfter(events.join(''), true)
      : await partsAfter(exchange.response, false);
    assert.deepEqual(normalized(parts), expected, exchange.id);
  }
});
