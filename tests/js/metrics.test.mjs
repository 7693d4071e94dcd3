// The gateway's counts: Prometheus' text form, bounded tables, and what the tokens of a model cost.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { build } from 'esbuild';
import { load } from 'prompt-strata';
import { root } from '../../scripts/setup/run.mjs';
import { parsePrometheus, valueOf } from './prometheus.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-metrics-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const files = ['counts', 'metrics', '../sdk/internal/cost'];
await build({
  stdin: {
    contents: files.map((file) => `export * from './${file}.js';`).join('\n'),
    resolveDir: join(root, 'web/gateway'),
  },
  ...{ outfile: join(folder, 'parts.mjs'), bundle: true, format: 'esm', logLevel: 'silent' },
});
const { costOf, countedUsage, Counts, createMetrics } = await import(join(folder, 'parts.mjs'));

const strata = await load();
const now = '2026-11-22T00:00:00Z';
const counted = (metadata, model) => countedUsage(metadata, { model, now });
const tokens = { promptTokenCount: 10, cachedContentTokenCount: 4, candidatesTokenCount: 5 };

describe('the text', () => {
  test('is what Prometheus reads, whatever is counted', async () => {
    const metrics = createMetrics();
    assert.equal(parsePrometheus(await metrics.text()).size, 13);
    metrics.request('generateContent', 200);
    metrics.request('generateContent', 200);
    metrics.request('a "quoted"\nroute\\', 404);
    metrics.findings(['response.count', 'response.count']);
    metrics.repaired(['response.count']);
    metrics.upstreamBadRequest();
    metrics.avoided();
    metrics.brokenAnswer('answer.cut');
    metrics.restored(3);
    metrics.tokens(counted(tokens, 'gemini-3.8-flash'));
    metrics.upstreamSeconds(0.2);
    metrics.upstreamSeconds(1000);
    const text = await metrics.text();
    parsePrometheus(text);
    const rows = [
      ['requests_total', 2, { route: 'generateContent', status: '200' }],
      ['requests_total', 1, { route: 'a _quoted__route_', status: '404' }],
      ['findings_total', 2, { code: 'response.count' }],
      ['repaired_total', 1, { code: 'response.count' }],
      ['broken_answers_total', 1, { reason: 'answer.cut' }],
      ['upstream_bad_requests_total', 1],
      ['avoided_bad_requests_total', 1],
      ['restored_signatures_total', 3],
      ['placeholder_signatures_total', 0],
      ['tokens_total', 4, { kind: 'cached', model: 'gemini-3.8-flash' }],
      ['upstream_seconds_bucket', 0, { le: '0.1' }],
      ['upstream_seconds_bucket', 1, { le: '0.25' }],
      ['upstream_seconds_bucket', 1, { le: '300' }],
      ['upstream_seconds_bucket', 2, { le: '+Inf' }],
      ['upstream_seconds_sum', 1000.2],
    ];
    for (const [name, value, labels] of rows)
      assert.equal(valueOf(text, `prompt_strata_${name}`, labels), value, `${name}\n${text}`);
    assert.match(text, /^prompt_strata_placeholder_signatures_total 0$/m);
  });

  test('says since when it counts', async () => {
    const before = Date.now() / 1000;
    const text = await createMetrics().text();
    const since = valueOf(text, 'prompt_strata_counting_since_seconds');
    assert.ok(since >= before && since <= Date.now() / 1000, text);
  });

  test('the parser of this test refuses what Prometheus refuses', () => {
    const head = '# HELP a_total A.\n# TYPE a_total counter\n';
    parsePrometheus(`${head}a_total{b="c\\"\\\\\\n"} 1e-7\n`);
    const histogram = '# HELP h H.\n# TYPE h histogram\n';
    for (const text of [
      `${head}a_total 1`,
      `${head}a_total{b="c"d"} 1\n`,
      `${head}a_total{b="c",} 1\n`,
      `${head}a_total{b="c"} 1\na_total{b="c"} 1\n`,
      `${head}a_total NaN\n`,
      `${head}b_total 1\n`,
      `${head}${head}`,
      'a_total 1\n',
      `${histogram}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`,
      `${histogram}h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n`,
    ])
      assert.throws(() => parsePrometheus(text), undefined, text);
  });
});

