// What the emulator adds to generation in every runtime: paths, models, generationConfig, embeddings, batches, records,
// and its use as a handler of servers.
import { deepEqual, equal, match, ok } from './assert.mjs';

const origin = 'https://example.com';
const model = 'gemini-3.8-flash';
const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };

/** Sends a request to a path; with a body, it is a POST. */
const send = (fetch, path, body, method = body === undefined ? 'GET' : 'POST') =>
  fetch(`${origin}${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function jsonOf(response) {
  const value = await response.json();
  equal(response.status, 200, JSON.stringify(value));
  return value;
}

async function errorOf(response) {
  const { error } = await response.json();
  equal(error.code, response.status);
  return error;
}

const configured = (fetch, generationConfig, id = model) =>
  send(fetch, `/v1beta/models/${id}:generateContent`, { ...hello, generationConfig });

const paths = [
  {
    name: 'answers below the paths of AI Studio, Firebase, Vertex AI and express mode',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const places = [
        '/v1beta/',
        '/v1/',
        '/v1beta/projects/my-project/',
        '/v1/publishers/google/',
        '/v1beta1/publishers/google/',
        '/v1/projects/p/locations/global/publishers/google/',
        '/v1beta1/projects/p/locations/europe-west1/publishers/google/',
        '/v1beta/projects/p/locations/us-central1/publishers/google/',
      ];
      for (const place of places) {
        const path = `${place}models/${model}`;
        await jsonOf(await send(fetch, `${path}:generateContent`, hello));
        await jsonOf(await send(fetch, `${path}:countTokens`, hello));
        const stream = await send(fetch, `${path}:streamGenerateContent?alt=sse`, hello);
        match(await stream.text(), /^data: \{/, place);
      }
    },
  },
  {
    name: 'judges by the service of the path: Gemini on Firebase, Vertex AI below a location',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const unknown = async (place) =>
        (await errorOf(await send(fetch, `${place}models/gpt-4:generateContent`, hello))).message;
      match(await unknown('/v1beta/projects/p/'), /^models\/gpt-4 is not found for API version/);
      match(await unknown('/v1/projects/p/locations/l/publishers/google/'), /^Publisher Model/);
    },
  },
  {
    name: 'serves names that no row of the catalogue has only below gemini- and gemma-',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const statusOf = async (id) =>
        (await send(fetch, `/v1beta/models/${id}:generateContent`, hello)).status;
      for (const id of ['gemini-9-photon', 'gemma-9-it']) equal(await statusOf(id), 200, id);
      for (const id of ['gpt-4', 'geminix', 'gemini', 'text-embedding-004', 'gemini-2.0-flash'])
        equal(await statusOf(id), 404, id);
    },
  },
  {
    name: 'lists only methods that it serves, and answers 404 to the others',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const bodies = {
        generateContent: hello,
        countTokens: hello,
        embedContent: { content: hello.contents[0] },
        batchGenerateContent: { batch: { inputConfig: { requests: { requests: [hello] } } } },
      };
      const { models } = await jsonOf(await send(fetch, '/v1beta/models'));
      for (const { name, supportedGenerationMethods } of models) {
        for (const [method, body] of Object.entries(bodies)) {
          const { status } = await send(fetch, `/v1beta/${name}:${method}`, body);
          const expected = supportedGenerationMethods.includes(method) ? 200 : 404;
          equal(status, expected, `${name}:${method}`);
        }
      }
    },
  },
];

const configs = [
  {
    name: 'refuses a generationConfig with the messages of the API',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const service = 'type.googleapis.com/google.ai.generativelanguage.v1beta.';
      const at = "Invalid value at 'generation_config.";
      const cases = [
        [
          { notAField: 1 },
          `Invalid JSON payload received. Unknown name "notAField" at 'generation_config': Cannot find field.`,
        ],
        [
          { response_mime_type: 'video/mp4' },
          '* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are `text/plain`, `application/json`, `application/xml`, `application/yaml` and `text/x.enum`.',
        ],
        [
          { responseModalities: ['TEXT', 'BANANA'] },
          `${at}response_modalities[1]' (${service}GenerationConfig.Modality), "BANANA"`,
        ],
        [
          { thinkingConfig: { thinkingLevel: 'HUGE' } },
          `${at}thinking_config.thinking_level' (${service}ThinkingConfig.ThinkingLevel), "HUGE"`,
        ],
        [{ maxOutputTokens: 1.5 }, `${at}max_output_tokens' (TYPE_INT32), 1.5`],
        [{ temperature: 'warm' }, `${at}temperature' (TYPE_FLOAT), "warm"`],
        [
          { seed: [1] },
          `Invalid JSON payload received. Unknown name "seed" at 'generation_config': Proto field is not repeating, cannot start list.`,
        ],
      ];
      for (const [config, message] of cases) {
        equal((await errorOf(await configured(fetch, config))).message, message);
      }
    },
  },
  {
    name: 'refuses unknown words in safety settings and in the mode of function calling',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const service = 'type.googleapis.com/google.ai.generativelanguage.v1beta.';
      const category = 'HARM_CATEGORY_HARASSMENT';
      const cases = [
        [
          { safetySettings: [{ category, threshold: 'OFF' }, { category: 'HARASSMENT' }] },
          `Invalid value at 'safety_settings[1].category' (${service}HarmCategory), "HARASSMENT"`,
        ],
        [
          { safety_settings: [{ category, threshold: 'NONE' }] },
          `Invalid value at 'safety_settings[0].threshold' (${service}SafetySetting.HarmBlockThreshold), "NONE"`,
        ],
        [
          { toolConfig: { functionCallingConfig: { mode: 'REQUIRED' } } },
          `Invalid value at 'tool_config.function_calling_config.mode' (${service}FunctionCallingConfig.Mode), "REQUIRED"`,
        ],
        [
          { safetySettings: [{ category, treshold: 'OFF' }] },
          `Invalid JSON payload received. Unknown name "treshold" at 'safety_settings[0]': Cannot find field.`,
        ],
      ];
      const path = `/v1beta/models/${model}:generateContent`;
      for (const [fields, message] of cases) {
        equal((await errorOf(await send(fetch, path, { ...hello, ...fields }))).message, message);
      }
      const accepted = { safetySettings: [{ category, threshold: 'block_none' }] };
      await jsonOf(await send(fetch, path, { ...hello, ...accepted }));
    },
  },
  {
    name: 'accepts a generationConfig in all forms of ProtoJSON',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const config = {
        ...{ temperature: '0.5', top_p: 1, maxOutputTokens: 64.0, seed: '7', topK: 0 },
        ...{ responseMimeType: 'text/plain', response_modalities: 'text', mediaResolution: null },
        thinkingConfig: { thinking_level: 'low', includeThoughts: true },
      };
      await jsonOf(await configured(fetch, config));
    },
  },
  {
    name: 'judges by the model: penalties from Gemini 2.5 on, levels of thinking by row',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const minimal = { thinkingConfig: { thinkingLevel: 'MINIMAL' } };
      equal((await configured(fetch, minimal)).status, 400);
      equal((await configured(fetch, minimal, 'gemini-3.6-flash')).status, 200);
      const penalty = await errorOf(await configured(fetch, { presencePenalty: 1 }));
      match(penalty.message, /^Penalty is not enabled/);
    },
  },
  {
    name: 'accepts fields that it does not know if the options say so',
    async run({ createEmulator }) {
      const unknown = { aFieldOfNextYear: 1 };
      equal((await configured(createEmulator(), unknown)).status, 400);
      const lenient = createEmulator({ unknownFields: 'accept' });
      equal((await configured(lenient, unknown)).status, 200);
    },
  },
];

