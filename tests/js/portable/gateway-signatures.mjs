// The signature memory of prompt-strata/gateway, from end to end: clients that drop signatures, in front of an emulator
// as strict as Gemini 3.8.
import { deepEqual, equal, match, ok } from './assert.mjs';
import { call, signed, strictGateway } from './strict-gateway.mjs';

const model = 'gemini-3.8-flash';
const host = 'https://gateway.example';
const unary = `/v1beta/models/${model}:generateContent`;
const stream = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
const array = `/v1beta/models/${model}:streamGenerateContent`;
const user = (text) => ({ role: 'user', parts: [{ text }] });
const tools = [
  {
    functionDeclarations: [
      { name: 'find', description: 'Finds a place' },
      { name: 'weather', description: 'Tells the weather' },
    ],
  },
];
const result = ({ id, name }) => ({ functionResponse: { id, name, response: { output: name } } });

// Two steps, the second with parallel calls, and a signed text.
const script = [
  [signed(call('find', { query: 'Oslo', limit: 2 }, 'a1'), 'first call')],
  [
    signed(call('weather', { city: 'Oslo' }, 'b1'), 'second call'),
    call('weather', { city: 'Bergen' }, 'b2'),
  ],
  [signed({ text: 'It rains in both.' }, 'the text')],
  [{ text: 'You are welcome.' }],
];

/** A strict emulator behind a gateway, with the bodies that reach it. */
function setup(strata, options = {}, answers = script) {
  const { gateway, bodies } = strictGateway(strata, options, answers);
  const post = (path, body, key = 'key-of-one-caller', headers = {}) =>
    gateway.handle(
      new Request(host + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': key, ...headers },
        body: JSON.stringify(body),
      }),
    );
  return { post, bodies };
}

const partsOf = (answers) =>
  answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);

/** Reads the parts of an answer in any of its three forms. */
async function readParts(response) {
  equal(response.status, 200, await response.clone().text());
  const text = await response.text();
  if (!text.startsWith('data:')) return partsOf([JSON.parse(text)].flat());
  const events = text.split(/\r?\n\r?\n/).filter(Boolean);
  return partsOf(events.map((each) => JSON.parse(each.slice('data:'.length))));
}

/** Keeps of a part what careless clients keep. */
function careless(part) {
  const rest = { ...part };
  delete rest.thoughtSignature;
  return rest;
}

/** Joins the texts of chunks, and drops what is empty. */
function withoutChunks(parts) {
  const joined = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.text !== undefined && last?.text !== undefined) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined.filter(({ text }) => text !== '');
}

/** Asks, and answers the calls with results until a text comes. Returns the history as the client keeps it. */
async function turn(post, path, contents, keep) {
  const restored = [];
  for (;;) {
    const response = await post(path, { contents, tools });
    restored.push(Number(response.headers.get('x-strata-restored') ?? 0));
    equal(response.headers.get('x-strata-placeholder'), null);
    const parts = keep(await readParts(response));
    contents = [...contents, { role: 'model', parts }];
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (calls.length === 0) return { contents, restored };
    contents = [...contents, { role: 'user', parts: calls.map(result) }];
  }
}

const dropAll = (parts) => withoutChunks(parts.map(careless));
const signaturesOf = ({ contents }) =>
  contents.flatMap(({ parts }) => parts.flatMap((part) => part.thoughtSignature ?? []));
const plain = ({ contents }) =>
  contents.map(({ role, parts }) => ({ role, parts: parts.map(careless) }));

