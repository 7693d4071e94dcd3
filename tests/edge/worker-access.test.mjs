// Tests access to threads: keys of callers, allowed origins, content types, and what needs no key.
import assert from 'node:assert/strict';
import test from 'node:test';
import { miniflareOptions } from '../../scripts/setup/worker.mjs';
import {
  ask,
  callerKey,
  chunk,
  create,
  headers,
  post,
  say,
  setUp,
  startWorker,
  upstreamKey,
} from './worker-process.mjs';
import { allRequests, guessedId } from './worker-routes.mjs';

setUp();

const answer = () => new Response(chunk('Hello', { finishReason: 'STOP' }));
const neverAsked = () => assert.fail('the API was asked');
const without = (...names) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** Asserts that a request was rejected with this status and code. Returns the response and the message. */
async function assertRejected(response, status, code) {
  const text = await response.text();
  assert.equal(response.status, status, `${response.url} ${text.slice(0, 500)}`);
  const { error } = JSON.parse(text);
  assert.equal(error.code, code, text);
  for (const key of [callerKey, upstreamKey]) assert.ok(!text.includes(key), text);
  return { response, message: error.message };
}

test('a deployment without a Gemini key answers 503 and says why', async () => {
  const { bindings } = await miniflareOptions();
  assert.ok(!('EMULATOR' in bindings), 'wrangler.jsonc turns on the emulator');
  for (const CALLER_KEY of [undefined, callerKey]) {
    const worker = await startWorker({ bindings: { EMULATOR: undefined, CALLER_KEY } });
    for (const [path, init] of allRequests) {
      const response = await ask(worker, path, init);
      const { message } = await assertRejected(response, 503, 'upstream.unconfigured');
      assert.match(message, /GEMINI_API_KEY.*EMULATOR/);
    }
    const about = await ask(worker, '/');
    assert.equal(about.status, 200);
    assert.match(await about.text(), /No upstream is configured/);
  }
});

test('the emulator answers only where EMULATOR is "true"', async () => {
  const closed = await startWorker({ bindings: { EMULATOR: 'false' } });
  await assertRejected(await post(closed, '/threads', {}), 503, 'upstream.unconfigured');
  const open = await startWorker();
  assert.equal((await say(open, await create(open), 'Hello')).at(-1).type, 'stored');
});

test('without callers everybody is refused, whoever answers', async () => {
  for (const api of [neverAsked, undefined]) {
    for (const CALLER_KEY of [undefined, '', '\n']) {
      const worker = await startWorker({ bindings: { CALLER_KEY, EMULATOR: 'true' }, api });
      for (const [path, init] of allRequests) {
        const response = await ask(worker, path, init);
        const { message } = await assertRejected(response, 401, 'caller.unconfigured');
        assert.equal(response.headers.get('www-authenticate'), 'Bearer');
        assert.match(message, /CALLER_KEY.*GATEWAY_CALLERS/);
      }
    }
  }
});

test('everything under /threads requires a key of a caller', async () => {
  let apiRequests = 0;
  const worker = await startWorker({ api: () => (apiRequests++, answer()) });
  const invalid = [
    [{}, 'caller.key_missing'],
    [{ authorization: '' }, 'caller.key_missing'],
    [{ authorization: callerKey }, 'caller.key_missing'],
    [{ authorization: `Basic ${callerKey}` }, 'caller.key_missing'],
    [{ authorization: 'Bearer' }, 'caller.key_invalid'],
    [{ authorization: `Bearer ${callerKey}, ${callerKey}` }, 'caller.key_invalid'],
    [{ authorization: 'Bearer wrong' }, 'caller.key_wrong'],
    [{ authorization: `Bearer ${callerKey}x` }, 'caller.key_wrong'],
    [{ authorization: `Bearer ${callerKey.slice(1)}` }, 'caller.key_wrong'],
    [{ authorization: `Bearer ${upstreamKey}` }, 'caller.key_wrong'],
    [{ 'x-goog-api-key': upstreamKey }, 'caller.key_wrong'],
    [{ authorization: `Bearer ${callerKey}`, 'x-goog-api-key': 'other' }, 'caller.key_ambiguous'],
  ];
  for (const [keys, code] of invalid) {
    for (const [path, init] of [...allRequests, ['/threads/a/b/c', {}], ['/threads/', {}]]) {
      const sent = { ...without('authorization'), ...keys };
      const response = await ask(worker, path, { ...init, headers: sent });
      await assertRejected(response, 401, code);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    }
  }
  assert.equal(apiRequests, 0);
  const path = await create(worker);
  assert.equal((await say(worker, path, 'Hello')).at(-1).type, 'stored');
  for (const keys of [{ authorization: `bearer ${callerKey}` }, { 'x-goog-api-key': callerKey }]) {
    const sent = { ...without('authorization'), ...keys };
    assert.equal((await ask(worker, path, { headers: sent })).status, 200);
  }
  assert.equal((await ask(worker, path, { method: 'DELETE' })).status, 204);
});

