// Tools that throw PausedCall: the send ends with `waiting`, the results of the other calls are kept, and the next
// send runs only the calls that stayed open.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const text = (utf8) => new TextDecoder().decode(utf8);

const stream = (parts) =>
  new Response(
    `data: ${JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
    })}\r\n\r\n`,
  );

const call = (name, args = {}) => ({ functionCall: { name, args } });

/** Answers a user's text with calls of `names`, and results with a text. */
function modelOf(names) {
  const bodies = [];
  const fetch = async (_, init) => {
    const body = JSON.parse(text(init.body));
    bodies.push(body);
    const last = body.contents.at(-1).parts.at(-1);
    if (last.text !== 'Go') return stream([{ text: 'Done.' }]);
    const [first, ...others] = names.map((name) => call(name));
    return stream([{ ...first, thoughtSignature: 'c2lnbmVk' }, ...others]);
  };
  return { bodies, fetch };
}

/** Tools of a person: `slow` pauses until `answers` has its result, `fast` returns at once. */
function toolsOf({ PausedCall }, options = {}) {
  const [answers, runs] = [{}, []];
  const slow = (name) => ({
    name,
    ...options,
    run() {
      runs.push(name);
      if (name in answers) return answers[name];
      throw new PausedCall();
    },
  });
  const fast = { name: 'fast', run: () => (runs.push('fast'), 'at once') };
  return { answers, runs, tools: [slow('slow'), slow('slower'), fast] };
}

async function create(strata, names, toolbox, options = {}) {
  const { fetch, bodies } = modelOf(names);
  const client = new strata.GeminiClient({ fetch, retry: false });
  const all = { model, now, tools: toolbox.tools, ...options };
  const open = async () =>
    options.store
      ? strata.Conversation.open(await strata.load(), client, { ...all, id: 'one' })
      : new strata.Conversation(await strata.load(), client, all);
  return { chat: await open(), open, bodies };
}

async function eventsOf(send) {
  const events = [];
  for await (const event of send) events.push(event);
  return events;
}

const typesOf = (events) =>
  events.map(({ type }) => type).filter((type) => /^(turn|tool|waiting|done)/.test(type));

const responsesOf = (chat, index) =>
  chat.history[index].parts.map(({ functionResponse }) => functionResponse.response);

/** Pauses one of two calls and answers it with the next send, in the same object or in another process. */
async function pauseAndResume(strata, store, reopens) {
  const toolbox = toolsOf(strata);
  const { chat, open } = await create(strata, ['slow', 'fast'], toolbox, store && { store });
  const first = await eventsOf(chat.send('Go'));
  deepEqual(typesOf(first), ['turn', 'turn', 'toolCall', 'toolCall', 'toolResult', 'waiting']);
  deepEqual(first.at(-1), { type: 'waiting', calls: [{ name: 'slow', args: {} }] });
  equal(chat.thread.length, 2);
  ok(chat.unanswered);
  const next = reopens ? await open() : chat;
  toolbox.answers.slow = 'by hand';
  const second = await eventsOf(next.send(''));
  deepEqual(typesOf(second), ['toolCall', 'toolCall', 'toolResult', 'turn', 'turn', 'done']);
  deepEqual(toolbox.runs.sort(), ['fast', 'slow', 'slow']);
  deepEqual(responsesOf(next, 2), [{ output: 'by hand' }, { output: 'at once' }]);
  equal(next.thread.length, 4);
  equal(next.unanswered, false);
}

const resuming = [
  {
    name: 'a paused call stays open, and the next send runs only that call',
    run: (strata) => pauseAndResume(strata, undefined, false),
  },
  {
    name: 'a paused call stays open with a store',
    run: (strata) => pauseAndResume(strata, new strata.MemoryStore(), false),
  },
  {
    name: 'a paused call stays open for the next process, which has the other results',
    run: (strata) => pauseAndResume(strata, new strata.MemoryStore(), true),
  },
  {
    name: 'a result that comes after a pause is stored, although it is the last one',
    async run(strata) {
      const toolbox = toolsOf(strata);
      let finish;
      const late = new Promise((resolve) => (finish = resolve));
      toolbox.tools[2].run = () => (toolbox.runs.push('fast'), late);
      const store = new strata.MemoryStore();
      const { chat, open } = await create(strata, ['slow', 'fast'], toolbox, { store });
      for await (const event of chat.send('Go')) if (event.type === 'toolCall') finish('late');
      toolbox.answers.slow = 'by hand';
      const second = await open();
      await eventsOf(second.send(''));
      deepEqual(toolbox.runs.sort(), ['fast', 'slow', 'slow']);
      deepEqual(responsesOf(second, 2), [{ output: 'by hand' }, { output: 'late' }]);
    },
  },
  {
    name: 'calls can be answered one by one, in any order, across processes',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const store = new strata.MemoryStore();
      const { chat, open } = await create(strata, ['slow', 'slower'], toolbox, { store });
      await eventsOf(chat.send('Go'));
      toolbox.answers.slower = 2;
      const events = await eventsOf((await open()).send(''));
      deepEqual(events.at(-1), { type: 'waiting', calls: [{ name: 'slow', args: {} }] });
      toolbox.answers.slow = 1;
      const last = await open();
      await eventsOf(last.send(''));
      deepEqual(responsesOf(last, 2), [{ output: 1 }, { output: 2 }]);
      equal(toolbox.runs.filter((name) => name === 'slower').length, 2);
    },
  },
];

