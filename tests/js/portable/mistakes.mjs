// Mistakes in names are refused with the nearest right name, before anything is sent.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const hello = { role: 'user', parts: [{ text: 'Hi' }] };
const run = () => 1;
const schema = { type: 'object', properties: { a: { type: 'string' } } };

const unknown = (path, meant) => ({
  name: 'StrataError',
  code: 'field.unknown',
  message: meant
    ? new RegExp(`^${path} is not an option\\. Did you mean ${meant}\\?$`)
    : new RegExp(`^${path} is not an option\\. Options: `),
});

/** Functions with a wrong member, and the member that was meant. */
const wrongTools = [
  ...['execute', 'handler', 'func', 'function', 'callback', 'rnu'].map((name) => [
    { name: 'f', [name]: run },
    name,
    name === 'rnu' ? undefined : 'run',
  ]),
  [{ name: 'f', run, paramters: {} }, 'paramters', 'parameters'],
  [{ name: 'f', run, inputSchema: {} }, 'inputSchema', 'schema'],
  [{ name: 'f', run, input_schema: {} }, 'input_schema', 'schema'],
  [
    { name: 'f', run, parameters_json_schema: {} },
    'parameters_json_schema',
    'parametersJsonSchema',
  ],
  [{ name: 'f', run, descripton: 'x' }, 'descripton', 'description'],
  [{ name: 'f', run, timeout: 5 }, 'timeout', 'timeoutMs'],
  [{ name: 'f', run, needsApproval: true }, 'needsApproval', 'confirm'],
  [{ name: 'f', run, color: 'x' }, 'color', undefined],
  [{ execute: run, description: 'x' }, 'execute', 'run'],
];

async function conversation(pkg, options) {
  const client = new pkg.GeminiClient({
    fetch: pkg.createEmulator({ unknownFields: 'accept' }),
  });
  return new pkg.Conversation(await pkg.load(), client, { model, ...options });
}

async function sendAll(chat, options) {
  for await (const event of chat.send('Hi', options)) void event;
}

const tools = [
  {
    name: 'a tool with a wrong member is refused, in both packages',
    async run(pkg) {
      for (const [tool, member, meant] of wrongTools) {
        const asTool = conversation(pkg, { tools: [{ googleSearch: {} }, tool] });
        await rejects(asTool, unknown(`/tools/1/${member}`, meant), member);
        throws(() => pkg.tool({ ...tool, schema }), unknown(`tool: ${member}`, meant), member);
      }
    },
  },
  {
    name: 'a tool with a member of the wrong type is refused',
    async run(pkg) {
      const rows = [
        [{ name: 'f' }, '/run'],
        [{ name: 'f', run: 'x' }, '/run'],
        [{ name: '', run }, '/name'],
        [{ run }, '/name'],
        [{ name: 'f', run, description: 5 }, '/description'],
        [{ name: 'f', run, timeoutMs: -1 }, '/timeoutMs'],
        [{ name: 'f', run, confirm: 'yes' }, '/confirm'],
        [{ name: 'f', run, idempotent: 'no' }, '/idempotent'],
        [{ name: 'f', run, schema: 'x' }, '/schema'],
      ];
      for (const [tool, path] of rows) {
        const error = await rejects(conversation(pkg, { tools: [tool] }), {
          code: 'field.invalid',
        });
        equal(error.diagnostics[0].path, `/tools/0${path}`);
      }
    },
  },
  {
    name: 'a discovered tool is checked too',
    async run(pkg) {
      const chat = await conversation(pkg, {
        tools: [{ discover: () => [{ name: 'f', execute: run }] }],
      });
      await rejects(sendAll(chat), { code: 'field.unknown', message: /Did you mean run\?/ });
    },
  },
  {
    name: 'tools of the API, of sources and of classes are accepted',
    async run(pkg) {
      class Weather {
        name = 'weather';
        apiUrl = 'https://example.com';
        run() {
          return this.apiUrl;
        }
      }
      class Schooled extends Weather {
        name = 'schooled';
        schema = schema;
      }
      const all = [
        ...[{ googleSearch: {} }, { aToolOfNextYear: { on: true } }],
        ...[new Weather(), new Schooled()],
      ];
      const chat = await conversation(pkg, {
        tools: [...all, { discover: () => [] }],
        toolConfig: { includeServerSideToolInvocations: true },
      });
      await sendAll(chat);
      equal(chat.thread.length, 2);
    },
  },
];

