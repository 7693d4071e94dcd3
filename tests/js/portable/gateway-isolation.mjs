// What one caller of a gateway can learn about another: nothing. Both share a gateway, a store and a model.
import { deepEqual, equal, ok } from './assert.mjs';

const path = '/v1beta/models/gemini-3.8-flash:generateContent';
const user = (text) => ({ role: 'user', parts: [{ text }] });
const tools = [{ functionDeclarations: [{ name: 'find', description: 'Finds a place' }] }];
const call = { functionCall: { id: 'a1', name: 'find', args: { city: 'Oslo' } } };
const result = { functionResponse: { id: 'a1', name: 'find', response: { found: true } } };
const question = [user('Where is Oslo?')];
const historyWith = (part) => [
  ...question,
  { role: 'model', parts: [part] },
  { role: 'user', parts: [result] },
];

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const hashOf = async (key) =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))));

/** A store that records what it is asked. */
function recordingStore({ gateway: { createMemoryStore } }) {
  const inner = createMemoryStore();
  const asked = [];
  const stored = [];
  return {
    asked,
    stored,
    inProcess: true,
    get: (keys) => (asked.push([...keys]), inner.get(keys)),
    put: (entries) => (stored.push(...entries), inner.put(entries)),
  };
}

/** A gateway that pays, with an upstream whose signatures count up. */
async function setup(strata, options = {}) {
  const bodies = [];
  let count = 0;
  const upstream = async (_url, { body }) => {
    const sent = JSON.parse(new TextDecoder().decode(new Uint8Array(body)));
    bodies.push(sent);
    const part = sent.contents.length === 1 ? call : { text: 'In Norway.' };
    const parts = [{ ...part, thoughtSignature: btoa(`signature ${++count}`) }];
    const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP' }];
    return Response.json({ candidates });
  };
  const { keys = { one: 'one', two: 'two' }, ...more } = options;
  const callers = await Promise.all(
    Object.entries(keys).map(async ([key, id]) => ({ id, keyHash: await hashOf(key) })),
  );
  const store = recordingStore(strata);
  const gateway = strata.gateway.createGateway({
    ...{ upstream, apiKey: 'upstream-key', callers, memory: store, secret: 'a secret' },
    ...more,
  });
  const post = async (key, contents) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const body = JSON.stringify({ contents, tools });
    const request = new Request(`https://gateway.example${path}`, {
      method: 'POST',
      headers,
      body,
    });
    const response = await gateway.handle(request);
    equal(response.status, 200, await response.clone().text());
    await response.arrayBuffer();
    return response;
  };
  const sentSignature = () => bodies.at(-1).contents[1].parts[0].thoughtSignature;
  return { post, bodies, store, sentSignature };
}

/** The headers that may differ between any two requests are left out. */
const headersOf = ({ headers }) =>
  [...headers].filter(([name]) => name !== 'x-strata-request-id').sort();

/** Runs the same requests of caller two, once alone and once beside caller one, and returns what both saw. */
async function compare(strata, requests) {
  const seen = [];
  for (const hasNeighbor of [false, true]) {
    const { post, store, bodies } = await setup(strata);
    if (hasNeighbor) await post('one', question);
    if (hasNeighbor) await post('one', historyWith(call));
    store.asked.length = 0;
    store.stored.length = 0;
    bodies.length = 0;
    const headers = [];
    for (const contents of requests) headers.push(headersOf(await post('two', contents)));
    const { asked, stored } = store;
    // An answer's own signature counts up; its length does not.
    const sizes = stored.map(({ key, value, tag }) => [key, value.length, tag?.length]);
    const names = sizes.map(([key, ...rest]) => [key.slice(0, 23), ...rest]);
    seen.push({ headers, bodies: [...bodies], asked, names });
  }
  return seen;
}

