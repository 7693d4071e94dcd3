// Attacks on the gateway: each is refused or bounded, nothing leaks to callers or logs, and nothing but Google is asked.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import test, { after, describe } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createEmulator } from 'prompt-strata/testing';
import { createGateway } from 'prompt-strata/gateway';
import { serve } from 'prompt-strata/node';

const upstreamKey = 'AIzaSyUpstream-key_0123456789abcdefghi';
const callerKey = 'caller-key_0123456789abcdef';
const adminKey = 'admin-key_0123456789abcdef';
const secret = 'the-secret-of-the-deployment_0123';
// Appears in bodies only. Wherever else it is found, a text has leaked.
const text = 'a-private-text';
const secrets = [upstreamKey, callerKey, adminKey, secret, text];

const model = 'gemini-3.8-flash';
const origin = 'https://gateway.example';
const generatePath = `/v1beta/models/${model}:generateContent`;
const hello = JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] });
const chat = JSON.stringify({ model, messages: [{ role: 'user', content: text }] });
const json = { 'content-type': 'application/json' };
const asCaller = { ...json, authorization: `Bearer ${callerKey}` };
const keyHash = createHash('sha256').update(callerKey).digest('hex');

/** Creates a gateway with one listed caller, and records what it sends and logs. */
function setUp(options = {}, answer = createEmulator()) {
  const sent = [];
  const lines = [];
  const upstream = async (input, init) => {
    const request = new Request(input, { ...init, ...(init?.body && { duplex: 'half' }) });
    sent.push({ url: request.url, headers: Object.fromEntries(request.headers), init });
    return answer(input, init);
  };
  const gateway = createGateway({
    ...{ upstream, apiKey: upstreamKey, callers: [{ id: 'website', keyHash }], secret, adminKey },
    log: (line) => lines.push(line),
    ...options,
  });
  const ask = (path, init = {}) =>
    gateway.handle(new Request(`${origin}${path}`, { headers: asCaller, ...init }));
  const post = (path, body = hello, headers = asCaller) =>
    ask(path, { method: 'POST', body, headers, duplex: 'half' });
  return { gateway, sent, lines, ask, post };
}

/** Asserts that a response has this status, and that it repeats nothing private. */
async function assertStatus(response, status, code) {
  const body = await response.text();
  assert.equal(response.status, status, body.slice(0, 500));
  if (code !== undefined) {
    const { error } = JSON.parse(body);
    assert.equal(error.details ? error.details[0].reason : error.code, code);
  }
  const whole = JSON.stringify([...response.headers]) + body;
  for (const each of secrets) assert.ok(!whole.includes(each), `${each} in ${whole}`);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  return body;
}

const fields = new Set(
  (
    'time id caller method route model status upstream ms error findings repaired restored removed placeholder ' +
    'inputTokens cachedTokens outputTokens'
  ).split(' '),
);

/** Asserts that log lines are JSON of known fields without anything private. */
function assertLog(lines) {
  for (const line of lines) {
    for (const each of [...secrets, 'evil']) assert.ok(!line.includes(each), line);
    for (const name of Object.keys(JSON.parse(line))) assert.ok(fields.has(name), line);
  }
}

