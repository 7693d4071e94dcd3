// The emulator in every runtime: its answers, the errors it returns and their messages, its bytes, its caches, and
// its injected faults. Cases named "self-consistency" only compare it with lint.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const origin = 'https://generativelanguage.googleapis.com/v1beta/';
const model = 'gemini-3.8-flash';
const decode = (bytes) => new TextDecoder().decode(bytes);
const encode = (value) => new TextEncoder().encode(JSON.stringify(value));

const weather = {
  name: 'get_weather',
  description: 'Current weather for a city',
  parameters: {
    type: 'OBJECT',
    properties: {
      city: { type: 'STRING' },
      unit: { type: 'STRING', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city'],
  },
};
const flight = {
  name: 'bookFlight',
  description: 'Books seats on a plane',
  parametersJsonSchema: {
    type: 'object',
    properties: {
      from: { type: 'string' },
      to: { type: 'string' },
      seats: { type: 'integer', minimum: 1, maximum: 9 },
      day: { type: 'string', format: 'date' },
      class: { $ref: '#/$defs/class' },
    },
    required: ['from', 'to', 'seats', 'day', 'class'],
    $defs: { class: { type: 'string', enum: ['economy', 'business'] } },
  },
};
const tools = [{ functionDeclarations: [weather, flight] }];
const user = (text) => ({ role: 'user', parts: [{ text }] });
const asking = (text, more = {}) => ({ contents: [user(text)], tools, ...more });
const calling = (functionCallingConfig) => ({ toolConfig: { functionCallingConfig } });

/** Sends one request; `path` is relative to v1beta/. */
function send(fetch, path, body, init = {}) {
  const method = init.method ?? (body === undefined ? 'GET' : 'POST');
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(origin + path, { ...init, method, body: text });
}

const generate = (fetch, body, id = model) => send(fetch, `models/${id}:generateContent`, body);
const stream = (fetch, body, init) =>
  send(fetch, `models/${model}:streamGenerateContent?alt=sse`, body, init);

async function answerOf(fetch, body, id) {
  const response = await generate(fetch, body, id);
  const answer = await response.json();
  equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

const partsOf = (answer) => answer.candidates[0].content.parts;
const callsOf = (parts) => parts.flatMap(({ functionCall }) => functionCall ?? []);

/** Returns the error of a failed response and checks that its code equals the HTTP status. */
async function errorOf(promise) {
  const response = await promise;
  const { error } = await response.json();
  equal(response.status, error.code);
  return error;
}

/** Returns the chunks of bytes as they are read from the body. */
async function readsOf(response) {
  const reads = [];
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    reads.push(read.value);
  }
  return reads;
}

function join(reads) {
  const bytes = new Uint8Array(reads.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const read of reads) {
    bytes.set(read, at);
    at += read.length;
  }
  return bytes;
}

async function chunksOf(response) {
  const events = decode(join(await readsOf(response))).split('\r\n\r\n');
  equal(events.pop(), '');
  return events.map((event) => {
    equal(event.slice(0, 6), 'data: ');
    return JSON.parse(event.slice(6));
  });
}

/** Appends the answer and a result for each of its calls to a request. */
function withResults(body, parts, results) {
  const responses = callsOf(parts).map(({ id, name }, i) => ({
    functionResponse: { id, name, response: results[i] },
  }));
  const turns = [
    { role: 'model', parts },
    { role: 'user', parts: responses },
  ];
  return { ...body, contents: [...body.contents, ...turns] };
}

/** Reads a whole stream with the package's response assembler. */
async function assemble(strata, response) {
  const assembler = strata.response();
  for (const read of await readsOf(response)) assembler.push(read);
  return assembler.finish();
}

const answers = [
  {
    name: 'says in a text answer that it is the emulator and what it received',
    async run({ createEmulator }) {
      const body = {
        contents: [user('Hi'), { role: 'model', parts: [{ text: 'Hi' }] }, user('Who?')],
      };
      const response = await generate(createEmulator(), body);
      equal(response.headers.get('x-prompt-strata-emulator'), '1');
      const answer = await response.json();
      const [{ text }] = partsOf(answer);
      match(text, /emulator/);
      match(text, /not Gemini|not to Gemini|Gemini itself was not asked/);
      match(text, /You wrote “Who\?”/);
      match(text, /2 earlier turns/);
      equal(answer.candidates[0].finishReason, 'STOP');
      equal(answer.modelVersion, model);
    },
  },
  {
    name: 'returns the same bytes for the same request from every emulator, and other ids with another seed',
    async run({ createEmulator, check: { loadChecker } }) {
      const checker = await loadChecker();
      const body = asking('Weather in Paris?');
      const first = createEmulator({ checker });
      const texts = [];
      for (const fetch of [
        first,
        first,
        createEmulator({ checker }),
        createEmulator({ checker, seed: 7 }),
      ]) {
        texts.push(await (await stream(fetch, body)).text());
      }
      equal(texts[1], texts[0]);
      equal(texts[2], texts[0]);
      ok(texts[3] !== texts[0]);
    },
  },
  {
    name: 'returns a signed functionCall with an id and the argument from the text',
    async run({ createEmulator }) {
      const answer = await answerOf(createEmulator(), asking('What is the weather in São Paulo?'));
      const [{ functionCall, thoughtSignature }, ...others] = partsOf(answer);
      deepEqual(others, []);
      equal(functionCall.name, 'get_weather');
      deepEqual(functionCall.args, { city: 'São Paulo' });
      match(functionCall.id, /^[a-z0-9]{8}$/);
      match(atob(thoughtSignature), /^prompt-strata emulated signature/);
      equal(answer.candidates[0].finishReason, 'STOP');
      equal(answer.candidates[0].finishMessage, 'Model generated function call(s).');
    },
  },
  {
    name: 'returns two parallel functionCalls with different ids and signs only the first',
    async run({ createEmulator }) {
      const parts = partsOf(await answerOf(createEmulator(), asking('Weather in Paris and Rome?')));
      deepEqual(
        callsOf(parts).map(({ args }) => args),
        [{ city: 'Paris' }, { city: 'Rome' }],
      );
      equal(typeof parts[0].thoughtSignature, 'string');
      equal(parts[1].thoughtSignature, undefined);
      ok(parts[0].functionCall.id !== parts[1].functionCall.id);
    },
  },
  {
    name: 'builds arguments that match the schema: numbers, dates, enums, references',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const text = 'Book 2 business seats on a plane from Berlin to Lisbon on 2026-03-04';
      const [call] = callsOf(partsOf(await answerOf(fetch, asking(text))));
      const args = { from: 'Berlin', to: 'Lisbon', seats: 2, day: '2026-03-04', class: 'business' };
      deepEqual(call.args, args);
      const far = callsOf(
        partsOf(await answerOf(fetch, asking('Book 40 seats from Rome to Bari'))),
      );
      deepEqual(far[0].args, {
        from: 'Rome',
        to: 'Bari',
        seats: 9,
        day: '2026-01-01',
        class: 'economy',
      });
    },
  },
  {
    name: 'repeats tool results with their values and the arguments of the call',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const body = asking('Weather in Paris and Rome?');
      const parts = partsOf(await answerOf(fetch, body));
      const results = [{ temperature: 18, sky: 'clear' }, { error: 'station is down' }];
      const [{ text }] = partsOf(await answerOf(fetch, withResults(body, parts, results)));
      match(text, /get_weather for Paris answered temperature 18, sky clear/);
      match(text, /get_weather for Rome failed: station is down/);
      match(text, /emulator/);
    },
  },
  {
    name: 'honors toolConfig: ANY always calls, NONE never, and only allowed names',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const ask = async (text, config) =>
        callsOf(partsOf(await answerOf(fetch, asking(text, calling(config))))).map(
          (call) => call.name,
        );
      deepEqual(await ask('Hello', { mode: 'ANY' }), ['get_weather']);
      const only = { mode: 'ANY', allowedFunctionNames: ['bookFlight'] };
      deepEqual(await ask('Weather in Paris?', only), ['bookFlight']);
      deepEqual(await ask('Weather in Paris?', { mode: 'NONE' }), []);
    },
  },
  {
    name: 'reads snake_case requests like camelCase ones',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const body = {
        contents: [user('Weather in Oslo?')],
        tools: [{ function_declarations: [weather] }],
        tool_config: { function_calling_config: { mode: 'NONE' } },
      };
      deepEqual(callsOf(partsOf(await answerOf(fetch, body))), []);
      const open = { contents: body.contents, tools: body.tools };
      equal(callsOf(partsOf(await answerOf(fetch, open))).length, 1);
    },
  },
  {
    name: 'returns thought parts if requested, and signs a streamed text in a separate part',
    async run({ createEmulator }) {
      const generationConfig = { thinkingConfig: { includeThoughts: true } };
      const body = { contents: [user('Hello')], generationConfig };
      const chunks = await chunksOf(await stream(createEmulator(), body));
      const parts = chunks.flatMap(partsOf);
      equal(parts[0].thought, true);
      const last = chunks.at(-1).candidates[0];
      equal(last.finishReason, 'STOP');
      deepEqual(Object.keys(last.content.parts[0]), ['text', 'thoughtSignature']);
      equal(last.content.parts[0].text, '');
      ok(chunks.slice(0, -1).every(({ candidates }) => candidates[0].finishReason === undefined));
      const [thought, text] = partsOf(await answerOf(createEmulator(), body));
      equal(thought.thought, true);
      equal(typeof text.thoughtSignature, 'string');
    },
  },
  {
    name: 'for Gemini 2.5, signs the first part of an answer with calls and returns no ids',
    async run({ createEmulator }) {
      const generationConfig = { thinkingConfig: { includeThoughts: true } };
      const fetch = createEmulator();
      const body = asking('Weather in Paris?', { generationConfig });
      const [thought, call] = partsOf(await answerOf(fetch, body, 'gemini-2.5-flash'));
      equal(thought.thought, true);
      equal(typeof thought.thoughtSignature, 'string');
      deepEqual(Object.keys(call), ['functionCall']);
      equal(call.functionCall.id, undefined);
      const [text] = partsOf(
        await answerOf(fetch, { contents: [user('Hello')] }, 'gemini-2.5-flash'),
      );
      deepEqual(Object.keys(text), ['text']);
    },
  },
  {
    name: 'returns JSON that matches the responseSchema',
    async run({ createEmulator }) {
      const responseSchema = {
        type: 'OBJECT',
        properties: {
          name: { type: 'STRING' },
          age: { type: 'INTEGER' },
          tags: { type: 'ARRAY', items: { type: 'STRING', enum: ['a', 'b'] }, minItems: '2' },
          born: { type: 'STRING', nullable: true, format: 'date-time' },
        },
        propertyOrdering: ['age', 'name', 'tags', 'born'],
        required: ['name', 'age', 'tags', 'born'],
      };
      const generationConfig = { responseMimeType: 'application/json', responseSchema };
      const contents = [user('Describe Ada Lovelace, 36')];
      const [{ text }] = partsOf(await answerOf(createEmulator(), { contents, generationConfig }));
      const value = JSON.parse(text);
      deepEqual(value, {
        age: 36,
        name: 'Ada Lovelace',
        tags: ['a', 'a'],
        born: '2026-01-01T00:00:00Z',
      });
      deepEqual(Object.keys(value), ['age', 'name', 'tags', 'born']);
    },
  },
  {
    name: 'terminates on a recursive schema',
    async run({ createEmulator }) {
      const node = {
        type: 'object',
        properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { type: 'string' } },
      };
      const generationConfig = { responseMimeType: 'application/json', responseJsonSchema: node };
      const [{ text }] = partsOf(
        await answerOf(createEmulator(), { contents: [user('x')], generationConfig }),
      );
      ok(text.length < 100_000);
      equal(typeof JSON.parse(text), 'object');
    },
  },
  {
    name: 'returns token counts that add up, never shrink from chunk to chunk, and omit zeros',
    async run({ createEmulator }) {
      const chunks = await chunksOf(await stream(createEmulator(), { contents: [user('Hello')] }));
      let before = 0;
      for (const { usageMetadata: usage } of chunks) {
        const thoughts = usage.thoughtsTokenCount ?? 0;
        const candidates = usage.candidatesTokenCount ?? 0;
        equal(usage.totalTokenCount, usage.promptTokenCount + candidates + thoughts);
        ok(candidates >= before);
        equal('cachedContentTokenCount' in usage, false);
        before = candidates;
      }
      ok(before > 0);
      equal(new Set(chunks.map(({ responseId }) => responseId)).size, 1);
    },
  },
  {
    name: 'counts thoughts and text toward maxOutputTokens, and stops at a stop sequence',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const ask = (generationConfig) =>
        answerOf(fetch, { contents: [user('Hello')], generationConfig });
      const tiny = await ask({ maxOutputTokens: 1 });
      equal(tiny.candidates[0].finishReason, 'MAX_TOKENS');
      equal(partsOf(tiny), undefined);
      const short = await ask({ maxOutputTokens: 40 });
      equal(short.candidates[0].finishReason, 'MAX_TOKENS');
      ok(short.usageMetadata.totalTokenCount - short.usageMetadata.promptTokenCount <= 41);
      const stopped = await ask({ stopSequences: ['You wrote'] });
      ok(!partsOf(stopped)[0].text.includes('You wrote'));
    },
  },
];

