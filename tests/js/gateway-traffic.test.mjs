// Recorded requests that Gemini accepted: what the gateway finds nothing in passes byte for byte, and recorded answers
// come back as they were.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createGateway } from 'prompt-strata/gateway';
import { exchanges, skip } from './traffic.mjs';

const isUsable = ({ kind, status, exact, request, response, model }) =>
  exact &&
  status === 200 &&
  request &&
  response &&
  /^[\w.-]+$/.test(model ?? '') &&
  /enerateContent$/.test(kind);

const sample = exchanges.filter(isUsable).filter((_, index) => index % 2 === 0);

const pathOf = ({ kind, model, backend }) =>
  backend === 'vertex'
    ? `/v1beta1/projects/p/locations/us/publishers/google/models/${model}:${kind}`
    : `/v1beta/models/${model}:${kind}`;

let sent;
let recorded;
const upstream = async (_, { body }) => {
  sent = Buffer.from(body).toString();
  return new Response(recorded);
};
const gateway = createGateway({ upstream });

/** Returns what reaches the upstream, and what comes back. Each exchange has a caller of its own. */
async function pass(exchange, policy) {
  recorded = exchange.response;
  const headers = {
    'content-type': 'application/json',
    'x-goog-api-key': `key-${exchange.id}`,
    'x-strata-policy': policy,
  };
  const response = await gateway.handle(
    new Request(`https://gateway.example${pathOf(exchange)}`, {
      ...{ method: 'POST', headers, body: exchange.request },
    }),
  );
  const answer = await response.text();
  return { sent, response, answer };
}

test('requests without findings and all answers pass byte for byte', { skip }, async () => {
  let unchanged = 0;
  for (const exchange of sample) {
    const { sent, response, answer } = await pass(exchange, 'repair');
    const { id } = exchange;
    assert.equal(response.status, 200, id);
    assert.equal(answer, exchange.response, id);
    if (response.headers.has('x-strata-repaired')) continue;
    assert.equal(sent, exchange.request, id);
    unchanged++;
  }
  assert.ok(sample.length > 100, `${sample.length} requests`);
  assert.ok(unchanged >= sample.length * 0.9, `${unchanged} of ${sample.length} pass`);
});

test('observe changes no request', { skip }, async () => {
  for (const exchange of sample) {
    const { sent } = await pass(exchange, 'observe');
    assert.equal(sent, exchange.request, exchange.id);
  }
});
