// The parts of the gateway that decide who may call: keys, limits, bodies, origins; and its errors and log.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'strata-gateway-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const files = ['access', 'body', 'callers', 'gateway-error', 'headers', 'limits', 'log'];
await build({
  stdin: {
    contents: files.map((file) => `export * from './${file}.js';`).join('\n'),
    resolveDir: join(root, 'web/gateway'),
  },
  ...{ outfile: join(folder, 'parts.mjs'), bundle: true, format: 'esm', logLevel: 'silent' },
});
const parts = await import(join(folder, 'parts.mjs'));
const { createAccess, CallerKeys, createLog, GatewayError, Limits } = parts;

const hashOf = (key) => createHash('sha256').update(key).digest('hex');
const url = 'https://gateway.example/v1beta/models/gemini-3.8-flash:generateContent';
const asking = (headers = {}, query = '') => new Request(url + query, { headers });
const bearer = (key) => asking({ authorization: `Bearer ${key}` });

/** Asserts that a promise rejects with a GatewayError and returns it. */
async function refusal(promise, status, code) {
  const error = await promise.then(
    () => assert.fail('accepted'),
    (reason) => reason,
  );
  assert.deepEqual([error.status, error.code], [status, code], error.stack);
  return error;
}

const keysFor = (paysUpstream, callers, secret) =>
  new CallerKeys({ paysUpstream, callers, secret });

const website = { id: 'website', keyHash: hashOf('key-of-website') };
const listed = [
  website,
  { id: 'app', keyHash: hashOf('old-key-of-app') },
  { id: 'app', keyHash: hashOf('new-key-of-app').toUpperCase() },
];

