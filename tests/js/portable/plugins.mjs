// Plugins: which hooks run, in which order, and what they can change. Answers are scripted.
import { deepEqual, equal, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const text = (utf8) => new TextDecoder().decode(utf8);

const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 };
const answer = (reply) =>
  new Response(
    `data: ${JSON.stringify({
      candidates: [
        { content: { role: 'model', parts: [{ text: reply }] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata,
    })}\r\n\r\n`,
  );

async function talk(strata, plugins, answers = [() => answer('ok')]) {
  const core = await strata.load();
  const bodies = [];
  const fetch = async (_, init) => {
    bodies.push(text(init.body));
    return answers[Math.min(bodies.length, answers.length) - 1]();
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = new strata.Conversation(core, client, { model, now, plugins });
  return { core, chat, bodies };
}

async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

const cacheNotFound = () =>
  new Response(
    JSON.stringify({
      error: {
        code: 403,
        status: 'PERMISSION_DENIED',
        message: 'CachedContent not found (or permission denied)',
      },
    }),
    { status: 403 },
  );

export default [
  {
    name: 'runs each hook for all plugins in order, in the order of a request',
    async run(strata) {
      const asked = [];
      const plugin = (name) => ({
        name,
        beforeTurn: (thread) => (asked.push(`${name} turn`), thread),
        beforeRequest: async (_, input) => (asked.push(`${name} request`), input),
        beforeSend: () => void asked.push(`${name} send`),
        afterAnswer: (usage) => void asked.push(`${name} answer ${usage.promptTokenCount}`),
      });
      const { chat } = await talk(strata, [plugin('a'), plugin('b')]);
      await collect(chat.send('Hi'));
      deepEqual(asked, [
        ...['a turn', 'b turn', 'a request', 'b request', 'a send', 'b send'],
        ...['a answer 20', 'b answer 20'],
      ]);
    },
  },
  {
    name: 'lets a plugin change the request and emit events while it runs',
    async run(strata) {
      let resume;
      const received = new Promise((resolve) => (resume = resolve));
      const plugin = {
        name: 'brief',
        async beforeRequest(thread, input, { emit }) {
          emit({ type: 'text', text: 'working' });
          await received;
          return { ...input, generationConfig: { maxOutputTokens: 7 } };
        },
      };
      const { chat, bodies } = await talk(strata, [plugin]);
      const types = [];
      for await (const event of chat.send('Hi')) {
        types.push(event.type);
        if (event.text === 'working') resume();
      }
      equal(JSON.parse(bodies[0]).generationConfig.maxOutputTokens, 7);
      ok(types.indexOf('text') < types.indexOf('request'), `${types}`);
    },
  },
  {
    name: 'continues with the thread that a plugin returns',
    async run(strata) {
      const plugin = {
        name: 'short',
        beforeTurn(thread, context) {
          if (thread.length < 3) return thread;
          const last = JSON.parse(text(thread.content(thread.length - 1)));
          return context.strata.thread({ model, sequencing: 'api', from: [last] });
        },
      };
      const { chat } = await talk(strata, [plugin]);
      await collect(chat.send('one'));
      const events = await collect(chat.send('two'));
      deepEqual(
        events.filter(({ type }) => type === 'thread'),
        [{ type: 'thread', turns: 1, before: 3 }],
      );
      equal(chat.thread.length, 2);
    },
  },
  {
    name: 'ends the send without a request when a plugin throws',
    async run(strata) {
      const plugin = {
        name: 'guard',
        beforeSend: () => {
          throw new strata.HistoryError('context.too_large', 'Too long');
        },
      };
      const { chat, bodies } = await talk(strata, [plugin]);
      await rejects(collect(chat.send('Hi')), { code: 'context.too_large' });
      equal(bodies.length, 0);
      equal(chat.thread.length, 1);
    },
  },
  {
    name: 'reports a lost cache to the plugins and rebuilds the request once',
    async run(strata) {
      let cache = { name: 'cachedContents/x', model, turns: 0, key: 'k' };
      const lost = [];
      const plugin = {
        name: 'cache',
        beforeRequest: (_, input) => ({ ...input, cache }),
        onCacheLost: (name) => (lost.push(name), (cache = null), undefined),
      };
      const { chat, bodies } = await talk(strata, [plugin], [cacheNotFound, () => answer('ok')]);
      const events = await collect(chat.send('Hi'));
      deepEqual(lost, ['cachedContents/x']);
      equal(bodies.length, 2);
      ok(events.some(({ type }) => type === 'cacheLost'));
      cache = { name: 'cachedContents/y', model, turns: 0, key: 'k' };
      const { chat: other } = await talk(
        strata,
        [{ ...plugin, onCacheLost: undefined }],
        [cacheNotFound],
      );
      await rejects(collect(other.send('Hi')), { name: 'GeminiError', status: 403 });
    },
  },
  {
    name: 'sends the text that a plugin returns after the last answer, until one returns null',
    async run(strata) {
      const seen = [];
      const first = {
        name: 'first',
        onStart: (earlier) => void seen.push(['start', earlier]),
        nextMessage(thread, { text: last, calls, finishReason }) {
          seen.push([thread.length, last, calls, finishReason]);
          return seen.length < 3 ? 'And now?' : null;
        },
      };
      const second = { name: 'second', nextMessage: () => seen.push('asked') && 'More' };
      const { chat } = await talk(strata, [first, second], [() => answer('a'), () => answer('b')]);
      const { text: last } = await chat.ask('Hi');
      equal(last, 'b');
      deepEqual(seen, [
        ['start', []],
        [2, 'a', [], 'STOP'],
        [4, 'b', [], 'STOP'],
      ]);
      deepEqual(
        chat.history.map(({ parts }) => parts[0].text),
        ['Hi', 'a', 'And now?', 'b'],
      );
    },
  },
  {
    name: 'emits what a plugin makes of the events of an answer, and of its token counts',
    async run(strata) {
      const plugin = {
        name: 'loud',
        onEvents: (events) =>
          events.map((event) =>
            event.type === 'text' ? { ...event, text: event.text.toUpperCase() } : event,
          ),
        onUsage: (event, { promptTokens }) => ({ ...event, estimated: promptTokens }),
      };
      const { chat } = await talk(strata, [plugin]);
      const events = await collect(chat.send('Hi'));
      equal(events.find(({ type }) => type === 'text').text, 'OK');
      const counted = events.find(({ type }) => type === 'usage');
      equal(counted.estimated, events.find(({ type }) => type === 'request').manifest.promptTokens);
      equal(counted.prefix.promptTokens, 20);
      equal(chat.history[1].parts[0].text, 'ok');
    },
  },
  {
    name: 'requests another answer when a plugin ends one',
    async run(strata) {
      const refused = ({ type, text: said }) => type === 'text' && said === 'bad';
      const plugin = {
        name: 'critic',
        onEvents(events) {
          if (events.some(refused)) throw new strata.GeminiError('answer.other', 'Not this');
        },
      };
      const answers = [() => answer('bad'), () => answer('good')];
      const { core, bodies } = await talk(strata, [], answers);
      const fetch = async () => (bodies.push(''), answers[bodies.length - 1]());
      const client = new strata.GeminiClient({ fetch, retry: false });
      const answerRetry = { initialMs: 0 };
      const options = { model, now, answerRetry, plugins: [plugin] };
      const chat = new strata.Conversation(core, client, options);
      const types = (await collect(chat.send('Hi'))).map(({ type }) => type);
      ok(types.indexOf('fault') < types.indexOf('retry'), `${types}`);
      deepEqual(
        chat.history.map(({ parts }) => parts[0].text),
        ['Hi', 'good'],
      );
    },
  },
  {
    name: 'lets plugins refuse calls, end the send, and change results',
    async run(strata) {
      const core = await strata.load();
      const call = (name) =>
        new Response(
          `data: ${JSON.stringify({
            candidates: [
              {
                content: { role: 'model', parts: [{ functionCall: { name, args: {} } }] },
                finishReason: 'STOP',
              },
            ],
          })}\r\n\r\n`,
        );
      const answers = [call('look'), call('look'), call('look')];
      const client = new strata.GeminiClient({ fetch: async () => answers.shift(), retry: false });
      let rounds = 0;
      const plugin = {
        name: 'gate',
        beforeCalls() {
          if (++rounds === 1) return { error: 'Not yet', event: { type: 'limit', rounds } };
          if (rounds === 3) return { error: 'Enough', finishReason: 'MAX_TOOL_ROUNDS' };
          return undefined;
        },
        afterCall: (thread, { response }, { name }) => ({
          response: { output: `${name}: ${response.output}` },
          storedAs: `turn-${thread.length}`,
        }),
      };
      const tools = [{ name: 'look', description: 'Looks', run: () => 'seen' }];
      const chat = new strata.Conversation(core, client, {
        ...{ model: 'gemini-2.5-flash', now, tools, plugins: [plugin] },
      });
      const events = await collect(chat.send('Hi'));
      const responses = chat.history.flatMap(({ parts }) =>
        parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []),
      );
      deepEqual(responses, [{ error: 'Not yet' }, { output: 'look: seen' }, { error: 'Enough' }]);
      equal(events.filter(({ type }) => type === 'limit').length, 1);
      equal(events.find(({ type }) => type === 'toolResult').storedAs, 'turn-4');
      equal(events.at(-1).finishReason, 'MAX_TOOL_ROUNDS');
    },
  },
];
