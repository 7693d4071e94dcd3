// Long conversations are summarized, masked, shortened, or rejected, and stay valid for the API. The emulator
// answers; each test scripts the summary.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';
import { accepted, answered, collect, longThread, model, ofType } from './long-history.mjs';
import { says, signature, snapshot, talk, text, turnsOf, user } from './long-history.mjs';

/** Builds a thread of one question and of steps with results of about `tokens` tokens each. */
const stepThread = (steps, tokens) => (core) => {
  const thread = core.thread({ model, sequencing: 'api' });
  thread.append(user('Read all pages.'));
  for (let i = 0; i < steps; i++) {
    const functionCall = { name: 'look_up', args: { page: i } };
    thread.append({ role: 'model', parts: [{ functionCall, thoughtSignature: signature }] });
    const response = `{"output":"page ${i} ${'z'.repeat(4 * tokens)}","page":${i}.0}`;
    thread.append(
      `{"role":"user","parts":[{"functionResponse":{"name":"look_up","response":${response}}}]}`,
    );
  }
  return thread;
};

const summarized = [
  {
    name: 'replaces old turns with a checked summary and keeps the newest byte for byte',
    async run(strata) {
      const draft = `<scratchpad>hm</scratchpad>${snapshot.replace('Go on', 'Draft')}`;
      const summary = ({ summaries }) => says(summaries.length === 1 ? draft : snapshot);
      const options = { summary, thread: longThread(10), compression: { contextTokens: 4000 } };
      const { core, checker, chat, sent } = await talk(strata, options);
      const old = chat.thread;
      const before = turnsOf(old);
      const events = await collect(chat.send('And now?'));
      const [compressed] = ofType(events, 'compressed');
      equal(compressed.how, 'summary');
      ok(compressed.after < compressed.before / 2, JSON.stringify(compressed));
      equal(ofType(events, 'thread').length, 1);
      const after = turnsOf(chat.thread);
      match(after[0], /"role":"user".*<state_snapshot><overall_goal>Go on\./);
      match(after[1], /"role":"model"/);
      // The newest 30 % by length remain, starting at a question.
      const remaining = before.length - compressed.turns;
      ok(remaining >= 4 && remaining <= 6, String(remaining));
      deepEqual(after.slice(2, 2 + remaining), before.slice(-remaining));
      equal(JSON.parse(after.at(-2)).parts[0].text, 'And now?');
      equal(sent.summaries.length, 2);
      ok(!sent.summaries[0].includes('Question 9'), 'a remaining turn was summarized');
      match(sent.summaries[1], /Draft/);
      accepted(checker, [...sent.answers, ...sent.summaries]);
      // The previous thread is unchanged, and the summarized turns can be read from the store.
      deepEqual(turnsOf(old).slice(0, before.length), before);
      const from = await chat.readStored(compressed.storedAs);
      deepEqual(turnsOf(core.thread({ model, from })), before.slice(0, compressed.turns));
    },
  },
  {
    name: 'compresses at exactly the threshold and not below it',
    async run(strata) {
      const thread = (tokens) => (core) => {
        const made = core.thread({ model, sequencing: 'api' });
        made.append(user('one'), { tokens: 200 });
        made.append(answered('two'), { tokens: 200 });
        made.append(user('three'), { tokens: 50 });
        made.append(answered('four'), { tokens: tokens - 451 });
        made.append(user('five'), { tokens: 1 });
        return made;
      };
      for (const [tokens, asked] of [
        [499, 0],
        [500, 2],
      ]) {
        const options = { thread: thread(tokens), compression: { contextTokens: 1000 } };
        const { chat, sent } = await talk(strata, options);
        await collect(chat.send(''));
        equal(sent.summaries.length, asked, String(tokens));
      }
    },
  },
  {
    name: 'compares the threshold with the token count that the API reported',
    async run(strata) {
      const usageMetadata = {
        promptTokenCount: 700,
        candidatesTokenCount: 10,
        totalTokenCount: 710,
      };
      const candidates = [{ content: answered('yes'), finishReason: 'STOP' }];
      const respond = () => ({ chunks: [{ candidates, usageMetadata }] });
      const compression = { contextTokens: 1400, check: false };
      const { chat, sent } = await talk(strata, { respond, compression });
      await collect(chat.send('one'));
      equal(sent.summaries.length, 0);
      await collect(chat.send('two'));
      equal(sent.summaries.length, 1);
    },
  },
  {
    name: 'compresses within the first send whose instruction makes it too large, and only once',
    async run(strata) {
      const inputTokenLimit = 4000;
      const options = { thread: longThread(8), limits: { inputTokenLimit }, compression: {} };
      const { chat, sent } = await talk(strata, {
        ...options,
        systemInstruction: 'instruct '.repeat(1500),
      });
      const events = await collect(chat.send('And now?'));
      equal(ofType(events, 'compressed').length, 1);
      equal(events.at(-1).type, 'done');
      equal(sent.answers.length, 1);
      const [{ manifest }] = ofType(events, 'request').slice(-1);
      ok(manifest.promptTokens <= inputTokenLimit, String(manifest.promptTokens));
      const hopeless = await talk(strata, {
        ...options,
        systemInstruction: 'instruct '.repeat(5000),
      });
      await rejects(collect(hopeless.chat.send('And now?')), { code: 'context.too_large' });
      deepEqual([hopeless.sent.answers.length, hopeless.sent.summaries.length], [0, 2]);
    },
  },
  {
    name: 'summarizes a long tool loop between two steps and keeps the question and all signatures',
    async run(strata) {
      const run = ({ page }) => ({ page, content: 'z'.repeat(2000) });
      const tools = [{ name: 'look_up', description: 'Looks something up', run }];
      const respond = ({ body }) => {
        const sent = JSON.stringify(body.contents);
        ok(sent.includes('Read all pages.'), 'the question is missing');
        const page =
          Number(/"page":(\d+)[^p]*$/.exec(sent.replaceAll('content', ''))?.[1] ?? 0) + 1;
        const call = { functionCall: { name: 'look_up', args: { page } } };
        return page > 40
          ? says('All read.')
          : { parts: [{ ...call, thoughtSignature: signature }] };
      };
      const options = { tools, maxToolRounds: 60, compression: { contextTokens: 12_000 } };
      const { checker, chat, sent } = await talk(strata, { ...options, respond });
      const events = await collect(chat.send('Read all pages.'));
      ok(ofType(events, 'compressed').length >= 2, 'not compressed');
      deepEqual(ofType(events, 'compressionFailed'), []);
      equal(events.at(-1).type, 'done');
      accepted(checker, [...sent.answers, ...sent.summaries]);
      const longest = Math.max(...sent.answers.map((body) => body.length));
      ok(longest < 12_000 * 4, String(longest));
      const calls = turnsOf(chat.thread).filter((turn) => turn.includes('"functionCall"'));
      ok(calls.length > 2 && calls.every((turn) => turn.includes(signature)));
    },
  },
];

