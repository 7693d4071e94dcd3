// Tests /metrics and /dashboard of the Worker in workerd: who may read them, what is counted, and that the sums outlive
// an isolate.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parsePrometheus, valueOf } from '../js/prometheus.mjs';
import {
  ask,
  callerKey,
  create,
  headers,
  say,
  setUp,
  startWorker,
  stopWorker,
  upstreamKey,
  within,
} from './worker-process.mjs';

setUp();

const adminKey = 'admin-key-for-tests_0123456789';
const bindings = { GATEWAY_ADMIN_KEY: adminKey };
const model = 'gemini-3.8-flash';
const path = `/v1beta/models/${model}:generateContent`;
const secretText = 'a text of the caller';

// A key that is '' is not sent.
const get = (worker, route, key = adminKey, init = {}) =>
  within(
    worker.dispatchFetch(`http://localhost${route}`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      ...init,
    }),
  );

async function metricsOf(worker) {
  const response = await get(worker, '/metrics');
  const text = await response.text();
  assert.equal(response.status, 200, text);
  parsePrometheus(text);
  return text;
}

/** Returns the metrics as soon as `isThere` finds in them what it looks for. Isolates report every 5 seconds. */
async function metricsWith(worker, isThere) {
  for (let attempt = 0; attempt < 60; attempt++) {
    const text = await metricsOf(worker);
    if (isThere(text)) return text;
    await sleep(250);
  }
  return assert.fail(await metricsOf(worker));
}

const generate = async (worker, contents = [{ role: 'user', parts: [{ text: secretText }] }]) => {
  const body = JSON.stringify({ contents });
  const response = await ask(worker, path, { method: 'POST', body });
  await response.text();
  return response;
};

const requestsOf = (text, route, status) =>
  valueOf(text, 'prompt_strata_requests_total', { route, status: String(status) });

const answerOf = (usageMetadata) => () =>
  Response.json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
    usageMetadata,
  });

test('the admin key opens /metrics; nothing else does', async () => {
  const worker = await startWorker({ bindings });
  for (const key of ['', callerKey, 'admin', `${adminKey}x`]) {
    const response = await get(worker, '/metrics', key);
    assert.equal(response.status, 401);
    assert.doesNotMatch(await response.text(), /_total/);
  }
  assert.equal((await get(worker, `/metrics?key=${adminKey}`, '')).status, 401);
  assert.equal((await get(worker, '/metrics')).status, 200);
});

test('the files of the dashboard need no key, hold no counts, and run nothing but themselves', async () => {
  const worker = await startWorker({ bindings });
  await generate(worker);
  for (const file of ['', '/main.js', '/style.css', '/icon.svg']) {
    const response = await get(worker, `/dashboard${file}`, '');
    assert.equal(response.status, 200, file);
    assert.match(response.headers.get('content-security-policy'), /^default-src 'none';/);
    assert.doesNotMatch(await response.text(), new RegExp(`${adminKey}|${callerKey}`));
  }
});

test('without an admin key there is neither', async () => {
  const worker = await startWorker();
  for (const route of ['/metrics', '/dashboard', '/dashboard/main.js'])
    for (const key of ['', 'undefined', callerKey])
      assert.equal((await get(worker, route, key)).status, 404, route);
  const blank = await startWorker({ bindings: { GATEWAY_ADMIN_KEY: ' ' } });
  assert.equal((await get(blank, '/dashboard', '')).status, 404);
  assert.equal((await get(blank, '/metrics', '')).status, 404);
});