const network = [
  {
    name: 'splits reads inside characters and inside the blank line between events',
    async run({ createEmulator }) {
      const reads = await readsOf(await stream(createEmulator(), { contents: [user('日本語で')] }));
      ok(reads.length > 5);
      const ends = reads.map((read) => read.at(-1));
      ok(
        ends.some((byte) => byte >= 0xc0),
        'no read ends inside a character',
      );
      const cr = '\r'.charCodeAt(0);
      ok(
        ends.some((byte) => byte === cr),
        'no read ends inside the delimiter',
      );
    },
  },
  {
    name: 'sets the size of the reads with chunkBytes without changing the bytes',
    async run({ createEmulator }) {
      const body = { contents: [user('Hello')] };
      const whole = join(await readsOf(await stream(createEmulator(), body)));
      const reads = await readsOf(await stream(createEmulator({ chunkBytes: 7 }), body));
      ok(reads.slice(0, -1).every(({ length }) => length === 7));
      deepEqual(join(reads), whole);
    },
  },
  {
    name: 'streams a JSON array without alt=sse, also for errors',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const path = `models/${model}:streamGenerateContent`;
      const chunks = await (await send(fetch, path, { contents: [user('Hello')] })).json();
      ok(chunks.length > 1);
      equal(chunks.at(-1).candidates[0].finishReason, 'STOP');
      const [{ error }] = await (await send(fetch, path, { contents: [] })).json();
      equal(error.code, 400);
    },
  },
  {
    name: 'ends a stream with the abort reason, and does not start an aborted request',
    async run({ createEmulator }) {
      const abort = new AbortController();
      const fetch = createEmulator({ delayMs: 5 });
      const { signal } = abort;
      const response = await stream(fetch, { contents: [user('Hello')] }, { signal });
      const reader = response.body.getReader();
      ok((await reader.read()).value.length > 0);
      const reason = new Error('enough');
      const next = (async () => {
        for (;;) if ((await reader.read()).done) return;
      })();
      abort.abort(reason);
      await rejects(next, { message: 'enough' });
      await rejects(stream(fetch, { contents: [user('Hello')] }, { signal }), {
        message: 'enough',
      });
    },
  },
  {
    name: 'allows a preflight only with the headers that the API knows',
    async run({ createEmulator }) {
      // In a page only the browser can set this header, so the emulator never receives it.
      const headers = { 'access-control-request-headers': 'content-type' };
      if ([...new Request('https://emulator.test', { headers }).headers].length === 0) return;
      const fetch = createEmulator();
      const preflight = (names) =>
        send(fetch, 'models', undefined, {
          method: 'OPTIONS',
          headers: { 'access-control-request-headers': names },
        });
      const known = await preflight('content-type, X-Goog-Api-Key');
      equal(known.status, 200);
      equal(known.headers.get('access-control-allow-origin'), '*');
      equal((await preflight('api-revision')).status, 403);
    },
  },
];