test('a key in the address of a thread is refused, because addresses end in logs', async () => {
  const worker = await startWorker();
  const path = await create(worker);
  for (const [query, init, code] of [
    [`?key=${callerKey}`, { headers: without('authorization') }, 'caller.key_invalid'],
    [`?key=${callerKey}`, { headers }, 'caller.key_invalid'],
    ['', { headers: without('authorization') }, 'caller.key_missing'],
  ]) {
    const response = await ask(worker, `${path}${query}`, init);
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code], [401, code]);
    assert.match(error.message, /in a header/);
  }
});

test('a caller key that was stored with a line feed works', async () => {
  const worker = await startWorker({ bindings: { CALLER_KEY: `${callerKey}\n` } });
  assert.match(await create(worker), /^\/threads\/thread_/);
});

test('a Gemini key that was stored with a line feed works, and is in no answer', async () => {
  const keys = [];
  const api = ({ headers }) => {
    keys.push(headers.get('x-goog-api-key'));
    const message = `API key not valid: ${upstreamKey}.`;
    return Response.json({ error: { code: 400, message } }, { status: 400 });
  };
  const bindings = { GEMINI_API_KEY: `${upstreamKey}\n`, SHOW_REQUESTS: 'true' };
  const worker = await startWorker({ api, bindings });
  const events = JSON.stringify(await say(worker, await create(worker), 'Hello'));
  assert.deepEqual(keys, [upstreamKey]);
  assert.match(events, /API key not valid/);
  assert.ok(!events.includes(upstreamKey), events);
});

test('an invalid GATEWAY_CALLERS refuses everybody, without quoting it', async () => {
  const hash = '0'.repeat(64);
  for (const GATEWAY_CALLERS of [
    callerKey,
    '{}',
    `"${callerKey}"`,
    `["${callerKey}"]`,
    `[{"id":"a","keyHash":"${callerKey}"}]`,
    `[{"id":"a","keyHash":"${hash}","${callerKey}":1}]`,
    `[{"id":"${callerKey} ","keyHash":"${hash}"}]`,
    `[{"id":"process","keyHash":"${hash}"}]`,
    `[{"id":"a","keyHash":"${hash}"},{"id":"b","keyHash":"${hash}"}]`,
  ]) {
    const worker = await startWorker({ bindings: { GATEWAY_CALLERS } });
    const response = await post(worker, '/threads', {});
    const { message } = await assertRejected(response, 500, 'setting.invalid');
    assert.match(message, /GATEWAY_CALLERS/);
  }
});

test('GET / needs no key and reveals nothing private', async () => {
  const worker = await startWorker({ bindings: { MODEL: 'gemini-private' }, api: answer });
  const response = await ask(worker, '/', { headers: {} });
  assert.equal(response.status, 200);
  const text = await response.text();
  assert.match(text, /authorization: Bearer KEY/);
  for (const secret of [callerKey, upstreamKey, 'gemini-private', 'get_weather', 'assistant'])
    assert.ok(!text.includes(secret), secret);
});

const page = 'https://app.example';