test("requests, findings, repairs, tokens and their cost are the gateway's", async () => {
  const usage = { promptTokenCount: 1_000_000, cachedContentTokenCount: 400_000 };
  const thoughts = { candidatesTokenCount: 100_000, thoughtsTokenCount: 300_000 };
  const worker = await startWorker({ bindings, api: answerOf({ ...usage, ...thoughts }) });
  assert.equal((await generate(worker)).status, 200);
  const turns = ['user', 'assistant', 'user'].map((role) => ({ role, parts: [{ text: 'Hi' }] }));
  assert.equal((await generate(worker, turns)).status, 200);
  const text = await metricsWith(worker, (each) => requestsOf(each, 'generateContent', 200) === 2);
  const labels = { code: 'role.invalid' };
  assert.equal(valueOf(text, 'prompt_strata_repaired_total', labels), 1);
  assert.equal(valueOf(text, 'prompt_strata_findings_total', labels), 1);
  assert.equal(valueOf(text, 'prompt_strata_avoided_bad_requests_total'), 1);
  const tokens = (kind) => valueOf(text, 'prompt_strata_tokens_total', { kind, model });
  assert.deepEqual(['input', 'cached', 'output'].map(tokens), [2_000_000, 800_000, 800_000]);
  // Of the catalogue: 0.75, 0.075 and 3.75 USD for a million tokens.
  const cost = 2 * (0.6 * 0.75 + 0.4 * 0.075 + 0.4 * 3.75);
  const counted = valueOf(text, 'prompt_strata_cost_usd_total', { model });
  assert.ok(Math.abs(counted - cost) < 1e-9, `${counted} is not ${cost}`);
  assert.equal(valueOf(text, 'prompt_strata_upstream_seconds_count'), 2);
});

test('sends of threads count with their outcome, tokens and duration', async () => {
  const worker = await startWorker({ bindings });
  const thread = await create(worker);
  const events = await say(worker, thread, 'Hello');
  assert.equal(events.at(-1).type, 'stored');
  const { usage } = events.findLast(({ type }) => type === 'done');
  const completed = { outcome: 'completed' };
  const text = await metricsWith(
    worker,
    (each) => valueOf(each, 'prompt_strata_sends_total', completed) === 1,
  );
  const input = valueOf(text, 'prompt_strata_tokens_total', { kind: 'input', model });
  assert.equal(input, usage.promptTokenCount);
  assert.equal(valueOf(text, 'prompt_strata_send_seconds_count'), 1);
  assert.ok(valueOf(text, 'prompt_strata_cost_usd_total', { model }) > 0);
  assert.equal(requestsOf(text, 'threads.create', 201), 1);
  assert.equal(requestsOf(text, 'threads.messages', 200), 1);
});

test('a send that fails counts with its code', async () => {
  const refusal = { code: 403, status: 'PERMISSION_DENIED', message: secretText };
  const api = () => Response.json({ error: refusal }, { status: 403 });
  const worker = await startWorker({ bindings, api });
  const thread = await create(worker);
  const events = await say(worker, thread, secretText);
  assert.ok(events.some(({ type }) => type === 'failed'));
  const text = await metricsWith(
    worker,
    (each) => valueOf(each, 'prompt_strata_sends_total', { outcome: 'failed' }) === 1,
  );
  const code = { code: 'api.PERMISSION_DENIED' };
  assert.equal(valueOf(text, 'prompt_strata_send_failures_total', code), 1);
});

test('no text, key, id or path of a caller is in a label', async () => {
  const worker = await startWorker({ bindings });
  const wanted = await create(worker);
  await say(worker, wanted, secretText);
  const names = ['secret-model', `${model}-secret-suffix`, `gemini-${callerKey}`];
  for (const name of names) {
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: secretText }] }] });
    await (
      await ask(worker, `/v1beta/models/${name}:generateContent`, { method: 'POST', body })
    ).text();
  }
  for (const odd of ['/secret-path', '/threads/secret-path', `${wanted}/secret`, '/v1beta/secret'])
    await (await ask(worker, odd)).text();
  await (await ask(worker, '/threads', { method: 'SECRET', headers })).text();
  const text = await metricsWith(worker, (each) => requestsOf(each, 'threads.messages', 200) === 1);
  for (const private_ of [
    'secret',
    secretText,
    callerKey,
    upstreamKey,
    adminKey,
    wanted.split('/').at(-1),
  ])
    assert.ok(!text.includes(private_), `${private_}\n${text}`);
});

test('the sums outlive the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-metrics-'));
  const settings = { bindings, folder };
  try {
    const first = await startWorker(settings);
    for (let i = 0; i < 3; i++) await generate(first);
    const before = await metricsWith(
      first,
      (each) => requestsOf(each, 'generateContent', 200) === 3,
    );
    await stopWorker(first);
    const second = await startWorker(settings);
    await generate(second);
    const after = await metricsWith(
      second,
      (each) => requestsOf(each, 'generateContent', 200) === 4,
    );
    const since = 'prompt_strata_counting_since_seconds';
    assert.equal(valueOf(after, since), valueOf(before, since));
    assert.ok(valueOf(after, since) > 0);
    await stopWorker(second);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
