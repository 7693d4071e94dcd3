// GeminiClient with scripted fetch functions that succeed, fail, hang, and break off: the requests it sends, its
// retries and timeouts, and that the API key never appears in an error.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const key = 'AIzaSyTest-key_0123456789';
const bytes = (text) => new TextEncoder().encode(text);
const body = bytes('{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}');
const quick = { attempts: 3, initialMs: 1, maxMs: 2, factor: 2, jitter: 0 };

/** Reads the body as a stream, because text() in Chromium hides the original error. */
async function read(response) {
  const reader = response.body.getReader();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += new TextDecoder().decode(next.value);
  }
  return text;
}

const json = (value, status = 200, headers = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

const errorResponse = (code, status, message, details = []) =>
  json({ error: { code, status, message, details } }, code);

const retryInfo = (retryDelay) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
});

const quota = (quotaId) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});

/** Returns a fetch that returns these answers in order (the last one repeats) and records the requests. */
function fetchOf(...answers) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), ...init });
    return answers[Math.min(requests.length, answers.length) - 1](init);
  };
  return { fetch, requests };
}

/** Simulates a server that never answers; with `listens`, the fetch rejects when its signal aborts. */
const silence = (listens) => (init) =>
  new Promise((_, reject) => {
    if (listens) init.signal.addEventListener('abort', () => reject(init.signal.reason));
  });

/** Returns a body that starts and then stalls. */
const stalled = (onCancel) => () =>
  new Response(
    new ReadableStream({ start: (out) => out.enqueue(bytes('data: ')), cancel: onCancel }),
  );