describe('callers', () => {
  test('nobody may call a gateway with a key until callers are listed', async () => {
    const keys = keysFor(true, undefined);
    for (const request of [asking(), bearer('anything')]) {
      const error = await refusal(keys.authenticate(request), 401, 'caller.unconfigured');
      assert.match(error.message, /callers.*'anyone'/);
      assert.equal(error.headers['www-authenticate'], 'Bearer');
    }
  });

  test('listed callers need a key of the gateway, in any carrier', async () => {
    const keys = keysFor(true, listed);
    const carriers = [
      bearer('key-of-website'),
      asking({ authorization: 'bearer   key-of-website ' }),
      asking({ 'x-goog-api-key': 'key-of-website' }),
      asking({}, '?key=key-of-website'),
      asking({}, '?alt=sse&key=key%2Dof-website'),
      asking({ 'x-goog-api-key': 'key-of-website' }, '?key=key-of-website'),
      asking({ 'x-goog-api-key': 'key-of-website', authorization: 'Firebase eyJ.x.y' }),
    ];
    for (const request of carriers) {
      assert.deepEqual(await keys.authenticate(request), { id: 'website', memory: true });
    }
    for (const key of ['old-key-of-app', 'new-key-of-app'])
      assert.deepEqual(await keys.authenticate(bearer(key)), { id: 'app', memory: true });
  });

  test('refuses what is not the key of a caller', async () => {
    const keys = keysFor(true, listed);
    await refusal(keys.authenticate(asking()), 401, 'caller.key_missing');
    for (const key of ['key-of-website2', 'key-of-websit', 'Key-of-website', website.keyHash])
      await refusal(keys.authenticate(bearer(key)), 401, 'caller.key_wrong');
    await refusal(
      keys.authenticate(asking({ authorization: 'Basic key-of-website' })),
      ...[401, 'caller.key_missing'],
    );
    const invalid = [
      bearer(''),
      asking({ authorization: 'Bearer' }),
      asking({ 'x-goog-api-key': '' }),
      asking({}, '?key='),
      asking({}, '?key=key-of-website%0d%0ax-evil:1'),
      bearer('key-of-website key-of-website'),
      bearer('k'.repeat(4097)),
    ];
    for (const request of invalid)
      await refusal(keys.authenticate(request), 401, 'caller.key_invalid');
  });

  test('no listed caller has an id that the gateway itself gives', () => {
    const keyHash = hashOf('key');
    for (const id of ['process', 'anyone', 'key:', 'key:0123456789abcdef0123456789abcdef'])
      assert.throws(() => parts.isCallers([{ id, keyHash }], '/callers'), {
        code: 'field.invalid',
      });
    for (const id of ['processor', 'keys', 'a:key:b'])
      parts.isCallers([{ id, keyHash }], '/callers');
  });

  test('refuses a request with two keys, of which it would not know whose counts', async () => {
    const keys = keysFor(true, listed);
    const twice = new Headers({ 'x-goog-api-key': 'key-of-website' });
    twice.append('x-goog-api-key', 'new-key-of-app');
    const ambiguous = [
      asking({ authorization: 'Bearer key-of-website', 'x-goog-api-key': 'new-key-of-app' }),
      asking({ 'x-goog-api-key': 'key-of-website' }, '?key=wrong'),
      asking({}, '?key=key-of-website&key=new-key-of-app'),
    ];
    for (const request of ambiguous)
      await refusal(keys.authenticate(request), 401, 'caller.key_ambiguous');
    await refusal(keys.authenticate(asking(twice)), 401, 'caller.key_invalid');
  });

  test('listed callers without a key for the upstream get 503, which says why', async () => {
    for (const callers of [listed, []]) {
      for (const request of [asking(), bearer('key-of-website')]) {
        const promise = keysFor(false, callers).authenticate(request);
        const error = await refusal(promise, 503, 'upstream.unconfigured');
        assert.match(error.message, /"apiKey"/);
      }
    }
    await refusal(keysFor(true, []).authenticate(bearer('any')), 401, 'caller.key_wrong');
  });

  test('without both, each caller spends its own key and has an id that does not reveal it', async () => {
    const keys = keysFor(false, undefined, 'a secret');
    const key = 'AIzaSyOwn-key_0123456789';
    const first = await keys.authenticate(bearer(key));
    assert.match(first.id, /^key:[0-9a-f]{32}$/);
    assert.deepEqual({ ...first, id: '' }, { id: '', memory: true, upstreamKey: key });
    assert.equal((await keys.authenticate(asking({}, `?key=${key}`))).id, first.id);
    assert.notEqual((await keys.authenticate(bearer(`${key}x`))).id, first.id);
    const again = await keysFor(false, undefined, 'a secret').authenticate(bearer(key));
    assert.equal(again.id, first.id);
    for (const secret of ['another', undefined, undefined]) {
      const other = await keysFor(false, undefined, secret).authenticate(bearer(key));
      assert.notEqual(other.id, first.id);
    }
    await refusal(keys.authenticate(asking()), 401, 'caller.key_missing');
  });

  test('sends on an access token as such', async () => {
    const keys = keysFor(false, undefined);
    const { upstreamToken, upstreamKey } = await keys.authenticate(bearer('ya29.a0token'));
    assert.deepEqual([upstreamToken, upstreamKey], ['ya29.a0token', undefined]);
    const asKey = await keys.authenticate(asking({ 'x-goog-api-key': 'ya29.a0token' }));
    assert.equal(asKey.upstreamToken, undefined);
  });

  test("'anyone' may spend the gateway's key and is remembered by nobody", async () => {
    for (const request of [asking(), bearer('one'), bearer('two')]) {
      const caller = await keysFor(true, 'anyone').authenticate(request);
      assert.deepEqual(caller, { id: 'anyone', memory: false });
    }
    const own = keysFor(false, 'anyone');
    assert.deepEqual(await own.authenticate(asking()), { id: 'anyone', memory: false });
    assert.equal((await own.authenticate(bearer('AIza-own'))).upstreamKey, 'AIza-own');
  });
});

/** Limits with a clock that the test moves. */
function limitsAt(limits) {
  const clock = { ms: 1_000_000 };
  return { clock, limits: new Limits(limits, () => clock.ms) };
}

