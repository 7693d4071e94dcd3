// What the dashboard makes of `/metrics`, and how its files are served.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-dashboard-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const files = ['dashboard', 'numbers', 'summary'];
const metricFiles = ['gateway/counts', 'gateway/metrics', 'worker/reporter'];
const sources = [...files.map((file) => `dashboard/${file}`), ...metricFiles];
await build({
  stdin: {
    contents: sources.map((file) => `export * from './${file}.js';`).join('\n'),
    resolveDir: join(root, 'web'),
  },
  ...{ outfile: join(folder, 'parts.mjs'), bundle: true, format: 'esm', logLevel: 'silent' },
});
const parts = await import(join(folder, 'parts.mjs'));
const { Counts, countsText, createMetrics, summaryOf } = parts;

describe('the summary', () => {
  test('has every count that a gateway writes', async () => {
    const metrics = createMetrics();
    for (const status of [200, 200, 429]) metrics.request('generateContent', status);
    metrics.request('metrics', 200);
    metrics.request('health', 200);
    metrics.findings(['role.invalid', 'parts.empty']);
    metrics.findings(['role.invalid']);
    metrics.repaired(['role.invalid']);
    metrics.avoided();
    metrics.upstreamBadRequest();
    metrics.restored(3);
    metrics.placeholders(2);
    const none = { thoughtTokens: 0, cachedTokens: 0 };
    const counted = { inputTokens: 1e6, outputTokens: 6e4, thoughtTokens: 4e4, cachedTokens: 5e5 };
    metrics.tokens({ ...counted, totalTokens: 1.1e6, usd: 1.55, label: 'a' });
    const small = { ...none, inputTokens: 10, outputTokens: 1, totalTokens: 11 };
    metrics.tokens({ ...small, label: 'other' });
    metrics.upstreamSeconds(0.4);
    const { since, upstream, cost, ...summary } = summaryOf(await metrics.text());
    assert.ok(Math.abs(since.getTime() - Date.now()) < 60_000);
    assert.deepEqual([upstream.count, upstream.mean], [1, 0.4]);
    assert.ok(Math.abs(cost - 1.55) < 1e-9);
    assert.deepEqual(summary, {
      requests: 3,
      routes: [
        { route: 'generateContent', status: '200', count: 2 },
        { route: 'generateContent', status: '429', count: 1 },
        { route: 'health', status: '200', count: 1 },
        { route: 'metrics', status: '200', count: 1 },
      ],
      findings: [
        { code: 'role.invalid', found: 2, repaired: 1 },
        { code: 'parts.empty', found: 1, repaired: 0 },
      ],
      ...{ repaired: 1, avoided: 1, badRequests: 1, restored: 3, placeholders: 2 },
      models: [
        { model: 'a', input: 1e6, cached: 5e5, output: 1e5, cost },
        { model: 'other', input: 10, cached: 0, output: 1, cost: undefined },
      ],
      threads: undefined,
    });
  });

  test('has the sends of threads where they are served', () => {
    const { sends, failures, sendSeconds, workerFamilies } = parts;
    const counts = new Counts();
    const empty = summaryOf(countsText(workerFamilies, counts.rows));
    assert.deepEqual(empty.threads.sends, []);
    counts.add(sends.name, 2, { outcome: 'completed' });
    counts.add(sends.name, 1, { outcome: 'failed' });
    counts.add(failures.name, 1, { code: 'send.deadline' });
    counts.observe(sendSeconds, 2);
    const { threads } = summaryOf(countsText(workerFamilies, counts.rows));
    assert.deepEqual(threads.sends, [
      { outcome: 'completed', count: 2 },
      { outcome: 'failed', count: 1 },
    ]);
    assert.deepEqual(threads.failures, [{ code: 'send.deadline', count: 1 }]);
    assert.equal(threads.latency.count, 1);
  });

  test('reads labels with escaped signs, and skips what is no sample', () => {
    const text = '# HELP a A.\na{b="c\\"d\\\\e\\nf",g="h"} 2.5e-1\nnonsense\n';
    const labels = { b: 'c"d\\e\nf', g: 'h' };
    assert.deepEqual(parts.parseSamples(text), [{ name: 'a', labels, value: 0.25 }]);
  });
});