const isEmptyText = ({ text, thoughtSignature }) => text === '' && thoughtSignature === undefined;

const answers = [
  {
    name: 'streams no empty Part without a signature, and ends with a finishReason',
    async run({ createEmulator, check: { loadChecker } }) {
      const checker = await loadChecker();
      const fetch = createEmulator({ checker, faults: [{ at: 4, kind: 'unsigned' }] });
      const tools = [{ functionDeclarations: [{ name: 'wave', description: 'Hello to all' }] }];
      const bodies = [
        { ...hello, generationConfig: { thinkingConfig: { includeThoughts: true } } },
        { ...hello, tools },
        { ...hello, generationConfig: { maxOutputTokens: 1 } },
        hello,
      ];
      for (const body of bodies) {
        const path = `/v1beta/models/${model}:streamGenerateContent`;
        const chunks = await jsonOf(await send(fetch, path, body));
        const contents = chunks.map(({ candidates: [{ content }] }) => content);
        ok(!contents.some(({ parts = [] }) => parts.some(isEmptyText)), JSON.stringify(contents));
        const reasons = chunks.map(({ candidates: [{ finishReason }] }) => finishReason);
        ok(reasons.pop() !== undefined);
        ok(reasons.every((reason) => reason === undefined));
        // As clients send it back that keep each chunk as a Content.
        const history = [...hello.contents, ...contents.filter(({ parts }) => parts)];
        const { diagnostics } = checker.lint([...history, ...hello.contents], { model });
        deepEqual(
          diagnostics.filter(({ code }) => code.startsWith('part')),
          [],
        );
      }
    },
  },
  {
    name: 'answers without Parts if a stop sequence is at the start of the text',
    async run({ createEmulator }) {
      const respond = () => undefined;
      const stopSequences = ['This', 'You', 'Hello'];
      const answer = await jsonOf(
        await configured(createEmulator({ respond }), { stopSequences }, 'gemini-2.5-flash'),
      );
      deepEqual(answer.candidates[0].content, { role: 'model' });
    },
  },
  {
    name: 'counts at least one token of a text',
    async run({ createEmulator }) {
      const body = { contents: [{ parts: [{ text: 'a' }] }] };
      const path = `/v1beta/models/${model}:countTokens`;
      equal((await jsonOf(await send(createEmulator(), path, body))).totalTokens, 1);
    },
  },
];