describe('limits', () => {
  test('counts requests of each caller, and says when to come back in forms that clients read', async () => {
    const { clock, limits } = limitsAt({ requestsPerMinute: 3 });
    for (let i = 0; i < 3; i++) (await limits.enter('a'))();
    const error = await refusal(limits.enter('a'), 429, 'limit.exceeded');
    assert.equal(error.headers['retry-after'], '20');
    const google = await error.toGoogle().json();
    assert.equal(google.error.status, 'RESOURCE_EXHAUSTED');
    const retry = google.error.details.find((detail) => detail['@type'].endsWith('RetryInfo'));
    assert.equal(retry.retryDelay, '20s');
    (await limits.enter('b'))();
    clock.ms += 19_999;
    await refusal(limits.enter('a'), 429, 'limit.exceeded');
    clock.ms += 1;
    (await limits.enter('a'))();
    await refusal(limits.enter('a'), 429, 'limit.exceeded');
    clock.ms -= 3_600_000;
    await refusal(limits.enter('a'), 429, 'limit.exceeded');
  });

  test('counts tokens once an answer has reported them', async () => {
    const { clock, limits } = limitsAt({ tokensPerMinute: 1000 });
    (await limits.enter('a'))();
    limits.tokens('a', 1500);
    const error = await refusal(limits.enter('a'), 429, 'limit.exceeded');
    assert.match(error.message, /1000 tokens per minute/);
    assert.equal(error.headers['retry-after'], '31');
    (await limits.enter('b'))();
    clock.ms += 30_060;
    (await limits.enter('a'))();
  });

  test('counts open requests, each once however often it leaves', async () => {
    const { limits } = limitsAt({ concurrency: 2, totalConcurrency: 3 });
    const [leave] = [await limits.enter('a'), await limits.enter('a')];
    await refusal(limits.enter('a'), 429, 'limit.exceeded');
    leave();
    leave();
    await limits.enter('a');
    await refusal(limits.enter('a'), 429, 'limit.exceeded');
    await limits.enter('b');
    const busy = await refusal(limits.enter('c'), 503, 'gateway.busy');
    assert.equal(busy.headers['retry-after'], '1');
    assert.equal(limits.open, 3);
  });

  test('refuses everything where a limit is 0', async () => {
    for (const name of ['requestsPerMinute', 'tokensPerMinute', 'concurrency'])
      await refusal(limitsAt({ [name]: 0 }).limits.enter('a'), 429, 'limit.exceeded');
  });

  test('lets one in where a limit is less than one a minute', async () => {
    const { clock, limits } = limitsAt({ requestsPerMinute: 0.5 });
    (await limits.enter('a'))();
    const error = await refusal(limits.enter('a'), 429, 'limit.exceeded');
    assert.equal(error.headers['retry-after'], '120');
    clock.ms += 120_000;
    (await limits.enter('a'))();
    await refusal(limits.enter('a'), 429, 'limit.exceeded');
  });

  test('asks a limiter that several instances share, and refuses if it fails', async () => {
    const asked = [];
    const answers = [{ success: true }, { success: false }];
    const limit = async ({ key }) => {
      asked.push(key);
      return answers.shift() ?? Promise.reject(new Error('gone'));
    };
    const { limits } = limitsAt({ rateLimiter: { limit } });
    (await limits.enter('a'))();
    const error = await refusal(limits.enter('a'), 429, 'limit.exceeded');
    assert.equal(error.headers['retry-after'], '60');
    await refusal(limits.enter('b'), 503, 'limit.unavailable');
    assert.deepEqual(asked, ['a', 'a', 'b']);
    assert.equal(limits.open, 0);
  });

  test('keeps at most 10,000 callers, and never forgets one with an open request', async () => {
    const { limits } = limitsAt({ requestsPerMinute: 1, concurrency: 1 });
    await limits.enter('open');
    for (let i = 0; i < 10_500; i++) (await limits.enter(`caller ${i}`))();
    assert.equal(limits.size, 10_000);
    await refusal(limits.enter('open'), 429, 'limit.exceeded');
    await refusal(limits.enter('caller 10499'), 429, 'limit.exceeded');
  });
});