const withCaching = [
  {
    name: 'replaces the cache of a history that was summarized',
    async run(strata) {
      const options = {
        static: { text: 'Answer in one sentence, and name your sources. '.repeat(600) },
        caching: { registry: new strata.MemoryCacheRegistry() },
        cachedHistory: 'contents',
        compression: { contextTokens: 40_000, check: false },
      };
      const { checker, chat, sent } = await talk(strata, options);
      const events = [];
      for (let i = 0; i < 24; i++) {
        events.push(...(await collect(chat.send(`Question ${i} ${'x'.repeat(3000)}`))));
      }
      ok(ofType(events, 'compressed').length >= 1, 'not compressed');
      const actions = ofType(events, 'cache').map(({ action }) => action);
      ok(actions.filter((action) => action === 'created').length >= 2, actions.join());
      ok(actions.includes('deleted') && !actions.includes('refused'), actions.join());
      deepEqual(ofType(events, 'cacheLost'), []);
      equal(ofType(events, 'done').length, 24);
      match(turnsOf(chat.thread)[0], /<state_snapshot>/);
      accepted(checker, [...sent.answers, ...sent.summaries]);
    },
  },
];

const rejectedSummaries = [
  { name: 'is empty', failure: 'empty', summary: () => says('<scratchpad>?</scratchpad>') },
  {
    name: 'was cut',
    failure: 'empty',
    summary: () => ({ ...says('<state_snapshot><overall_goal>Half'), finishReason: 'MAX_TOKENS' }),
  },
  { name: 'is longer', failure: 'inflated', summary: () => says('s'.repeat(9000)) },
  {
    name: 'the API rejects',
    failure: 'error',
    summary: () => ({ error: { code: 500, status: 'INTERNAL', message: 'An internal error' } }),
  },
].map(({ name, failure, summary }) => ({
  name: `keeps the history when the summary ${name}, and does not request another`,
  async run(strata) {
    const compression = { contextTokens: 4000, check: false };
    const options = { summary, thread: longThread(10), compression };
    const { checker, chat, sent } = await talk(strata, options);
    const before = turnsOf(chat.thread);
    const events = await collect(chat.send('And now?'));
    deepEqual(
      ofType(events, 'compressionFailed').map((event) => event.failure),
      [failure],
    );
    deepEqual(turnsOf(chat.thread).slice(0, before.length), before);
    equal(events.at(-1).type, 'done');
    await collect(chat.send('And then?'));
    equal(sent.summaries.length, 1);
    accepted(checker, sent.answers);
  },
}));