const hosts =
  /^(?:generativelanguage\.googleapis\.com|(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com|aiplatform\.(?:eu|us)\.rep\.googleapis\.com|firebasevertexai\.googleapis\.com)$/;

/** Asserts that only Google was asked, with the gateway's own key and nothing of the caller's. */
function assertSent(sent) {
  for (const { url, headers, init } of sent) {
    const { hostname, protocol, search, pathname, username, port } = new URL(url);
    assert.match(hostname, hosts, url);
    assert.deepEqual([protocol, username, port], ['https:', '', ''], url);
    assert.doesNotMatch(search, /key=/i, url);
    assert.match(pathname, /^\/(?:upload\/)?v1(?:beta1?)?\/[\w.:/-]+$/, url);
    assert.doesNotMatch(pathname, /\/\.{1,2}(?=[/:]|$)|\/\//, url);
    assert.equal(headers['x-goog-api-key'], upstreamKey);
    assert.equal(init.redirect, 'manual');
    const all = JSON.stringify(headers) + url;
    for (const each of [callerKey, adminKey, secret]) assert.ok(!all.includes(each), all);
  }
}

const routes = [
  ['POST', generatePath],
  ['POST', `/v1beta/models/${model}:streamGenerateContent?alt=sse`],
  ['POST', `/v1beta/models/${model}:countTokens`],
  ['POST', `/v1beta/models/${model}:embedContent`],
  ['GET', '/v1beta/models'],
  ['GET', '/v1beta/cachedContents'],
  ['POST', '/v1beta/cachedContents'],
  ['GET', '/v1beta/files'],
  ['POST', '/upload/v1beta/files'],
  ['POST', `/v1beta1/projects/p/locations/us/publishers/google/models/${model}:generateContent`],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1beta/openai/chat/completions'],
  ['GET', '/v1/models'],
  ['GET', '/nothing'],
  ['DELETE', '/v1beta/files/abc'],
];

describe('keys', () => {
  test('without a key, or with a wrong one, every route answers 401 and asks nobody', async () => {
    const { ask, sent, lines } = setUp();
    const wrong = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${keyHash}` },
      { authorization: `Bearer ${upstreamKey}` },
      { authorization: `Basic ${callerKey}` },
      { 'x-goog-api-key': `${callerKey}x` },
      { authorization: `Bearer ${adminKey}` },
      { cookie: `key=${callerKey}` },
    ];
    for (const [method, path] of routes) {
      for (const headers of wrong) {
        const body = method === 'POST' ? hello : undefined;
        const response = await ask(path, { method, body, headers: { ...json, ...headers } });
        assert.equal(response.headers.get('www-authenticate'), 'Bearer');
        await assertStatus(response, 401);
      }
    }
    assert.deepEqual(sent, []);
    assertLog(lines);
    assert.equal(lines.length, routes.length * wrong.length);
  });

  test('a key in any carrier opens the gateway, and none of them travels or is logged', async () => {
    const { ask, sent, lines } = setUp();
    const carriers = [
      ['', { authorization: `Bearer ${callerKey}` }],
      ['', { 'x-goog-api-key': callerKey }],
      [`?key=${callerKey}`, {}],
      [`?key=${callerKey}&key=${callerKey}&KEY=${callerKey}&access_token=${callerKey}`, {}],
    ];
    for (const [query, headers] of carriers) {
      for (const path of [generatePath, `/v1beta/models/${model}:countTokens`]) {
        const init = { method: 'POST', body: hello, headers: { ...json, ...headers } };
        const response = await ask(path + query, init);
        assert.equal(response.status, 200, await response.text());
      }
    }
    assert.equal(sent.length, 8);
    assertSent(sent);
    assertLog(lines);
  });

  test('refuses two different keys', async () => {
    const { post, sent } = setUp();
    const both = { ...asCaller, 'x-goog-api-key': 'another' };
    await assertStatus(await post(generatePath, hello, both), 401, 'caller.key_ambiguous');
    const twice = await post(`${generatePath}?key=another`);
    await assertStatus(twice, 401, 'caller.key_ambiguous');
    assert.deepEqual(sent, []);
  });

  test('errors have the form that the client of the path expects', async () => {
    const { post } = setUp();
    const google = await post(generatePath, hello, json);
    const { error } = JSON.parse(await assertStatus(google, 401, 'caller.key_missing'));
    assert.deepEqual([error.code, error.status], [401, 'UNAUTHENTICATED']);
    const openai = await post('/v1/chat/completions', chat, json);
    const body = JSON.parse(await assertStatus(openai, 401, 'caller.key_missing'));
    assert.equal(body.error.type, 'authentication_error');
  });
});

describe('pages', () => {
  test('refuses foreign origins, and types that a page may send without a preflight', async () => {
    const { ask, post, sent, lines } = setUp({ origins: ['https://app.example'] });
    for (const foreign of [
      'https://evil.example',
      'null',
      origin,
      'https://app.example.evil.example',
    ]) {
      const headers = { ...asCaller, origin: foreign };
      const response = await post(generatePath, hello, headers);
      assert.equal(response.headers.get('access-control-allow-origin'), null);
      await assertStatus(response, 403, 'origin.not_allowed');
      const preflight = { origin: foreign, 'access-control-request-method': 'POST' };
      const asked = await ask(generatePath, { method: 'OPTIONS', headers: preflight });
      assert.equal(asked.headers.get('access-control-allow-origin'), null);
      await assertStatus(asked, 403, 'origin.not_allowed');
      await assertStatus(await ask('/health', { headers }), 403, 'origin.not_allowed');
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      '',
    ]) {
      for (const path of [
        generatePath,
        '/v1/chat/completions',
        `/v1beta/models/${model}:countTokens`,
      ]) {
        const response = await post(path, hello, { ...asCaller, 'content-type': type });
        await assertStatus(response, 415, 'content_type.unsupported');
      }
    }
    assert.deepEqual(sent, []);
    assertLog(lines);
  });

  test('a listed origin may call and read', async () => {
    const { ask, post } = setUp({ origins: ['https://app.example'] });
    const page = { origin: 'https://app.example' };
    const headers = { ...page, 'access-control-request-method': 'POST' };
    const preflight = await ask(generatePath, { method: 'OPTIONS', headers });
    assert.equal(preflight.status, 204);
    for (const response of [preflight, await post(generatePath, hello, { ...asCaller, ...page })]) {
      assert.equal(response.headers.get('access-control-allow-origin'), page.origin);
      assert.equal(response.headers.get('vary'), 'origin');
      await response.text();
    }
  });
});

describe('bodies', () => {
  test('bodies of very many values or faults are refused or reported in short', async () => {
    const { post, sent, lines } = setUp();
    const contents = (list) => `{"contents":[${list}]}`;
    const tooMany = contents('{},'.repeat(260_000) + '{}');
    for (const path of [generatePath, '/v1/chat/completions'])
      await assertStatus(await post(path, tooMany), 413, 'size.too_many_values');
    const args = `{"a":[${'1,'.repeat(510_000)}1]}`;
    const toolCall = { id: 'c', type: 'function', function: { name: 'f', arguments: args } };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [toolCall] },
      { role: 'tool', tool_call_id: 'c', content: 'a' },
    ];
    const inText = await post('/v1/chat/completions', JSON.stringify({ model, messages }));
    await assertStatus(inText, 413, 'size.too_many_values');
    const turn =
      '{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"g"}},{"functionResponse":{"name":"f","response":{}}}]},';
    const user = '{"role":"user","parts":[{"text":"a"}]}';
    const list = contents(`${user},${turn.repeat(8000)}${user}`);
    const chain = list.replace('{', '{"cachedContent":"cachedContents/a",');
    await assertStatus(await post(generatePath, chain), 413, 'repair.too_much');
    assert.equal(sent.length, 0);
    const empty = contents('{},'.repeat(50_000) + '{}');
    const headers = { ...asCaller, 'x-strata-policy': 'reject' };
    const body = await assertStatus(await post(generatePath, empty, headers), 400, 'parts.empty');
    assert.ok(body.length < 20_000, `${body.length} bytes`);
    assert.match(body, /50001 errors/);
    const repaired = await post(generatePath, empty);
    assert.equal(repaired.headers.get('x-strata-repaired'), 'parts.empty');
    await repaired.body?.cancel();
    assert.equal(sent.length, 1);
    assertLog(lines);
  });

  test('refuses long and deep bodies without asking anybody', async () => {
    const { post, sent, lines } = setUp({ maxBodyBytes: 100_000 });
    let read = 0;
    const endless = () =>
      new ReadableStream({
        pull: (controller) => {
          read += 10_000;
          controller.enqueue(new Uint8Array(10_000).fill(32));
        },
      });
    for (const path of [
      generatePath,
      '/v1/chat/completions',
      `/v1beta/models/${model}:countTokens`,
    ]) {
      await assertStatus(await post(path, endless()), 413, 'size.too_large');
      const deep = `{"contents":${'['.repeat(1000)}`;
      await assertStatus(await post(path, deep), 400, 'json.too_deep');
    }
    assert.ok(read < 1_000_000, `${read} bytes were read`);
    assert.deepEqual(sent, []);
    assertLog(lines);
  });

  test('a compressed body is refused on every route, uploads included', async () => {
    const { post, sent } = setUp();
    const headers = { ...asCaller, 'content-encoding': 'gzip' };
    const bytes = gzipSync(hello);
    for (const [method, path] of routes) {
      if (method !== 'POST') continue;
      await assertStatus(await post(path, bytes, headers), 415, 'content_type.unsupported');
    }
    assert.deepEqual(sent, []);
  });

  test('a body that is not JSON is neither a crash nor a way around the rules', async () => {
    const { post, lines } = setUp({ policy: 'reject' });
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"contents":',
      '\u0000',
      '{}{}',
      '{"contents":{}}',
    ]) {
      for (const path of [generatePath, '/v1/chat/completions']) {
        const response = await post(path, body);
        assert.ok(response.status >= 400 && response.status < 500, `${body}: ${response.status}`);
        await assertStatus(response, response.status);
      }
    }
    const invalid = await post(generatePath, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    assert.ok(invalid.status >= 400 && invalid.status < 500);
    assertLog(lines);
  });
});

const running = [];
after(() => Promise.all(running.map((server) => server.close())));

/** Serves a gateway and returns what writes bytes to it and reads the answer until the connection ends. */
async function served(options, answer) {
  const parts = setUp(options, answer);
  const server = await serve((request) => parts.gateway.handle(request));
  running.push(server);
  const raw = (bytes) =>
    new Promise((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (piece) => (answer += piece));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
      socket.write(bytes);
    });
  return { ...parts, server, raw };
}

const head = (path, ...more) =>
  [
    `POST ${path} HTTP/1.1`,
    ...['Host: gateway.example', 'Connection: close', 'content-type: application/json'],
    ...[`authorization: Bearer ${callerKey}`, ...more],
  ].join('\r\n');
const rawPost = (path, ...more) =>
  `${head(path, `content-length: ${hello.length}`, ...more)}\r\n\r\n${hello}`;
const statusOf = (answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

// What paths are made of, and what tricks are made of.
const pieces = [
  ...[
    '/',
    '/',
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '\\',
    '%00',
    '%0d%0a',
    '%23',
    '%3f',
    '%40',
  ],
  ...[
    'v1',
    'v1beta',
    'v1beta1',
    'upload',
    'models',
    model,
    'files',
    'cachedContents',
    'tunedModels',
  ],
  ...['projects', 'p', 'locations', 'us', 'global', 'publishers', 'google', 'endpoints', 'openai'],
  ...[
    ':generateContent',
    ':countTokens',
    ':embedContent',
    ':predict',
    ':',
    ';',
    '*',
    '@',
    '~',
    ' ',
  ],
  ...[
    'evil.example',
    'evil.example:80',
    'http://evil.example',
    '?',
    '&',
    '#',
    'key=evil',
    'é',
    '%',
  ],
];
const templates = [
  ['/', 'v1beta', '/', 'models', '/', model, ':generateContent'],
  ['/', 'v1beta', '/', 'files', '/', 'p'],
  ['/', 'v1beta', '/', 'cachedContents', '/', 'p'],
  ['/', 'upload', '/', 'v1beta', '/', 'files', '?', 'upload_id=x'],
  [
    ...[
      '/',
      'v1beta1',
      '/',
      'projects',
      '/',
      'p',
      '/',
      'locations',
      '/',
      'us',
      '/',
      'publishers',
      '/',
    ],
    ...['google', '/', 'models', '/', model, ':generateContent'],
  ],
  ['/', 'v1beta', '/', 'projects', '/', 'p', '/', 'models', '/', model, ':generateContent'],
];

/** Returns a generator of numbers below `limit`, the same for the same seed. */
function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

test('random paths reach Google with forms of its paths, or nobody', async () => {
  const { gateway, sent, lines } = setUp({}, async () => Response.json({}));
  const next = numbersFrom(17);
  let asked = 0;
  for (let i = 0; i < 4000; i++) {
    const path = [...templates[next(templates.length)]];
    for (let edits = next(3); edits > 0; edits--)
      path.splice(next(path.length + 1), next(2), pieces[next(pieces.length)]);
    const method = ['POST', 'POST', 'POST', 'GET', 'DELETE', 'PATCH'][next(6)];
    const body = method === 'GET' ? undefined : hello;
    let request;
    try {
      request = new Request(origin + path.join(''), { method, headers: asCaller, body });
    } catch {
      continue;
    }
    asked++;
    const response = await gateway.handle(request);
    await response.text();
    assert.ok(response.status !== 500, `${method} ${path.join('')}`);
  }
  assert.ok(asked > 3000 && sent.length > 500, `${asked} requests, ${sent.length} sent`);
  assertSent(sent);
  for (const { url } of sent) assert.doesNotMatch(new URL(url).hostname, /evil/);
  for (const line of lines)
    for (const each of [...secrets, 'evil']) assert.ok(!line.includes(each), line);
});

test('a model in a body of OpenAI leads nowhere else', async () => {
  const { post, sent, lines } = setUp();
  const names = [
    '',
    '.',
    '..',
    '../files',
    'x/../y',
    'models/../x',
    'a:deleteEverything',
    'x?key=evil',
  ];
  names.push(
    'x#',
    '//evil.example/x',
    'https://evil.example/x',
    'x\r\nevil: 1',
    'x\u0000',
    ' ',
    'é',
  );
  const messages = [{ role: 'user', content: 'Hello' }];
  for (const name of [...names, 5, null, ['x'], { toString: 'x' }]) {
    for (const path of ['/v1/chat/completions', '/v1beta/openai/chat/completions']) {
      const response = await post(path, JSON.stringify({ model: name, messages }));
      await assertStatus(response, [400, 404].includes(response.status) ? response.status : 400);
    }
  }
  // The name is what stands behind the last slash.
  assertSent(sent);
  for (const { url } of sent)
    assert.match(new URL(url).pathname, /^\/v1beta\/models\/\w[\w.-]*:generateContent$/);
  assertLog(lines);
});

describe('over a socket', () => {
  test('ends a body that trickles, and frees its place', async () => {
    const { raw, sent, post } = await served({ bodyTimeoutMs: 100, limits: { concurrency: 1 } });
    const answer = await raw(`${head(generatePath, 'content-length: 100000')}\r\n\r\n{`);
    assert.equal(statusOf(answer), 408, answer);
    assert.deepEqual(sent, []);
    assert.equal((await post(generatePath)).status, 200);
  });

  test('no path leads anywhere but to the methods of Google', async () => {
    const { raw, sent, lines } = await served();
    const paths = [
      '//evil.example/v1beta/models/x:generateContent',
      `https://evil.example${generatePath}`,
      `http://user:pass@evil.example${generatePath}`,
      `/\\evil.example${generatePath}`,
      `/v1beta/models/..%2f..%2fevil:generateContent`,
      `/v1beta/models/%2e%2e/%2e%2e/evil:generateContent`,
      `/v1beta/models/../../../evil:generateContent`,
      `/v1beta//models/${model}:generateContent`,
      `/v1beta/models//evil.example:generateContent`,
      `/v1beta/models/a%2fb%2fc:generateContent`,
      `/v1beta/models/x@evil.example:generateContent`,
      `/v1beta/models/x%0d%0aHost:%20evil.example:generateContent`,
      `/v1beta/models/x%00:generateContent`,
      `/v1beta/models/x%3fkey=1:generateContent`,
      `/v1beta/models/x%23:generateContent`,
      `/v1beta/models/:generateContent`,
      `/v1beta/models/.:generateContent`,
      `/v1beta/models/..:generateContent`,
      `${generatePath}/../../evil`,
      `${generatePath}%2f..%2fevil`,
      `${generatePath};evil`,
      `/v1beta/models/${model}:deleteEverything`,
      `/v1beta/tunedModels/../files/evil`,
      `/v1beta/files/..%2fcachedContents%2fevil`,
      `/v1beta1/projects/p/locations/evil.example%2f/publishers/google/models/${model}:generateContent`,
      `/v1beta1/projects/p/locations/evil.example/publishers/google/models/${model}:generateContent`,
      `/v1beta1/projects/p/locations/x.evil.example%23/publishers/google/models/${model}:generateContent`,
      `/v1beta1/projects/..%2fq/locations/us/publishers/google/models/${model}:generateContent`,
      `/v1beta1/projects/p/locations/us@evil.example/publishers/google/models/${model}:generateContent`,
      `/v1beta/projects/evil%2f..%2fq/models/${model}:generateContent`,
      `/v1internal/models/${model}:generateContent`,
      `/v1/../v1beta/models/${model}:generateContent`,
      `${generatePath}?alt=sse%26key=evil&callback=evil&$callback=evil&uploadType=evil&access_token=evil&oauth_token=evil&$key=evil&$userProject=evil&$headers=evil&$method=evil`,
      '/upload/v1beta/files?upload_id=..%2f..%2fevil&key=evil&upload_protocol=resumable',
    ];
    for (const path of paths) {
      const answer = await raw(rawPost(path));
      assert.ok(
        statusOf(answer) > 0 && statusOf(answer) !== 500,
        `${path}: ${answer.slice(0, 300)}`,
      );
      // The emulator quotes what it is asked.
      for (const each of secrets.slice(0, -1))
        assert.ok(!answer.includes(each), `${path}: ${each}`);
    }
    assertSent(sent);
    for (const { url } of sent) {
      const { hostname, pathname, searchParams } = new URL(url);
      assert.doesNotMatch(hostname + pathname, /evil/);
      for (const name of searchParams.keys())
        assert.ok(['alt', 'upload_id', 'upload_protocol'].includes(name), url);
    }
    assertLog(lines);
  });

  test('no header chooses the host, the method, the key or who pays', async () => {
    const { raw, sent, lines } = await served();
    const headers = [
      'Host: evil.example',
      'x-forwarded-host: evil.example',
      'x-forwarded-proto: http',
      'x-forwarded-for: 127.0.0.1',
      'forwarded: host=evil.example',
      'x-original-url: /evil',
      'x-rewrite-url: /evil',
      'x-http-method-override: DELETE',
      'x-goog-user-project: evil',
      'x-goog-iam-authority-selector: evil',
      'x-server-evil: evil',
      'cookie: evil=1',
      'proxy-authorization: Basic evil',
      'origin-evil: evil',
      'x-strata-request-id: evil',
      'via: evil',
      'referer: https://evil.example/evil',
    ];
    for (const header of headers) {
      const bytes = header.startsWith('Host')
        ? rawPost(generatePath).replace('Host: gateway.example', header)
        : rawPost(generatePath, header);
      const answer = await raw(bytes);
      assert.equal(statusOf(answer), 200, `${header}: ${answer.slice(0, 300)}`);
      assert.doesNotMatch(answer, /evil/);
    }
    assert.equal(sent.length, headers.length);
    assertSent(sent);
    for (const { headers: travelled, init } of sent) {
      assert.doesNotMatch(JSON.stringify(travelled), /evil/);
      assert.equal(init.method, 'POST');
    }
    assertLog(lines);
  });

  test('a request that HTTP does not allow never reaches the gateway', async () => {
    const { raw, sent } = await served();
    const smuggled = [
      `${head(generatePath, 'transfer-encoding: chunked', 'content-length: 4')}\r\n\r\n0\r\n\r\nGET /evil HTTP/1.1\r\n\r\n`,
      `${head(generatePath, 'content-length: 1', 'content-length: 2')}\r\n\r\n{}`,
      `${head(generatePath, 'x-bad: a\u0000b')}\r\n\r\n`,
      `${head(`${generatePath} evil`)}\r\n\r\n`,
    ];
    for (const bytes of smuggled) assert.equal(statusOf(await raw(bytes)), 400);
    assert.deepEqual(sent, []);
  });
});

const chunk = (text, more = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }] })}\r\n\r\n`;
const streamPath = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
const all = [
  [generatePath, hello],
  [streamPath, hello],
  [`/v1beta/models/${model}:countTokens`, hello],
  ['/v1/chat/completions', chat],
];

test('parameters that choose the form of an answer travel', async () => {
  const { ask, post, sent } = setUp({}, async () => Response.json({}));
  const form = 'fields=models(name)&prettyPrint=false&$alt=json&$fields=a&$prettyPrint=0&$.xgafv=2';
  const query = `${form}&key=${callerKey}&access_token=${callerKey}`;
  await (await ask(`/v1beta/models?${query}`)).text();
  await (await post(`/v1beta/models/${model}:countTokens?${query}`)).text();
  assert.equal(sent.length, 2);
  assertSent(sent);
  for (const { url } of sent)
    assert.deepEqual([...new URL(url).searchParams], [...new URLSearchParams(form)]);
});

test('no parameter hides the tokens and the signatures of an answer', async () => {
  const hiding = 'fields=candidates&$fields=candidates&$alt=proto&prettyPrint=false';
  const streamed = generatePath.replace('generate', 'streamGenerate');
  for (const [path, alt] of [
    [`${generatePath}?${hiding}&alt=proto`, ''],
    [`${streamed}?${hiding}&alt=sse`, '&alt=sse'],
  ]) {
    const { post, sent } = setUp({ limits: { tokensPerMinute: 5 } });
    const first = await post(path);
    await first.text();
    assert.equal(first.status, 200);
    await assertStatus(await post(path), 429, 'limit.exceeded');
    const searches = sent.map(({ url }) => new URL(url).search);
    assert.deepEqual(searches, [`?prettyPrint=false${alt}`]);
  }
});

describe('an upstream that misbehaves', () => {
  test('an address for an upload that is none is a 502', async () => {
    for (const address of ['http://', 'https://evil.example:port/', 'data:evil', 'mailto:evil']) {
      let wasCancelled = false;
      const body = () => new ReadableStream({ cancel: () => void (wasCancelled = true) });
      const headers = { 'x-goog-upload-url': address };
      const { post, lines } = setUp({}, async () => new Response(body(), { headers }));
      const response = await post('/upload/v1beta/files');
      assert.equal(response.headers.get('x-goog-upload-url'), null);
      const answer = await assertStatus(response, 502, 'upstream.invalid');
      assert.doesNotMatch(answer, /evil/);
      assert.ok(wasCancelled);
      assertLog(lines);
    }
  });

  test('data of a type that is not known is not called JSON', async () => {
    const typeOf = async (type, status = 200) => {
      const headers = { 'content-type': type };
      const { ask } = setUp({}, async () => new Response('x', { status, headers }));
      const response = await ask('/v1beta/files/abc');
      assert.equal(await response.text(), 'x');
      return response.headers.get('content-type');
    };
    for (const type of ['video/mp4', 'text/html', 'application/x-protobuf', ''])
      for (const status of [200, 400, 502])
        assert.equal(await typeOf(type, status), 'application/octet-stream', type);
    for (const type of ['application/json; charset=UTF-8', 'application/octet-stream'])
      assert.equal(await typeOf(type), type);
  });

  test('its redirects are not followed or passed on', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const redirect = () =>
        new Response(`see https://evil.example ${upstreamKey}`, {
          ...{ status, headers: { location: 'https://evil.example/' } },
        });
      const { post, sent } = setUp({}, redirect);
      for (const [path, body] of all) {
        const response = await post(path, body);
        assert.equal(response.headers.get('location'), null);
        await assertStatus(response, 502, 'upstream.redirect');
      }
      assert.equal(sent.length, all.length);
      assertSent(sent);
    }
  });

  test('an error with a code that is no status is a 502, and the place is free', async () => {
    for (const code of [999, 600, 200, -1]) {
      const error = { code, status: 'X', message: 'no' };
      const { post, lines } = setUp({ limits: { concurrency: 1 } }, async () =>
        Response.json({ error }),
      );
      for (let i = 0; i < 3; i++) await assertStatus(await post('/v1/chat/completions', chat), 502);
      assert.equal(lines.length, 3);
    }
  });

  test('if it never answers, the caller gets 504 and the place is free', async () => {
    const aborted = [];
    const silent = (_, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted.push(signal.reason);
          reject(signal.reason);
        }),
      );
    const { post, lines } = setUp({ timeoutMs: 50, limits: { concurrency: 1 } }, silent);
    for (const [path, body] of all)
      await assertStatus(await post(path, body), 504, 'upstream.timeout');
    assert.equal(aborted.length, all.length);
    assertLog(lines);
  });

  test('if it begins an answer and stops, the answer ends', async () => {
    const start = (out) => out.enqueue(new TextEncoder().encode(chunk('Once')));
    const hanging = () =>
      new Response(new ReadableStream({ start }), {
        headers: { 'content-type': 'text/event-stream' },
      });
    const { post, lines } = setUp({ timeoutMs: 50, limits: { concurrency: 1 } }, hanging);
    for (const [path, body] of all) {
      const response = await post(path, body);
      const read = await response.text().catch((error) => error);
      for (const each of secrets) assert.ok(!String(read).includes(each));
    }
    assert.equal(lines.length, all.length);
    assertLog(lines);
  });

  test('a chat completion that stops in its answer is a 504, one that breaks off a 502', async () => {
    const begin = (out) => out.enqueue(new TextEncoder().encode('{"candidates":['));
    const breakOff = (out) => {
      begin(out);
      setTimeout(() => out.error(new TypeError('terminated')), 5);
    };
    for (const [start, status, code] of [
      [begin, 504, 'upstream.timeout'],
      [breakOff, 502, 'upstream.network'],
    ]) {
      const headers = { 'content-type': 'application/json' };
      const answer = () => new Response(new ReadableStream({ start }), { headers });
      const { post, lines } = setUp({ timeoutMs: 50 }, answer);
      await assertStatus(await post('/v1/chat/completions', chat), status, code);
      assert.equal(JSON.parse(lines[0]).error, code);
    }
  });

  test('if it cannot be reached, nothing of the reason is shown', async () => {
    const { post } = setUp({}, () => {
      throw new TypeError(`connect ECONNREFUSED 10.0.0.1 ${upstreamKey} ${text}`);
    });
    for (const [path, body] of all) {
      const answer = await assertStatus(await post(path, body), 502, 'upstream.network');
      assert.doesNotMatch(answer, /ECONNREFUSED|10\.0\.0\.1/);
    }
  });

  test('its garbage is passed on as data or refused, never as a page', async () => {
    const garbage = [
      '<script>alert(1)</script>',
      '',
      '{"candidates":',
      'data: {"candidates":\r\n\r\n',
      'null',
      '[]',
      '{"error":null}',
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":5}}]}}]}`,
      '{"candidates":"x"}',
      new Uint8Array([0xff, 0xfe, 0, 1]),
      '['.repeat(10_000),
    ];
    for (const status of [200, 400, 403, 500, 503, 599]) {
      for (const type of ['text/html', 'image/svg+xml', 'application/json', '']) {
        for (const body of garbage) {
          const headers = {
            ...{ 'content-type': type, 'set-cookie': 'evil=1', 'x-evil': 'evil', server: 'evil' },
            ...{ 'access-control-allow-origin': '*', link: '<https://evil.example>' },
          };
          const { post, lines } = setUp({}, () => new Response(body, { status, headers }));
          for (const [path, sent] of all) {
            const response = await post(path, sent);
            await response.text().catch(() => {});
            const shown = JSON.stringify([...response.headers]);
            assert.doesNotMatch(shown, /evil|html|svg|allow-origin/, `${status} ${type} ${shown}`);
            assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
          }
          assertLog(lines);
          assert.equal(lines.length, all.length);
        }
      }
    }
  });

  test('an answer without a body passes as it is', async () => {
    const { ask, post } = setUp({}, async () => new Response(null, { status: 204 }));
    await assertStatus(await ask('/v1beta/cachedContents/abc', { method: 'DELETE' }), 204);
    await assertStatus(await post(generatePath), 204);
  });

  test('an error that repeats the key does not show it', async () => {
    const body = {
      error: {
        code: 403,
        message: `Key ${upstreamKey} is suspended.`,
        status: 'PERMISSION_DENIED',
      },
    };
    for (const status of [400, 403, 500]) {
      const { post } = setUp({}, () => Response.json(body, { status }));
      for (const [path, sent] of all) await assertStatus(await post(path, sent), status);
    }
  });

  test('an error without end is cut', async () => {
    let made = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (out) => {
            made += 65_536;
            out.enqueue(new Uint8Array(65_536).fill(32));
          },
        }),
        { status: 400 },
      );
    const { post } = setUp({}, endless);
    for (const [path, body] of all) {
      const response = await post(path, body);
      const { length } = await response.text();
      assert.ok(length <= 2 * 1024 * 1024, `${length}`);
    }
    assert.ok(made < 32 * 1024 * 1024, `${made} bytes were read`);
  });
});

