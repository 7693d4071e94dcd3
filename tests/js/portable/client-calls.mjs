// Calls of any method, the kinds of errors, and onRetry of the client and of each call.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const key = 'AIzaSyTest-key_0123456789';
const model = 'gemini-3.8-flash';
const body = new TextEncoder().encode('{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}');
const textOf = (bytes) => bytes && new TextDecoder().decode(bytes);
const json = (value, status = 200) => new Response(JSON.stringify(value), { status });
const refusal = (code, status, message = 'no') => json({ error: { code, status, message } }, code);

/** Returns a client whose fetch answers with `answer` and records the requests. */
function recorded({ GeminiClient }, answer = () => json({ ok: true }), options = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), ...init });
    return answer(requests.length);
  };
  const client = new GeminiClient({ apiKey: key, fetch, retry: { initialMs: 1 }, ...options });
  return { client, requests };
}

const base = 'https://generativelanguage.googleapis.com/v1beta/';

const calls = [
  {
    name: 'calls any method with its path, query and body',
    async run(strata) {
      const { client, requests } = recorded(strata);
      const path = 'models/gemini-embedding-001:embedContent';
      deepEqual(await client.request({ path, body: { content: { parts: [] } } }), { ok: true });
      const query = { pageSize: 5, filter: 'a b&c', returnPartial: true, pageToken: undefined };
      await client.request({ path: 'tunedModels', query });
      await client.request({ method: 'DELETE', path: 'fileSearchStores/my-store/documents/é' });
      await client.request({ method: 'PATCH', path: 'a/b', body: '{"n":1.0}' });
      deepEqual(
        requests.map(({ method, url, body: sent }) => [
          method,
          url.replace(base, ''),
          textOf(sent),
        ]),
        [
          ['POST', path, '{"content":{"parts":[]}}'],
          ['GET', 'tunedModels?pageSize=5&filter=a+b%26c&returnPartial=true', undefined],
          ['DELETE', 'fileSearchStores/my-store/documents/%C3%A9', undefined],
          ['PATCH', 'a/b', '{"n":1.0}'],
        ],
      );
      equal(requests[0].headers['x-goog-api-key'], key);
    },
  },
  {
    name: 'refuses paths that lead to another host or out of the version',
    async run(strata) {
      const { client, requests } = recorded(strata);
      const paths = [
        'https://evil.example/x',
        'HTTP://evil.example',
        '//evil.example/x',
        '/models',
        '',
        'models/',
        'models//x',
        '..',
        '../v1/models',
        'models/../../x',
        'models/./x',
        'models/%2e%2e/x',
        'models\\..\\x',
        '\\\\evil.example',
        'models?key=1',
        'models#x',
        'models/\n',
        'models/a b',
        'models/\ud800',
        'javascript://x',
      ];
      for (const path of paths) {
        const error = await rejects(client.request({ path }), { code: 'name.invalid' }, path);
        match(error.message, /is not a path below the API's version/);
      }
      for (const options of [undefined, {}, { path: 5 }, { path: 'a', method: 'TRACE' }])
        await rejects(client.request(options), { code: 'field.invalid' });
      await rejects(client.request({ path: 'a', header: 1 }), { code: 'field.unknown' });
      await rejects(client.request({ path: 'a', body: 1n }), { code: 'json.invalid' });
      equal(requests.length, 0);
    },
  },
  {
    name: 'retries, aborts and redacts calls of any method as the others',
    async run(strata) {
      const flaky = recorded(strata, (count) =>
        count < 3 ? refusal(503, 'UNAVAILABLE') : json([1]),
      );
      const attempts = [];
      const onRetry = (error, delayMs, attempt) => attempts.push([error.kind, attempt]);
      deepEqual(await flaky.client.request({ path: 'a', onRetry }), [1]);
      deepEqual(attempts, [
        ['server', 1],
        ['server', 2],
      ]);
      const leaking = recorded(strata, () => refusal(400, 'INVALID_ARGUMENT', `bad ${key}`));
      const error = await rejects(leaking.client.request({ path: 'a' }), { kind: 'invalid' });
      equal(error.message, 'bad [api key]');
      const signal = AbortSignal.abort(new Error('enough'));
      ok((await rejects(leaking.client.request({ path: 'a', signal }))) === signal.reason);
      const text = recorded(strata, () => new Response('<html>'));
      await rejects(text.client.request({ path: 'a' }), { code: 'answer.invalid', kind: 'answer' });
    },
  },
  {
    name: 'places paths below the project on Vertex AI',
    async run(strata) {
      const vertexai = { project: 'p', token: 'the-token' };
      const { client, requests } = recorded(strata, undefined, { apiKey: undefined, vertexai });
      await client.request({ path: 'publishers/google/models/m:predict', body: {} });
      await client.request({ path: 'projects/q/locations/l/operations/1' });
      await client.request({ path: 'publishers/google/models' });
      const vertex = 'https://aiplatform.googleapis.com/v1beta1/';
      deepEqual(
        requests.map(({ url }) => url.replace(vertex, '')),
        [
          'projects/p/locations/global/publishers/google/models/m:predict',
          'projects/q/locations/l/operations/1',
          'publishers/google/models',
        ],
      );
    },
  },
];

const unclear = 'CachedContent not found (or permission denied)';
const kinds = [
  [429, 'RESOURCE_EXHAUSTED', 'no', 'rateLimit'],
  [402, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted', 'rateLimit'],
  [401, 'UNAUTHENTICATED', 'no', 'auth'],
  [403, 'PERMISSION_DENIED', 'no', 'auth'],
  [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'auth'],
  [400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.', 'auth'],
  [404, 'NOT_FOUND', 'no', 'notFound'],
  [403, 'PERMISSION_DENIED', unclear, 'notFound'],
  [403, 'PERMISSION_DENIED', 'You do not have permission … or it may not exist.', 'notFound'],
  [400, 'INVALID_ARGUMENT', 'Text not found, 404, 429', 'invalid'],
  [400, 'FAILED_PRECONDITION', 'no', 'invalid'],
  [413, undefined, 'no', 'invalid'],
  [409, 'ALREADY_EXISTS', 'no', 'invalid'],
  [408, undefined, 'no', 'timeout'],
  [500, 'INTERNAL', 'no', 'server'],
  [503, 'UNAVAILABLE', 'no', 'server'],
  [504, 'DEADLINE_EXCEEDED', 'no', 'server'],
  [499, 'CANCELLED', 'no', 'server'],
];

const errors = [
  ...kinds.map(([code, status, message, kind]) => ({
    name: `tells HTTP ${code} "${message}" apart as ${kind}`,
    async run(strata) {
      const { client } = recorded(strata, () => refusal(code, status, message), { retry: false });
      const error = await rejects(client.generate(model, body), { kind });
      equal(error.code, `api.${status ?? code}`);
    },
  })),
  {
    name: 'tells errors apart that have no HTTP status',
    async run({ GeminiError, GeminiClient }) {
      const kindOf = (code, rpcStatus, status) =>
        new GeminiError(code, 'no', { rpcStatus, status }).kind;
      equal(kindOf('api.RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED'), 'rateLimit');
      equal(kindOf('api.UNAVAILABLE', 'UNAVAILABLE'), 'server');
      equal(kindOf('api.PERMISSION_DENIED', 'PERMISSION_DENIED'), 'auth');
      equal(kindOf('api.INVALID_ARGUMENT', 'INVALID_ARGUMENT'), 'invalid');
      equal(kindOf('answer.blocked'), 'blocked');
      equal(kindOf('answer.safety'), 'blocked');
      equal(kindOf('answer.empty'), 'answer');
      equal(kindOf('timeout'), 'timeout');
      const fetch = async () => {
        throw new TypeError('fetch failed');
      };
      const client = new GeminiClient({ fetch, retry: false });
      await rejects(client.generate(model, body), { kind: 'network' });
    },
  },
];

const retries = [
  {
    name: 'calls onRetry of the call and of the client for each method, with the error, delay and attempt',
    async run(strata) {
      const methods = [
        (client, options) => client.generate(model, body, options),
        (client, options) => client.stream(model, body, options),
        (client, options) => client.countTokens(model, body, options),
        (client, options) => client.models.get(model, options),
        (client, options) => client.models.list(options).next(),
        (client, options) => client.caches.create({ model }, options),
        (client, options) => client.caches.get('a', options),
        (client, options) => client.caches.update('a', { ttl: '60s' }, options),
        (client, options) => client.caches.delete('a', options),
        (client, options) => client.caches.list(options).next(),
        (client, options) => client.files.get('a', options),
        (client, options) => client.files.list(options).next(),
        (client, options) => client.files.delete('a', options),
        (client, options) => client.files.waitUntilActive('a', options),
        (client, options) => client.request({ path: 'a', ...options }),
      ];
      for (const method of methods) {
        const seen = [];
        const listener = (name) => (error, delayMs, attempt) =>
          seen.push([name, error.code, typeof delayMs, attempt]);
        const answer = { name: 'a', state: 'ACTIVE', totalTokens: 1 };
        const { client } = recorded(
          strata,
          (count) => (count === 1 ? refusal(503, 'UNAVAILABLE') : json(answer)),
          { onRetry: listener('client') },
        );
        await method(client, { onRetry: listener('call') });
        const both = ['call', 'client'].map((name) => [name, 'api.UNAVAILABLE', 'number', 1]);
        deepEqual(seen, both, String(method));
      }
    },
  },
  {
    name: 'ends a call with what its onRetry throws, without calling the onRetry of the client',
    async run(strata) {
      const seen = [];
      const { client, requests } = recorded(strata, () => refusal(503, 'UNAVAILABLE'), {
        onRetry: () => seen.push(1),
      });
      const stop = new Error('stop');
      const onRetry = () => {
        throw stop;
      };
      ok((await rejects(client.generate(model, body, { onRetry }))) === stop, 'another error');
      deepEqual([requests.length, seen.length], [1, 0]);
      await rejects(async () => new strata.GeminiClient({ onRetry: 5 }), { code: 'field.invalid' });
    },
  },
];

export default [...calls, ...errors, ...retries];
