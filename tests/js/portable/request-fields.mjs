// Tests the fields of a request that are no part of the prompt: store, serviceTier, labels and extra, in assemble and
// in every request of a Conversation.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-22T10:00:00Z';
const decode = (bytes) => new TextDecoder().decode(bytes);
const encode = (text) => new TextEncoder().encode(text);
const layers = { now, static: { text: 'STATIC' }, dynamic: { text: '' }, trigger: 'go' };
const fields = { store: false, serviceTier: 'flex', labels: { team: 'a' } };

const parse = ({ body }) => JSON.parse(decode(body));
const lines = ({ diagnostics }) =>
  diagnostics.map(({ severity, code, path }) => `${severity} ${code} ${path}`);

const inAssemble = [
  {
    name: 'writes store, serviceTier, labels and extra before contents, and only if they are given',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model });
      deepEqual(Object.keys(parse(thread.assemble(layers))), ['systemInstruction', 'contents']);
      const unset = {
        store: undefined,
        serviceTier: undefined,
        labels: undefined,
        extra: undefined,
      };
      deepEqual(thread.assemble({ ...layers, ...unset }).body, thread.assemble(layers).body);
      const { labels, ...ofGemini } = fields;
      const { systemInstruction, contents, ...sent } = parse(
        thread.assemble({ ...layers, ...ofGemini, extra: { newField: [1] } }),
      );
      deepEqual(sent, { ...ofGemini, newField: [1] });
      const vertex = strata.thread({ model, backend: 'vertex' });
      deepEqual(parse(vertex.assemble({ ...layers, labels })).labels, labels);
      equal(contents.length, 1);
      equal(systemInstruction.parts[0].text, 'STATIC');
    },
  },
  {
    name: 'keeps the bytes of extra and names each field that it does not know',
    async run(pkg) {
      const thread = (await pkg.load()).thread({ model });
      const members = '"newField" : 1.0, "other/one":{"a":[12345678901234567890 ]}';
      for (const extra of [`{ ${members} }`, encode(`{${members}}`)]) {
        const request = thread.assemble({ ...layers, extra });
        ok(decode(request.body).includes(`,${members},"contents":[`), decode(request.body));
        deepEqual(lines(request), ['info field.extra /newField', 'info field.extra /other~1one']);
        match(request.diagnostics[0].message, /newField/);
        equal(request.ok, true);
      }
      deepEqual(lines(thread.assemble({ ...layers, extra: {} })), []);
    },
  },
  {
    name: 'refuses a field of extra that assemble writes itself, with its path',
    async run(pkg) {
      const thread = (await pkg.load()).thread({ model });
      for (const name of ['contents', 'store', 'labels', 'service_tier', 'systemInstruction']) {
        const input = { ...layers, extra: { fine: 1, [name]: null } };
        for (const call of ['assemble', 'cacheBody', 'cachePreview']) {
          const error = throws(() => thread[call](input), {
            name: 'StrataError',
            code: 'field.invalid',
          });
          equal(error.diagnostics[0].path, `/extra/${name}`);
          match(error.message, new RegExp(`^/extra/${name} must be left out`));
        }
      }
      const list = throws(() => thread.assemble({ ...layers, extra: [] }), {
        name: 'StrataError',
        code: 'field.invalid',
      });
      equal(list.diagnostics[0].path, '/extra');
    },
  },
  {
    name: 'reports fields that the other service has',
    async run(pkg) {
      const strata = await pkg.load();
      const linesFor = (backend, input) =>
        lines(strata.thread({ model, backend }).assemble({ ...layers, ...input }));
      deepEqual(linesFor('gemini', fields), ['error field.unknown /labels']);
      deepEqual(linesFor('vertex', fields), ['error field.unknown /store']);
      const armor = { extra: { modelArmorConfig: {} } };
      deepEqual(linesFor('gemini', armor), ['warning field.unknown /modelArmorConfig']);
      deepEqual(linesFor('vertex', armor), []);
    },
  },
  {
    name: 'keeps these fields out of caches, and out of their keys',
    async run(pkg) {
      const thread = (await pkg.load()).thread({ model });
      for (const role of ['user', 'model']) thread.append({ role, parts: [{ text: role }] });
      const input = { ...layers, cachedHistory: 'contents', bufferTokens: 0, trigger: undefined };
      const plain = thread.cacheBody(input);
      deepEqual(thread.cacheBody({ ...input, ...fields, extra: { newField: 1 } }), plain);
    },
  },
  {
    name: 'counts these fields in the fingerprint of the body, not in the stable prefix of the prompt',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const thread = strata.thread({ model, backend: 'vertex' });
      const first = thread.assemble({ ...layers, labels: { request: '1' } });
      const previous = first.manifest;
      const second = thread.assemble({ ...layers, labels: { request: '2' }, previous });
      ok(first.manifest.fingerprints.full !== second.manifest.fingerprints.full);
      equal(second.manifest.stablePrefixTokens, second.manifest.promptTokens);
      deepEqual(templates.diffManifests(previous, second.manifest).fields, ['labels']);
    },
  },
];