describe('limits', () => {
  test('answer 429 in the form of the client, with a time to come back', async () => {
    const { post, sent, lines } = setUp({ limits: { requestsPerMinute: 2 } });
    for (let i = 0; i < 2; i++) assert.equal((await post(generatePath)).status, 200);
    const google = await post(generatePath);
    assert.match(google.headers.get('retry-after'), /^\d+$/);
    const { error } = JSON.parse(await assertStatus(google, 429, 'limit.exceeded'));
    assert.equal(error.status, 'RESOURCE_EXHAUSTED');
    assert.ok(error.details.some(({ retryDelay }) => /^\d+s$/.test(retryDelay)));
    const openai = await post('/v1/chat/completions', chat);
    const body = JSON.parse(await assertStatus(openai, 429, 'limit.exceeded'));
    assert.equal(body.error.type, 'rate_limit_error');
    assert.equal(sent.length, 2);
    assertLog(lines);
  });

  test('count the tokens that answers report', async () => {
    const { post } = setUp({ limits: { tokensPerMinute: 1 } });
    await (await post(streamPath)).text();
    await assertStatus(await post(generatePath), 429, 'limit.exceeded');
  });

  test('a caller that leaves frees its place and pays for what arrived, although nobody reads on', async () => {
    const event = JSON.stringify({
      candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] } }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 5 },
    });
    let wasCancelled = false;
    const answer = () =>
      new Response(
        new ReadableStream({
          start: (out) => out.enqueue(new TextEncoder().encode(`data: ${event}\r\n\r\n`)),
          cancel: () => (wasCancelled = true),
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      );
    const limits = { concurrency: 1, tokensPerMinute: 50 };
    const { ask, lines } = setUp({ limits }, answer);
    const left = new AbortController();
    const path = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
    const init = { method: 'POST', body: hello, signal: left.signal };
    const reader = (await ask(path, init)).body.getReader();
    await reader.read();
    left.abort();
    // A part of an answer does not look like all of it.
    await assert.rejects(reader.read(), { name: 'AbortError' });
    assert.ok(wasCancelled);
    assert.equal(JSON.parse(lines[0]).inputTokens, 100);
    const { error } = await (await ask(path, { ...init, signal: undefined })).json();
    assert.match(error.message, /tokens per minute/);
  });

  test('a caller that left before its answer frees its place', async () => {
    const left = new AbortController();
    let asked = 0;
    const emulator = createEmulator();
    const answer = (input, init) => {
      if (asked++ === 0) left.abort();
      return emulator(input, init);
    };
    const { ask, lines } = setUp({ limits: { concurrency: 1 } }, answer);
    const init = { method: 'POST', body: hello };
    assert.equal((await ask(generatePath, { ...init, signal: left.signal })).status, 499);
    assert.equal(JSON.parse(lines[0]).error, 'client.left');
    // The emulator quotes the text.
    assert.equal((await ask(generatePath, init)).status, 200);
  });

  test('a stream holds its place until it is read or left, and a refusal holds none', async () => {
    const { post } = setUp({ limits: { concurrency: 1 } });
    const open = await post(streamPath);
    await assertStatus(await post(generatePath), 429, 'limit.exceeded');
    await open.text();
    const left = await post(streamPath);
    await left.body.cancel();
    await assertStatus(
      await post(generatePath, hello, { ...asCaller, 'content-type': 'text/plain' }),
      415,
    );
    const answered = await post(generatePath);
    assert.equal(answered.status, 200);
    await answered.text();
  });
});