const budgets = [
  {
    name: 'requests a summary of a tenth of the budget, and truncates when there is none',
    async run(strata) {
      const summary = () => ({ error: { code: 503, status: 'UNAVAILABLE', message: 'no' } });
      const compression = { form: 'budget', contextTokens: 2000, reserve: 500 };
      const options = { summary, thread: longThread(10), compression };
      const { checker, chat, sent } = await talk(strata, options);
      const old = chat.thread;
      const before = turnsOf(old);
      const events = await collect(chat.send('And now?'));
      match(sent.summaries[0], /Use at most 113 words for the <state_snapshot>/);
      match(sent.summaries[0], /"generationConfig":\{"temperature":0.3,"maxOutputTokens":8192\}/);
      const [truncated] = ofType(events, 'compressed');
      equal(truncated.how, 'truncated');
      ok(truncated.after <= 1500, JSON.stringify(truncated));
      const codes = ofType(events, 'diagnostics').flatMap(({ diagnostics }) =>
        diagnostics.map(({ code, message }) => `${code} ${message}`),
      );
      match(codes[0], /^history\.truncated The oldest \d+ of 21 turns/);
      const after = turnsOf(chat.thread);
      deepEqual(after.slice(0, -2), before.slice(before.length - after.length + 2));
      deepEqual(turnsOf(old).slice(0, before.length), before);
      accepted(checker, sent.answers);
    },
  },
  {
    name: 'summarizes only when the budget is exceeded',
    async run(strata) {
      const under = { form: 'budget', contextTokens: 10_000, reserve: 500 };
      const first = await talk(strata, { thread: longThread(10), compression: under });
      await collect(first.chat.send('And now?'));
      equal(first.sent.summaries.length, 0);
      const over = { ...under, contextTokens: 2500 };
      const second = await talk(strata, { thread: longThread(10), compression: over });
      const events = await collect(second.chat.send('And now?'));
      equal(ofType(events, 'compressed')[0].how, 'summary');
      equal(second.sent.summaries.length, 1);
    },
  },
];

const masked = [
  {
    name: 'replaces old results with previews and stores the originals byte for byte',
    async run(strata) {
      const masking = { protect: 1000, least: 500 };
      const { checker, chat, sent } = await talk(strata, { thread: stepThread(8, 400), masking });
      const old = chat.thread;
      const events = await collect(chat.send(''));
      const [{ outputs }] = ofType(events, 'masked');
      equal(outputs.length, 5);
      for (const [page, { storedAs }] of outputs.entries()) {
        const whole = text(await chat.readStored(storedAs));
        ok(text(old.content(2 + 2 * page)).includes(whole), 'other bytes were stored');
        ok(whole.endsWith(`"page":${page}.0}`), whole.slice(-20));
      }
      const results = turnsOf(chat.thread).filter((turn) => turn.includes('functionResponse'));
      equal(results.filter((turn) => turn.includes('<tool_output_masked>')).length, 5);
      ok(
        results[0].includes(`kept as ${outputs[0].storedAs}`) && results[0].length < 1200,
        results[0],
      );
      accepted(checker, sent.answers);
      equal(ofType(await collect(chat.send('More.')), 'masked').length, 0);
    },
  },
  {
    name: 'does not mask the results of exempt tools',
    async run(strata) {
      const masking = { protect: 1000, least: 500, exempt: ['look_up'] };
      const { chat } = await talk(strata, { thread: stepThread(8, 400), masking });
      equal(ofType(await collect(chat.send('')), 'masked').length, 0);
    },
  },
  {
    name: 'keeps all results in the prompt when the store fails',
    async run(strata) {
      const store = new strata.MemoryStore();
      store.store = () => Promise.reject(new Error('full'));
      const masking = { protect: 1000, least: 500 };
      const options = { store, id: 'full', thread: stepThread(8, 400), masking };
      const { chat, sent } = await talk(strata, options);
      const events = await collect(chat.send(''));
      deepEqual(ofType(events, 'masked'), [{ type: 'masked', outputs: [], reason: 'full' }]);
      ok(!sent.answers[0].includes('tool_output_masked'));
    },
  },
  {
    name: 'omits the middle of long results in the summary request only',
    async run(strata) {
      const compression = { contextTokens: 200_000, check: false };
      const { checker, chat, sent } = await talk(strata, {
        thread: stepThread(3, 40_000),
        compression,
      });
      const old = chat.thread;
      const events = await collect(chat.send(''));
      equal(ofType(events, 'compressed')[0].how, 'summary');
      match(sent.summaries[0], /The middle of this result is left out/);
      ok(text(old.content(2)).length > 160_000, 'the previous thread was changed');
      accepted(checker, [...sent.summaries, ...sent.answers]);
    },
  },
];