const post = (body, headers = {}) =>
  new Request(url, {
    ...{ method: 'POST', body, duplex: 'half' },
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('bodies', () => {
  const { readJsonBody, checkShape } = parts;

  test('takes JSON only', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''];
    for (const type of [
      ...types,
      'application/json; charset=latin1',
      'text/json, application/json',
    ])
      await refusal(
        readJsonBody(post('{}', { 'content-type': type }), {}),
        ...[415, 'content_type.unsupported'],
      );
    const bytes = await readJsonBody(
      post('{"a":1}', { 'content-type': 'application/json; charset=UTF-8' }),
      {},
    );
    assert.equal(new TextDecoder().decode(bytes), '{"a":1}');
  });

  test('refuses a body that is compressed, and says so', async () => {
    for (const encoding of ['gzip', 'br', 'GZIP', 'gzip, identity', 'evil']) {
      const sent = post('{}', { 'content-encoding': encoding });
      const error = await refusal(readJsonBody(sent, {}), 415, 'content_type.unsupported');
      assert.match(error.message, /content-encoding/);
      assert.equal(error.headers['accept-encoding'], 'identity');
    }
    for (const encoding of ['identity', 'Identity', ''])
      assert.equal(
        (await readJsonBody(post('{}', { 'content-encoding': encoding }), {})).length,
        2,
      );
  });

  test('refuses a body that is too long, by its length or as soon as it is', async () => {
    const limits = { maxBodyBytes: 10 };
    assert.equal((await readJsonBody(post('"12345678"'), limits)).length, 10);
    await refusal(readJsonBody(post('"123456789"'), limits), 413, 'size.too_large');
    let sent = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(4).fill(++sent)),
      cancel: () => (cancelled = true),
    });
    await refusal(readJsonBody(post(endless), limits), 413, 'size.too_large');
    assert.ok(sent < 10, `${sent} chunks were read`);
    assert.ok(cancelled);
    const lying = post('{}', { 'content-length': '1000' });
    if (lying.headers.has('content-length'))
      await refusal(readJsonBody(lying, limits), 413, 'size.too_large');
  });

  test('ends a body that does not arrive in time, however it trickles', async () => {
    let cancelled = false;
    const trickle = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(new Uint8Array(1).fill(32));
      },
      cancel: () => (cancelled = true),
    });
    const error = await refusal(
      readJsonBody(post(trickle), { bodyTimeoutMs: 60 }),
      ...[408, 'body.timeout'],
    );
    assert.equal(error.headers['connection'], 'close');
    assert.ok(cancelled);
  });

  test('reports a body that breaks off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('x')) });
    await refusal(readJsonBody(post(broken), {}), 400, 'body.incomplete');
  });

  test('limits the depth, wherever brackets are not in strings', async () => {
    const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
    assert.equal((await readJsonBody(post(nested(200)), {})).length, 400);
    await refusal(readJsonBody(post(nested(201)), {}), 400, 'json.too_deep');
    await refusal(readJsonBody(post('{"a":'.repeat(100_000)), {}), 400, 'json.too_deep');
    const bytes = (text) => new TextEncoder().encode(text);
    const cases = [
      ['"[[[["', 0, false],
      ['["\\"[[[", "\\\\"]', 1, false],
      ['["\\\\", [1]]', 1, true],
      ['["\\\\\\"[[", {}]', 2, false],
      ['[[], [], {}]', 2, false],
      ['[[]]', 1, true],
      ['"unterminated [[', 0, false],
    ];
    for (const [text, limit, expected] of cases)
      if (expected)
        assert.throws(
          () => checkShape(bytes(text), { depth: limit }),
          { code: 'json.too_deep' },
          text,
        );
      else checkShape(bytes(text), { depth: limit });
  });

  test('limits the number of values, wherever they are not in strings', async () => {
    const bytes = (text) => new TextEncoder().encode(text);
    const cases = [
      ['"[,,,{"', 0],
      ['{}', 1],
      ['[1,2,3]', 3],
      ['{"a":[{},{}],"b":"x,\\"}', 6],
      ['["\\\\",[1],",,"]', 4],
    ];
    for (const [text, values] of cases) {
      checkShape(bytes(text), { values });
      if (values > 0)
        assert.throws(
          () => checkShape(bytes(text), { values: values - 1 }),
          { status: 413, code: 'size.too_many_values' },
          text,
        );
    }
    // What the core does not read has no such limit.
    const many = `[${'{},'.repeat(250_000)}1]`;
    assert.equal((await readJsonBody(post(many), {})).length, many.length);
  });
});