const options = [
  {
    name: 'unknown options of a Conversation, of its parts, of a send and of a client are refused',
    async run(pkg) {
      const rows = [
        [{ tool: [] }, '/tool', 'tools'],
        [{ system: 'You…' }, '/system', 'systemInstruction'],
        [{ instructions: 'You…' }, '/instructions', 'systemInstruction'],
        [{ system_instruction: '' }, '/system_instruction', 'systemInstruction'],
        [{ temperature: 1 }, '/temperature', 'generationConfig: { temperature }'],
        [{ maxTokens: 1 }, '/maxTokens', 'generationConfig'],
        [{ maxSteps: 5 }, '/maxSteps', 'maxToolRounds'],
        [{ genrationConfig: {} }, '/genrationConfig', 'generationConfig'],
        [{ safety_settings: [] }, '/safety_settings', 'safetySettings'],
        [{ answerRetry: { attemps: 1 } }, '/answerRetry/attemps', 'attempts'],
        [{ zzz: 1 }, '/zzz', undefined],
      ];
      for (const [given, path, meant] of rows) {
        await rejects(conversation(pkg, given), unknown(path, meant), path);
      }
      const chat = await conversation(pkg, {});
      await rejects(sendAll(chat, { sginal: undefined }), unknown('/sginal', 'signal'));
      await rejects(sendAll(chat, { abortSignal: undefined }), unknown('/abortSignal', 'signal'));
      await rejects(sendAll(chat, { signal: 5 }), { code: 'field.invalid' });
      await rejects(sendAll(chat, 5), { code: 'field.invalid' });
      equal(chat.thread.length, 0);
      const client = (given) => () => new pkg.GeminiClient(given);
      throws(client({ api_key: 'x' }), unknown('/api_key', 'apiKey'));
      throws(client({ baseURL: 'x' }), unknown('/baseURL', 'baseUrl'));
      throws(client({ retry: { attempt: 1 } }), unknown('/retry/attempt', 'attempts'));
    },
  },
  {
    name: 'options that the core reads are refused with the nearest name too',
    async run(pkg) {
      const strata = await pkg.load();
      const checker = await pkg.check.loadChecker();
      throws(() => strata.thread({ modle: model }), unknown('/modle', 'model'));
      throws(
        () => checker.lint({}, { model, backendd: 'vertex' }),
        unknown('/backendd', 'backend'),
      );
      throws(() => checker.lint({}, { model, zzz: 1 }), unknown('/zzz'));
    },
  },
];

/** Bodies with a misspelled field: its path and the field that was meant. */
const misspelled = [
  [{ generationConfig: { temprature: 1 } }, '/generationConfig/temprature', 'temperature'],
  [{ safetySetings: [] }, '/safetySetings', 'safetySettings'],
  [{ tools: [{ googleSerch: {} }] }, '/tools/0/googleSerch', 'googleSearch'],
  [
    { tools: [{ functionDeclarations: [{ name: 'f', paramters: {} }] }] },
    '/tools/0/functionDeclarations/0/paramters',
    'parameters',
  ],
  [
    { generationConfig: { thinkingConfig: { thinkingBuget: 5 } } },
    '/generationConfig/thinkingConfig/thinkingBuget',
    'thinkingBudget',
  ],
  [{ generationConfig: { maxTokens: 1 } }, '/generationConfig/maxTokens', 'maxOutputTokens'],
  [{ temperature: 1 }, '/temperature', 'generationConfig.temperature'],
  [{ safetySettings: [{ treshold: 'OFF' }] }, '/safetySettings/0/treshold', 'threshold'],
];

const bodies = [
  {
    name: 'a misspelled field of a body is an error with the right name; an unknown one is a warning',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      for (const [fields, path, meant] of misspelled) {
        const { ok: valid, diagnostics } = checker.lint(
          { contents: [hello], ...fields },
          { model },
        );
        const [{ code, severity, message, upstream, fix }] = diagnostics;
        deepEqual([valid, code, severity], [false, 'field.unknown', 'error'], path);
        equal(diagnostics[0].path, path);
        ok(message.endsWith(` is not a field of this object. Did you mean ${meant}?`), message);
        match(upstream, /^Invalid JSON payload received\. Unknown name "/);
        equal(fix, undefined);
      }
      for (const generationConfig of [{ aFieldOfNextYear: 1 }, { topN: 1 }]) {
        const body = { contents: [hello], generationConfig };
        const [{ severity, message }] = checker.lint(body, { model }).diagnostics;
        equal(severity, 'warning');
        match(message, /is not a field of this object\.$/);
      }
    },
  },
  {
    name: 'repair leaves a misspelled field, because its name would be a guess',
    async run(pkg) {
      const checker = await pkg.check.loadChecker();
      const body = { contents: [hello], generationConfig: { temprature: 1 } };
      const { ok: valid, body: bytes, diagnostics } = checker.repair(body, { model });
      equal(valid, false);
      deepEqual(JSON.parse(new TextDecoder().decode(bytes)), body);
      deepEqual([diagnostics.length, diagnostics[0].repaired], [1, undefined]);
    },
  },
  {
    name: 'a misspelled field of the settings is refused when the Conversation is made',
    async run(pkg) {
      const settings = { generationConfig: { temprature: 1 } };
      const expected = { name: 'StrataError', message: /Did you mean temperature\?/ };
      await rejects(conversation(pkg, settings), expected);
    },
  },
];