const rejections = [
  {
    name: 'returns the error messages that were observed from Google',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const call = { functionCall: { name: 'get_weather', args: {} } };
      const signed = { ...call, thoughtSignature: 'skip_thought_signature_validator' };
      const result = { functionResponse: { name: 'get_weather', response: { output: 1 } } };
      const say = (role, ...parts) => ({ role, parts });
      const cases = [
        [[], '* GenerateContentRequest.contents: contents is not specified'],
        [
          [say('user')],
          '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.',
        ],
        [[say('assistant', { text: 'x' })], 'Please use a valid role: user, model.'],
        [
          [say('user', {})],
          "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field",
        ],
        [
          [user('x'), say('model', signed), say('user', result, result)],
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
        ],
        [
          [user('x'), say('model', { text: 'y' }), say('model', signed), say('user', result)],
          'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        ],
        [
          [user('x'), say('model', { text: 'y' })],
          'Requests ending with a model turn are not supported.',
        ],
      ];
      for (const [contents, message] of cases) {
        const error = await errorOf(generate(fetch, { contents }));
        equal(error.message, message);
        equal(error.status, 'INVALID_ARGUMENT');
      }
      const unsigned = [user('x'), say('model', call), say('user', result)];
      const { message } = await errorOf(generate(fetch, { contents: unsigned }));
      match(message, /^Function call is missing a thought_signature in functionCall parts\./);
      match(message, /`default_api:get_weather`/);
      equal((await generate(fetch, { contents: unsigned }, 'gemini-2.5-flash')).status, 200);
    },
  },
  {
    name: 'self-consistency: returns the first error that lint reports, with its location',
    async run({ createEmulator, check: { loadChecker } }) {
      const checker = await loadChecker();
      const fetch = createEmulator({ checker });
      const both = { thinkingConfig: { thinkingBudget: 100, thinkingLevel: 'LOW' } };
      const list = { functionResponse: { name: 'f', response: [1] } };
      const bodies = [
        asking('x', { generationConfig: both }),
        {
          contents: [
            { role: 'user', parts: [{ text: 'a', inlineData: { mimeType: 'a/b', data: '' } }] },
          ],
        },
        { contents: [user('x'), { role: 'user', parts: [list] }] },
        { contents: [{ role: 'user', parts: [{ text: 'a', timestamp: 1 }] }] },
      ];
      for (const body of bodies) {
        const { diagnostics } = checker.lint(body, { model });
        const first = diagnostics.find(({ severity }) => severity === 'error');
        const error = await errorOf(generate(fetch, body));
        equal(error.message, first.upstream ?? 'Request contains an invalid argument.');
        match(error.details[0].fieldViolations[0].description, new RegExp(`^${first.code}: `));
      }
    },
  },
  {
    name: 'refuses what the model or the service lacks, in Google’s words',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const ask = (more) => ({ contents: [user('x')], ...more });
      const audio = { responseModalities: ['AUDIO'] };
      const image = { category: 'HARM_CATEGORY_IMAGE_HATE', threshold: 'OFF' };
      const dangerous = { category: 'HARM_CATEGORY_DANGEROUS', threshold: 'OFF' };
      const history = [user('x'), { role: 'model', parts: [{ text: 'y' }] }, user('z')];
      const flag = { includeServerSideToolInvocations: true };
      for (const [id, body, words] of [
        [model, ask({ tools: [{ functionDeclarations: [] }] }), /required one_of 'tool_type'/],
        [model, ask({ tools: [{ googleSearchRetrieval: {} }] }), /^Please use google_search field/],
        ['gemma-3-12b-it', ask({ tools }), /^Function calling is not enabled for models\/gemma-3/],
        [
          'gemini-2.5-flash-image',
          ask({ tools: [{ googleSearch: {} }] }),
          /^Search as tool is not enabled/,
        ],
        [
          'gemini-3.8-flash-tts',
          { contents: history, generationConfig: audio },
          /^Multiturn chat is not enabled for models\/gemini-3\.8-flash-tts/,
        ],
        [
          'gemini-3.1-flash-tts-preview',
          ask({ generationConfig: { ...audio, thinkingConfig: { thinkingLevel: 'LOW' } } }),
          /^Thinking level is not supported for this model/,
        ],
        [
          model,
          ask({ safetySettings: [image] }),
          /^Invalid value at 'safety_settings\[0\]\.category'/,
        ],
        [model, ask({ safetySettings: [dangerous] }), /element predicate failed: \$\.category in/],
        ['gemini-2.5-flash', ask({ toolConfig: flag }), /^Tool call context circulation/],
        [model, calling({ streamFunctionCallArguments: true }), /Unknown name "streamFunction/],
        [model, ask({ generationConfig: { seed: 2 ** 31 } }), /\(TYPE_INT32\), 2147483648/],
        [
          'gemini-4-neon',
          ask({ generationConfig: { thinkingConfig: { thinkingBudget: 1 } } }),
          /invalid argument/,
        ],
      ]) {
        const error = await errorOf(generate(fetch, { ...ask({}), ...body }, id));
        match(error.message, words);
        equal(error.status, 'INVALID_ARGUMENT', id);
      }
    },
  },
  {
    name: 'takes JSON that Google takes: commas before brackets, single quotes, keys without quotes',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const lenient = `{contents: [{'role': 'user', "parts": [{"text": "Who's,] there?"},],},],}`;
      match(partsOf(await answerOf(fetch, lenient))[0].text, /Who's,\] there\?/);
      for (const wrong of [
        '{"contents":[,]}',
        '{"contents":[],,}',
        '{"contents":[}',
        "{'contents'",
      ]) {
        const { status, message } = await errorOf(generate(fetch, wrong));
        equal(status, 'INVALID_ARGUMENT');
        match(message, /^Invalid JSON payload received\./);
      }
    },
  },
  {
    name: 'rejects invalid JSON, invalid UTF-8, an array, and deep nesting without throwing',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const path = `${origin}models/${model}:generateContent`;
      const deep = `{"contents":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
      for (const body of ['{"contents":', '[]', '3', deep, new Uint8Array([0x7b, 0xff, 0x7d])]) {
        const error = await errorOf(fetch(path, { method: 'POST', body }));
        equal(error.code, 400);
        match(error.message, /^Invalid (JSON|value)/);
      }
      for (const other of [`models/${model}:countTokens`, 'cachedContents']) {
        equal((await errorOf(send(fetch, other, deep))).code, 400);
      }
      const empty = await errorOf(fetch(path, { method: 'POST' }));
      match(empty.message, /contents is not specified/);
    },
  },
  {
    name: 'returns a 404 in the format of Google for unknown models and paths',
    async run({ createEmulator }) {
      const fetch = createEmulator();
      const body = { contents: [user('x')] };
      const retired = await errorOf(generate(fetch, body, 'gemini-2.0-flash'));
      match(retired.message, /^models\/gemini-2\.0-flash is not found for API version v1beta/);
      for (const path of [
        'operations',
        'files/a/b',
        'models/x:predict',
        'cachedContents/a/b',
        'modelsX',
      ]) {
        const error = await errorOf(send(fetch, path));
        deepEqual([error.code, error.status], [404, 'NOT_FOUND']);
      }
      const elsewhere = await fetch(`http://localhost:1/v1/models/${model}`);
      equal((await elsewhere.json()).name, `models/${model}`);
      const { models } = await (await send(fetch, 'models')).json();
      ok(models.some(({ name }) => name === `models/${model}`));
    },
  },
  {
    name: 'requires a key only if the options say so',
    async run({ createEmulator }) {
      const key = 'AIzaSyTest-key_0123456789';
      const ask = (apiKey, headers = {}, query = '') =>
        send(createEmulator({ apiKey }), `models${query}`, undefined, { headers });
      equal((await ask(undefined)).status, 200);
      equal((await ask(undefined, { 'x-goog-api-key': 'anything' })).status, 200);
      const missing = await errorOf(ask(true));
      deepEqual([missing.code, missing.status], [403, 'PERMISSION_DENIED']);
      match(missing.message, /^Method doesn't allow unregistered callers/);
      const malformed = await errorOf(ask(true, { 'x-goog-api-key': 'my key' }));
      equal(malformed.code, 400);
      equal(malformed.details[0].reason, 'API_KEY_INVALID');
      equal((await ask(true, { 'x-goog-api-key': key })).status, 200);
      equal((await ask(key, {}, `?key=${key}`)).status, 200);
      const other = await errorOf(ask(key, {}, `?key=${key}x`));
      ok(!JSON.stringify(other).includes(key));
    },
  },
  {
    name: 'accepts only its own signatures and the documented placeholders with checkSignatures',
    async run({ createEmulator, check: { loadChecker } }) {
      const checker = await loadChecker();
      const strict = createEmulator({ checker, checkSignatures: true });
      const body = asking('Weather in Paris?');
      const [part] = partsOf(await answerOf(strict, body));
      const again = (thoughtSignature) =>
        withResults(body, [{ ...part, thoughtSignature }], [{ output: 1 }]);
      await answerOf(strict, again(part.thoughtSignature));
      await answerOf(strict, again('skip_thought_signature_validator'));
      const damaged = part.thoughtSignature.replace(/.(?=.{20}$)/, (c) => (c === 'A' ? 'B' : 'A'));
      for (const signature of [damaged, btoa('a signature of another service')]) {
        const error = await errorOf(generate(strict, again(signature)));
        equal(error.message, 'Corrupted thought signature.');
        await answerOf(createEmulator({ checker }), again(signature));
      }
    },
  },
];