export default [
  {
    name: 'an equal history under another key gets nothing, and sees the same as without the other caller',
    async run(strata) {
      const requests = [historyWith(call), historyWith(call), historyWith({ ...call })];
      const [alone, beside] = await compare(strata, requests);
      deepEqual(beside.headers, alone.headers);
      deepEqual(beside.bodies, alone.bodies);
      // The store is asked the same: what is looked up does not depend on what others have.
      deepEqual(beside.asked, alone.asked);
      deepEqual(beside.names, alone.names);
      ok(!alone.headers.flat().some(([name]) => name === 'x-strata-restored'));
    },
  },
  {
    name: 'a signature of another caller passes like any unknown one',
    async run(strata) {
      const stolen = { ...call, thoughtSignature: btoa('signature 1') };
      const [alone, beside] = await compare(strata, [question, historyWith(stolen)]);
      deepEqual(beside.headers, alone.headers);
      deepEqual(beside.asked, alone.asked);
      equal(beside.bodies[1].contents[1].parts[0].thoughtSignature, btoa('signature 1'));
    },
  },
  {
    name: 'no caller can provoke what another gets',
    async run(strata) {
      const { post, sentSignature } = await setup(strata);
      await post('one', question);
      for (let i = 0; i < 5; i++) await post('two', question);
      await post('two', historyWith({ ...call, thoughtSignature: btoa('forged') }));
      await post('one', historyWith(call));
      equal(sentSignature(), btoa('signature 1'));
      await post('two', historyWith(call));
      equal(sentSignature(), btoa('signature 6'));
    },
  },
  {
    name: 'what a client sends is never remembered',
    async run(strata) {
      const { post, sentSignature } = await setup(strata);
      await post('one', [user('Where is Oslo, please?')]);
      await post('one', [user('Where is Oslo, again?')]);
      await post('one', historyWith({ ...call, thoughtSignature: btoa('its own') }));
      equal(sentSignature(), btoa('its own'));
      await post('one', historyWith(call));
      // Two answers to other questions have this part and id: neither is certain.
      equal(sentSignature(), undefined);
    },
  },
  {
    name: 'the store sees only keys of the caller that nobody else can derive, and values that nobody can read',
    async run(strata) {
      const { post, store } = await setup(strata);
      await post('one', question);
      await post('two', question);
      const other = await setup(strata, { secret: 'another secret' });
      await other.post('one', question);
      const keysOf = ({ stored }) => stored.map(({ key }) => key);
      const shards = keysOf(store).map((key) => key.split('/')[0]);
      const [one, two] = [...new Set(shards)];
      deepEqual([...new Set(shards)], [one, two]);
      const rest = (shard) =>
        keysOf(store)
          .filter((key) => key.startsWith(`${shard}/`))
          .map((key) => key.split('/')[1]);
      equal(new Set(rest(one)).size, 3);
      ok(!rest(one).some((key) => rest(two).includes(key)), 'equal histories have different keys');
      ok(!keysOf(other.store).some((key) => key.startsWith(one)), 'the secret decides the keys');
      for (const { key, value, tag = '' } of store.stored) {
        ok(/^[\w-]{22}\/[\w-]{22}$/.test(key), key);
        ok(tag === '' || /^[\w-]{22}$/.test(tag), tag);
        const text = [...value].map((byte) => String.fromCharCode(byte)).join('');
        for (const plain of ['signature', btoa('signature'), 'Oslo', 'gemini']) {
          ok(!text.includes(plain), plain);
        }
      }
    },
  },
  {
    name: 'another key of the same caller has its memory',
    async run(strata) {
      const keys = { old: 'one', new: 'one', other: 'two' };
      const { post, sentSignature } = await setup(strata, { keys });
      await post('old', question);
      const response = await post('new', historyWith(call));
      equal(sentSignature(), btoa('signature 1'));
      equal(response.headers.get('x-strata-restored'), '1');
      await post('other', historyWith(call));
      equal(sentSignature(), undefined);
    },
  },
  {
    name: "where anyone may call with the gateway's key there is no memory",
    async run(strata) {
      const { post, store, sentSignature } = await setup(strata, { callers: 'anyone' });
      await post('any', question);
      await post('any', historyWith(call));
      equal(sentSignature(), undefined);
      deepEqual([store.asked, store.stored], [[], []]);
    },
  },
  {
    name: 'callers that pay have a memory for each key that they send',
    async run(strata) {
      const { post, store, sentSignature } = await setup(strata, {
        ...{ apiKey: undefined, callers: undefined },
      });
      await post('key-of-one', question);
      await post('key-of-two', historyWith(call));
      equal(sentSignature(), undefined);
      await post('key-of-one', historyWith(call));
      equal(sentSignature(), btoa('signature 1'));
      const text = JSON.stringify(store.stored);
      ok(!text.includes('key-of'), 'no key stands in the store');
    },
  },
];