const calls = [
  {
    name: 'a key in the wrong place is not quoted',
    async run(pkg) {
      const key = 'AIzaSyA1234567890abcdefghijklmnopqrstuv';
      const { GeminiClient, Conversation, connect, load } = pkg;
      const strata = await load();
      const checker = await pkg.check.loadChecker();
      const mistakes = [
        () => new GeminiClient(key),
        () => new GeminiClient({ vertexai: key }),
        () => new GeminiClient({ headers: key }),
        () => new GeminiClient({ fetch: key }),
        () => connect(key),
        () => checker.lint({ contents: [hello] }, key),
        () => strata.thread(key),
        () => connect({ model, client: key }),
        () => new Conversation(strata, key, { model }),
        () => new Conversation(strata, new GeminiClient({ apiKey: key }), key),
      ];
      for (const mistake of mistakes) {
        const error = await rejects(
          Promise.resolve().then(mistake),
          { code: 'field.invalid' },
          String(mistake),
        );
        ok(!`${error.stack}${JSON.stringify(error)}`.includes('AIza'), String(mistake));
      }
    },
  },
  {
    name: 'a signal in place of the options, and a controller in place of its signal, are refused',
    async run(pkg) {
      const chat = await conversation(pkg);
      const client = new pkg.GeminiClient({ fetch: pkg.createEmulator() });
      const controller = new AbortController();
      const calls = [
        (given) => chat.ask('Hi', given),
        (given) => chat.object(schema, 'Hi', given),
        async (given) => chat.stream('Hi', given),
        (given) => client.models.get(model, given),
        (given) => client.generate(model, hello, given),
      ];
      for (const call of calls) {
        const asOptions = {
          code: 'field.invalid',
          message: /must be an object such as \{ signal \}/,
        };
        await rejects(() => call(controller.signal), asOptions, String(call));
        const asSignal = {
          code: 'field.invalid',
          message: /^\/signal must be .* controller\.signal/,
        };
        await rejects(() => call({ signal: controller }), asSignal, String(call));
      }
      equal(chat.history.length, 0);
    },
  },
  {
    name: 'what is no message, and a length that is no number, are refused',
    async run(pkg) {
      const chat = await conversation(pkg);
      for (const input of [undefined, null, 5, true]) {
        const expected = { code: 'field.invalid', message: /^\/input must be a text, a list/ };
        await rejects(chat.ask(input), expected, String(input));
      }
      const message = /^\/length must be a number, not this text/;
      await rejects(chat.rewind('1'), { code: 'field.invalid', message });
      equal(chat.history.length, 0);
    },
  },
  {
    name: 'a schema of an answer or of arguments that is none is refused, before anything is sent',
    async run(pkg) {
      const rows = [
        [{ title: 'string', minutes: 'number' }, /^\/schema must be a schema, such as/],
        [{ title: { type: 'string' } }, /^\/schema must be a schema, such as/],
        [{ type: 'objekt' }, /^\/schema\/type must be the name of a type/],
        [{ type: ['string', 'nil'] }, /^\/schema\/type must be/],
      ];
      for (const [wrong, message] of rows) {
        const chat = await conversation(pkg);
        await rejects(() => chat.object(wrong, 'Hi'), { code: 'field.invalid', message });
        equal(chat.history.length, 0);
      }
      for (const tool of [{ city: 'string' }, { city: { type: 'string' } }]) {
        const chat = await conversation(pkg, { tools: [{ name: 'f', run, schema: tool }] });
        await rejects(sendAll(chat), { code: 'field.invalid', message: /schema of an object/ });
      }
      const others = [{ additionalProperties: { type: 'string' } }, { not: { type: 'null' } }];
      for (const other of others) {
        const chat = await conversation(pkg, { tools: [{ name: 'f', run, schema: other }] });
        await sendAll(chat);
      }
    },
  },
  {
    name: 'unknown options of calls and lists of a client are refused, before anything is sent',
    async run(pkg) {
      const sent = [];
      const client = new pkg.GeminiClient({ fetch: async (url) => void sent.push(url) });
      const aborted = { abortSignal: AbortSignal.abort() };
      const first = (list) => list.next();
      const rows = [
        () => client.generate(model, hello, aborted),
        () => client.stream(model, hello, aborted),
        () => client.countTokens(model, { contents: [hello] }, aborted),
        () => client.caches.create({ model }, aborted),
        () => client.caches.get('a', aborted),
        () => client.caches.update('a', { ttl: '9s' }, aborted),
        () => client.caches.delete('a', aborted),
        () => first(client.caches.list(aborted)),
        () => client.models.get(model, aborted),
        () => first(client.models.list(aborted)),
        () => client.files.get('a', aborted),
        () => client.files.waitUntilActive('a', aborted),
        () => client.files.upload(new Uint8Array(1), { mimeType: 'a/b', ...aborted }),
        () => first(client.files.list(aborted)),
        () => client.files.delete('a', aborted),
      ];
      for (const call of rows)
        await rejects(call(), unknown('/abortSignal', 'signal'), String(call));
      await rejects(first(client.models.list({ pagesize: 1 })), unknown('/pagesize', 'pageSize'));
      await rejects(first(client.files.list({ pageSize: -1 })), { code: 'field.invalid' });
      await rejects(client.generate(model, hello, { signal: 'x' }), { code: 'field.invalid' });
      deepEqual(sent, []);
    },
  },
];

export default [...tools, ...options, ...bodies, ...calls];
