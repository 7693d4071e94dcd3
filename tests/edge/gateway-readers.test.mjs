// Tests that clients of the gateway that leave do not lock others out: workerd does not always say that they have left.
import assert from 'node:assert/strict';
import http from 'node:http';
import test, { after } from 'node:test';
import {
  ask,
  hangingAnswer,
  headers,
  setUp,
  slowAnswer,
  startWorker,
  within,
} from './worker-process.mjs';

setUp();

// Nobody may end these answers before, not even whoever left; afterwards they would keep the process alive.
let isOver = false;
after(() => (isOver = true));

const path = '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse';
const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
// The default of `limits.concurrency` of a gateway.
const places = 66;

/** Sends a request over a socket of its own, and leaves: once the answer has begun, or before that. */
async function leave(worker, when) {
  const url = new URL(path, await worker.ready);
  const request = http.request(url, { method: 'POST', headers, agent: false });
  request.on('error', () => {});
  request.end(body);
  if (when) await within(when);
  else {
    const [response] = await within(once(request, 'response'));
    await within(once(response, 'data'));
  }
  request.destroy();
}

const once = (emitter, name) =>
  new Promise((resolve, reject) => {
    emitter.once(name, (...values) => resolve(values));
    emitter.once('error', reject);
  });

const kinds = {
  'in mid-answer': () => slowAnswer({ count: Infinity, ms: 200, isOver: () => isOver }),
  'while the model is silent': hangingAnswer,
};
for (const [name, answer] of Object.entries(kinds)) {
  test(`clients that leave ${name} lock nobody out`, async () => {
    let isEnding = false;
    const api = () => (isEnding ? slowAnswer({ count: 1, ms: 1 }) : answer());
    const worker = await startWorker({ api });
    for (let i = 0; i < places; i += 6)
      await Promise.all(Array.from({ length: 6 }, () => leave(worker)));
    isEnding = true;
    const response = await ask(worker, path, { method: 'POST', body });
    assert.equal(response.status, 200, await response.text());
  });
}

test('clients that leave before the answer begins lock nobody out', async () => {
  let asked;
  let isEnding = false;
  const api = () => {
    if (isEnding) return slowAnswer({ count: 1, ms: 1 });
    asked();
    return new Promise(() => {});
  };
  const worker = await startWorker({ api });
  for (let i = 0; i < places; i++) await leave(worker, new Promise((resolve) => (asked = resolve)));
  isEnding = true;
  const response = await ask(worker, path, { method: 'POST', body });
  assert.equal(response.status, 200, await response.text());
});