describe('counts', () => {
  test('do not grow without end', async () => {
    const metrics = createMetrics();
    for (let index = 0; index < 5000; index++) metrics.findings([`code.${index}`]);
    metrics.findings(['code.7']);
    const text = await metrics.text();
    const { samples } = parsePrometheus(text).get('prompt_strata_findings_total');
    assert.equal(samples.length, 1000);
    assert.equal(valueOf(text, 'prompt_strata_findings_total', { code: 'code.7' }), 2);
  });

  test('only grow: nothing is counted that is negative or no number', () => {
    const counts = new Counts();
    for (const amount of [-1, 0, NaN]) counts.add('a', amount);
    for (const value of [-1, NaN]) counts.observe({ name: 'h', bounds: [1] }, value);
    assert.deepEqual([counts.rows, counts.isEmpty], [[], true]);
  });

  test('taken once are not taken again', () => {
    const counts = new Counts();
    counts.add('a', 2, { b: 'c' });
    assert.deepEqual(counts.take(), [['a', '{b="c"}', 2]]);
    assert.deepEqual([counts.take(), counts.isEmpty], [[], true]);
    counts.add('a', 1, { b: 'c' });
    assert.deepEqual(counts.take(), [['a', '{b="c"}', 1]]);
  });
});

describe('prices', () => {
  const { price } = strata.modelLimits('gemini-3.8-flash', { now });

  test('cached tokens cost their own price, and the rest of the input the full one', () => {
    const million = { input: 3_000_000, cached: 1_000_000, output: 2_000_000 };
    const expected = 2 * price.input + price.cacheRead + 2 * price.output;
    assert.ok(Math.abs(costOf(million, price) - expected) < 1e-9);
    assert.ok(price.cacheRead < price.input);
  });

  test('a cached part that is larger than the input makes nothing cheaper than free', () => {
    assert.ok(costOf({ input: 0, cached: 10, output: 0 }, price) > 0);
  });

  test('an alias has the price and the name of the model behind it', () => {
    const [alias, own] = ['gemini-flash-latest', 'gemini-3.8-flash'].map((name) =>
      counted(tokens, name),
    );
    assert.deepEqual(alias, own);
    assert.equal(alias.label, 'gemini-3.8-flash');
  });

  test('a name holds no text of a caller', () => {
    for (const name of [
      'gemini-2.5-pro-my-secret',
      'gemini-2.5-prosecret',
      'gemini-2.5-pro.secret',
    ])
      assert.equal(counted(tokens, name).label, 'gemini-2.5-pro');
    assert.equal(counted(tokens, 'gemini-2.5-flash-lite-secret').label, 'gemini-2.5-flash-lite');
    for (const name of ['secret', 'gemini-secret', 'gemini-2.5', '']) {
      const { label, usd } = counted(tokens, name);
      assert.deepEqual([label, usd], ['other', undefined]);
    }
  });

  test('tokens of a model without a price count, and cost nothing', async () => {
    const metrics = createMetrics();
    metrics.tokens(counted(tokens, 'a-tuned-model'));
    metrics.tokens(counted({ promptTokenCount: 1e6 }, 'gemini-3.8-flash'));
    const text = await metrics.text();
    const labels = { kind: 'input', model: 'other' };
    assert.equal(valueOf(text, 'prompt_strata_tokens_total', labels), 10);
    const { samples } = parsePrometheus(text).get('prompt_strata_cost_usd_total');
    assert.deepEqual(
      samples.map(({ labels: { model }, value }) => [model, value]),
      [['gemini-3.8-flash', price.input]],
    );
  });

  test('an answer that reports no tokens counts nothing', () => {
    assert.equal(counted({}, 'gemini-3.8-flash'), undefined);
    assert.equal(counted({ promptTokenCount: 'x' }, 'gemini-3.8-flash'), undefined);
  });

  test('a long prompt has its own price, where the table has one', () => {
    const usd = (promptTokenCount) => counted({ promptTokenCount }, 'gemini-3.1-pro').usd;
    assert.ok(Math.abs(usd(300_000) / usd(150_000) - 4) < 1e-9);
  });
});