const stored = [
  {
    name: 'a paused call of a tool that is not idempotent runs again, and no stored result is lost',
    async run(strata) {
      const toolbox = toolsOf(strata, { idempotent: false });
      const store = new strata.MemoryStore();
      const { chat, open } = await create(strata, ['fast', 'slow'], toolbox, { store });
      await eventsOf(chat.send('Go'));
      toolbox.answers.slow = 'by hand';
      const next = await open();
      await eventsOf(next.send(''));
      deepEqual(responsesOf(next, 2), [{ output: 'at once' }, { output: 'by hand' }]);
      deepEqual(toolbox.runs.sort(), ['fast', 'slow', 'slow']);
    },
  },
  {
    name: 'the store never lacks a result while a pause is written',
    async run(strata) {
      const toolbox = toolsOf(strata, { idempotent: false });
      const store = new strata.MemoryStore();
      const written = [];
      const write = store.write.bind(store);
      store.write = async (...args) => (written.push(args), write(...args));
      const { chat } = await create(strata, ['fast', 'slow'], toolbox, { store });
      await eventsOf(chat.send('Go'));
      const [, at, lines] = written.at(-1);
      equal(at, 0);
      ok(
        lines.some((line) => line.includes('at once')),
        lines.join('\n'),
      );
    },
  },
  {
    name: 'an abort answers open calls, and keeps the results of the others',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const { chat } = await create(strata, ['slow', 'fast'], toolbox);
      await eventsOf(chat.send('Go'));
      const controller = new AbortController();
      const reason = new Error('enough');
      const events = chat.send('', { signal: controller.signal });
      await events.next();
      controller.abort(reason);
      await rejects(() => eventsOf(events), { message: /enough/ });
      const [slow, fast] = responsesOf(chat, 2);
      match(slow.error, /^Stopped/);
      deepEqual(fast, { output: 'at once' });
      await eventsOf(chat.send('And now?'));
      equal(chat.thread.length, 5);
    },
  },
  {
    name: 'a reader that leaves at `waiting` aborts nothing',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const { chat } = await create(strata, ['slow', 'fast'], toolbox);
      for await (const { type } of chat.send('Go')) if (type === 'waiting') break;
      equal(chat.thread.length, 2);
      toolbox.answers.slow = 'by hand';
      equal((await chat.ask('')).text, 'Done.');
    },
  },
  {
    name: 'closeCalls answers open calls with an error, in the store as well',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const store = new strata.MemoryStore();
      const { chat, open } = await create(strata, ['slow', 'fast', 'slower'], toolbox, { store });
      await eventsOf(chat.send('Go'));
      await chat.closeCalls('Nobody answered.');
      const error = { error: 'Nobody answered.' };
      const next = await open();
      deepEqual(responsesOf(next, 2), [error, { output: 'at once' }, error]);
      await next.closeCalls();
      equal(next.thread.length, 3);
      equal((await next.ask('Never mind.')).text, 'Done.');
    },
  },
  {
    name: 'closeCalls waits for no send, and has a text of its own',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const { chat } = await create(strata, ['slow'], toolbox);
      const events = chat.send('Go');
      await events.next();
      await rejects(() => chat.closeCalls('No.'), { code: 'conversation.busy' });
      await eventsOf(events);
      await chat.closeCalls();
      match(responsesOf(chat, 2)[0].error, /^Stopped/);
    },
  },
  {
    name: 'an abort while a call pauses leaves no call open',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const controller = new AbortController();
      toolbox.tools[0].run = () => {
        controller.abort(new Error('enough'));
        throw new strata.PausedCall();
      };
      const { chat } = await create(strata, ['slow'], toolbox);
      await rejects(() => eventsOf(chat.send('Go', { signal: controller.signal })), {
        message: /enough/,
      });
      match(responsesOf(chat, 2)[0].error, /^Stopped/);
    },
  },
];

const otherMethods = [
  {
    name: 'a message is not added while calls stay open, and is added once they are answered',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const { chat } = await create(strata, ['slow'], toolbox);
      await eventsOf(chat.send('Go'));
      const events = [];
      const send = async () => {
        for await (const event of chat.send('Hurry up')) events.push(event.type);
      };
      const error = await rejects(send, { code: 'conversation.waiting' });
      match(error.message, /not added/);
      deepEqual(events, ['toolCall', 'waiting']);
      equal(chat.thread.length, 2);
      toolbox.answers.slow = 'by hand';
      await eventsOf(chat.send('Thanks'));
      deepEqual(chat.history[3].parts, [{ text: 'Thanks' }]);
      equal(chat.thread.length, 5);
    },
  },
  {
    name: 'ask, stream and object say that the answer is incomplete',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const waiting = { code: 'conversation.waiting' };
      const { chat } = await create(strata, ['slow'], toolbox);
      await rejects(() => chat.ask('Go'), waiting);
      const streamed = chat.stream('');
      deepEqual(typesOf(await eventsOf(streamed)), ['toolCall', 'waiting']);
      await rejects(() => streamed.result, waiting);
      await rejects(() => chat.object({ type: 'object' }, ''), waiting);
      const response = await chat.stream('').toResponse().text();
      match(response, /"type":"failed","code":"conversation.waiting"/);
      const shown = await chat
        .stream('')
        .toResponse({ events: ['waiting'] })
        .text();
      match(shown, /"type":"waiting","calls":\[\{"name":"slow"/);
      ok(!shown.includes('failed'));
      toolbox.answers.slow = 'by hand';
      equal((await chat.ask('')).text, 'Done.');
    },
  },
  {
    name: 'object says that the answer is incomplete if its own answer calls a tool that pauses',
    async run(strata) {
      const toolbox = toolsOf(strata);
      const { chat } = await create(strata, ['slow'], toolbox);
      const object = () => chat.object({ type: 'object' }, 'Go');
      await rejects(object, { code: 'conversation.waiting' });
      equal(chat.thread.length, 2);
    },
  },
];

export default [...resuming, ...stored, ...otherMethods];