describe('latency', () => {
  const latencyOf = (...seconds) => {
    const family = { name: 'h', type: 'histogram', help: 'H.', bounds: [1, 2, 4] };
    const counts = new Counts();
    for (const each of seconds) counts.observe(family, each);
    return parts.latencyOf(parts.parseSamples(countsText([family], counts.rows)), 'h');
  };

  test('of a quantile only the bucket is known', () => {
    const latency = latencyOf(0.2, 1.5, 1.5, 1.5, 3, 100);
    const shown = (share) => parts.within(parts.quantile(latency, share));
    assert.deepEqual([0.1, 0.5, 0.8, 0.99].map(shown), [
      '< 1 s',
      '1 s to 2 s',
      '2 s to 4 s',
      '> 4 s',
    ]);
    assert.deepEqual(
      latency.buckets.map(({ upTo, count }) => [upTo, count]),
      [
        [1, 1],
        [2, 3],
        [4, 1],
        [Infinity, 1],
      ],
    );
  });

  test('without a value there is no quantile and no mean', () => {
    assert.equal(parts.within(parts.quantile(latencyOf(), 0.5)), '–');
    assert.equal(latencyOf().mean, undefined);
  });

  test('eight quick requests are below the first bound, not estimated within it', () => {
    const counts = new Counts();
    const family = { name: 'h', type: 'histogram', help: 'H.', bounds: [0.1, 0.25] };
    for (let times = 0; times < 8; times++) counts.observe(family, 0.016);
    const latency = parts.latencyOf(parts.parseSamples(countsText([family], counts.rows)), 'h');
    assert.equal(parts.within(parts.quantile(latency, 0.99)), '< 100 ms');
  });
});

test('numbers are written for people', () => {
  const { duration, money, percent } = parts;
  assert.deepEqual([0, 0.0012345, 0.5, 1234.567].map(money), [
    ...['$0.00', '$0.0012', '$0.50', '$1,234.57'],
  ]);
  assert.deepEqual(
    [percent(0, 0), percent(0, 5), percent(1, 1000), percent(999, 1000)],
    [...['–', '0 %', '< 1 %', '99 %']],
  );
  assert.deepEqual([0.25, 1.25, 10, 42.4].map(duration), ['250 ms', '1.3 s', '10 s', '42 s']);
});

describe('the files', () => {
  const get = (path, method = 'GET') =>
    parts.dashboardResponse(new Request(`https://gateway.example${path}`, { method }));

  test('are served with a policy that allows nothing but themselves', async () => {
    const types = {
      '/dashboard': 'text/html',
      '/dashboard/main.js': 'text/javascript',
      '/dashboard/style.css': 'text/css',
      '/dashboard/icon.svg': 'image/svg+xml',
      '/dashboard/rules.json': 'application/json',
    };
    for (const [path, type] of Object.entries(types)) {
      const response = get(path);
      assert.equal(response.status, 200);
      const { headers } = response;
      assert.equal(headers.get('content-type'), `${type}; charset=utf-8`);
      const policy = headers.get('content-security-policy');
      assert.match(policy, /^default-src 'none';/);
      assert.match(policy, /frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe|\*|http|data:/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.ok((await response.text()).length > 100);
      assert.equal(await get(path, 'HEAD').text(), '');
    }
  });

  test('are the only ones', () => {
    for (const path of ['/', '/dashboard/', '/dashboard/files.ts', '/metrics', '/toString'])
      assert.equal(get(path), undefined, path);
    assert.equal(get('/dashboard', 'POST'), undefined);
  });

  test('hold no script and no style of their own in HTML', async () => {
    const html = await get('/dashboard').text();
    assert.doesNotMatch(
      html,
      /<script(?![^>]* src=)|<style|<[^>]*\s(on\w+|style)=|(src|href)="(?!\.)/,
    );
  });

  test('say something about each code of a finding', async () => {
    const texts = await get('/dashboard/rules.json').json();
    const { rules } = JSON.parse(readFileSync(join(root, 'src/catalogue/rules.json'), 'utf8'));
    const missing = rules.filter(({ code }) => !texts[code]?.length);
    assert.deepEqual(missing, []);
  });
});