const long = 'The lighthouse keeper wrote down the weather of each day. '.repeat(600);
const cacheBody = {
  model: `models/${model}`,
  systemInstruction: { parts: [{ text: long }] },
  tools,
};

/** Returns an emulator and the clock that the test sets. */
function withClock({ createEmulator }) {
  const clock = { now: '2026-11-21T10:00:00Z' };
  return { clock, fetch: createEmulator({ now: () => clock.now }) };
}

const created = async (fetch, body) => (await send(fetch, 'cachedContents', body)).json();

const caching = [
  {
    name: 'keeps a cache for its ttl without showing its contents, and returns 403 afterwards',
    async run(pkg) {
      const { clock, fetch } = withClock(pkg);
      const cache = await created(fetch, { ...cacheBody, ttl: '300s', displayName: 'log' });
      const { name, usageMetadata, ...others } = cache;
      match(name, /^cachedContents\/[a-z0-9]{12}$/);
      ok(usageMetadata.totalTokenCount > 4096);
      const at = '2026-11-21T10:00:00.000Z';
      deepEqual(others, {
        model: `models/${model}`,
        createTime: at,
        updateTime: at,
        expireTime: '2026-11-21T10:05:00.000Z',
        displayName: 'log',
      });
      deepEqual(await (await send(fetch, name)).json(), cache);
      clock.now = '2026-11-21T10:04:00Z';
      const longer = await send(
        fetch,
        `${name}?updateMask=ttl`,
        { ttl: '3.5s' },
        { method: 'PATCH' },
      );
      equal((await longer.json()).expireTime, '2026-11-21T10:04:03.500Z');
      clock.now = '2026-11-21T10:04:03.500Z';
      const error = await errorOf(send(fetch, name));
      deepEqual([error.code, error.status], [403, 'PERMISSION_DENIED']);
      equal(error.message, 'CachedContent not found (or permission denied)');
      const use = { cachedContent: name, contents: [user('x')] };
      equal((await errorOf(generate(fetch, use))).message, error.message);
    },
  },
  {
    name: 'keeps a cache for an hour by default, takes ttl or expireTime, and patches nothing else',
    async run(pkg) {
      const { fetch } = withClock(pkg);
      const { name, expireTime } = await created(fetch, cacheBody);
      equal(expireTime, '2026-11-21T11:00:00.000Z');
      const until = '2026-11-22T00:00:00Z';
      equal(
        (await created(fetch, { ...cacheBody, expireTime: until })).expireTime,
        '2026-11-22T00:00:00.000Z',
      );
      for (const times of [
        { ttl: '60s', expireTime: until },
        { ttl: '60' },
        { ttl: '315576000001s' },
        { expireTime: 'soon' },
      ]) {
        equal((await errorOf(send(fetch, 'cachedContents', { ...cacheBody, ...times }))).code, 400);
      }
      const patch = (body) => send(fetch, name, body, { method: 'PATCH' });
      equal((await errorOf(patch({ displayName: 'x' }))).code, 400);
      equal((await patch({ expireTime: until })).status, 200);
    },
  },
  {
    name: 'lists caches in pages and returns 403 for a deleted one',
    async run(pkg) {
      const { fetch } = withClock(pkg);
      deepEqual(await (await send(fetch, 'cachedContents')).json(), {});
      const names = [];
      for (let i = 0; i < 3; i++) names.push((await created(fetch, cacheBody)).name);
      const first = await (await send(fetch, 'cachedContents?pageSize=2')).json();
      const token = first.nextPageToken;
      const second = await (
        await send(fetch, `cachedContents?pageSize=2&pageToken=${token}`)
      ).json();
      equal(second.nextPageToken, undefined);
      const listed = [...first.cachedContents, ...second.cachedContents];
      deepEqual(
        listed.map(({ name }) => name),
        names,
      );
      deepEqual(await (await send(fetch, names[0], undefined, { method: 'DELETE' })).json(), {});
      equal((await errorOf(send(fetch, names[0]))).code, 403);
    },
  },
  {
    name: 'uses the tools of the cache and counts its tokens',
    async run(pkg) {
      const { fetch } = withClock(pkg);
      const { name, usageMetadata } = await created(fetch, cacheBody);
      const answer = await answerOf(fetch, {
        cachedContent: name,
        contents: [user('Weather in Rome?')],
      });
      deepEqual(callsOf(partsOf(answer))[0].args, { city: 'Rome' });
      const usage = answer.usageMetadata;
      equal(usage.cachedContentTokenCount, usageMetadata.totalTokenCount);
      ok(usage.promptTokenCount > usage.cachedContentTokenCount);
    },
  },
  {
    name: 'rejects an invalid request with cachedContent with the message of Google',
    async run(pkg) {
      const { fetch } = withClock(pkg);
      const { name: cachedContent } = await created(fetch, cacheBody);
      const contents = [user('x')];
      const { message: forbidden } = await errorOf(
        generate(fetch, { cachedContent, contents, tools }),
      );
      equal(
        forbidden,
        'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config. Proposed fix: move those values to CachedContent from GenerateContent request.',
      );
      const other = await errorOf(generate(fetch, { cachedContent, contents }, 'gemini-2.5-flash'));
      equal(
        other.message,
        'Model used by GenerateContent request (models/gemini-2.5-flash) and CachedContent (models/gemini-3.8-flash) has to be the same.',
      );
      const { message: empty } = await errorOf(generate(fetch, { cachedContent, contents: [] }));
      equal(empty, '* GenerateContentRequest.contents: contents is not specified');
    },
  },
  {
    name: 'rejects a cache that is too small, ends in a model turn, or has unknown fields or models',
    async run(pkg) {
      const { fetch } = withClock(pkg);
      const create = (body) => errorOf(send(fetch, 'cachedContents', body));
      const small = await create({ model: `models/${model}`, contents: [user('short')] });
      match(
        small.message,
        /^Cached content is too small\. total_token_count=\d+, min_total_token_count=4096$/,
      );
      const contents = [user(long), { role: 'model', parts: [{ text: 'y' }] }];
      const ended = await create({ model: `models/${model}`, contents });
      equal(ended.message, 'Requests ending with a model turn are not supported.');
      const unknown = await create({ ...cacheBody, generationConfig: {} });
      match(unknown.message, /^Invalid JSON payload received\. Unknown name "generationConfig"/);
      equal((await create({ ...cacheBody, model: 'models/gemini-1.5-pro' })).code, 404);
      equal((await create({ ...cacheBody, model: 'models/gemini-4-argon' })).code, 400);
      equal((await create({ contents: [user(long)] })).code, 400);
    },
  },
  {
    name: 'counts tokens of contents or of a whole request, but not of both',
    async run({ createEmulator, GeminiClient }) {
      const fetch = createEmulator();
      const count = (body) => send(fetch, `models/${model}:countTokens`, body);
      const contents = [user('How many tokens is this?')];
      const bare = await (await count({ contents })).json();
      ok(bare.totalTokens > 0);
      const request = { model: `models/${model}`, contents };
      const nested = await (await count({ generateContentRequest: request })).json();
      equal(nested.totalTokens, bare.totalTokens);
      const generateContentRequest = { ...request, systemInstruction: { parts: [{ text: long }] } };
      const more = await (await count({ generateContentRequest })).json();
      ok(more.totalTokens > bare.totalTokens + 1000);
      equal((await errorOf(count({ contents, generateContentRequest: request }))).code, 400);
      equal((await errorOf(count({ generateContentRequest: { contents } }))).code, 400);
      equal((await errorOf(count({ contents: [] }))).code, 400);
      const unknown = (name) =>
        new RegExp(`^Invalid JSON payload received\\. Unknown name "${name}"`);
      for (const name of ['systemInstruction', 'tools', 'foo'])
        match((await errorOf(count({ contents, [name]: [] }))).message, unknown(name));
      const odd = { generateContentRequest: { ...request, foo: 1 } };
      match((await errorOf(count(odd))).message, unknown('foo'));
      const lenient = createEmulator({ unknownFields: 'accept' });
      equal((await send(lenient, `models/${model}:countTokens`, { contents, foo: 1 })).status, 200);
      const client = new GeminiClient({ fetch });
      equal(await client.countTokens(model, { contents }), bare.totalTokens);
    },
  },
];

