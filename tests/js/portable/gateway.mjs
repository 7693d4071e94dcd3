// prompt-strata/gateway: what passes, what is repaired or refused, where requests go, and how answers come back.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const path = `/v1beta/models/${model}:generateContent`;
const streamPath = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
const host = 'https://gateway.example';
const key = 'AIzaCallersOwnKey0123456789';
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const user = (text) => ({ role: 'user', parts: [{ text }] });
const hello = { contents: [user('hello')] };
// An error that a repair can remove: OpenAI's name of the role.
const dialogOf = (role) => ({
  contents: [user('hello'), { role, parts: [{ text: 'Hi' }] }, user('again')],
});
const faulty = dialogOf('assistant');
const fixed = dialogOf('model');
const answerOf = (...parts) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
});
const json = (value, init) =>
  new Response(JSON.stringify(value), {
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    ...init,
  });
const event = (value) => `data: ${JSON.stringify(value)}\r\n\r\n`;

/** A network that records what it is asked, and answers with `answer`. */
function network(answer = () => json(answerOf({ text: 'Hi' }))) {
  const seen = [];
  const fetch = async (url, init) => {
    const body = init.body && decode(new Uint8Array(init.body));
    const { method, signal, redirect } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    seen.push({ url: String(url), method, body, headers, signal, redirect });
    return answer(seen.at(-1), seen.length);
  };
  return { fetch, seen };
}

