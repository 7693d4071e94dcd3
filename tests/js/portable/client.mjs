// GeminiClient against fetches that answer, refuse, hang and break off: requests as they are sent,
// retries, time limits, and the key that must not be seen.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const key = 'AIzaSyTest-key_0123456789';
const bytes = (text) => new TextEncoder().encode(text);
const body = bytes('{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}');
const quick = { attempts: 3, initialMs: 1, maxMs: 2, factor: 2, jitter: 0 };

/** The body, read as a stream: Chromium's text() tells of no error but its own. */
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

const refusal = (code, status, message, details = []) =>
  json({ error: { code, status, message, details } }, code);

const retryInfo = (retryDelay) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
});

const quota = (quotaId) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});

/** A fetch that gives its answers in turn (the last one again and again) and notes the requests. */
function fetchOf(...answers) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), ...init });
    return answers[Math.min(requests.length, answers.length) - 1](init);
  };
  return { fetch, requests };
}

/** Answers as soon as the signal aborts, or never: as a server does that has gone to sleep. */
const silence = (listens) => (init) =>
  new Promise((_, reject) => {
    if (listens) init.signal.addEventListener('abort', () => reject(init.signal.reason));
  });

/** A body that begins and then says nothing more. */
const stalled = (onCancel) => () =>
  new Response(
    new ReadableStream({ start: (out) => out.enqueue(bytes('data: ')), cancel: onCancel }),
  );

/** What `work` waits for, without the waiting. */
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

async function refused(strata, answers, options) {
  const made = client(strata, answers, { retry: quick, ...options });
  const error = await rejects(made.client.generate('gemini-3.8-flash', body));
  ok(error instanceof strata.GeminiError, String(error));
  return { error, attempts: made.requests.length };
}