const cosine = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const embedOne = async (fetch, text, more = {}, id = 'gemini-embedding-001') => {
  const body = { content: { parts: [{ text }] }, ...more };
  const answer = await jsonOf(await send(fetch, `/v1beta/models/${id}:embedContent`, body));
  return answer.embedding.values;
};

const embeddings = [
  {
    name: 'embeds texts: equal ones alike, similar ones nearer than others, all of length 1',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const cat = await embedOne(fetch, 'a small black cat');
      equal(cat.length, 3072);
      ok(Math.abs(cosine(cat, cat) - 1) < 1e-5);
      deepEqual(await embedOne(createEmulator(), 'a small black cat'), cat);
      const near = cosine(cat, await embedOne(fetch, 'a small white cat'));
      const far = cosine(cat, await embedOne(fetch, 'quarterly revenue report'));
      ok(near > far + 0.3, `${near} ${far}`);
      equal((await embedOne(fetch, 'x', { outputDimensionality: 256 })).length, 256);
    },
  },
  {
    name: 'embeds lists of texts, and on Vertex AI instances',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const requests = ['a cat', 'a dog'].map((text) => ({
        ...{ model: 'models/gemini-embedding-001', content: { parts: [{ text }] } },
      }));
      const path = '/v1beta/models/gemini-embedding-001:batchEmbedContents';
      const list = await jsonOf(await send(fetch, path, { requests }));
      deepEqual(list.embeddings[1].values, await embedOne(fetch, 'a dog'));
      const vertex = '/v1/projects/p/locations/l/publishers/google/models/gemini-embedding-001';
      const instances = [{ content: 'a cat' }];
      const { predictions } = await jsonOf(await send(fetch, `${vertex}:predict`, { instances }));
      deepEqual(predictions[0].embeddings.values, list.embeddings[0].values);
      equal(predictions[0].embeddings.statistics.token_count, 1);
    },
  },
  {
    name: 'rejects embeddings of nothing, of too many texts, and of models without them',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const base = '/v1beta/models/gemini-embedding-001';
      const request = { model: 'models/gemini-embedding-001', content: { parts: [{ text: 'a' }] } };
      const cases = [
        [`${base}:embedContent`, {}, /content: contents is not specified/],
        [`${base}:batchEmbedContents`, { requests: Array(101).fill(request) }, /at most 100/],
        [`${base}:batchEmbedContents`, { requests: [{ ...request, model: 'x' }] }, /model name/],
        [`${base}:embedContent`, { ...request, outputDimensionality: 4000 }, /dimensionality/],
      ];
      for (const [path, body, message] of cases) {
        const error = await errorOf(await send(fetch, path, body));
        equal(error.code, 400);
        match(error.message, message);
      }
      const chat = `/v1beta/models/${model}:embedContent`;
      match(
        (await errorOf(await send(fetch, chat, request))).message,
        /supported for embedContent/,
      );
    },
  },
];

