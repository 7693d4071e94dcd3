// What the Worker counts of threads, and what /metrics answers without the object that sums the counts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { build } from 'esbuild';
import { load } from 'prompt-strata';
import { root } from '../../scripts/setup/run.mjs';
import { parsePrometheus, valueOf } from './prometheus.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-worker-metrics-'));
after(() => rmSync(folder, { recursive: true, force: true }));

await build({
  stdin: {
    contents: "export * from './metrics.js';",
    resolveDir: join(root, 'web/worker'),
  },
  ...{ outfile: join(folder, 'parts.mjs'), bundle: true, format: 'esm', logLevel: 'silent' },
});
const strata = await load();

let isolates = 0;
/** Loads the module once more: a new isolate with counts of its own. */
const isolate = () => import(`${join(folder, 'parts.mjs')}?isolate=${++isolates}`);

const model = 'gemini-3.8-flash';
const usage = { promptTokenCount: 1000, candidatesTokenCount: 10, thoughtsTokenCount: 90 };
const send = {
  outcome: 'completed',
  seconds: 2,
  usage: [{ usage, model }],
};

describe('a send of a thread', () => {
  test('counts with its outcome, its duration, the tokens of each answer and their cost', async () => {
    const { countSend, isolateMetrics } = await isolate();
    countSend({}, {}, { ...send, usage: [...send.usage, ...send.usage] });
    countSend({}, {}, { ...send, outcome: 'waiting', usage: [] });
    countSend(
      {},
      {},
      { ...send, outcome: 'failed', code: 'send.deadline', usage: [{ usage: {}, model }] },
    );
    countSend({}, {}, { ...send, outcome: 'failed', usage: [] });
    const text = await isolateMetrics({}).text();
    parsePrometheus(text);
    const value = (name, labels) => valueOf(text, `prompt_strata_${name}`, labels);
    const outcomes = ['completed', 'waiting', 'failed', 'aborted'];
    assert.deepEqual(
      outcomes.map((outcome) => value('sends_total', { outcome })),
      [1, 1, 2, 0],
    );
    assert.equal(value('send_failures_total', { code: 'send.deadline' }), 1);
    assert.equal(value('send_failures_total', { code: 'internal' }), 1);
    assert.equal(value('send_seconds_sum'), 8);
    assert.equal(value('send_seconds_count'), 4);
    assert.equal(value('tokens_total', { kind: 'output', model }), 200);
    const { price } = strata.modelLimits(model);
    const cost = (2000 * price.input + 200 * price.output) / 1e6;
    assert.ok(Math.abs(value('cost_usd_total', { model }) - cost) < 1e-12);
  });
});

describe('/metrics of the Worker', () => {
  const objectThat = (fetch) => ({ idFromName: (name) => name, get: () => ({ fetch }) });

  test('has the counts of the isolate where no object is bound', async () => {
    const { countRequest, isolateMetrics } = await isolate();
    countRequest({}, {}, 'threads.state', 200);
    const text = await isolateMetrics({}).text();
    const labels = { route: 'threads.state', status: '200' };
    assert.equal(valueOf(text, 'prompt_strata_requests_total', labels), 1);
  });

  test('reports what this isolate has counted before it asks for the sums', async () => {
    const { countRequest, isolateMetrics } = await isolate();
    const asked = [];
    const METRICS = objectThat(async (request) => {
      asked.push(request.method === 'POST' ? await request.json() : 'sums');
      return new Response(request.method === 'POST' ? null : 'the sums');
    });
    countRequest({}, {}, 'threads.state', 200);
    assert.equal(await isolateMetrics({ METRICS }).text(), 'the sums');
    const [{ isolate: id, number, rows }, sums] = asked;
    assert.match(id, /^[\da-f-]{36}$/);
    assert.equal(number, 1);
    const labels = '{route="threads.state",status="200"}';
    assert.deepEqual([rows, sums], [[['prompt_strata_requests_total', labels, 1]], 'sums']);
  });

  test('is refused with 503 while the object does not answer, and no count is lost', async (t) => {
    t.mock.method(console, 'error', () => {});
    const { countRequest, isolateMetrics } = await isolate();
    let isBroken = true;
    const reports = [];
    const METRICS = objectThat(async (request) => {
      if (isBroken) throw new Error('a private text');
      if (request.method === 'POST') reports.push(await request.json());
      return new Response('the sums');
    });
    countRequest({}, {}, 'threads.state', 200);
    const { text } = isolateMetrics({ METRICS });
    const refusal = { status: 503, code: 'metrics.unavailable', message: /^(?!.*private)/ };
    await assert.rejects(text(), refusal);
    isBroken = false;
    assert.equal(await text(), 'the sums');
    assert.deepEqual(
      reports.map(({ number, rows }) => [number, rows.length]),
      [[1, 1]],
    );
  });
});