/** A body that begins and then fails. */
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
    name: 'a stream is a POST of the bytes as they are, the key in one header',
    async run(strata) {
      const made = client(strata, [() => new Response('data: {}\n\n')]);
      const response = await made.client.stream('gemini-3.8-flash', body);
      const [request] = made.requests;
      equal(
        request.url,
        'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
      );
      equal(request.method, 'POST');
      ok(request.body === body, 'the body was copied or written anew');
      deepEqual(request.headers, { 'content-type': 'application/json', 'x-goog-api-key': key });
      equal(await response.text(), 'data: {}\n\n');
    },
  },
  {
    name: 'base URL, version and a model with its collection are taken; no key, no header',
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
    name: 'fetch is called on its global, as pages and workerd ask for',
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
    name: 'countTokens takes bare contents as they are and nests everything else',
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
    name: 'caches are made, read, extended and deleted',
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
    name: 'the list of caches is asked for page by page, and an empty one is {}',
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
    name: 'Google says no: its status, words, details and delay are in the error',
    async run(strata) {
      const details = [quota('RequestsPerMinute'), retryInfo('34.4s')];
      const answer = () => refusal(429, 'RESOURCE_EXHAUSTED', 'You exceeded your quota.', details);
      const { error } = await refused(strata, [answer], { retry: false });
      equal(error.code, 'api.RESOURCE_EXHAUSTED');
      equal(error.status, 429);
      equal(error.rpcStatus, 'RESOURCE_EXHAUSTED');
      equal(error.message, 'You exceeded your quota.');
      equal(error.retryAfterMs, 34_400);
      deepEqual(error.details, details);
    },
  },
  {
    name: 'an error in an array, a page of a proxy, and silence are errors too',
    async run(strata) {
      const wrapped = [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'bad' } }];
      const inArray = await refused(strata, [() => json(wrapped, 400)]);
      equal(inArray.error.message, 'bad');
      const page = '<html><head><title>502 Bad\n Gateway</title></head><body>x</body></html>';
      const html = await refused(strata, [() => new Response(page, { status: 502 })]);
      equal(html.error.code, 'api.502');
      equal(html.error.message, '502 Bad Gateway');
      const cut = await refused(strata, [broken(503)]);
      equal(cut.error.code, 'api.503');
      equal(cut.attempts, 3);
      const empty = await refused(strata, [() => new Response(null, { status: 403 })]);
      match(empty.error.message, /^(The API answered with HTTP 403|Forbidden)$/);
    },
  },
  {
    name: 'the delay is found in the message and in Retry-After',
    async run(strata) {
      const said = () => refusal(429, 'RESOURCE_EXHAUSTED', 'Please retry in 3.2s.');
      equal((await refused(strata, [said], { retry: false })).error.retryAfterMs, 3200);
      const header = () => json({ error: { message: 'x' } }, 503, { 'retry-after': '2' });
      equal((await refused(strata, [header], { retry: false })).error.retryAfterMs, 2000);
    },
  },
  {
    name: 'the delay may have hours and minutes, and Retry-After may be a date',
    async run(strata) {
      const delayOf = async (answer) =>
        (await refused(strata, [() => answer()], { retry: false })).error.retryAfterMs;
      const said = (time) => () => refusal(429, 'X', `Please retry in ${time}.`);
      equal(await delayOf(said('1m5.5s')), 65_500);
      equal(await delayOf(said('14h30m10.5s')), 52_210_500);
      equal(await delayOf(said('2m')), 120_000);
      equal(await delayOf(said('250.5ms')), 251);
      equal(await delayOf(said('a while')), undefined);
      const until = (headers) => () => json({ error: { message: 'x' } }, 503, headers);
      const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
      equal(await delayOf(until({ date, 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' })), 7000);
      equal(await delayOf(until({ date, 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' })), 0);
      const soon = new Date(Date.now() + 30_000).toUTCString();
      const left = await delayOf(until({ 'retry-after': soon }));
      ok(left > 20_000 && left <= 30_000, left);
      equal(await delayOf(until({ 'retry-after': 'soon' })), undefined);
    },
  },
  {
    name: 'no answer at all is `network`, once',
    async run(strata) {
      const fail = () => {
        throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
      };
      const { error, attempts } = await refused(strata, [fail]);
      equal(error.code, 'network');
      equal(error.status, 0);
      match(error.message, /fetch failed: connect ECONNREFUSED/);
      equal(attempts, 1);
    },
  },
  {
    name: 'a body that breaks off is `network` for the one who reads it',
    async run(strata) {
      const { client: gemini } = client(strata, [broken(200)]);
      const response = await gemini.generate('m', body);
      await rejects(read(response), { name: 'GeminiError', code: 'network' });
    },
  },
  {
    name: 'an answer that is not JSON is `answer.invalid`',
    async run(strata) {
      const { client: gemini } = client(strata, [() => new Response('<html>')]);
      await rejects(gemini.countTokens('m', body), { code: 'answer.invalid' });
      await rejects(gemini.caches.get('a'), { code: 'answer.invalid' });
    },
  },
];

const retries = [
  {
    name: 'what passes by itself is tried again, until it is answered or the attempts are spent',
    async run(strata) {
      const busy = () => refusal(503, 'UNAVAILABLE', 'The model is overloaded.');
      const made = client(strata, [busy, busy, () => json({ fine: true })], { retry: quick });
      const response = await made.client.generate('m', body);
      deepEqual(await response.json(), { fine: true });
      equal(made.requests.length, 3);
      equal((await refused(strata, [busy])).attempts, 3);
    },
  },
  {
    name: 'waits grow by the factor up to the maximum; RetryInfo is waited for in full',
    async run(strata) {
      const retry = { attempts: 5, initialMs: 1000, maxMs: 3000, factor: 2, jitter: 0 };
      const busy = () => refusal(503, 'UNAVAILABLE', 'busy');
      const told = () => refusal(429, 'RESOURCE_EXHAUSTED', 'slow', [retryInfo('34.4s')]);
      const answers = [busy, busy, busy, told, () => json({})];
      const made = client(strata, answers, { retry, timeoutMs: 0 });
      deepEqual(await waitsOf(() => made.client.generate('m', body)), [1000, 2000, 3000, 34_400]);
    },
  },
  {
    name: 'a server that asks for less than the policy waits is not asked sooner',
    async run(strata) {
      const retry = { attempts: 3, initialMs: 1000, jitter: 0 };
      const told = () => refusal(429, 'RESOURCE_EXHAUSTED', 'slow', [retryInfo('0s')]);
      const made = client(strata, [told, told, () => json({})], { retry, timeoutMs: 0 });
      deepEqual(await waitsOf(() => made.client.generate('m', body)), [1000, 2000]);
    },
  },
  {
    name: 'an option that is undefined is its default',
    async run(strata) {
      const names = ['attempts', 'initialMs', 'maxMs', 'factor', 'statuses'];
      const unset = Object.fromEntries(names.map((name) => [name, undefined]));
      const retry = { ...unset, jitter: 0 };
      const busy = () => refusal(503, 'UNAVAILABLE', 'busy');
      const answers = [...Array(7).fill(busy), () => json({})];
      const made = client(strata, answers, { retry, timeoutMs: 0 });
      const waits = await waitsOf(() => rejects(made.client.generate('m', body), { status: 503 }));
      deepEqual(waits, [1000, 2000, 4000, 8000]);
      equal(made.requests.length, 5);
    },
  },
  {
    name: 'what stays wrong is final: 400, 401, 403, 404, a spent day, a quota of nothing, a long delay',
    async run(strata) {
      const short = retryInfo('0.001s');
      const finals = [
        ...[400, 401, 403, 404].map((code) => [code, 'no', []]),
        [429, 'spent', [quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), short]],
        [429, 'Quota exceeded, limit: 0, model: x', [short]],
        [429, 'come back later', [retryInfo('301s')]],
      ];
      for (const [code, message, details] of finals) {
        const { attempts } = await refused(strata, [() => refusal(code, 'X', message, details)]);
        equal(attempts, 1, `${code} ${message}`);
      }
      const some = () => refusal(429, 'X', 'Quota exceeded, limit: 10', [short]);
      equal((await refused(strata, [some])).attempts, 3);
    },
  },
];

const limits = [
  {
    name: 'an answer that does not begin in time is `timeout`, whether or not fetch listens',
    async run(strata) {
      for (const listens of [true, false]) {
        const { error, attempts } = await refused(strata, [silence(listens)], { timeoutMs: 20 });
        equal(error.code, 'timeout');
        equal(attempts, 1);
      }
    },
  },
  {
    name: 'an answer that stops in the middle is `timeout` as well',
    async run(strata) {
      const { client: gemini } = client(strata, [stalled()], { timeoutMs: 20 });
      const response = await gemini.stream('m', body);
      await rejects(read(response), { name: 'GeminiError', code: 'timeout' });
    },
  },
  {
    name: 'an abort throws the reason it was given: before, during, between attempts, in the body',
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
      const later = () => refusal(429, 'X', 'later', [retryInfo('60s')]);
      await aborted(later, { ...quick, attempts: 2 });
      await aborted(stalled());
    },
  },
  {
    name: 'cancelling the body cancels what it comes from',
    async run(strata) {
      const cancelled = new Promise((resolve) => {
        const { client: gemini } = client(strata, [stalled(resolve)]);
        gemini.stream('m', body).then((response) => response.body.cancel('seen enough'));
      });
      equal(await cancelled, 'seen enough');
    },
  },
];

const secrets = [
  {
    name: 'the key is in no error, though the server or fetch repeat it',
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
        const { error } = await refused(strata, [answer]);
        const seen = [error.message, error.stack, JSON.stringify(error), String(error.cause)];
        ok(!seen.join('\n').includes(key), seen.join('\n'));
        match(error.message, /\[api key\]/);
      }
    },
  },
  {
    name: 'nor in its request id, nor in the names of its details',
    async run(strata) {
      const named = `{"\\u0041${key.slice(1)}":{"a":["${key}"]}}`;
      const echo = `{"error":{"code":400,"message":"no","details":[${named}]}}`;
      const headers = { 'x-goog-request-id': `id-${key}` };
      const { error } = await refused(strata, [() => new Response(echo, { status: 400, headers })]);
      equal(error.requestId, 'id-[api key]');
      deepEqual(error.details, [{ '[api key]': { a: ['[api key]'] } }]);
    },
  },
  {
    name: 'a key that no header can carry is refused without being shown',
    async run(strata) {
      const error = await rejects(async () => new strata.GeminiClient({ apiKey: `${key}\n` }), {
        code: 'key.invalid',
      });
      ok(!error.message.includes(key), error.message);
    },
  },
  {
    name: 'the key is no field of the client',
    run(strata) {
      const { client: gemini } = client(strata, [() => json({})]);
      ok(!JSON.stringify(gemini).includes(key), 'serialised');
    },
  },
];

export default [...requests, ...errors, ...retries, ...limits, ...secrets];