const hello = { contents: [user('Hello')] };

const faults = [
  {
    name: 'injects faults in order, or at the request that `at` names',
    async run({ createEmulator }) {
      const fetch = createEmulator({
        faults: [{ kind: 'http500' }, { kind: 'http503' }, { at: 4, kind: 'network' }],
      });
      equal((await errorOf(generate(fetch, hello))).status, 'INTERNAL');
      equal((await errorOf(generate(fetch, hello))).status, 'UNAVAILABLE');
      equal((await generate(fetch, hello)).status, 200);
      await rejects(generate(fetch, hello), { name: 'TypeError' });
      equal((await generate(fetch, hello)).status, 200);
    },
  },
  {
    name: 'returns the retry delay and the quota with http429, and injects faults into other endpoints',
    async run({ createEmulator }) {
      const fetch = createEmulator({
        faults: [
          { kind: 'http429', retryDelay: '1.5s', quotaId: 'RequestsPerDay' },
          { kind: 'http429', on: 'caches', retryDelay: '' },
        ],
      });
      const error = await errorOf(generate(fetch, hello));
      deepEqual([error.code, error.status], [429, 'RESOURCE_EXHAUSTED']);
      match(error.message, /Please retry in 1\.5s\./);
      const [quota, retry] = error.details;
      equal(quota.violations[0].quotaId, 'RequestsPerDay');
      equal(retry.retryDelay, '1.5s');
      const cache = await errorOf(send(fetch, 'cachedContents', cacheBody));
      equal(cache.code, 429);
      equal(cache.details.length, 1);
    },
  },
  {
    name: 'injects a cut stream and errors in mid-stream, which the response assembler rejects',
    async run({ createEmulator, load, check: { loadChecker } }) {
      const checker = await loadChecker();
      const strata = await load();
      const faults = [
        { kind: 'cut-stream' },
        { kind: 'mid-stream-error' },
        { kind: 'mid-stream-error', form: 'data' },
        { kind: 'mid-stream-error', form: 'line' },
      ];
      const fetch = createEmulator({ checker, faults });
      for (const { kind, form } of faults) {
        const response = await stream(fetch, hello);
        equal(response.status, 200);
        await rejects(assemble(strata, response), { name: 'GeminiError' }, `${kind} ${form}`);
      }
    },
  },
  {
    name: 'injects answers that are empty, blocked, malformed, truncated, or unsigned',
    async run({ createEmulator }) {
      const kinds = ['empty', 'blocked', 'malformed-call', 'max-tokens', 'finish', 'unsigned'];
      const fetch = createEmulator({ faults: kinds.map((kind) => ({ kind })) });
      const body = asking('Weather in Paris?');
      const empty = await answerOf(fetch, body);
      deepEqual(empty.candidates[0].content, { role: 'model' });
      equal(empty.candidates[0].finishReason, 'STOP');
      const blocked = await answerOf(fetch, body);
      equal(blocked.promptFeedback.blockReason, 'PROHIBITED_CONTENT');
      equal(blocked.candidates, undefined);
      const malformed = (await answerOf(fetch, body)).candidates[0];
      equal(malformed.finishReason, 'MALFORMED_FUNCTION_CALL');
      match(malformed.finishMessage, /^Malformed function call: .*get_weather/);
      const cut = (await answerOf(fetch, hello)).candidates[0];
      equal(cut.finishReason, 'MAX_TOKENS');
      ok(cut.content.parts[0].text.length > 20);
      equal((await answerOf(fetch, hello)).candidates[0].finishReason, 'SAFETY');
      const [unsigned] = partsOf(await answerOf(fetch, body));
      deepEqual(Object.keys(unsigned), ['functionCall']);
    },
  },
  {
    name: 'returns the parts, chunks, or error that respond scripts, with chunks byte for byte',
    async run({ createEmulator }) {
      const line =
        '{"candidates": [{"content": {"parts": [{"text": "1.0"}]}, "finishReason": "STOP"}]}';
      const seen = [];
      const fetch = createEmulator({
        respond: ({ index, stream: streamed, model: asked, body }) => {
          seen.push([index, streamed, asked, body.contents.length]);
          if (index === 1) return { parts: [{ text: 'scripted' }] };
          if (index === 2) return { chunks: [line, line] };
          if (index === 3) return { error: { code: 418, status: 'UNKNOWN', message: 'teapot' } };
          return undefined;
        },
      });
      deepEqual(partsOf(await answerOf(fetch, hello)), [{ text: 'scripted' }]);
      equal(await (await stream(fetch, hello)).text(), `data: ${line}\r\n\r\n`.repeat(2));
      equal((await errorOf(generate(fetch, hello))).message, 'teapot');
      match(partsOf(await answerOf(fetch, hello))[0].text, /emulator/);
      deepEqual(seen[1], [2, true, model, 1]);
      equal(seen.length, 4);
    },
  },
];