const batch = (...requests) => ({
  batch: {
    displayName: 'nightly',
    inputConfig: {
      requests: {
        requests: requests.map((request, i) => ({ request, metadata: { key: `${i}` } })),
      },
    },
  },
});
const batchPath = `/v1beta/models/${model}:batchGenerateContent`;

const batches = [
  {
    name: 'answers a batch: pending, running, then with one answer or error for each request',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const created = await jsonOf(await send(fetch, batchPath, batch(hello, { contents: [] })));
      match(created.name, /^batches\/\w+$/);
      equal(created.metadata.state, 'BATCH_STATE_PENDING');
      const read = async () => jsonOf(await send(fetch, `/v1beta/${created.name}`));
      equal((await read()).metadata.state, 'BATCH_STATE_RUNNING');
      const { done, metadata, response } = await read();
      equal(done, true);
      equal(metadata.state, 'BATCH_STATE_SUCCEEDED');
      deepEqual(metadata.batchStats, {
        ...{ requestCount: '2', successfulRequestCount: '1', failedRequestCount: '1' },
      });
      const [first, second] = response.inlinedResponses.inlinedResponses;
      match(first.response.candidates[0].content.parts[0].text, /emulator/);
      equal(first.metadata.key, '0');
      equal(second.error.code, 3);
      match(second.error.message, /contents is not specified/);
    },
  },
  {
    name: 'lists, cancels and deletes batches',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      deepEqual(await jsonOf(await send(fetch, '/v1beta/batches')), {});
      const { name } = await jsonOf(await send(fetch, batchPath, batch(hello)));
      const { operations } = await jsonOf(await send(fetch, '/v1beta/batches?pageSize=5'));
      deepEqual(
        operations.map((each) => [each.name, each.metadata.displayName]),
        [[name, 'nightly']],
      );
      deepEqual(await jsonOf(await send(fetch, `/v1beta/${name}:cancel`, {})), {});
      const cancelled = await jsonOf(await send(fetch, `/v1beta/${name}`));
      equal(cancelled.metadata.state, 'BATCH_STATE_CANCELLED');
      deepEqual(await jsonOf(await send(fetch, `/v1beta/${name}`, undefined, 'DELETE')), {});
      equal((await errorOf(await send(fetch, `/v1beta/${name}`))).code, 404);
      equal((await errorOf(await send(fetch, batchPath, {}))).code, 400);
    },
  },
];