const guarded = [
  {
    name: 'counts the tools of a request',
    async run(strata) {
      const tools = Array.from({ length: 50 }, (_, i) => ({
        name: `tool_${i}`,
        description: 'word '.repeat(800),
        run: () => 'Done.',
      }));
      const { chat, sent } = await talk(strata, { tools, contextGuard: { contextTokens: 20_000 } });
      await rejects(() => collect(chat.send('And now?')), { code: 'context.too_large' });
      equal(sent.answers.length, 0);
      equal(sent.counts.length, 1);
    },
  },
  {
    name: 'counts the turns in a cache, and learns no wrong scale from them',
    async run(strata) {
      const exact = {
        static: { text: 'Name your sources. '.repeat(300) },
        caching: { registry: new strata.MemoryCacheRegistry() },
      };
      const options = { ...exact, thread: longThread(40, 500), respond: () => says('Fine.') };
      const small = await talk(strata, { ...options, contextGuard: { contextTokens: 30_000 } });
      await rejects(() => collect(small.chat.send('One')), { code: 'context.too_large' });
      let ms = Date.parse('2026-11-21T10:00:00Z');
      const timed = { now: () => new Date(ms).toISOString() };
      const contextGuard = { contextTokens: 60_000, exact: false };
      const { chat } = await talk(strata, { ...options, ...timed, contextGuard });
      for (let i = 0; i < 4; i++) {
        ms += 20_000;
        await collect(chat.send(`Question ${i}`));
      }
      // The cache has expired.
      ms += 5 * 3_600_000;
      equal((await collect(chat.send('Late'))).at(-1).type, 'done');
    },
  },
  {
    name: 'rejects a request that exceeds the context before sending it, by the count of the API',
    async run(strata) {
      const contextGuard = { contextTokens: 2000 };
      const { chat, sent } = await talk(strata, { thread: longThread(10), contextGuard });
      const failure = await rejects(() => collect(chat.send('And now?')), {
        name: 'HistoryError',
        code: 'context.too_large',
      });
      match(failure.message, /\d+ tokens are more than the 2000/);
      equal(sent.answers.length, 0);
      equal(sent.counts.length, 1);
      equal(JSON.parse(text(chat.thread.content(20))).parts[0].text, 'And now?');
    },
  },
  {
    name: 'requests no token count when the estimate is far below the limit',
    async run(strata) {
      const { chat, sent } = await talk(strata, { thread: longThread(3) });
      await collect(chat.send('And now?'));
      equal(sent.counts.length, 0);
      equal(sent.answers.length, 1);
    },
  },
  {
    name: 'uses the estimate without an exact count, and sends anything without a guard',
    async run(strata) {
      const contextGuard = { contextTokens: 2000, exact: false };
      const { chat, sent } = await talk(strata, { thread: longThread(10), contextGuard });
      await rejects(() => collect(chat.send('And now?')), { code: 'context.too_large' });
      equal(sent.counts.length, 0);
      const open = await talk(strata, { thread: longThread(10), contextGuard: false });
      await collect(open.chat.send('And now?'));
      equal(open.sent.answers.length, 1);
    },
  },
];

export default [
  ...summarized,
  ...withCaching,
  ...rejectedSummaries,
  ...budgets,
  ...masked,
  ...guarded,
];