export default [
  {
    name: 'the emulator refuses the second step of a client that drops signatures',
    async run(strata) {
      const { post } = setup(strata, { memory: false });
      const contents = [user('How is the weather?')];
      const parts = dropAll(await readParts(await post(unary, { contents, tools })));
      const next = [
        ...contents,
        { role: 'model', parts },
        { role: 'user', parts: [result(parts[0].functionCall)] },
      ];
      const response = await post(unary, { contents: next, tools });
      equal(response.status, 400);
      match((await response.json()).error.message, /missing a thought_signature/);
    },
  },
  ...[
    ['unary', unary],
    ['streamed', stream],
    ['streamed as an array', array],
  ].map(([form, path]) => ({
    name: `a client that drops all signatures passes two tool steps and another turn: ${form}`,
    async run(strata) {
      const { post, bodies } = setup(strata);
      const first = await turn(post, path, [user('How is the weather?')], dropAll);
      deepEqual(first.restored, [0, 1, 2]);
      const second = [...first.contents, user('Thank you.')];
      const last = await turn(post, path, second, dropAll);
      deepEqual(last.restored, [3]);
      const given = ['first call', 'second call', 'the text'].map((each) => btoa(each));
      deepEqual(signaturesOf(bodies.at(-1)), given);
      deepEqual(plain(bodies.at(-1)), second);
    },
  })),
  {
    name: 'a client that keeps its signatures is left alone',
    async run(strata) {
      const { post, bodies } = setup(strata);
      const { contents, restored } = await turn(post, unary, [user('Hi')], (parts) => parts);
      deepEqual(restored, [0, 0, 0]);
      deepEqual(bodies.at(-1).contents, contents.slice(0, -1));
    },
  },
  {
    name: 'ids, key order and number forms do not matter; an edited call gets nothing',
    async run(strata) {
      const { post, bodies } = setup(strata);
      const contents = [user('How is the weather?')];
      await (await post(unary, { contents, tools })).text();
      const rewritten = { functionCall: { name: 'find', args: { limit: 2.0, query: 'Oslo' } } };
      const answered = { functionResponse: { name: 'find', response: { output: 'x' } } };
      const historyOf = (part) => [
        ...contents,
        { role: 'model', parts: [part] },
        { role: 'user', parts: [answered] },
      ];
      const response = await post(unary, { contents: historyOf(rewritten), tools });
      equal(response.headers.get('x-strata-restored'), '1');
      equal(signaturesOf(bodies.at(-1))[0], btoa('first call'));
      const edited = { functionCall: { name: 'find', args: { limit: 3, query: 'Oslo' } } };
      const refused = await post(unary, { contents: historyOf(edited), tools });
      deepEqual([refused.status, refused.headers.get('x-strata-restored')], [400, null]);
    },
  },
  {
    name: 'another caller, another model family and another policy get nothing',
    async run(strata) {
      const { post } = setup(strata);
      const contents = [user('How is the weather?')];
      const parts = dropAll(await readParts(await post(unary, { contents, tools })));
      const history = [
        ...contents,
        { role: 'model', parts },
        { role: 'user', parts: [result(parts[0].functionCall)] },
      ];
      const body = { contents: history, tools };
      const others = [
        await post(unary, body, 'key-of-another'),
        await post('/v1beta/models/gemini-4-argon:generateContent', body),
        await post(unary, body, undefined, { 'x-strata-policy': 'observe' }),
        await post(unary, body, undefined, { 'x-strata-policy': 'reject' }),
      ];
      for (const response of others) {
        deepEqual([response.status, response.headers.get('x-strata-restored')], [400, null]);
      }
      equal((await post(unary, body)).headers.get('x-strata-restored'), '1');
    },
  },
  {
    name: 'signatures of another service or model family are taken out, a stranger is left alone',
    async run(strata) {
      const { post, bodies } = setup(strata);
      const contents = [user('How is the weather?')];
      const parts = await readParts(await post(unary, { contents, tools }));
      const historyOf = (part) => [
        ...contents,
        { role: 'model', parts: [part] },
        { role: 'user', parts: [result(part.functionCall)] },
      ];
      const places = [
        `/v1beta1/projects/p/locations/us/publishers/google/models/${model}:generateContent`,
        '/v1beta/models/gemini-4-argon:generateContent',
      ];
      for (const place of places) {
        await (await post(place, { contents: historyOf(parts[0]), tools })).text();
        deepEqual(signaturesOf(bodies.at(-1)), [], place);
      }
      const stranger = signed(careless(parts[0]), 'of someone else');
      await (await post(places[1], { contents: historyOf(stranger), tools })).text();
      deepEqual(signaturesOf(bodies.at(-1)), [stranger.thoughtSignature]);
    },
  },
  {
    name: 'callers in process have a memory each, and none is shared with callers from outside',
    async run(strata) {
      const { createEmulator, gateway } = strata;
      const emulator = createEmulator({ respond: () => ({ parts: script[0] }) });
      const { fetch, handle } = gateway.createGateway({ upstream: emulator });
      const init = (contents, key) => ({
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
        body: JSON.stringify({ contents, tools }),
      });
      const contents = [user('Hi')];
      const parts = dropAll(await readParts(await fetch(host + unary, init(contents, 'one'))));
      const next = [
        ...contents,
        { role: 'model', parts },
        { role: 'user', parts: [result(parts[0].functionCall)] },
      ];
      equal((await fetch(host + unary, init(next, 'two'))).status, 400);
      equal((await fetch(host + unary, init(next, 'one'))).status, 200);
      ok((await handle(new Request(host + unary, init(next, 'two')))).status === 400);
    },
  },
  {
    name: 'signatures are remembered before the chunk that carries them leaves',
    async run(strata) {
      let out;
      const events = [];
      const memory = {
        ...{ inProcess: true, get: async () => new Map() },
        put: async (entries) => {
          await Promise.resolve();
          events.push(`stored ${entries.length > 0}`);
        },
      };
      const body = new ReadableStream({ start: (controller) => (out = controller) });
      const gateway = strata.gateway.createGateway({
        upstream: async () => new Response(body),
        memory,
      });
      const response = await gateway.handle(
        new Request(host + stream, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key' },
          body: JSON.stringify({ contents: [user('Hi')] }),
        }),
      );
      const reader = response.body.getReader();
      const send = async (text) => {
        out.enqueue(new TextEncoder().encode(text));
        events.push(`sent ${new TextDecoder().decode((await reader.read()).value).length}`);
      };
      const chunk = JSON.stringify({
        candidates: [{ content: { role: 'model', parts: script[0] }, index: 0 }],
      });
      const middle = chunk.indexOf('ignature');
      await send(
        'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}]}\r\n\r\n',
      );
      await send(`data: ${chunk.slice(0, middle)}`);
      const rest = `${chunk.slice(middle)}\r\n\r\n`;
      await send(rest);
      deepEqual(events.slice(2), ['stored true', `sent ${rest.length}`]);
      out.close();
      ok((await reader.read()).done);
      equal(events.length, 4);
    },
  },
  {
    name: 'a memory that fails ends no request',
    async run(strata) {
      const fail = async () => {
        throw new Error('the disk is full of secrets');
      };
      const lines = [];
      const options = {
        memory: { get: fail, put: fail },
        secret: 's',
        log: (line) => lines.push(line),
      };
      const { post } = setup(strata, options);
      const response = await post(unary, { contents: [user('Hi')], tools });
      deepEqual(await readParts(response), script[0]);
      match(lines.join(), /memory\.unavailable/);
      ok(!lines.join().includes('disk'));
    },
  },
];
