// What a client's requests carry and where they go: the caller's headers, Vertex AI's hosts, paths and tokens, express
// mode; and that no secret appears in an error.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const key = 'AIzaSyTest-key_0123456789';
const token = 'ya29.test-token_0123456789';
const model = 'gemini-3.8-flash';
const contents = [{ role: 'user', parts: [{ text: 'Hello, how are you?' }] }];
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value));
const textOf = (bytes) => new TextDecoder().decode(bytes);
const body = bytesOf({ contents });

const json = (value, status = 200) => new Response(JSON.stringify(value), { status });

/** Returns a client whose fetch answers with `answer` and records the requests. */
function recorded({ GeminiClient }, options, answer = () => json({ totalTokens: 1 })) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url: String(url), ...init });
    return answer(requests.length);
  };
  return { client: new GeminiClient({ fetch, ...options }), requests };
}

const vertexai = { project: 'my-project', location: 'europe-west4', token };

/** Returns everything that an error shows. */
const shown = (error) =>
  [error.message, error.stack, JSON.stringify(error), JSON.stringify(error.details)].join('\n');

const headers = [
  {
    name: 'sends the headers of a record and of a function, which is called for each attempt',
    async run(strata) {
      const fixed = recorded(strata, { apiKey: key, headers: { 'X-Tenant': 'acme' } });
      await fixed.client.generate(model, body);
      deepEqual(fixed.requests[0].headers, {
        'x-tenant': 'acme',
        'content-type': 'application/json',
        'x-goog-api-key': key,
      });
      let calls = 0;
      const made = recorded(
        strata,
        { headers: async () => ({ 'x-count': `${++calls}` }), retry: { initialMs: 1 } },
        (count) => (count === 1 ? json({ error: { code: 503, message: 'no' } }, 503) : json({})),
      );
      await made.client.generate(model, body);
      deepEqual(
        made.requests.map((request) => request.headers['x-count']),
        ['1', '2'],
      );
    },
  },
  {
    name: 'reads errors whose names are words of a header',
    async run(strata) {
      const violations = [{ quotaId: 'GenerateRequestsPerDayPerProject' }];
      const details = [{ violations }];
      const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'quota', details };
      const options = { headers: { 'x-log-level': 'error' }, retry: { initialMs: 1 } };
      const { client, requests } = recorded(strata, options, () => json({ error }, 429));
      const code = 'api.RESOURCE_EXHAUSTED';
      await rejects(client.generate(model, body), { code, message: 'quota' });
      equal(requests.length, 1);
    },
  },
  {
    name: 'keeps the types of events and the codes of answers if a secret is part of them',
    async run(strata) {
      const core = await strata.load();
      const read = (word, reply) => {
        const response = core.response({ redact: (text) => text.replaceAll(word, '[secret]') });
        const line = `data: ${JSON.stringify(reply)}\n\n`;
        const [event] = response.push(new TextEncoder().encode(line));
        return [event.type, throws(() => response.finish()).code];
      };
      const error = { code: 400, status: 'INVALID_ARGUMENT', message: 'm' };
      deepEqual(read('error', { error }), ['error', 'api.INVALID_ARGUMENT']);
      const blocked = { promptFeedback: { blockReason: 'SAFETY' } };
      deepEqual(read('block', blocked), ['metadata', 'answer.blocked']);
    },
  },
  {
    name: 'refuses headers that the client sets itself, and headers that HTTP cannot carry',
    async run(strata) {
      const refused = (options, pattern) => {
        const error = throws(() => new strata.GeminiClient(options), { code: 'field.invalid' });
        match(error.message, pattern);
        ok(!shown(error).includes('secret-value'), shown(error));
      };
      const apiKey = key;
      refused({ apiKey, headers: { 'X-Goog-Api-Key': 'secret-value' } }, /x-goog-api-key/);
      refused({ headers: { 'Content-Type': 'secret-value' } }, /content-type/);
      refused({ vertexai, headers: { Authorization: 'secret-value' } }, /authorization/);
      refused({ headers: { 'x-a': 'secret-value\nx' } }, /^\/headers must be names and values/);
      refused({ headers: { 'x a': 'secret-value' } }, /^\/headers/);
      refused({ headers: { 'x-a': 5 } }, /\/headers\/x-a/);
      refused({ headers: 'secret-value' in {} ? {} : 5 }, /\/headers/);
      new strata.GeminiClient({ headers: { 'x-goog-api-key': 'mine' } });
      const late = recorded(strata, { apiKey, headers: () => ({ 'x-goog-api-key': 'other' }) });
      await rejects(late.client.generate(model, body), { code: 'field.invalid' });
      equal(late.requests.length, 0);
    },
  },
  {
    name: 'keeps the key, tokens and header values out of errors, but not what is no secret',
    async run(strata) {
      const authorization = 'Basic c2VjcmV0LXBhaXI6MTIz';
      const message = `${key} ${authorization} proxy-password-1 agent/1 my-app session-987654`;
      const made = recorded(
        strata,
        {
          apiKey: key,
          headers: {
            authorization,
            'x-proxy': 'proxy-password-1',
            cookie: 'sid=session-987654; a=b',
            'user-agent': 'agent/1',
            'x-goog-user-project': 'my-app',
          },
          retry: false,
        },
        () =>
          json(
            { error: { code: 400, status: 'INVALID_ARGUMENT', message, details: [{ message }] } },
            400,
          ),
      );
      const error = await rejects(made.client.generate(model, body));
      for (const secret of [key, 'c2VjcmV0LXBhaXI6MTIz', 'proxy-password-1', 'session-987654'])
        ok(!shown(error).includes(secret), `${secret} in ${shown(error)}`);
      match(error.message, /^\[api key\] \[secret\] \[secret\] agent\/1 my-app \[secret\]$/);
      equal(made.client.redact('x proxy-password-1'), 'x [secret]');
      const unused = new strata.GeminiClient({ headers: { 'x-proxy': 'proxy-password-1' } });
      equal(unused.redact('x proxy-password-1'), 'x [secret]');
      const down = recorded(strata, { vertexai, retry: false }, () => {
        throw new TypeError(`cannot send Bearer ${token}`);
      });
      const network = await rejects(down.client.generate(model, body), { code: 'network' });
      ok(!shown(network).includes(token), shown(network));
    },
  },
];