test('rejects pages of other origins without ALLOWED_ORIGINS', async () => {
  const worker = await startWorker({ api: neverAsked });
  for (const origin of [page, 'null', 'http://localhost:1', 'https://localhost']) {
    const sent = { ...headers, origin };
    for (const init of [
      { method: 'POST', body: '{}' },
      { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
    ]) {
      const response = await ask(worker, '/threads', {
        ...init,
        headers: { ...sent, ...init.headers },
      });
      await assertRejected(response, 403, 'origin.not_allowed');
      assert.equal(response.headers.get('access-control-allow-origin'), null);
      assert.equal(response.headers.get('vary'), 'origin');
    }
    assert.equal((await ask(worker, '/', { headers: sent })).status, 403);
  }
});

test("accepts the Worker's own origin, without CORS headers", async () => {
  const worker = await startWorker();
  const sent = { ...headers, origin: 'http://localhost' };
  const response = await post(worker, '/threads', {}, { headers: sent });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('access-control-allow-origin'), null);
});

test('accepts a listed origin and names it in every response', async () => {
  const ALLOWED_ORIGINS = `https://other.example, ${page},*,null`;
  const worker = await startWorker({ bindings: { ALLOWED_ORIGINS } });
  const from = (origin) => ({ headers: { ...headers, origin } });
  const path = await create(worker);
  const preflight = await ask(worker, `${path}/messages`, {
    method: 'OPTIONS',
    headers: { origin: page, 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  const allowed = preflight.headers.get('access-control-allow-headers').split(', ');
  for (const name of [
    ...['authorization', 'content-type', 'accept', 'last-event-id', 'idempotency-key', 'prefer'],
  ])
    assert.ok(allowed.includes(name), name);
  const created = await post(worker, '/threads', {}, from(page));
  const exposed = created.headers.get('access-control-expose-headers').split(', ');
  for (const name of ['location', 'link', 'x-next', 'retry-after'])
    assert.ok(exposed.includes(name), name);
  for (const response of [
    preflight,
    created,
    await post(worker, '/threads', '{', from(page)),
    await post(worker, `${path}/messages`, { message: 'Hello' }, from(page)),
    await ask(worker, `/threads/${guessedId}`, from(page)),
    await ask(worker, '/threads', { headers: { origin: page } }),
  ]) {
    assert.equal(response.headers.get('access-control-allow-origin'), page);
    assert.equal(response.headers.get('vary'), 'origin');
    await response.arrayBuffer();
  }
  for (const origin of [`${page}.evil.example`, 'http://app.example', 'null', '*']) {
    const response = await post(worker, '/threads', {}, from(origin));
    await assertRejected(response, 403, 'origin.not_allowed');
  }
});

test('rejects bodies whose content type is not JSON in UTF-8', async () => {
  const worker = await startWorker();
  const path = await create(worker);
  const bodies = allRequests
    .filter(([, { body }]) => body !== undefined)
    .map(([route, { body }]) => [route.replace(`/threads/${guessedId}`, path), body]);
  const typed = (type) => ({
    headers: { ...without('content-type'), ...(type && { 'content-type': type }) },
  });
  for (const [route, body] of bodies) {
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json; charset=latin1',
      'text/plain; application/json',
    ]) {
      const response = await post(worker, route, body, typed(type));
      await assertRejected(response, 415, 'content_type.unsupported');
    }
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    const response = await post(worker, `${path}/messages`, { message: 'Hello' }, typed(type));
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  }
});

test('answers about threads are not kept, framed or sniffed', async () => {
  const worker = await startWorker();
  const path = await create(worker);
  // One after the other: a body that waits to be read may be cancelled when memory is collected.
  for (const request of [
    () => ask(worker, path),
    () => post(worker, `${path}/messages`, { message: 'Hello' }),
    () => ask(worker, `/threads/${guessedId}`),
    () => post(worker, '/threads', '{'),
  ]) {
    const response = await request();
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('x-frame-options'), 'DENY');
    assert.match(response.headers.get('content-security-policy'), /default-src 'none'/);
    await response.arrayBuffer();
  }
});