/** A gateway in front of a network, with a function that posts a body. */
function setup({ gateway: { createGateway } }, options = {}, answer = undefined) {
  const upstream = network(answer);
  const lines = [];
  const log = (line) => lines.push(JSON.parse(line));
  const gateway = createGateway({ upstream: upstream.fetch, log, ...options });
  const post = (where, body, headers = {}) =>
    gateway.handle(
      new Request(host + where, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': key, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  const get = (where, headers = { 'x-goog-api-key': key }) =>
    gateway.handle(new Request(host + where, { headers }));
  return { gateway, post, get, lines, seen: upstream.seen };
}

const errorOf = async (response) => (await response.json()).error;

/** A stream whose chunks come when the test sends them. */
function openStream() {
  let out;
  let wasCancelled = false;
  const body = new ReadableStream({
    start: (controller) => {
      out = controller;
    },
    cancel: () => {
      wasCancelled = true;
    },
  });
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (text) => out.enqueue(encode(text)),
    close: () => out.close(),
    get wasCancelled() {
      return wasCancelled;
    },
  };
}

// Spaces, escapes, number forms, and the order of members are the caller's.
const odd = `{ "contents" : [ {"parts":[{"text":"h\\u00e9llo \\/ "}],\n"role":"user"} ],\r\n "generationConfig":{"maxOutputTokens": 2048,"stopSequences":["\\u0041"]} }`;

export default [
  {
    name: 'a request without faults passes byte for byte, and so does its answer',
    async run(strata) {
      const answer = `{"candidates" : [ {"content":{"role":"model","parts":[{"text":"\\u0048i"}]},"finishReason":"STOP"}]}\n`;
      const { post, seen } = setup(strata, {}, () => new Response(answer));
      const response = await post(path, odd);
      equal(response.status, 200);
      equal(await response.text(), answer);
      equal(seen[0].body, odd);
      match(response.headers.get('x-strata-request-id'), /^[\w-]{10,}$/);
      equal(response.headers.get('x-strata-findings'), null);
      equal(response.headers.get('x-strata-repaired'), null);
    },
  },
  {
    name: 'only known parameters and headers travel, and the key in a header',
    async run(strata) {
      const { post, seen } = setup(strata);
      const headers = {
        ...{ cookie: 'a=b', 'x-forwarded-for': '10.0.0.1', 'x-strata-policy': 'observe' },
        ...{ 'x-goog-api-client': 'genai-js/3.1.0', 'accept-language': 'no' },
      };
      await post(`${path}?key=${key}&alt=json&callback=evil`, hello, headers);
      const [{ url, method, redirect, headers: sent }] = seen;
      equal(url, `https://generativelanguage.googleapis.com${path}?alt=json`);
      deepEqual([method, redirect], ['POST', 'manual']);
      deepEqual(sent, {
        'accept-language': 'no',
        'content-type': 'application/json',
        'x-goog-api-client': 'genai-js/3.1.0',
        'x-goog-api-key': key,
      });
    },
  },
  {
    name: 'the key of a gateway never travels upstream, and nobody calls without one',
    async run(strata) {
      const own = 'gateway-key-of-a-caller';
      const digest = await crypto.subtle.digest('SHA-256', encode(own));
      const bytes = [...new Uint8Array(digest)];
      const keyHash = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
      const callers = [{ id: 'app', keyHash }];
      const { post, seen, lines } = setup(strata, { apiKey: 'AIzaUpstream', callers });
      const bearer = { 'x-goog-api-key': own, authorization: `Bearer ${own}` };
      equal((await post(`${path}?key=${own}`, hello, bearer)).status, 200);
      equal(seen[0].headers['x-goog-api-key'], 'AIzaUpstream');
      ok(!JSON.stringify(seen).includes(own));
      const refused = await post(path, hello);
      equal(refused.status, 401);
      equal((await errorOf(refused)).status, 'UNAUTHENTICATED');
      equal(seen.length, 1);
      ok(!/own|AIza/.test(JSON.stringify(lines)));
      equal(lines.at(-1).error, 'caller.key_wrong');
    },
  },
  {
    name: 'with an upstream key and no callers nobody may call; with callers and no key the gateway says why',
    async run(strata) {
      const paying = setup(strata, { apiKey: 'AIzaUpstream' });
      equal((await paying.post(path, hello)).status, 401);
      const callers = [{ id: 'app', keyHash: '0'.repeat(64) }];
      const broke = setup(strata, { callers });
      const response = await broke.post(path, hello);
      equal(response.status, 503);
      match((await errorOf(response)).message, /no key for Gemini/);
      const chat = await broke.post('/v1/chat/completions', {});
      equal(chat.status, 503);
      equal((await errorOf(chat)).type, 'server_error');
      equal(paying.seen.length + broke.seen.length, 0);
    },
  },
  {
    name: 'requests go to the service that their path belongs to',
    async run(strata) {
      const studio = 'https://generativelanguage.googleapis.com';
      const project = 'projects/p-1/locations/europe-west4';
      const google = `publishers/google/models/${model}:countTokens`;
      const firebase = 'https://firebasevertexai.googleapis.com';
      const rows = [
        ['/v1/models/gemini-3.8-flash:embedContent', `${studio}/v1/models/${model}:embedContent`],
        [`/v1beta1/${project}/${google}`, `https://europe-west4-aiplatform.googleapis.com`],
        [`/v1beta1/projects/p/locations/eu/${google}`, 'https://aiplatform.eu.rep.googleapis.com'],
        [`/v1/${google}`, 'https://aiplatform.googleapis.com'],
        [`/v1beta/projects/p/models/${model}:countTokens`, firebase],
        [`/v1beta/projects/p/locations/us/${google}`, firebase],
      ];
      const { post, seen } = setup(strata);
      for (const [where, to] of rows) {
        equal((await post(where, hello)).status, 200, where);
        const expected = to.endsWith('Content') ? to : to + where;
        equal(seen.at(-1).url, expected);
      }
    },
  },
  {
    name: 'a gateway that pays sends Firebase paths to the services behind Firebase',
    async run(strata) {
      const options = { apiKey: 'AIzaUpstream', callers: 'anyone' };
      const { post, seen } = setup(strata, options);
      await post(`/v1beta/projects/p/models/${model}:countTokens`, hello);
      await post(
        `/v1beta/projects/p/locations/us/publishers/google/models/${model}:countTokens`,
        hello,
      );
      deepEqual(
        seen.map(({ url }) => url),
        [
          `https://generativelanguage.googleapis.com/v1beta/models/${model}:countTokens`,
          `https://aiplatform.us.rep.googleapis.com/v1beta1/projects/p/locations/us/publishers/google/models/${model}:countTokens`,
        ],
      );
    },
  },
  {
    name: 'with vertexai all requests go to its project and location, with its token',
    async run(strata) {
      const vertexai = { project: 'mine', location: 'us', token: async () => 'ya29.token' };
      const { post, get, seen } = setup(strata, { vertexai, callers: 'anyone' });
      const below = 'projects/mine/locations/us/publishers/google/models';
      const base = 'https://aiplatform.us.rep.googleapis.com/v1beta1';
      await post(path, hello);
      await post(
        `/v1beta1/projects/other/locations/eu/publishers/google/models/m:countTokens`,
        hello,
      );
      deepEqual(
        seen.map(({ url }) => url),
        [`${base}/${below}/${model}:generateContent`, `${base}/${below}/m:countTokens`],
      );
      deepEqual(
        [...new Set(seen.map(({ headers }) => headers.authorization))],
        ['Bearer ya29.token'],
      );
      ok(seen.every(({ headers }) => !('x-goog-api-key' in headers)));
      equal((await get('/v1beta/files')).status, 404);
      equal(seen.length, 2);
    },
  },
  {
    name: 'a token provider that fails is a 502 without its message',
    async run(strata) {
      const token = async () => {
        throw new Error('secret-path/credentials.json');
      };
      const options = { vertexai: { project: 'mine', token }, callers: 'anyone' };
      const response = await setup(strata, options).post(path, hello);
      equal(response.status, 502);
      ok(!(await response.text()).includes('secret-path'));
    },
  },
  {
    name: 'other paths and methods are not found, in the form of the dialect',
    async run(strata) {
      const { post, get, seen } = setup(strata);
      const paths = [
        ...['/', '/v1beta', '/v1beta/models/a/b:generateContent', '/v2/models/m:generateContent'],
        ...['/v1beta/models/..%2f..%2fx:generateContent', '/v1beta//models/m:generateContent'],
        ...['/v1beta/models/m:generateContent/..%2F', '/v1beta/models/m%3AgenerateContent'],
        ...['/v1beta1/projects/p/locations/evil.com%2F/publishers/google/models/m:generateContent'],
        ...['/v1beta1/projects/p/locations/a.b/publishers/google/models/m:generateContent'],
        ...['/v1beta1/projects/%2e%2e/locations/us/publishers/google/models/m:generateContent'],
        ...[
          '/v1beta/models/m:batchGenerateContent',
          '/v1beta/http://evil.example/m:generateContent',
        ],
      ];
      for (const where of paths) {
        const response = await post(where, hello);
        equal(response.status, 404, where);
        equal((await errorOf(response)).status, 'NOT_FOUND');
      }
      const chat = await get('/v1/chat/completions');
      equal(chat.status, 404);
      equal((await errorOf(chat)).code, 'route.unknown');
      for (const name of ['embeddings', 'responses', 'images/generations', 'audio/speech']) {
        const other = await post(`/v1/${name}`, hello);
        equal(other.status, 404, name);
        const { code, type, message } = await errorOf(other);
        deepEqual([code, typeof type], ['route.unknown', 'string']);
        match(message, /serves POST chat\/completions, GET models/);
      }
      equal(seen.length, 0);
    },
  },
  {
    name: "the version v1 of Google's API is not OpenAI's",
    async run(strata) {
      const refusal = { error: { code: 400, message: 'x', status: 'INVALID_ARGUMENT' } };
      const { post, get } = setup(strata, {}, () => json(refusal, { status: 400 }));
      deepEqual(
        await errorOf(await post(`/v1/models/${model}:generateContent`, hello)),
        refusal.error,
      );
      const sdk = { 'x-goog-api-client': 'google-genai-sdk/3.1.0' };
      for (const where of ['/v1/models', `/v1/models/${model}`]) {
        const keyed = { ...sdk, 'x-goog-api-key': key };
        deepEqual(await errorOf(await get(where, keyed)), refusal.error);
        equal((await errorOf(await get(where, sdk))).status, 'UNAUTHENTICATED');
        equal((await errorOf(await get(where, {}))).type, 'authentication_error');
      }
    },
  },
  {
    name: 'the policy decides whether a fault is repaired, refused or only observed',
    async run(strata) {
      const { post, seen } = setup(strata);
      const repaired = await post(path, faulty);
      equal(repaired.headers.get('x-strata-repaired'), 'role.invalid');
      equal(repaired.headers.get('x-strata-findings'), 'role.invalid');
      deepEqual(JSON.parse(seen[0].body), fixed);
      const observed = await post(path, faulty, { 'x-strata-policy': 'observe' });
      equal(observed.headers.get('x-strata-findings'), 'role.invalid');
      equal(observed.headers.get('x-strata-repaired'), null);
      deepEqual(JSON.parse(seen[1].body), faulty);
      const rejected = await post(path, faulty, { 'x-strata-policy': 'reject' });
      equal(rejected.status, 400);
      equal(rejected.headers.get('x-strata-findings'), 'role.invalid');
      const error = await errorOf(rejected);
      equal(error.status, 'INVALID_ARGUMENT');
      const { fieldViolations } = error.details.find((each) => each.fieldViolations);
      equal(fieldViolations[0].field, 'contents[1].role');
      equal((await post(path, faulty, { 'x-strata-policy': 'no' })).status, 400);
      equal(seen.length, 2);
    },
  },
  {
    name: 'a fault is repaired or refused behind more harmless findings than a report has',
    async run(strata) {
      const { post, seen } = setup(strata);
      const harmless = Array.from({ length: 1200 }, (_, i) => ({
        role: i % 2 === 0 ? 'user' : 'model',
        parts: [{ text: 't', index: 0 }],
      }));
      const bodyOf = (role) => ({
        contents: [...harmless, user('hello'), { role, parts: [{ text: 'Hi' }] }, user('again')],
      });
      const repaired = await post(path, bodyOf('assistant'));
      equal(repaired.headers.get('x-strata-repaired'), 'role.invalid');
      deepEqual(JSON.parse(seen[0].body), bodyOf('model'));
      const rejected = await post(path, bodyOf('assistant'), { 'x-strata-policy': 'reject' });
      const { details } = await errorOf(rejected);
      const { fieldViolations } = details.find((each) => each.fieldViolations);
      equal(fieldViolations[0].field, 'contents[1201].role');
    },
  },
  {
    name: 'an empty chunk behind a call is joined to it, whatever else was found',
    async run(strata) {
      const { post, seen } = setup(strata);
      const signed = { functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature: 'AAAA' };
      const response = { functionResponse: { id: 'a', name: 'f', response: { output: 1 } } };
      const content = (role, ...parts) => ({ role, parts });
      const calls = content('model', signed);
      const results = content('user', response);
      for (const count of [0, 600]) {
        const before = Array.from({ length: count }, () => [
          content('user', { text: 't', index: 0 }),
          content('model', { text: 't', index: 0 }),
        ]).flat();
        const split = [...before, user('q'), calls, content('model', { text: '' }), results];
        const answer = await post(path, { contents: split });
        equal(answer.headers.get('x-strata-repaired'), 'call.split');
        const joined = JSON.parse(seen.at(-1).body).contents;
        equal(joined.length, split.length - 1);
        deepEqual(joined.at(-2).parts[0], signed);
      }
    },
  },
  {
    name: 'each route can have a policy, and the header goes before it',
    async run(strata) {
      const policy = { generateContent: 'reject', streamGenerateContent: 'observe' };
      const { post, seen } = setup(strata, { policy });
      equal((await post(path, faulty)).status, 400);
      await post(streamPath, faulty);
      deepEqual(JSON.parse(seen[0].body), faulty);
      await post(path, faulty, { 'x-strata-policy': 'repair' });
      deepEqual(JSON.parse(seen[1].body), fixed);
    },
  },
  {
    name: 'what cannot be repaired is sent on, and a 400 comes back with the diagnosis in its details',
    async run(strata) {
      const body = { contents: [{ ...user('hello'), role: 'wizard' }, user('again')] };
      const message = 'Please use a valid role: user, model.';
      const details = [{ '@type': 'type.googleapis.com/google.rpc.Help' }];
      const refusal = { error: { code: 400, message, status: 'INVALID_ARGUMENT', details } };
      const { post, seen } = setup(strata, {}, () => json(refusal, { status: 400 }));
      const response = await post(path, body);
      equal(response.status, 400);
      deepEqual(JSON.parse(seen[0].body), body);
      const error = await errorOf(response);
      deepEqual({ ...error, details: [error.details[0]] }, refusal.error);
      match(JSON.stringify(error.details), /contents\[0\]/);
      match(response.headers.get('x-strata-findings'), /role\.invalid/);
    },
  },
  {
    name: 'a refusal of a request without findings comes back byte for byte',
    async run(strata) {
      const text = '{ "error": {"code":400,"message":"x","status":"INVALID_ARGUMENT"} }\n';
      const { post } = setup(strata, {}, () => new Response(text, { status: 400 }));
      equal(await (await post(path, hello)).text(), text);
      const status429 = setup(strata, {}, () =>
        json({ error: { code: 429 } }, { status: 429, headers: { 'retry-after': '7' } }),
      );
      const limited = await status429.post(path, hello);
      deepEqual([limited.status, limited.headers.get('retry-after')], [429, '7']);
    },
  },
  {
    name: 'clients of OpenAI get the delay that Google names in the body of a 429',
    async run(strata) {
      const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' };
      const error = { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details: [info] };
      const { post } = setup(strata, {}, () => json({ error }, { status: 429 }));
      const messages = [{ role: 'user', content: 'Hi' }];
      const response = await post('/v1/chat/completions', { model, messages });
      deepEqual([response.status, response.headers.get('retry-after')], [429, '35']);
      await response.text();
    },
  },
  {
    name: 'the placeholder is added only if the option says so, and a header counts it',
    async run(strata) {
      const call = { functionCall: { name: 'now', args: {} } };
      const result = { functionResponse: { name: 'now', response: { time: 'noon' } } };
      const tools = [{ functionDeclarations: [{ name: 'now', description: 'Tells the time' }] }];
      const contents = [
        user('What time is it?'),
        { role: 'model', parts: [call] },
        { role: 'user', parts: [result] },
      ];
      const plain = setup(strata);
      const unsigned = await plain.post(path, { contents, tools });
      equal(unsigned.headers.get('x-strata-placeholder'), null);
      match(unsigned.headers.get('x-strata-findings'), /signature\.missing/);
      deepEqual(JSON.parse(plain.seen[0].body), { contents, tools });
      const { post, seen } = setup(strata, { placeholder: true });
      const signed = await post(path, { contents, tools });
      equal(signed.headers.get('x-strata-placeholder'), '1');
      match(seen[0].body, /"thoughtSignature":"(skip_thought|context_engineering)/);
    },
  },
  {
    name: 'a chunk leaves before the next one arrives, and a cancelled stream is cancelled upstream',
    async run(strata) {
      const upstream = openStream();
      const { post } = setup(strata, {}, () => upstream.response);
      const response = await post(streamPath, hello);
      const reader = response.body.getReader();
      const first = event(answerOf({ text: 'one' }));
      upstream.send(first);
      equal(decode((await reader.read()).value), first);
      const half = 'data: {"candidates":[{"con';
      upstream.send(half);
      equal(decode((await reader.read()).value), half);
      await reader.cancel();
      ok(upstream.wasCancelled);
    },
  },
  {
    name: 'an upstream is read no faster than its answer is',
    async run(strata) {
      let pulls = 0;
      const body = new ReadableStream(
        {
          pull: (out) => {
            pulls++;
            out.enqueue(encode(event(answerOf({ text: String(pulls) }))));
          },
        },
        { highWaterMark: 0 },
      );
      const { post } = setup(strata, {}, () => new Response(body));
      const response = await post(streamPath, hello);
      const reader = response.body.getReader();
      for (let i = 0; i < 3; i++) await reader.read();
      ok(pulls <= 6, `${pulls} pulls`);
      await reader.cancel();
    },
  },
  {
    name: 'a stream as a JSON array passes, too',
    async run(strata) {
      const texts = ['[', JSON.stringify(answerOf({ text: 'a' })), ',\r\n', ']'];
      const upstream = openStream();
      const { post, seen } = setup(strata, {}, () => upstream.response);
      const response = await post(`/v1beta/models/${model}:streamGenerateContent`, hello);
      equal(seen[0].url.includes('alt='), false);
      for (const text of texts) upstream.send(text);
      upstream.close();
      equal(await response.text(), texts.join(''));
    },
  },
  {
    name: 'redirects are not followed',
    async run(strata) {
      const headers = { location: 'https://evil.example/' };
      const { post, seen } = setup(strata, {}, () => new Response(null, { status: 307, headers }));
      const response = await post(path, hello);
      equal(response.status, 502);
      equal(response.headers.get('location'), null);
      ok(!(await response.text()).includes('evil'));
      equal(seen.length, 1);
    },
  },
  {
    name: 'an upstream that never answers, or stops in the middle, ends the request',
    async run(strata) {
      const silent = setup(strata, { timeoutMs: 20 }, () => new Promise(() => {}));
      const response = await silent.post(path, hello);
      equal(response.status, 504);
      equal((await errorOf(response)).status, 'DEADLINE_EXCEEDED');
      ok(silent.seen[0].signal.aborted);
      const upstream = openStream();
      const stalled = setup(strata, { timeoutMs: 20 }, () => upstream.response);
      const answer = await stalled.post(streamPath, hello);
      upstream.send(event(answerOf({ text: 'one' })));
      await rejects(answer.text());
      equal(stalled.lines.length, 1);
    },
  },
  {
    name: 'an upstream that cannot be reached is a 502 that repeats nothing of the error',
    async run(strata) {
      const { post } = setup(strata, {}, () => {
        throw new TypeError(`connect ECONNREFUSED with ${key}`);
      });
      const response = await post(path, hello);
      equal(response.status, 502);
      ok(!(await response.text()).includes('ECONNREFUSED'));
    },
  },
  {
    name: 'garbage of an upstream is passed on as data, with none of its headers',
    async run(strata) {
      const headers = { 'content-type': 'text/html', 'set-cookie': 'a=b', 'x-evil': '1' };
      const html = '<script>alert(1)</script>';
      const { post } = setup(strata, {}, () => new Response(html, { headers }));
      const response = await post(path, hello);
      equal(await response.text(), html);
      equal(response.headers.get('content-type'), 'application/octet-stream');
      deepEqual([response.headers.get('set-cookie'), response.headers.get('x-evil')], [null, null]);
      const long = setup(strata, {}, () => new Response('x'.repeat(3 << 20), { status: 500 }));
      const cut = await long.post(path, hello);
      deepEqual([cut.status, (await cut.text()).length], [500, 1 << 20]);
    },
  },
  {
    name: 'a body that is too long, too deep, or no JSON is refused or left to Google',
    async run(strata) {
      const { post, seen, lines } = setup(strata, { maxBodyBytes: 5000 });
      equal((await post(path, { contents: [user('x'.repeat(5000))] })).status, 413);
      equal((await post(path, '['.repeat(2000))).status, 400);
      equal((await post(path, hello, { 'content-type': 'text/plain' })).status, 415);
      equal(seen.length, 0);
      const broken = await post(path, '{"contents":[');
      equal(broken.status, 200);
      match(broken.headers.get('x-strata-findings'), /json\.invalid/);
      await broken.text();
      equal(lines.at(-1).error, undefined);
      equal(seen[0].body, '{"contents":[');
    },
  },
  {
    name: 'commas that only Google takes are removed, and nothing else changes',
    async run(strata) {
      const { post, seen } = setup(strata);
      const lenient = odd.replace('}],', '},],').replace(']}}', '],},}').replace('"} ]', '"} ,]');
      const response = await post(path, lenient);
      equal(response.headers.get('x-strata-repaired'), 'json.lenient');
      await response.text();
      deepEqual(JSON.parse(seen[0].body), JSON.parse(odd));
      equal(seen[0].body.replaceAll(/\s/g, ''), odd.replaceAll(/\s/g, ''));
      const observed = await post(path, lenient, { 'x-strata-policy': 'observe' });
      match(observed.headers.get('x-strata-findings'), /^json\.lenient\b/);
      await observed.text();
      equal(seen[1].body, lenient);
      // A warning refuses nothing.
      equal((await post(path, lenient, { 'x-strata-policy': 'reject' })).status, 200);
    },
  },
  {
    name: 'models, caches, files and token counts pass, and the next chunks of a file come to the gateway',
    async run(strata) {
      const place = 'https://generativelanguage.googleapis.com/upload/v1beta/files';
      const headers = {
        'x-goog-upload-url': `${place}?upload_id=abc&upload_protocol=resumable&other=1`,
        'x-goog-upload-status': 'active',
      };
      const { gateway, post, get, seen } = setup(strata, {}, () => json({}, { headers }));
      await get('/v1beta/models?pageSize=2&pageToken=t&x=y');
      await get('/v1beta/cachedContents/abc');
      await get('/v1beta/files/f-1');
      await post(`/v1beta/models/${model}:countTokens`, faulty);
      deepEqual(
        seen.map(({ url, method, body }) => [method, new URL(url).pathname, body]),
        [
          ['GET', '/v1beta/models', undefined],
          ['GET', '/v1beta/cachedContents/abc', undefined],
          ['GET', '/v1beta/files/f-1', undefined],
          ['POST', `/v1beta/models/${model}:countTokens`, JSON.stringify(faulty)],
        ],
      );
      equal(new URL(seen[0].url).search, '?pageSize=2&pageToken=t');
      const start = await post(
        '/upload/v1beta/files',
        { file: {} },
        { 'x-goog-upload-command': 'start' },
      );
      const next = `${host}/upload/v1beta/files?upload_id=abc&upload_protocol=resumable`;
      equal(start.headers.get('x-goog-upload-url'), next);
      const chunk = new Uint8Array([0, 255, 1]);
      const send = { method: 'POST', body: chunk, headers: { 'x-goog-api-key': key } };
      equal((await gateway.handle(new Request(next, send))).status, 200);
      equal(seen.at(-1).url, `${place}?upload_id=abc&upload_protocol=resumable`);
      const behindProxy = new Request(`${host.replace('https:', 'http:')}/upload/v1beta/files`, {
        method: 'POST',
        body: '{}',
        headers: { 'x-goog-api-key': key, 'x-forwarded-proto': 'https' },
      });
      const proxied = await gateway.handle(behindProxy);
      equal(proxied.headers.get('x-goog-upload-url'), next);
    },
  },
  {
    name: 'only the models that the option lists may be asked',
    async run(strata) {
      const { post, get, seen } = setup(strata, { models: [model] });
      equal((await post(path, hello)).status, 200);
      equal((await post('/v1beta/models/gemini-4-argon:generateContent', hello)).status, 404);
      const { data } = await (await get('/v1/models')).json();
      deepEqual(
        data.map(({ id, object }) => [id, object]),
        [[model, 'model']],
      );
      equal(seen.length, 1);
    },
  },
  {
    name: "the models stand in OpenAI's form on its paths",
    async run(strata) {
      const list = { models: [{ name: 'models/gemini-3.8-flash' }, { name: 'models/gemma-4' }] };
      const { get, seen } = setup(strata, {}, () => json(list));
      for (const where of ['/v1/models', '/v1beta/openai/models']) {
        const { object, data } = await (
          await get(where, { authorization: `Bearer ${key}` })
        ).json();
        deepEqual([object, data.map(({ id }) => id)], ['list', ['gemini-3.8-flash', 'gemma-4']]);
      }
      equal(seen[0].headers['x-goog-api-key'], key);
      const one = await (await get('/v1/models/gemma-4')).json();
      deepEqual([one.id, one.object], ['gemma-4', 'model']);
    },
  },
  {
    name: 'as the fetch of an SDK: the host does not matter, and nobody is checked',
    async run(strata) {
      const upstream = network();
      const gateway = strata.gateway.createGateway({ upstream: upstream.fetch });
      const client = new strata.GeminiClient({
        apiKey: key,
        fetch: gateway.fetch,
        baseUrl: 'https://elsewhere.example',
      });
      const response = await client.generate(model, encode(odd));
      equal((await response.json()).candidates[0].content.parts[0].text, 'Hi');
      equal(upstream.seen[0].url, `https://generativelanguage.googleapis.com${path}`);
      deepEqual([upstream.seen[0].headers['x-goog-api-key'], upstream.seen[0].body], [key, odd]);
      const controller = new AbortController();
      controller.abort(new Error('stop'));
      await rejects(client.generate(model, encode(odd), { signal: controller.signal }), {
        message: 'stop',
      });
      equal(upstream.seen.length, 1);
    },
  },
  {
    name: 'health says nothing, and the counts need the admin key',
    async run(strata) {
      const { get, post } = setup(strata, { adminKey: 'admin-key' });
      deepEqual(await (await get('/health', {})).json(), { status: 'ok' });
      await (await post(path, faulty)).text();
      equal((await get('/metrics')).status, 401);
      const text = await (await get('/metrics', { authorization: 'Bearer admin-key' })).text();
      match(text, /prompt_strata_requests_total\{route="generateContent",status="200"\} 1/);
      match(text, /prompt_strata_repaired_total\{code="role.invalid"\} 1/);
      match(text, /prompt_strata_tokens_total\{kind="output",model="gemini-3.8-flash"\} 2/);
      equal((await setup(strata).get('/metrics')).status, 404);
    },
  },
  {
    name: 'the log has ids, codes and numbers',
    async run(strata) {
      const { post, lines } = setup(strata);
      const response = await post(path, { contents: [user('a private text')] });
      equal(lines.length, 0);
      await response.text();
      const [{ id, status, route, model: asked, outputTokens }] = lines;
      deepEqual([status, route, asked, outputTokens], [200, 'generateContent', model, 2]);
      equal(id, response.headers.get('x-strata-request-id'));
      ok(!JSON.stringify(lines).includes('private'));
    },
  },
  {
    name: 'tokens count, and clients of OpenAI get all, if the last blank line of a stream is missing',
    async run(strata) {
      const events = [event({ candidates: [{ content: { parts: [{ text: 'H' }] } }] })];
      events.push(event(answerOf({ text: 'i' })).trimEnd());
      const answer = () => new Response(`\ufeff${events.join('')}`);
      const { post, lines } = setup(strata, {}, answer);
      await (await post(streamPath, hello)).text();
      equal(lines[0].outputTokens, 2);
      const messages = [{ role: 'user', content: 'hello' }];
      const chat = { model, messages, stream: true, stream_options: { include_usage: true } };
      const text = await (await post('/v1/chat/completions', chat)).text();
      const contents = [...text.matchAll(/"content":"(\w*)"/g)].map(([, one]) => one);
      equal(contents.join(''), 'Hi');
      match(text, /"completion_tokens":2/);
      match(text, /data: \[DONE\]/);
    },
  },
  {
    name: 'a misspelled or wrong option is an error',
    run({ gateway: { createGateway } }) {
      throws(() => createGateway({ caller: [] }), { code: 'field.unknown' });
      throws(() => createGateway({ policy: 'fix' }), { code: 'field.invalid' });
      throws(() => createGateway({ policy: { chat: 'repair' } }), { code: 'field.unknown' });
      throws(() => createGateway({ apiKey: '' }), { code: 'field.invalid' });
      throws(() => createGateway({ apiKey: 'a\n' }), { code: 'key.invalid' });
      throws(() => createGateway({ memory: true }), { code: 'field.invalid' });
      throws(() => createGateway({ memory: { get() {}, put() {} } }), {
        code: 'memory.secret_missing',
      });
    },
  },
];
