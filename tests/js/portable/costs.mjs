// Tests what a conversation says about its costs: token counts of each request, of a send and of all, the events of the
// requests that leave, and the function `usage`.
import { deepEqual, equal, match, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-22T10:00:00Z';

/** Returns a conversation against an emulator, and the requests that reach it. */
async function talk(strata, { emulator = {}, place, ...options } = {}) {
  const answer = strata.createEmulator({ now, ...emulator });
  const sent = [];
  const fetch = (url, init) => {
    const { pathname } = new URL(url);
    if (/enerateContent$/.test(pathname)) sent.push(pathname);
    return answer(url, init);
  };
  const core = await strata.load();
  const client = new strata.GeminiClient({ fetch, retry: { initialMs: 1 } });
  const settings = { model, now, answerRetry: { initialMs: 1 }, ...options };
  const open = () =>
    place
      ? strata.Conversation.open(core, client, { ...settings, ...place })
      : new strata.Conversation(core, client, settings);
  return { core, open, chat: await open(), sent };
}

async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

const ofType = (events, wanted) => events.filter(({ type }) => type === wanted);
const sumOf = (events, name) =>
  ofType(events, 'usage').reduce((sum, { usage }) => sum + (usage[name] ?? 0), 0);

/** Checks that events, the result of a send and the requests that left say the same. */
function checkSums(events, sent, purposes) {
  deepEqual(
    ofType(events, 'request').map(({ purpose }) => purpose),
    purposes,
  );
  equal(sent.length, purposes.length);
  const { usage } = events.at(-1);
  equal(usage.requests, purposes.length);
  for (const name of ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'])
    equal(usage[name], sumOf(events, name), name);
}

const add = {
  name: 'add',
  description: 'Adds two numbers',
  run: () => ({ sum: 3 }),
};

const long = (turns) => {
  const contents = [];
  for (let i = 0; i < turns; i++) {
    contents.push({ role: 'user', parts: [{ text: `Question ${i}: ${'why '.repeat(80)}` }] });
    contents.push({ role: 'model', parts: [{ text: `Answer ${i}: ${'so '.repeat(80)}` }] });
  }
  return contents;
};

const sums = [
  {
    name: 'counts a send with a tool round: each request once, and their sum in the result',
    async run(strata) {
      const { chat, sent } = await talk(strata, { tools: [add] });
      const events = await collect(chat.send('Please call add'));
      checkSums(events, sent, ['answer', 'answer']);
      equal(ofType(events, 'usage').length, 2);
      deepEqual(chat.usage, events.at(-1).usage);
      const asked = await chat.ask('Thanks');
      equal(asked.usage.requests, 1);
      equal(chat.usage.requests, 3);
      equal(
        chat.usage.totalTokenCount,
        sumOf(events, 'totalTokenCount') + asked.usage.totalTokenCount,
      );
    },
  },
  {
    name: 'counts requests that are sent again, and the tokens of answers that were discarded',
    async run(strata) {
      const faults = [{ kind: 'http503' }, { kind: 'cut-stream' }];
      const { chat, sent } = await talk(strata, { emulator: { faults } });
      const events = await collect(chat.send('Hello'));
      checkSums(events, sent, ['answer', 'answer', 'answer']);
      ok(ofType(events, 'usage').length <= 2, 'a request that failed has no tokens');
    },
  },
  {
    name: 'counts the summary of a compression and its check, by their own model',
    async run(strata) {
      const compression = { contextTokens: 2000, model: 'gemini-3.5-flash-lite' };
      const core = await strata.load();
      const thread = core.thread({ model, from: long(12) });
      const { chat, sent } = await talk(strata, { compression, thread });
      const events = await collect(chat.send('And now?'));
      checkSums(events, sent, ['summary', 'summaryCheck', 'answer']);
      deepEqual(
        ofType(events, 'usage').map((event) => event.model),
        ['gemini-3.5-flash-lite', 'gemini-3.5-flash-lite', model],
      );
      const usd = ofType(events, 'usage').reduce(
        (sum, event) => sum + strata.usage(event.usage, { model: event.model, now: now() }).usd,
        0,
      );
      ok(Math.abs(chat.cost.usd - usd) < 1e-12, `${chat.cost.usd} is not ${usd}`);
    },
  },
  {
    name: 'counts the question who speaks next',
    async run(strata) {
      const { chat, sent } = await talk(strata, { continue: { maxTurns: 2 } });
      const events = await collect(chat.send('Tell me'));
      ok(ofType(events, 'request').some(({ purpose }) => purpose === 'nextSpeaker'));
      equal(sent.length, ofType(events, 'request').length);
      equal(events.at(-1).usage.requests, sent.length);
      equal(ofType(events, 'usage').length, sent.length);
    },
  },
  {
    name: 'counts both requests of an object that did not match',
    async run(strata) {
      let asked = 0;
      const respond = () => ({ parts: [{ text: asked++ === 0 ? '{}' : '{"city":"Oslo"}' }] });
      const { chat, sent } = await talk(strata, { emulator: { respond } });
      const schema = {
        ...{ type: 'object', required: ['city'] },
        properties: { city: { type: 'string' } },
      };
      const { usage } = await chat.object(schema, 'Which city?');
      deepEqual([usage.requests, sent.length], [2, 2]);
      deepEqual(usage, chat.usage);
    },
  },
  {
    name: 'counts what an aborted send has used',
    async run(strata) {
      const { chat } = await talk(strata);
      for await (const event of chat.send('Hello')) if (event.type === 'text') break;
      equal(chat.usage.requests, 1);
    },
  },
  {
    name: 'keeps the sum and the cost of a conversation in its store',
    async run(strata) {
      const place = { store: new strata.MemoryStore(), id: 'one' };
      const { chat, open } = await talk(strata, { place });
      await chat.ask('Hello');
      const later = await open();
      deepEqual([later.usage, later.cost], [chat.usage, chat.cost]);
      await later.ask('And then?');
      equal(later.usage.requests, 2);
      ok(later.cost.usd > chat.cost.usd);
    },
  },
  {
    name: 'knows no cost of a conversation if it has no price for one of its requests',
    async run(strata) {
      const { chat } = await talk(strata, { model: 'gemini-3.1-flash-lite' });
      equal(chat.cost.usd, 0);
      await chat.ask('Hello');
      deepEqual(chat.cost, {});
      equal(chat.usage.requests, 1);
    },
  },
];

const counts = {
  promptTokenCount: 1000,
  cachedContentTokenCount: 400,
  candidatesTokenCount: 50,
  thoughtsTokenCount: 150,
  totalTokenCount: 1200,
};
const near = (actual, expected) => ok(Math.abs(actual - expected) < 1e-12, `${actual}`);

const estimates = [
  {
    name: 'reads the counts of both wires and prices them',
    run({ usage }) {
      const expected = {
        ...{ inputTokens: 1000, outputTokens: 50, thoughtTokens: 150 },
        ...{ cachedTokens: 400, totalTokens: 1200 },
      };
      const { usd, ...read } = usage(counts, { model, now: now() });
      deepEqual(read, expected);
      near(usd, (600 * 0.75 + 400 * 0.075 + 200 * 3.75) / 1e6);
      const interaction = {
        ...{ total_input_tokens: 1000, total_output_tokens: 50, total_thought_tokens: 150 },
        ...{ total_cached_tokens: 400, total_tokens: 1200 },
      };
      deepEqual(usage(interaction, { model, now: now() }), { ...expected, usd });
    },
  },
  {
    name: 'takes the price of the day, of the model behind a name, and of long prompts',
    run({ usage }) {
      const usdOf = (name, tokens, day, backend) =>
        usage({ promptTokenCount: tokens }, { model: name, now: day, ...(backend && { backend }) })
          .usd;
      const [november, january] = ['2026-11-22T00:00:00Z', '2027-01-01T00:00:00Z'];
      near(usdOf(model, 1e5, november), 0.075);
      near(usdOf(model, 1e5, january), 0.15);
      near(usdOf('models/gemini-flash-latest', 1e5, november), 0.075);
      near(usdOf('gemini-2.5-pro', 1e5, '2026-12-01T00:00:00Z'), 0.075);
      near(usdOf('gemini-2.5-pro', 1e5, '2026-12-01T00:00:00Z', 'vertex'), 0.125);
      near(usdOf('gemini-3.1-pro', 200_000, november), 0.4);
      near(usdOf('gemini-3.1-pro', 200_001, november), 0.800004);
    },
  },
  {
    name: 'has the prices of the core for every model, service and time',
    async run({ load, usage }) {
      const core = await load();
      const names = [
        ...[
          'gemini-4-argon',
          'gemini-4-carbon',
          'gemini-4-hydrogen',
          'gemini-4-neon',
          'gemini-3.7-flash',
        ],
        ...['gemini-3.8-flash', 'gemini-3.8-flash-001', 'gemini-3.8-flash-tts', 'gemini-3.6-flash'],
        ...['gemini-3.5-flash', 'gemini-3.5-flash-lite', 'gemini-3.1-pro', 'gemini-3.1-flash-lite'],
        ...[
          'gemini-2.5-pro',
          'gemini-2.5-flash',
          'gemini-2.5-flash-lite',
          'gemini-2.5-flash-image',
        ],
        ...[
          'gemini-2.5-pro-preview-tts',
          'gemini-pro-latest',
          'gemini-flash-lite-latest',
          'gemma-3',
          'x',
        ],
      ];
      for (const name of names)
        for (const backend of ['gemini', 'vertex'])
          for (const day of [
            '2026-01-01',
            '2026-03-01',
            '2026-11-22',
            '2026-12-01',
            '2027-01-01',
          ]) {
            const at = { backend, now: `${day}T00:00:00Z` };
            const { price } = core.modelLimits(name, at);
            const usd = (metadata) => usage(metadata, { model: name, ...at }).usd;
            const expected = price && [price.input, price.output];
            const found = [{ promptTokenCount: 1e5 }, { candidatesTokenCount: 1e5 }].map(usd);
            const rounded =
              found[0] === undefined ? undefined : found.map((cost) => +(cost * 10).toFixed(9));
            deepEqual(rounded, expected, `${name} ${backend} ${day}`);
          }
    },
  },
  {
    name: 'estimates nothing without a price: of the model, of the tier, of what was paid otherwise, or without counts',
    run({ usage }) {
      const usdOf = (metadata, name = model) => usage(metadata, { model: name, now: now() }).usd;
      equal(usdOf(counts, 'gemini-3.1-flash-lite'), undefined);
      equal('usd' in usage(counts, { model: 'gemini-3.1-flash-lite' }), false);
      for (const serviceTier of ['flex', 'PRIORITY', 'batch'])
        equal(usdOf({ ...counts, serviceTier }), undefined);
      for (const serviceTier of ['standard', 'STANDARD', 'unspecified'])
        ok(usdOf({ ...counts, serviceTier }) > 0);
      equal(usdOf({ ...counts, trafficType: 'PROVISIONED_THROUGHPUT' }), undefined);
      ok(usdOf({ ...counts, trafficType: 'ON_DEMAND' }) > 0);
      equal(usdOf({}), undefined);
      // The results of the API's own tools are input.
      equal(usage({ ...counts, toolUsePromptTokenCount: 30 }, { model }).inputTokens, 1030);
    },
  },
  {
    name: 'refuses options and metadata that are none',
    run({ usage }) {
      const wrong = { code: 'field.invalid' };
      throws(() => usage(undefined, { model }), wrong);
      throws(() => usage(counts, {}), wrong);
      throws(() => usage(counts, { model, backend: 'aws' }), wrong);
      throws(() => usage(counts, { model, now: 'yesterday' }), wrong);
      throws(() => usage(counts, { model, tier: 'flex' }), { code: 'field.unknown' });
      try {
        usage('5', { model });
      } catch ({ message }) {
        match(message, /usageMetadata/);
      }
    },
  },
];

export default [...sums, ...estimates];