const answer = (text) =>
  `data: ${JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
  })}\r\n\r\n`;
const unknownStore = (message) =>
  new Response(JSON.stringify({ error: { code: 400, status: 'INVALID_ARGUMENT', message } }), {
    status: 400,
  });
const googleWords = 'Invalid JSON payload received. Unknown name "store": Cannot find field.';

/** Returns a conversation, and the bodies of the requests that it sends. */
async function talk(pkg, options = {}, clientOptions = {}, respond = () => undefined) {
  const strata = await pkg.load();
  const bodies = [];
  const fetch = async (url, init) => {
    const body = JSON.parse(decode(init.body));
    bodies.push(body);
    return respond(body, bodies.length, String(url)) ?? new Response(answer('Hello.'));
  };
  const client = new pkg.GeminiClient({ fetch, retry: false, ...clientOptions });
  const chat = new pkg.Conversation(strata, client, {
    model,
    now: () => now,
    answerRetry: false,
    ...options,
  });
  return { chat, bodies, strata, client };
}

async function collect(events, into = []) {
  for await (const event of events) into.push(event);
  return into;
}

const storesOf = (bodies) => bodies.map(({ store }) => store);

/** Sends one message with these options, and returns the field `store` of the request. */
async function storeWith(pkg, options, clientOptions) {
  const { chat, bodies } = await talk(pkg, options, clientOptions);
  await collect(chat.send('Hi'));
  return 'store' in bodies[0] ? bodies[0].store : 'not sent';
}