describe('what operators see', () => {
  test('/health says nothing, to everyone', async () => {
    const configured = setUp();
    const bare = createGateway({ callers: [] });
    const answers = [
      await configured.ask('/health', { headers: {} }),
      await configured.ask('/health?key=wrong'),
      await bare.handle(new Request(`${origin}/health`)),
    ];
    for (const response of answers) {
      assert.equal(response.status, 200);
      assert.equal(await response.text(), '{"status":"ok"}');
    }
  });

  test('/metrics opens to the admin key only, and has no texts and no callers', async () => {
    const { ask, post } = setUp();
    await (await post(generatePath)).text();
    await (await post('/v1beta/models/evil:generateContent', hello, json)).text();
    for (const headers of [{}, asCaller, { 'x-goog-api-key': adminKey }])
      await assertStatus(await ask('/metrics', { headers }), 401, 'admin.key_wrong');
    await assertStatus(await ask(`/metrics?key=${adminKey}`, { headers: {} }), 401);
    const response = await ask('/metrics', { headers: { authorization: `Bearer ${adminKey}` } });
    const metrics = await assertStatus(response, 200);
    assert.match(
      metrics,
      /^prompt_strata_requests_total\{route="generateContent",status="200"\} 1$/m,
    );
    assert.match(
      metrics,
      /^prompt_strata_tokens_total\{kind="input",model="gemini-3.8-flash"\} [1-9]/m,
    );
    assert.match(metrics, /^prompt_strata_upstream_seconds_count 1$/m);
    assert.doesNotMatch(metrics, /website|evil/);
    const closed = setUp({ adminKey: undefined });
    await assertStatus(await closed.ask('/metrics'), 404);
  });

  test('the log has one line for each request, with codes and numbers', async () => {
    const { post, lines } = setUp();
    const broken = JSON.stringify({
      contents: [
        { role: 'user', parts: [{ text }] },
        { role: 'model', parts: [] },
        { role: 'user', parts: [{ text }] },
      ],
    });
    const response = await post(streamPath, broken);
    await response.text();
    const [line] = lines.map((each) => JSON.parse(each));
    assert.equal(line.id, response.headers.get('x-strata-request-id'));
    assert.deepEqual(
      [line.caller, line.route, line.model],
      ['website', 'streamGenerateContent', model],
    );
    assert.deepEqual([line.status, line.upstream, line.repaired], [200, 200, ['parts.empty']]);
    assert.ok(line.inputTokens > 0 && line.outputTokens > 0);
    assertLog(lines);
  });

  test('what a caller sends as a model does not reach log and metrics', async () => {
    const { post, ask, lines } = setUp();
    const messages = [{ role: 'user', content: 'Hello' }];
    for (const name of [
      text,
      `${text} of a caller`,
      callerKey,
      `gemini ${text}`,
      `gemini-\n${text}`,
    ]) {
      await (await post(`/v1beta/models/${encodeURIComponent(name)}:generateContent`)).text();
      await (await post(`/v1beta/models/${encodeURIComponent(name)}:countTokens`)).text();
      await (await post('/v1/chat/completions', JSON.stringify({ model: name, messages }))).text();
    }
    assert.equal(lines.length, 15);
    assertLog(lines);
    const headers = { authorization: `Bearer ${adminKey}` };
    const metrics = await (await ask('/metrics', { headers })).text();
    for (const each of secrets) assert.ok(!metrics.includes(each), each);
  });
});

