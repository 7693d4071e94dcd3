// Where a Conversation sends old turns: in `contents`, unless `cachedHistory: 'text'` is set.
import { deepEqual, equal, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
const text = (utf8) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8);
const rules = `Answer in one sentence. ${'Be kind, be brief and name your sources. '.repeat(600)}`;

/** Returns a question long enough that nine of them fill the model's buffer of 50,000 tokens. */
const question = (n) => `Question ${n}: ${'what do you think of this? '.repeat(900)}`;
const answer = (n) => `Answer ${n}: I think that it is fine.`;

/** Sends `count` questions and returns the bodies of all requests and caches. */
async function talk(strata, count, options = {}) {
  let ms = Date.parse('2026-11-21T10:00:00Z');
  const now = () => new Date(ms).toISOString();
  const respond = ({ body }) => {
    const asked = text(new TextEncoder().encode(JSON.stringify(body.contents.at(-1))));
    return { parts: [{ text: answer(/Question (\d+)/.exec(asked)[1]) }] };
  };
  const emulator = strata.createEmulator({ now, respond });
  const bodies = { requests: [], caches: [] };
  const fetch = async (url, init) => {
    if (String(url).includes(':stream')) bodies.requests.push(text(init.body));
    else if (init.method === 'POST') bodies.caches.push(text(init.body));
    return emulator(url, init);
  };
  const core = await strata.load();
  const client = new strata.GeminiClient({ fetch });
  const defaults = { model, now, static: { text: rules }, dynamic: { text: '' } };
  const chat = new strata.Conversation(core, client, { ...defaults, ...options });
  const expected = [];
  for (let n = 0; n < count; n++) {
    ms += 20_000;
    for await (const event of chat.send(question(n))) {
      if (event.type === 'request') expected.push(`"contents":[${turnsOf(chat.thread)}]}`);
    }
  }
  const checker = await strata.check.loadChecker();
  return { checker, ...bodies, expected };
}

const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => text(thread.content(i))).join();

/** Returns the text of the systemInstruction of a body. */
const instructionOf = (body) => JSON.parse(body).systemInstruction?.parts[0].text;

export default [
  ...[{}, { bufferTokens: 1000 }].map((options) => ({
    name: `sends all turns in contents, byte for byte ${JSON.stringify(options)}`,
    async run(strata) {
      const { checker, requests, expected } = await talk(strata, 20, options);
      equal(requests.length, 20);
      for (const [i, body] of requests.entries()) {
        equal(instructionOf(body), rules, `request ${i}`);
        ok(body.endsWith(expected[i]), `request ${i} does not end in all turns`);
      }
      deepEqual(checker.lint(requests.at(-1), { model }).diagnostics, []);
    },
  })),
  {
    name: 'moves old turns to systemInstruction when the buffer is full, with cachedHistory "text"',
    async run(strata) {
      const { requests } = await talk(strata, 20, { cachedHistory: 'text' });
      equal(instructionOf(requests[3]), rules);
      const last = requests.at(-1);
      const instruction = instructionOf(last);
      ok(instruction.startsWith(rules) && instruction.includes('<cached_history>'));
      ok(instruction.includes(question(0)) && instruction.includes(answer(0)));
      const { contents } = JSON.parse(last);
      ok(!JSON.stringify(contents).includes('Question 0:'), 'a turn is in two places');
    },
  },
  {
    name: 'puts old turns in a cache as Contents with caching enabled',
    async run(strata) {
      const { requests, caches, expected } = await talk(strata, 20, {
        caching: { registry: new strata.MemoryCacheRegistry() },
      });
      const grown = caches.filter((body) => 'contents' in JSON.parse(body));
      ok(grown.length > 0, `${caches.length} caches, none with contents`);
      for (const body of [...caches, ...requests]) {
        ok([rules, undefined].includes(instructionOf(body)), body.slice(0, 200));
      }
      const turns = JSON.stringify(JSON.parse(grown.at(-1)).contents.slice(0, -1)).slice(1, -1);
      ok(expected.at(-1).startsWith(`"contents":[${turns},`), 'the cache contains other turns');
      ok(requests.at(-1).includes('"cachedContent"') && !requests.at(-1).includes(question(0)));
    },
  },
];