const inConversation = [
  {
    name: 'sends store: false to Google unasked, and nothing to any other endpoint or to Vertex AI',
    async run(pkg) {
      equal(await storeWith(pkg), false);
      const google = 'https://generativelanguage.googleapis.com/';
      equal(await storeWith(pkg, {}, { baseUrl: google }), false);
      equal(await storeWith(pkg, { backend: 'vertex' }), 'not sent');
      for (const baseUrl of [
        'https://example.com',
        'https://generativelanguage.googleapis.com.example.com',
        'https://example.com/generativelanguage.googleapis.com',
        '/api',
        '',
      ]) {
        equal(await storeWith(pkg, {}, { baseUrl }), 'not sent', baseUrl);
      }
    },
  },
  {
    name: 'sends what the options say about store, to any endpoint',
    async run(pkg) {
      for (const baseUrl of ['https://generativelanguage.googleapis.com', 'https://example.com']) {
        equal(await storeWith(pkg, { storeRequests: true }, { baseUrl }), true);
        equal(await storeWith(pkg, { storeRequests: false }, { baseUrl }), false);
        equal(await storeWith(pkg, { storeRequests: null }, { baseUrl }), 'not sent');
      }
      equal(await storeWith(pkg, { storeRequests: undefined }), false);
    },
  },
  {
    name: 'refuses a ConversationStore in the constructor, and other values of these options',
    async run(pkg) {
      const wrong = [
        [{ store: new pkg.MemoryStore() }, '/store'],
        [{ store: 'no' }, '/store'],
        [{ storeRequests: 'no' }, '/storeRequests'],
        [{ serviceTier: 1 }, '/serviceTier'],
        [{ labels: { a: 1 } }, '/labels/a'],
      ];
      for (const [options, path] of wrong) {
        const error = await rejects(talk(pkg, options), { code: 'field.invalid' });
        equal(error.diagnostics[0].path, path);
      }
    },
  },
  {
    name: 'takes storeRequests beside the store of Conversation.open',
    async run(pkg) {
      const { strata, client, bodies } = await talk(pkg);
      const place = { store: new pkg.MemoryStore(), id: 'one' };
      for (const storeRequests of [undefined, true]) {
        const options = { model, now: () => now, ...place, storeRequests };
        const chat = await pkg.Conversation.open(strata, client, options);
        await collect(chat.send('Hi'));
      }
      deepEqual(storesOf(bodies), [false, true]);
    },
  },
  {
    name: 'sends serviceTier, labels and extra with each request, and reports unknown ones',
    async run(pkg) {
      const options = { serviceTier: 'flex', labels: { team: 'a' }, extra: { newField: 1 } };
      const { chat, bodies } = await talk(pkg, { ...options, backend: 'vertex' });
      const events = await collect(chat.send('Hi'));
      await collect(chat.send('Again'));
      for (const { serviceTier, labels, newField } of bodies) {
        deepEqual({ serviceTier, labels, extra: { newField } }, options);
      }
      const found = events.flatMap(({ type, diagnostics }) =>
        type === 'diagnostics' ? diagnostics : [],
      );
      deepEqual(lines({ diagnostics: found }), ['info field.extra /newField']);
    },
  },
  {
    name: 'sends the request once more without store where the endpoint does not know it, and remembers',
    async run(pkg) {
      const refuse = (body) => ('store' in body ? unknownStore(googleWords) : undefined);
      for (const options of [{}, { storeRequests: true }]) {
        const { chat, bodies } = await talk(pkg, options, {}, refuse);
        const events = await collect(chat.send('Hi'));
        const store = options.storeRequests ?? false;
        deepEqual(storesOf(bodies), [store, undefined]);
        delete bodies[0].store;
        deepEqual(bodies[1], bodies[0]);
        const refused = events.filter(({ type }) => type === 'fieldRefused');
        deepEqual(refused, [{ type: 'fieldRefused', field: 'store', message: googleWords }]);
        const next = await collect(chat.send('Again'));
        equal(bodies.length, 3);
        ok(!('store' in bodies[2]) && next.every(({ type }) => type !== 'fieldRefused'));
        equal(chat.thread.length, 4);
      }
    },
  },
  {
    name: 'throws any other refusal, and a second one, after one request each',
    async run(pkg) {
      for (const [words, requests] of [
        [`Invalid JSON payload received. Unknown name "stores": Cannot find field.`, 1],
        [
          `Invalid JSON payload received. Unknown name "store" at 'contents[0]': Cannot find field.`,
          1,
        ],
        [googleWords, 2],
      ]) {
        const { chat, bodies } = await talk(pkg, {}, {}, () => unknownStore(words));
        await rejects(collect(chat.send('Hi')), { status: 400 });
        equal(bodies.length, requests, words);
      }
      const { chat, bodies } = await talk(pkg, { storeRequests: null }, {}, () =>
        unknownStore(googleWords),
      );
      await rejects(collect(chat.send('Hi')), { status: 400 });
      equal(bodies.length, 1);
    },
  },
  {
    name: 'adds the fields to the question who speaks next and to the request of a summary',
    async run(pkg) {
      const respond = (body, index, url) =>
        url.includes(':generateContent')
          ? Response.json(JSON.parse(answer('{"next_speaker":"user","reasoning":"x"}').slice(6)))
          : undefined;
      const options = { continue: {}, serviceTier: 'flex' };
      const { chat, bodies } = await talk(pkg, options, {}, respond);
      await collect(chat.send('Hi'));
      equal(bodies.length, 2);
      for (const { store, serviceTier } of bodies) deepEqual([store, serviceTier], [false, 'flex']);
    },
  },
  {
    name: 'drops store in the request of a summary as well, with the event',
    async run(pkg) {
      const { strata } = await talk(pkg);
      const thread = strata.thread({ model, sequencing: 'api' });
      for (let i = 0; i < 6; i++) {
        const role = i % 2 === 0 ? 'user' : 'model';
        thread.append({ role, parts: [{ text: `Turn ${i}. ${'Some words. '.repeat(200)}` }] });
      }
      const refuse = (body) => ('store' in body ? unknownStore(googleWords) : undefined);
      const options = { thread, compression: { contextTokens: 4000 }, contextGuard: false };
      const { chat, bodies } = await talk(pkg, options, {}, refuse);
      const events = await collect(chat.send('Hi'));
      equal(events.filter(({ type }) => type === 'fieldRefused').length, 1);
      deepEqual(storesOf(bodies).slice(0, 2), [false, undefined]);
      ok(bodies.length > 2 && bodies.slice(1).every((body) => !('store' in body)));
    },
  },
  {
    name: 'gives plugins the fields of a request, which they may change',
    async run(pkg) {
      const seen = [];
      const plugin = {
        name: 'tier',
        beforeRequest(_, input, { requestFields }) {
          seen.push([input.store, requestFields.values.store]);
          return { ...input, serviceTier: 'priority' };
        },
      };
      const { chat, bodies } = await talk(pkg, { plugins: [plugin] });
      await collect(chat.send('Hi'));
      deepEqual(seen, [[false, false]]);
      deepEqual([bodies[0].store, bodies[0].serviceTier], [false, 'priority']);
    },
  },
];

export default [...inAssemble, ...inConversation];