describe('origins', () => {
  const access = createAccess({
    paysUpstream: false,
    origins: ['https://app.example', '*', 'null'],
  });
  const from = (origin, init = {}) =>
    new Request(url, { ...init, headers: { origin, ...init.headers } });

  test('refuses pages that are not listed, those of its own host among them', async () => {
    for (const origin of ['https://evil.example', 'null', '*', 'https://gateway.example', '']) {
      for (const method of ['POST', 'OPTIONS']) {
        const call = async () => access.checkOrigin(from(origin, { method }));
        await refusal(call(), 403, 'origin.not_allowed');
      }
    }
    assert.equal(access.checkOrigin(asking()), undefined);
    assert.equal(access.checkOrigin(from('https://app.example')), undefined);
  });

  test('answers a preflight with names only', () => {
    const headers = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'X-Goog-Api-Key, x-stainless-os, bad name, <b>, x-ok',
    };
    const response = access.checkOrigin(
      from('https://app.example', { method: 'OPTIONS', headers }),
    );
    assert.equal(response.status, 204);
    const allowed = response.headers.get('access-control-allow-headers');
    assert.equal(allowed, 'x-goog-api-key, x-stainless-os, x-ok');
  });

  test('gives responses the headers that protect browsers, and pages those that they may read', () => {
    const finished = access.finish(new Response('{}'), from('https://app.example'));
    assert.equal(finished.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.match(finished.headers.get('access-control-expose-headers'), /x-strata-restored/);
    assert.equal(finished.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(finished.headers.get('cache-control'), 'no-store');
    assert.match(finished.headers.get('content-security-policy'), /default-src 'none'/);
    const other = access.finish(new Response('{}'), from('https://evil.example'));
    assert.equal(other.headers.get('access-control-allow-origin'), null);
  });
});

test('only the admin key opens the metrics; without one they do not exist', async () => {
  const closed = createAccess({ paysUpstream: false });
  await refusal(closed.checkAdmin(bearer('anything')), 404, 'route.unknown');
  const open = createAccess({ paysUpstream: false, adminKey: 'admin-key' });
  await open.checkAdmin(bearer('admin-key'));
  for (const request of [asking(), bearer('admin-ke'), asking({}, '?key=admin-key')])
    await refusal(open.checkAdmin(request), 401, 'admin.key_wrong');
});

describe('errors', () => {
  const diagnostics = Array.from({ length: 30 }, (_, index) => ({
    ...{ code: 'response.count', severity: 'error', path: `/contents/${index}/parts/0` },
    message: 'A call has no response.',
  }));

  test("have Google's form, with at most 20 diagnostics in details", async () => {
    const response = new GatewayError(400, 'response.count', 'Refused.', {
      diagnostics,
    }).toGoogle();
    assert.equal(response.status, 400);
    const { error } = await response.json();
    assert.deepEqual(
      [error.code, error.status, error.message],
      [400, 'INVALID_ARGUMENT', 'Refused.'],
    );
    const [info, violations, all] = error.details;
    assert.equal(info.reason, 'response.count');
    assert.equal(violations.fieldViolations[1].field, 'contents[1].parts[0]');
    assert.equal(violations.fieldViolations.length, 20);
    const last = { ...diagnostics[19], more: diagnostics.length - 20 };
    assert.deepEqual(all.diagnostics, [...diagnostics.slice(0, 19), last]);
  });

  test('add to a refusal of the upstream what it does not say itself', () => {
    const found = parts.diagnosticDetails(diagnostics.slice(0, 1));
    const other = { '@type': 'other' };
    const detailsOf = (details) => {
      const text = JSON.stringify({ error: { code: 400, message: 'No.', details } });
      const body = new TextEncoder().encode(text);
      const added = parts.withDiagnosis(body, diagnostics.slice(0, 1));
      return JSON.parse(new TextDecoder().decode(added)).error.details;
    };
    assert.deepEqual(detailsOf(undefined), found);
    assert.deepEqual(detailsOf([other]), [other, ...found]);
    assert.deepEqual(detailsOf([found[0]]), found);
  });

  test("have OpenAI's form", async () => {
    const form = (status, code) =>
      new GatewayError(status, code, 'No.', { diagnostics }).toOpenAi();
    const { error } = await form(400, 'response.count').json();
    const expected = {
      message: 'No.',
      type: 'invalid_request_error',
      param: 'contents[0].parts[0]',
    };
    assert.deepEqual(error, { ...expected, code: 'response.count' });
    const types = { 401: 'authentication_error', 429: 'rate_limit_error', 502: 'server_error' };
    for (const [status, type] of Object.entries(types))
      assert.equal((await form(Number(status), 'x').json()).error.type, type);
  });

  test('do not repeat what nobody expected', async () => {
    for (const thrown of [new Error('key AIza-secret'), 'AIza-secret', null]) {
      const error = parts.gatewayErrorOf(thrown);
      assert.deepEqual([error.status, error.code], [500, 'internal']);
      assert.doesNotMatch(await error.toGoogle().text(), /AIza/);
    }
  });
});

test('headers name each code once and at most 20', () => {
  const codes = Array.from({ length: 50 }, (_, index) => `code.${index % 25}`);
  const headers = parts.outcomeHeaders({ requestId: 'id', findings: codes, restored: 2 });
  assert.deepEqual(Object.keys(headers), [
    'x-strata-request-id',
    'x-strata-findings',
    'x-strata-restored',
  ]);
  assert.equal(headers['x-strata-findings'].split(',').length, 20);
});

describe('the log', () => {
  const logged = (entry) => {
    const lines = [];
    createLog(
      (line) => lines.push(line),
      () => 0,
    ).write(entry);
    return JSON.parse(lines[0]);
  };
  const entry = { id: 'abc', method: 'POST', route: 'generateContent', status: 200, ms: 1.23456 };

  test('has one line of JSON for each request', () => {
    assert.deepEqual(logged({ ...entry, findings: ['a.b'] }), {
      time: '1970-01-01T00:00:00.000Z',
      ...{ ...entry, ms: 1.235, findings: ['a.b'] },
    });
  });

  test('has no field for texts and replaces what is not a name', () => {
    const line = logged({
      ...entry,
      model: 'a text with spaces',
      findings: ['fine', 'not\nfine'],
      body: 'secret',
    });
    assert.deepEqual([line.model, line.findings, 'body' in line], ['?', ['fine'], false]);
  });

  test('keeps the last 50 requests, without those for health and metrics', () => {
    const log = createLog(undefined, () => 0);
    for (let id = 0; id < 60; id++) log.write({ ...entry, id: `${id}`, body: 'secret' });
    log.write({ ...entry, route: 'metrics' });
    assert.equal(log.recent.length, 50);
    assert.deepEqual([log.recent[0].id, log.recent[49].id], ['59', '10']);
    assert.doesNotMatch(JSON.stringify(log.recent), /secret/);
  });

  test('ends no request when it fails', () => {
    createLog(() => {
      throw new Error('disk full');
    }).write(entry);
    createLog(undefined).write(entry);
  });
});