const mistakes = [
  {
    name: 'names a wrong option or kind of fault with the first request, and does not call it a network failure',
    async run({ createEmulator, GeminiClient }) {
      const rows = [
        [{ fault: [] }, 'field.unknown', /^\/fault is not an option\. Did you mean faults\?/],
        [
          { faults: [{ kind: 'http999' }] },
          'field.invalid',
          /^\/faults\/0\/kind must be 'http429' or/,
        ],
        [{ faults: [{ kind: 'empty', when: 2 }] }, 'field.unknown', /^\/faults\/0\/when /],
        [{ respond: () => 'hello' }, 'field.invalid', /^\/respond must be .*\{ parts: \[…\] \}/],
        [{ respond: () => ({ parts: 'hello' }) }, 'field.invalid', /^\/respond must be/],
        [
          { respond: () => Promise.reject(new Error('Oh.')) },
          'field.invalid',
          /^\/respond threw: Oh\./,
        ],
      ];
      for (const [options, code, message] of rows) {
        const client = new GeminiClient({ fetch: createEmulator(options) });
        await rejects(client.generate(model, encode(asking('Hi'))), {
          name: 'StrataError',
          code,
          message,
        });
      }
    },
  },
];

const loops = [
  {
    name: 'self-consistency: accepts a streamed functionCall that returns with its signature intact',
    async run({ createEmulator, GeminiClient, load, check: { loadChecker } }) {
      const strata = await load();
      const checker = await loadChecker();
      const client = new GeminiClient({
        fetch: createEmulator({ checker, checkSignatures: true }),
      });
      const thread = strata.thread({ model, sequencing: 'api' });
      thread.append(user('Weather in Paris and Rome?'));
      const body = asking('Weather in Paris and Rome?');
      const first = await assemble(strata, await client.stream(model, encode(body)));
      thread.append(first.content);
      const { parts } = JSON.parse(decode(first.content));
      equal(callsOf(parts).length, 2);
      const { contents } = withResults(body, parts, [{ sky: 'clear' }, { sky: 'grey' }]);
      thread.append(contents.at(-1));
      const turns = [0, 1, 2].map((i) => decode(thread.content(i)));
      const next = `{"tools":${JSON.stringify(tools)},"contents":[${turns}]}`;
      ok(next.includes(`"thoughtSignature":"${parts[0].thoughtSignature}"`));
      const bytes = new TextEncoder().encode(next);
      equal(checker.lint(bytes, { model }).ok, true);
      const second = await assemble(strata, await client.stream(model, bytes));
      match(decode(second.content), /for Paris answered sky clear/);
      equal(second.finishReason, 'STOP');
    },
  },
  {
    name: 'self-consistency: answers repetitive text without triggering loop detection',
    async run({ Conversation, createEmulator, GeminiClient, load }) {
      const strata = await load();
      const client = new GeminiClient({ fetch: createEmulator() });
      const run = () => ({ sky: 'clear' });
      const json = { generationConfig: { responseMimeType: 'application/json' } };
      for (const text of ['ha'.repeat(40), 'x'.repeat(3000), '🐢'.repeat(60)]) {
        const say = async (message, more) => {
          const defaults = { model, answerRetry: false, loopDetection: { onText: 'end' } };
          const chat = new Conversation(strata, client, { ...defaults, ...more });
          let last;
          for await (const event of chat.send(message)) last = event;
          equal(last.type, 'done');
        };
        await say(text, {});
        await say(text, json);
        await say(`The weather in ${text}?`, { tools: [{ ...weather, run }] });
      }
    },
  },
];

export default [
  ...answers,
  ...network,
  ...rejections,
  ...caching,
  ...faults,
  ...mistakes,
  ...loops,
];