test('where anyone may call, nothing is remembered', async () => {
  const { post, sent } = setUp({ callers: 'anyone' });
  const response = await post(generatePath, hello, json);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('x-strata-restored'), null);
  assertSent(sent);
});

test("where anyone may call, a page that came by DNS rebinding can't ask a model", async () => {
  const { ask, sent } = setUp({ callers: 'anyone' });
  for (const [method, path] of routes) {
    // With these methods, browsers send the origin to the page's own host, too.
    if (method === 'GET') continue;
    const body = method === 'POST' ? hello : undefined;
    const response = await ask(path, { method, body, headers: { ...json, origin } });
    await assertStatus(response, 403, 'origin.not_allowed');
  }
  assert.deepEqual(sent, []);
});

test("without a key of the gateway, the caller's own key travels, in the header only", async () => {
  const own = 'AIzaSyOwn-key_0123456789abcdefghijklmn';
  const { post, sent, lines } = setUp({ apiKey: undefined, callers: undefined });
  for (const [query, headers] of [
    ['', { authorization: `Bearer ${own}` }],
    ['', { 'x-goog-api-key': own }],
    [`?key=${own}`, {}],
  ]) {
    const response = await post(generatePath + query, hello, { ...json, ...headers });
    assert.equal(response.status, 200);
    await response.text();
  }
  for (const { url, headers } of sent) {
    assert.ok(!url.includes(own), url);
    assert.deepEqual([headers['x-goog-api-key'], headers.authorization], [own, undefined]);
  }
  for (const line of lines) assert.ok(!line.includes(own), line);
  assert.match(JSON.parse(lines[0]).caller, /^key:[0-9a-f]{32}$/);
});