/** Returns the delays that `work` passes to setTimeout, without waiting for them. */
async function waitsOf(work) {
  const { setTimeout } = globalThis;
  const waits = [];
  globalThis.setTimeout = (done, ms) => {
    waits.push(ms);
    return setTimeout(done, 0);
  };
  try {
    await work();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  return waits;
}

function client(strata, answers, options = {}) {
  const { fetch, requests } = fetchOf(...answers);
  return { client: new strata.GeminiClient({ fetch, apiKey: key, ...options }), requests };
}

async function failedRequest(strata, answers, options) {
  const made = client(strata, answers, { retry: quick, ...options });
  const error = await rejects(made.client.generate('gemini-3.8-flash', body));
  ok(error instanceof strata.GeminiError, String(error));
  return { error, attempts: made.requests.length };
}

/** Returns a body that starts and then fails. */
const broken = (status) => () =>
  new Response(
    new ReadableStream({
      start: (out) => out.enqueue(bytes('{')),
      pull: (out) => out.error(new TypeError('terminated')),
    }),
    { status },
  );

const requests = [
  {
    name: 'sends the given bytes unchanged in a POST, with the key in one header',
    async run(strata) {
      const made = client(strata, [() => new Response('data: {}\n\n')]);
      const response = await made.client.stream('gemini-3.8-flash', body);
      const [request] = made.requests;
      equal(
        request.url,
        'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
      );
      equal(request.method, 'POST');
      ok(request.body === body, 'the body was copied or rewritten');
      deepEqual(request.headers, { 'content-type': 'application/json', 'x-goog-api-key': key });
      equal(await response.text(), 'data: {}\n\n');
    },
  },
  {
    name: 'honors baseUrl, apiVersion, and a model with its collection; sends no header without a key',
    async run(strata) {
      const options = { apiKey: undefined, baseUrl: 'http://localhost:1/x/', apiVersion: 'v1' };
      const made = client(strata, [() => json({})], options);
      await made.client.generate('tunedModels/mine one', body);
      equal(made.requests[0].url, 'http://localhost:1/x/v1/tunedModels/mine%20one:generateContent');
      deepEqual(made.requests[0].headers, { 'content-type': 'application/json' });
      await rejects(made.client.generate('../../secret', body), { code: 'name.invalid' });
      equal(made.requests.length, 1);
    },
  },
  {
    name: 'calls fetch with globalThis as the receiver, which browsers and workerd require',
    async run(strata) {
      let receiver;
      const fetch = function () {
        receiver = this;
        return Promise.resolve(json({}));
      };
      await new strata.GeminiClient({ fetch }).generate('m', body);
      ok(receiver === globalThis, 'called on something else');
    },
  },
  {
    name: 'sends a body with only contents unchanged to countTokens and nests any other body',
    async run(strata) {
      const made = client(strata, [() => json({ totalTokens: 7 })]);
      equal(await made.client.countTokens('m', body), 7);
      await made.client.countTokens('m', '{"contents":[],"systemInstruction":{"parts":[]}}');
      await made.client.countTokens('m', { model: 'models/m', contents: [], tools: [] });
      const sent = made.requests.map((request) => new TextDecoder().decode(request.body));
      deepEqual(sent, [
        new TextDecoder().decode(body),
        '{"generateContentRequest":{"model":"models/m","contents":[],"systemInstruction":{"parts":[]}}}',
        '{"generateContentRequest":{"model":"models/m","contents":[],"tools":[]}}',
      ]);
      await rejects(made.client.countTokens('m', '[1]'), { code: 'json.invalid' });
    },
  },
  {
    name: 'creates, reads, updates, and deletes caches',
    async run(strata) {
      const cache = { name: 'cachedContents/abc' };
      const made = client(strata, [() => json(cache)]);
      const { caches } = made.client;
      deepEqual(await caches.create('{"model":"models/m"}'), cache);
      deepEqual(await caches.get('abc'), cache);
      await rejects(caches.create({ model: 1n }), { code: 'json.invalid' });
      await caches.update('cachedContents/abc', { ttl: '600s' });
      equal(await caches.delete('cachedContents/abc'), undefined);
      const base = 'https://generativelanguage.googleapis.com/v1beta/cachedContents';
      const seen = made.requests.map(({ method, url }) => `${method} ${url.replace(base, '')}`);
      deepEqual(seen, ['POST ', 'GET /abc', 'PATCH /abc', 'DELETE /abc']);
      equal(new TextDecoder().decode(made.requests[2].body), '{"ttl":"600s"}');
    },
  },
  {
    name: 'lists caches page by page and reads {} as an empty list',
    async run(strata) {
      const pages = [
        { cachedContents: [{ name: 'a' }, { name: 'b' }], nextPageToken: 'x/y' },
        { cachedContents: [{ name: 'c' }] },
      ];
      const made = client(strata, [() => json(pages[0]), () => json(pages[1]), () => json({})]);
      const names = [];
      for await (const { name } of made.client.caches.list({ pageSize: 2 })) names.push(name);
      deepEqual(names, ['a', 'b', 'c']);
      match(made.requests[1].url, /\?pageSize=2&pageToken=x%2Fy$/);
      for await (const other of made.client.caches.list()) ok(false, other);
    },
  },
];

const errors = [
  {
    name: 'reports status, message, details, and retry delay of an API error',
    async run(strata) {
      const details = [quota('RequestsPerMinute'), retryInfo('34.4s')];
      const answer = () =>
        errorResponse(429, 'RESOURCE_EXHAUSTED', 'You exceeded your quota.', details);
      const { error } = await failedRequest(strata, [answer], { retry: false });
      equal(error.code, 'api.RESOURCE_EXHAUSTED');
      equal(error.status, 429);
      equal(error.rpcStatus, 'RESOURCE_EXHAUSTED');
      equal(error.message, 'You exceeded your quota.');
      equal(error.retryAfterMs, 34_400);
      deepEqual(error.details, details);
    },
  },
  {
    name: 'reports an error in an array, an HTML page of a proxy, a cut body, and an empty body',
    async run(strata) {
      const wrapped = [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'bad' } }];
      const inArray = await failedRequest(strata, [() => json(wrapped, 400)]);
      equal(inArray.error.message, 'bad');
      const page = '<html><head><title>502 Bad\n Gateway</title></head><body>x</body></html>';
      const html = await failedRequest(strata, [() => new Response(page, { status: 502 })]);
      equal(html.error.code, 'api.502');
      equal(html.error.message, '502 Bad Gateway');
      const cut = await failedRequest(strata, [broken(503)]);
      equal(cut.error.code, 'api.503');
      equal(cut.attempts, 3);
      const empty = await failedRequest(strata, [() => new Response(null, { status: 403 })]);
      match(empty.error.message, /^(The API answered with HTTP 403|Forbidden)$/);
    },
  },
  {
    name: 'reads the retry delay from the message and from Retry-After',
    async run(strata) {
      const inMessage = () => errorResponse(429, 'RESOURCE_EXHAUSTED', 'Please retry in 3.2s.');
      equal((await failedRequest(strata, [inMessage], { retry: false })).error.retryAfterMs, 3200);
      const header = () => json({ error: { message: 'x' } }, 503, { 'retry-after': '2' });
      equal((await failedRequest(strata, [header], { retry: false })).error.retryAfterMs, 2000);
    },
  },
  {
    name: 'reads a delay with hours and minutes, and a date in Retry-After',
    async run(strata) {
      const delayOf = async (answer) =>
        (await failedRequest(strata, [() => answer()], { retry: false })).error.retryAfterMs;
      const inMessage = (time) => () => errorResponse(429, 'X', `Please retry in ${time}.`);
      equal(await delayOf(inMessage('1m5.5s')), 65_500);
      equal(await delayOf(inMessage('14h30m10.5s')), 52_210_500);
      equal(await delayOf(inMessage('2m')), 120_000);
      equal(await delayOf(inMessage('250.5ms')), 251);
      equal(await delayOf(inMessage('a while')), undefined);
      const until = (headers) => () => json({ error: { message: 'x' } }, 503, headers);
      const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
      equal(await delayOf(until({ date, 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' })), 7000);
      equal(await delayOf(until({ date, 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' })), 0);
      const soon = new Date(Date.now() + 30_000).toUTCString();
      const delay = await delayOf(until({ 'retry-after': soon }));
      ok(delay > 20_000 && delay <= 30_000, delay);
      equal(await delayOf(until({ 'retry-after': 'soon' })), undefined);
    },
  },
  {
    name: 'reports `network` without a retry when fetch fails',
    async run(strata) {
      const fail = () => {
        throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
      };
      const { error, attempts } = await failedRequest(strata, [fail]);
      equal(error.code, 'network');
      equal(error.status, 0);
      match(error.message, /fetch failed: connect ECONNREFUSED/);
      equal(attempts, 1);
    },
  },
  {
    name: 'reports `network` to the reader of a body that breaks off',
    async run(strata) {
      const { client: gemini } = client(strata, [broken(200)]);
      const response = await gemini.generate('m', body);
      await rejects(read(response), { name: 'GeminiError', code: 'network' });
    },
  },
  {
    name: 'reports `answer.invalid` for an answer that is not JSON',
    async run(strata) {
      const { client: gemini } = client(strata, [() => new Response('<html>')]);
      await rejects(gemini.countTokens('m', body), { code: 'answer.invalid' });
      await rejects(gemini.caches.get('a'), { code: 'answer.invalid' });
    },
  },
];

const retries = [
  {
    name: 'retries a transient error until it succeeds or no attempts remain',
    async run(strata) {
      const busy = () => errorResponse(503, 'UNAVAILABLE', 'The model is overloaded.');
      const made = client(strata, [busy, busy, () => json({ fine: true })], { retry: quick });
      const response = await made.client.generate('m', body);
      deepEqual(await response.json(), { fine: true });
      equal(made.requests.length, 3);
      equal((await failedRequest(strata, [busy])).attempts, 3);
    },
  },
  {
    name: 'increases delays by the factor up to the maximum, and waits the full RetryInfo delay',
    async run(strata) {
      const retry = { attempts: 5, initialMs: 1000, maxMs: 3000, factor: 2, jitter: 0 };
      const busy = () => errorResponse(503, 'UNAVAILABLE', 'busy');
      const limited = () => errorResponse(429, 'RESOURCE_EXHAUSTED', 'slow', [retryInfo('34.4s')]);
      const answers = [busy, busy, busy, limited, () => json({})];
      const made = client(strata, answers, { retry, timeoutMs: 0 });
      deepEqual(await waitsOf(() => made.client.generate('m', body)), [1000, 2000, 3000, 34_400]);
    },
  },
  {
    name: 'never waits less than its own delay, even if RetryInfo is shorter',
    async run(strata) {
      const retry = { attempts: 3, initialMs: 1000, jitter: 0 };
      const limited = () => errorResponse(429, 'RESOURCE_EXHAUSTED', 'slow', [retryInfo('0s')]);
      const made = client(strata, [limited, limited, () => json({})], { retry, timeoutMs: 0 });
      deepEqual(await waitsOf(() => made.client.generate('m', body)), [1000, 2000]);
    },
  },
  {
    name: 'uses the default for each option that is undefined',
    async run(strata) {
      const names = ['attempts', 'initialMs', 'maxMs', 'factor', 'statuses'];
      const unset = Object.fromEntries(names.map((name) => [name, undefined]));
      const retry = { ...unset, jitter: 0 };
      const busy = () => errorResponse(503, 'UNAVAILABLE', 'busy');
      const answers = [...Array(7).fill(busy), () => json({})];
      const made = client(strata, answers, { retry, timeoutMs: 0 });
      const waits = await waitsOf(() => rejects(made.client.generate('m', body), { status: 503 }));
      deepEqual(waits, [1000, 2000, 4000, 8000]);
      equal(made.requests.length, 5);
    },
  },
  {
    name: 'does not retry 400, 401, 403, 404, a daily quota, a quota of zero, or a long delay',
    async run(strata) {
      const short = retryInfo('0.001s');
      const finals = [
        ...[400, 401, 403, 404].map((code) => [code, 'no', []]),
        [429, 'spent', [quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), short]],
        [429, 'Quota exceeded, limit: 0, model: x', [short]],
        [429, 'come back later', [retryInfo('301s')]],
      ];
      for (const [code, message, details] of finals) {
        const { attempts } = await failedRequest(strata, [
          () => errorResponse(code, 'X', message, details),
        ]);
        equal(attempts, 1, `${code} ${message}`);
      }
      const exceeded = () => errorResponse(429, 'X', 'Quota exceeded, limit: 10', [short]);
      equal((await failedRequest(strata, [exceeded])).attempts, 3);
    },
  },
];

const limits = [
  {
    name: 'reports `timeout` for an answer that does not start, even if fetch ignores its signal',
    async run(strata) {
      for (const listens of [true, false]) {
        const { error, attempts } = await failedRequest(strata, [silence(listens)], {
          timeoutMs: 20,
        });
        equal(error.code, 'timeout');
        equal(attempts, 1);
      }
    },
  },
  {
    name: 'reports `timeout` for an answer that stalls in the middle',
    async run(strata) {
      const { client: gemini } = client(strata, [stalled()], { timeoutMs: 20 });
      const response = await gemini.stream('m', body);
      await rejects(read(response), { name: 'GeminiError', code: 'timeout' });
    },
  },
  {
    name: 'throws the abort reason before a request, during it, between attempts, and in the body',
    async run(strata) {
      const reason = new Error('enough');
      const aborted = async (answer, retry) => {
        const made = client(strata, [answer], { retry });
        const controller = new AbortController();
        const { signal } = controller;
        const work = made.client.stream('m', body, { signal }).then(read);
        setTimeout(() => controller.abort(reason), 10);
        ok((await rejects(work)) === reason, 'another error');
      };
      const signal = AbortSignal.abort(reason);
      const { client: gemini } = client(strata, [() => json({})]);
      ok((await rejects(gemini.generate('m', body, { signal }))) === reason, 'aborted before');
      await aborted(silence(true));
      await aborted(silence(false));
      const later = () => errorResponse(429, 'X', 'later', [retryInfo('60s')]);
      await aborted(later, { ...quick, attempts: 2 });
      await aborted(stalled());
    },
  },
  {
    name: 'cancels the source stream when the body is canceled',
    async run(strata) {
      const cancelled = new Promise((resolve) => {
        const { client: gemini } = client(strata, [stalled(resolve)]);
        gemini.stream('m', body).then((response) => response.body.cancel('seen enough'));
      });
      equal(await cancelled, 'seen enough');
    },
  },
];

/** Returns an answer of `count` pieces of 64 KiB, or without an end; `seen.bytes` counts what was read of it. */
const flood = (seen, { status = 200, count = Infinity, text = 'x', ...init } = {}) => {
  const piece = bytes(text.repeat(65536 / text.length));
  const pull = (out) => {
    seen.bytes = (seen.bytes ?? 0) + piece.length;
    if (seen.bytes > count * piece.length) out.close();
    else out.enqueue(piece);
  };
  const cancel = () => void (seen.cancelled = true);
  return () => new Response(new ReadableStream({ pull, cancel }), { status, ...init });
};

const sizes = [
  {
    name: 'reads 1 MiB of an error that has no end',
    async run(strata) {
      for (const text of ['x', '<title', '<title>', '<', ' ']) {
        const seen = {};
        const { error } = await failedRequest(strata, [flood(seen, { status: 400, text })]);
        equal([error.code, error.status].join(), 'api.400,400', text);
        ok(error.message.length <= 300, text);
        ok(seen.bytes > 1_000_000 && seen.bytes < 1_300_000 && seen.cancelled, `${seen.bytes}`);
      }
    },
  },
  {
    name: 'finds the title of a page behind other tags and beginnings of titles',
    async run(strata) {
      const page = `<html><head>${'<title'.repeat(9)}<meta><TITLE lang="en">Bad\n gateway</TITLE>`;
      const { error } = await failedRequest(strata, [() => new Response(page, { status: 400 })]);
      equal(error.message, 'Bad gateway');
    },
  },
  {
    name: 'ends an answer that is longer than maxAnswerBytes, streamed or whole',
    async run(strata) {
      const model = 'gemini-3.8-flash';
      const calls = [
        async (made) => read(await made.generate(model, body)),
        async (made) => read(await made.stream(model, body)),
        (made) => made.countTokens(model, body),
        (made) => made.models.get(model),
      ];
      for (const call of calls) {
        const seen = {};
        const made = client(strata, [flood(seen)], { maxAnswerBytes: 300_000, retry: false });
        const error = await rejects(call(made.client), { code: 'answer.too_long' });
        ok(error instanceof strata.GeminiError);
        match(error.message, /longer than 300000 bytes.*maxAnswerBytes/);
        ok(seen.bytes < 600_000 && seen.cancelled, `${seen.bytes}`);
        ok(made.requests[0].signal.aborted);
      }
      for (const maxAnswerBytes of [65536 * 5, 0]) {
        const made = client(strata, [flood({}, { count: 5 })], { maxAnswerBytes });
        equal((await read(await made.client.stream(model, body))).length, 65536 * 5);
      }
    },
  },
  {
    name: 'ends a conversation whose answer has no end, without another attempt',
    async run(strata) {
      const seen = {};
      const event = `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'x'.repeat(900) }] } }] })}\n\n`;
      const text = event.padEnd(1024, '\n');
      const made = client(strata, [flood(seen, { text })], { maxAnswerBytes: 1_000_000 });
      const chat = new strata.Conversation(await strata.load(), made.client, {
        model: 'gemini-3.8-flash',
      });
      await rejects(chat.ask('Hi'), { code: 'answer.too_long' });
      equal(made.requests.length, 1);
      ok(seen.cancelled);
    },
  },
  {
    name: 'reports a status that no Response can have',
    async run(strata) {
      for (const status of [101, 600, 999]) {
        const odd = () => ({ status, ok: false, headers: new Headers(), body: null });
        const { error } = await failedRequest(strata, [odd]);
        equal(error.code, 'answer.invalid');
        match(error.message, new RegExp(`status ${status}`));
      }
    },
  },
];

const secrets = [
  {
    name: 'leaves words alone if the key is a placeholder of fewer than 8 characters',
    async run(strata) {
      for (const apiKey of ['x', 'e', 'error', 'INVALID']) {
        const answer = () =>
          errorResponse(400, 'INVALID_ARGUMENT', 'bad index: x', [{ index: 'x' }]);
        const { error } = await failedRequest(strata, [answer], { apiKey });
        equal(error.code, 'api.INVALID_ARGUMENT');
        equal(error.message, 'bad index: x');
        deepEqual(error.details, [{ index: 'x' }]);
        equal(new strata.GeminiClient({ apiKey }).redact('index'), 'index');
      }
      equal(new strata.GeminiClient({ apiKey: '12345678' }).redact('-12345678'), '-[api key]');
    },
  },
  {
    name: 'changes nothing in what an answer says, whatever the key is',
    async run(strata) {
      const candidate = {
        content: { role: 'model', parts: [{ text: 'The index of gemini-3.8-flash.' }] },
        finishReason: 'STOP',
        index: 0,
        groundingMetadata: { webSearchQueries: ['gemini-3.8-flash'], 'gemini-3.8-flash': 1 },
      };
      const answer = { candidates: [candidate], modelVersion: 'gemini-3.8-flash', responseId: 'r' };
      const line = () => new Response(`data: ${JSON.stringify(answer)}\n\n`);
      const eventsFor = async (apiKey) => {
        const made = client(strata, [line], { apiKey });
        const core = await strata.load();
        const chat = new strata.Conversation(core, made.client, { model: 'gemini-3.8-flash' });
        const events = [];
        for await (const event of chat.send('Hi'))
          if (event.type === 'metadata' || event.type === 'text') events.push(event);
        return events;
      };
      const plain = await eventsFor(key);
      ok(plain.some(({ type }) => type === 'metadata'));
      for (const apiKey of ['x', 'e', 'gemini-3.8-flash'])
        deepEqual(await eventsFor(apiKey), plain);
    },
  },
  {
    name: 'redacts the key in every error that the server or fetch returns',
    async run(strata) {
      const escaped = key.replace('-', '\\u002d');
      const echo = `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"bad key ${escaped}","details":[{"key":"${key}"}]}}`;
      const answers = [
        () => new Response(echo, { status: 400 }),
        () => new Response(`no such key: ${key}`, { status: 403 }),
        () => {
          throw new Error(`cannot send ${key}`, { cause: new Error(key) });
        },
      ];
      for (const answer of answers) {
        const { error } = await failedRequest(strata, [answer]);
        const seen = [error.message, error.stack, JSON.stringify(error), String(error.cause)];
        ok(!seen.join('\n').includes(key), seen.join('\n'));
        match(error.message, /\[api key\]/);
      }
    },
  },
  {
    name: 'redacts the key in the request id and in the names of details',
    async run(strata) {
      const named = `{"\\u0041${key.slice(1)}":{"a":["${key}"]}}`;
      const echo = `{"error":{"code":400,"message":"no","details":[${named}]}}`;
      const headers = { 'x-goog-request-id': `id-${key}` };
      const { error } = await failedRequest(strata, [
        () => new Response(echo, { status: 400, headers }),
      ]);
      equal(error.requestId, 'id-[api key]');
      deepEqual(error.details, [{ '[api key]': { a: ['[api key]'] } }]);
    },
  },
  {
    name: 'rejects a key that is not a valid header value without showing it',
    async run(strata) {
      const error = await rejects(async () => new strata.GeminiClient({ apiKey: `${key}\n` }), {
        code: 'key.invalid',
      });
      ok(!error.message.includes(key), error.message);
    },
  },
  {
    name: 'does not expose the key as a field of the client',
    run(strata) {
      const { client: gemini } = client(strata, [() => json({})]);
      ok(!JSON.stringify(gemini).includes(key), 'the key was serialized');
    },
  },
];

export default [...requests, ...errors, ...retries, ...limits, ...sizes, ...secrets];