const handlers = [
  {
    name: 'records what it was asked, without secrets',
    async run({ createEmulator }) {
      const emulator = createEmulator({ record: true });
      const path = `/v1beta/models/${model}:generateContent`;
      const headers = {
        'x-goog-api-key': 'secret-1',
        authorization: 'Bearer secret-2',
        'x-a': 'b',
      };
      await emulator(`${origin}${path}?key=secret-3&alt=json`, {
        ...{ method: 'POST', headers, body: JSON.stringify(hello) },
      });
      await send(emulator, '/v1beta/nothing');
      const [asked, other] = emulator.requests;
      equal(emulator.requests.length, 2);
      deepEqual([asked.method, asked.status, asked.body], ['POST', 200, hello]);
      equal(asked.path, `${path}?key=[secret]&alt=json`);
      equal(asked.headers['x-a'], 'b');
      ok(!JSON.stringify(emulator.requests).includes('secret-'));
      deepEqual([other.method, other.path, other.status], ['GET', '/v1beta/nothing', 404]);
      ok(!('body' in other));
    },
  },
  {
    name: 'calls a function with each record instead, also of a request that fails',
    async run({ createEmulator }) {
      const seen = [];
      const record = ({ status }) => seen.push(status);
      const emulator = createEmulator({ record, faults: [{ kind: 'network' }] });
      await send(emulator, `/v1beta/models/${model}:generateContent`, hello).catch(() => {});
      await send(emulator, '/v1beta/models');
      deepEqual(seen, [0, 200]);
      equal(emulator.requests.length, 0);
      const silent = createEmulator();
      await send(silent, '/v1beta/models');
      equal(silent.requests.length, 0);
    },
  },
  {
    name: 'does not read what servers pass after the request as RequestInit',
    async run({ createEmulator }) {
      class BunServer {
        method = 'DELETE';
        port = 8080;
      }
      const added = [
        undefined,
        new BunServer(),
        { remoteAddr: { hostname: '127.0.0.1' }, signal: AbortSignal.abort() },
        { method: 'a binding of a Worker', KEY: 'x' },
        {},
      ];
      const emulator = createEmulator();
      for (const second of added) {
        const body = JSON.stringify(hello);
        const url = `${origin}/v1beta/models/${model}:generateContent`;
        const request = new Request(url, { method: 'POST', body });
        equal((await emulator(request, second, {})).status, 200);
      }
    },
  },
  {
    name: 'reads a Request with a RequestInit as fetch does',
    async run({ createEmulator }) {
      const emulator = createEmulator({ record: true });
      const url = `${origin}/v1beta/models/${model}:generateContent`;
      const body = JSON.stringify(hello);
      equal((await emulator(new Request(url), { method: 'POST', body })).status, 200);
      equal((await emulator(new URL(`${origin}/v1beta/models`))).status, 200);
      deepEqual(
        emulator.requests.map(({ method }) => method),
        ['POST', 'GET'],
      );
    },
  },
];

const uploads = [
  {
    name: 'ends a cancelled upload, whose bytes no later command can complete',
    async run({ createEmulator }) {
      const emulator = createEmulator();
      const command = (url, name, headers = {}, body = undefined) =>
        emulator(url, {
          method: 'POST',
          headers: { 'x-goog-upload-command': name, ...headers },
          body,
        });
      const started = await command(`${origin}/upload/v1beta/files`, 'start', {
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-header-content-length': '2',
        'x-goog-upload-header-content-type': 'text/plain',
      });
      const url = started.headers.get('x-goog-upload-url');
      const cancelled = await command(url, 'cancel');
      equal(cancelled.status, 200);
      equal(cancelled.headers.get('x-goog-upload-status'), 'cancelled');
      const at = { 'x-goog-upload-offset': '0' };
      const late = await command(url, 'upload, finalize', at, new Uint8Array(2));
      equal((await errorOf(late)).message, 'Upload has already been terminated.');
      deepEqual(await jsonOf(await send(emulator, '/v1beta/files')), {});
    },
  },
];

export default [
  ...[...paths, ...configs, ...answers, ...embeddings, ...batches, ...uploads],
  ...handlers,
];