const places = [
  ['global', 'https://aiplatform.googleapis.com'],
  ['us', 'https://aiplatform.us.rep.googleapis.com'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com'],
  ['us-central1', 'https://us-central1-aiplatform.googleapis.com'],
];

const vertex = [
  ...places.map(([location, host]) => ({
    name: `calls Vertex AI in ${location} at ${host}`,
    async run(strata) {
      const made = recorded(strata, { vertexai: { project: 'my-project', location, token } });
      await made.client.stream(model, body);
      const [{ url, headers, body: sent }] = made.requests;
      const parent = `projects/my-project/locations/${location}`;
      equal(
        url,
        `${host}/v1beta1/${parent}/publishers/google/models/${model}:streamGenerateContent?alt=sse`,
      );
      deepEqual(headers, { 'content-type': 'application/json', authorization: `Bearer ${token}` });
      ok(sent === body, 'the body was copied or rewritten');
      deepEqual([made.client.backend, made.client.baseUrl], ['vertex', host]);
    },
  })),
  {
    name: 'names models, caches and tuned models on Vertex AI in full',
    async run(strata) {
      const made = recorded(strata, { vertexai });
      const { client } = made;
      const parent = 'projects/my-project/locations/europe-west4';
      await client.generate('models/m', body);
      await client.generate('publishers/anthropic/models/c', body);
      await client.generate(`projects/1/locations/l/endpoints/2`, body);
      await client.caches.get('abc');
      await client.caches.delete(`${parent}/cachedContents/abc`);
      await client.caches.create({ model: 'models/m', contents });
      await client.caches.create(`{"ttl":"60s","model":"${parent}/publishers/google/models/m"}`);
      const base = 'https://europe-west4-aiplatform.googleapis.com/v1beta1/';
      deepEqual(
        made.requests.map(({ url }) => url.replace(base, '')),
        [
          `${parent}/publishers/google/models/m:generateContent`,
          `${parent}/publishers/anthropic/models/c:generateContent`,
          'projects/1/locations/l/endpoints/2:generateContent',
          `${parent}/cachedContents/abc`,
          `${parent}/cachedContents/abc`,
          `${parent}/cachedContents`,
          `${parent}/cachedContents`,
        ],
      );
      const full = `"model":"${parent}/publishers/google/models/m"`;
      equal(textOf(made.requests[5].body), `{${full},"contents":${JSON.stringify(contents)}}`);
      equal(textOf(made.requests[6].body), `{"ttl":"60s",${full}}`);
    },
  },
  {
    name: 'counts on Vertex AI with the fields of the body that it knows, byte for byte',
    async run(strata) {
      const made = recorded(strata, { vertexai });
      const kept = '"contents" : [{"parts":[{"text":"a\\\\\\"},{ \\u00e9"}]}]';
      await made.client.countTokens(
        model,
        `{"safetySettings":[{"a":"}"}],${kept},"toolConfig":{}}`,
      );
      await made.client.countTokens(model, {
        contents,
        system_instruction: { parts: [] },
        labels: {},
      });
      await made.client.countTokens(model, {
        generateContentRequest: { model: 'x', contents, tools: [] },
      });
      const sent = made.requests.map((request) => textOf(request.body));
      deepEqual(sent, [
        `{${kept}}`,
        JSON.stringify({ contents, system_instruction: { parts: [] } }),
        JSON.stringify({ contents, tools: [] }),
      ]);
      await rejects(made.client.countTokens(model, '[]'), { code: 'json.invalid' });
    },
  },
  {
    name: 'asks for a token for each attempt, and throws what the provider throws',
    async run(strata) {
      let calls = 0;
      const provider = async () => `token-number-${++calls}`;
      const place = { project: 'p', token: provider };
      const made = recorded(strata, { vertexai: place, retry: { initialMs: 1 } }, (count) =>
        count === 1 ? json({ error: { code: 500, message: 'token-number-1' } }, 500) : json({}),
      );
      await made.client.generate(model, body);
      deepEqual(
        made.requests.map((request) => request.headers.authorization),
        ['Bearer token-number-1', 'Bearer token-number-2'],
      );
      const failure = new Error('no credentials');
      const failing = {
        project: 'p',
        token: () => {
          throw failure;
        },
      };
      const failed = recorded(strata, { vertexai: failing });
      ok((await rejects(failed.client.generate(model, body))) === failure, 'another error');
      equal(failed.requests.length, 0);
      for (const bad of ['', 'line\n', undefined]) {
        const one = recorded(strata, { vertexai: { project: 'p', token: () => bad } });
        const error = await rejects(one.client.generate(model, body), { name: 'StrataError' });
        ok(['key.invalid', 'field.invalid'].includes(error.code), error.code);
      }
      const hanging = { project: 'p', token: () => new Promise(() => {}) };
      const slow = recorded(strata, { vertexai: hanging, timeoutMs: 5, retry: false });
      await rejects(slow.client.generate(model, body), { kind: 'timeout' });
    },
  },
  {
    name: 'calls express mode with a key and without a project',
    async run(strata) {
      const made = recorded(strata, { vertexai: true, apiKey: key });
      await made.client.generate(model, body);
      const [{ url, headers }] = made.requests;
      equal(
        url,
        `https://aiplatform.googleapis.com/v1beta1/publishers/google/models/${model}:generateContent`,
      );
      equal(headers['x-goog-api-key'], key);
      const error = await rejects(made.client.caches.get('abc'), { code: 'feature.unavailable' });
      match(error.message, /express mode/);
      equal(made.requests.length, 1);
    },
  },
  {
    name: 'refuses places and tokens that cannot be meant',
    async run({ GeminiClient }) {
      const refused = (options, path) => {
        const error = throws(() => new GeminiClient(options), { code: /^field\.|^key\./ });
        match(error.message, path);
        ok(!shown(error).includes(token), shown(error));
      };
      refused({ vertexai: {} }, /\/vertexai\/project.*vertexai: true/);
      refused({ vertexai: { project: '../x' } }, /\/vertexai\/project/);
      refused({ vertexai: { project: 'p', location: 'evil.example/' } }, /\/vertexai\/location/);
      refused(
        { vertexai: { project: 'p', location: 'us', region: 'x' } },
        /region is not an option/,
      );
      for (const bad of [5, '', null])
        refused({ vertexai: { project: 'p', token: bad } }, /\/vertexai\/token/);
      refused({ vertexai: { project: 'p', token: `${token}\n` } }, /access token/);
      refused({ vertexai: { project: 'p', token }, apiKey: key }, /\/vertexai\/token.*apiKey/);
    },
  },
];

const emulated = [
  {
    name: 'holds a conversation with the emulator of Vertex AI, by its rules and without store',
    async run(strata) {
      const client = new strata.GeminiClient({
        vertexai,
        fetch: strata.createEmulator({ apiKey: token }),
      });
      const chat = new strata.Conversation(await strata.load(), client, { model });
      let request;
      let text = '';
      for await (const event of chat.send('Hello')) {
        if (event.type === 'request') request = JSON.parse(textOf(event.body));
        if (event.type === 'text') text += event.text;
      }
      ok(text !== '', 'no text');
      ok(!('store' in request), 'Vertex AI has no store');
      const saved = textOf(chat.thread.save()).split('\n');
      ok(
        saved.some((line) => line.includes('"backend":"vertex"')),
        saved.join('\n'),
      );
      const forced = new strata.Conversation(await strata.load(), client, {
        model,
        backend: 'gemini',
      });
      ok(textOf(forced.thread.save()).includes('"backend":"vertex"') === false, 'not overridden');
    },
  },
  {
    name: 'creates, uses, lists and deletes a cache on the emulator of Vertex AI',
    async run(strata) {
      const client = new strata.GeminiClient({ vertexai, fetch: strata.createEmulator() });
      const parent = 'projects/my-project/locations/europe-west4';
      const long = [{ role: 'user', parts: [{ text: 'word '.repeat(9000) }] }];
      const cache = await client.caches.create({
        model: 'models/gemini-2.5-flash',
        contents: long,
      });
      match(cache.name, /^projects\/my-project\/locations\/europe-west4\/cachedContents\/\w+$/);
      equal(cache.model, `${parent}/publishers/google/models/gemini-2.5-flash`);
      const request = bytesOf({ contents, cachedContent: cache.name });
      const { usageMetadata } = await (await client.generate('gemini-2.5-flash', request)).json();
      equal(usageMetadata.cachedContentTokenCount, cache.usageMetadata.totalTokenCount);
      ok((await client.countTokens('gemini-2.5-flash', { contents, safetySettings: [] })) > 0);
      const names = [];
      for await (const { name } of client.caches.list()) names.push(name);
      deepEqual(names, [cache.name]);
      await client.caches.delete(cache.name);
      await rejects(client.caches.get(cache.name), { kind: 'notFound', status: 404 });
    },
  },
  {
    name: 'creates caches for a conversation on the emulator of Vertex AI, and recovers from a lost one',
    async run(strata) {
      let ms = Date.parse('2026-11-21T10:00:00Z');
      const now = () => new Date(ms).toISOString();
      const bodies = [];
      const emulator = strata.createEmulator({ now });
      const fetch = (url, init) => {
        if (String(url).includes(':stream')) bodies.push(JSON.parse(textOf(init.body)));
        return emulator(url, init);
      };
      const client = new strata.GeminiClient({ vertexai, fetch });
      const rules = `Answer briefly. ${'Be kind and name your sources. '.repeat(900)}`;
      const options = {
        model,
        now,
        static: { text: rules },
        caching: { registry: new strata.MemoryCacheRegistry() },
      };
      const chat = new strata.Conversation(await strata.load(), client, options);
      const events = [];
      const ask = async (question) => {
        ms += 20_000;
        for await (const event of chat.send(question)) events.push(event);
      };
      for (let i = 0; i < 4; i++) await ask(`Question ${i}: what do you think of this?`);
      const created = events.find(({ type, action }) => type === 'cache' && action === 'created');
      match(String(created?.name), /^projects\/my-project\/locations\/[\w-]+\/cachedContents\//);
      equal(bodies.at(-1).cachedContent, created.name);
      await client.caches.delete(created.name);
      await ask('And now?');
      ok(
        events.some(({ type, name }) => type === 'cacheLost' && name === created.name),
        'not noticed',
      );
    },
  },
  {
    name: 'reads models on the emulator of Vertex AI, and tells its errors apart',
    async run(strata) {
      const fetch = strata.createEmulator({ apiKey: token });
      const client = new strata.GeminiClient({ vertexai, fetch });
      equal((await client.models.get(model)).name, `publishers/google/models/${model}`);
      const names = [];
      for await (const { name } of client.models.list({ pageSize: 5 })) names.push(name);
      ok(names.includes(`publishers/google/models/${model}`), names.join());
      await rejects(client.generate('gemini-2.0-flash', body), { kind: 'notFound' });
      const other = new strata.GeminiClient({ vertexai: { ...vertexai, token: 'other' }, fetch });
      await rejects(other.generate(model, body), { kind: 'auth', status: 401 });
      const express = new strata.GeminiClient({ vertexai: true, apiKey: token, fetch });
      equal((await express.generate(model, body)).status, 200);
    },
  },
];

export default [...headers, ...vertex, ...emulated];
