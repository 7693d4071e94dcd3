// Conversation: the requests it sends, the events it emits, and the state of its thread after each kind of
// failure. Answers are scripted, except in one test that uses the emulator.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';
const bytes = (text) => new TextEncoder().encode(text);
const text = (utf8) => new TextDecoder().decode(utf8);
const now = () => '2026-11-21T10:00:00Z';

const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 };

/** Returns one chunk of an answer; the last chunk has a finishReason. */
const chunk = (parts, finishReason) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
  usageMetadata,
});

const event = (value) => `data: ${JSON.stringify(value)}\r\n\r\n`;
const stream = (...chunks) => new Response(chunks.map(event).join(''));
const says = (reply) => () => stream(chunk([{ text: reply }], 'STOP'));

const call = (name, args, id) => ({ functionCall: { ...(id ? { id } : {}), name, args } });
const signed = (part) => ({ ...part, thoughtSignature: signature });
const calls = (...parts) => stream(chunk([signed(parts[0]), ...parts.slice(1)], 'STOP'));

const errorResponse = (code, status, details = []) =>
  new Response(JSON.stringify({ error: { code, message: 'no', status, details } }), {
    status: code,
  });

/** Returns an answer that starts and then stalls; calls `onCancel` when it is canceled. */
function stalled(onCancel = () => {}) {
  const first = bytes(event(chunk([{ text: 'Once upon' }])));
  const body = { start: (out) => out.enqueue(first), cancel: onCancel };
  return () => new Response(new ReadableStream(body));
}

/** Returns a conversation with scripted answers, and the bodies that it sends. */
async function talk(strata, answers, options = {}) {
  const core = await strata.load();
  const checker = await strata.check.loadChecker();
  const bodies = [];
  const fetch = async (url, init) => {
    bodies.push(new Uint8Array(init.body));
    return answers[Math.min(bodies.length, answers.length) - 1](init);
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = new strata.Conversation(core, client, {
    model,
    now,
    answerRetry: false,
    ...options,
  });
  return { checker, chat, bodies };
}

async function collect(events, into = []) {
  for await (const happened of events) into.push(happened);
  return into;
}

const typesOf = (events) => events.map(({ type }) => type);
const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => JSON.parse(text(thread.content(i))));
const user = (message) => ({ role: 'user', parts: [{ text: message }] });
const lastOf = (thread) => turnsOf(thread).at(-1);
const responsesIn = (content) => content.parts.map(({ functionResponse }) => functionResponse);

function accepted(checker, bodies) {
  for (const body of bodies) {
    const { diagnostics } = checker.lint(body, { model });
    deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
      text(body),
    );
  }
}

const plain = [
  {
    name: 'sends a text, streams the answer, and stores both as turns',
    async run(strata) {
      const answer = () =>
        stream(chunk([{ text: 'Hel' }]), chunk([{ text: 'lo' }]), chunk([], 'STOP'));
      const { checker, chat, bodies } = await talk(strata, [answer]);
      const events = await collect(chat.send('Hi "you" \u2028 \u{1F600}'));
      const texts = events.filter(({ type }) => type === 'text').map((e) => e.text);
      deepEqual(texts, ['Hel', 'lo']);
      const turns = events.filter(({ type }) => type === 'turn');
      deepEqual(
        turns.map(({ index }) => index),
        [0, 1],
      );
      ok(typesOf(events).indexOf('request') > typesOf(events).indexOf('turn'), 'order');
      const done = events.at(-1);
      deepEqual(done, {
        type: 'done',
        text: 'Hello',
        finishReason: 'STOP',
        usage: { ...usageMetadata, requests: 1 },
      });
      deepEqual(lastOf(chat.thread).parts, [{ text: 'Hello' }]);
      ok(text(bodies[0]).includes(text(chat.thread.content(0))), 'other bytes were sent');
      const { body } = events.find(({ type }) => type === 'request');
      ok(text(bodies[0]) === text(body), 'the event has another body');
      accepted(checker, bodies);
    },
  },
  {
    name: 'lets a method that replaces the stream of the client read the response',
    async run(strata) {
      let seen = '';
      class LoggingClient extends strata.GeminiClient {
        async stream(...args) {
          const response = await super.stream(...args);
          seen = await response.text();
          return new Response(seen, response);
        }
      }
      const client = new LoggingClient({ fetch: says('Hello'), retry: false });
      const chat = new strata.Conversation(await strata.load(), client, { model, now });
      equal((await chat.ask('Hi')).text, 'Hello');
      match(seen, /Hello/);
    },
  },
  {
    name: 'sends a Content given as bytes unchanged',
    async run(strata) {
      const { chat, bodies } = await talk(strata, [says('ok')]);
      const content = '{ "role":"user", "parts":[ {"text":"\\u0041"} ] }';
      await collect(chat.send(bytes(content)));
      ok(text(bodies[0]).includes(content), text(bodies[0]));
    },
  },
  {
    name: 'replaces a lone surrogate with U+FFFD in a text and in a tool result',
    async run(strata) {
      const asks = () => calls(call('half', {}));
      const options = { tools: [tool('half', () => ({ text: 'b\ude00' }))] };
      const { chat } = await talk(strata, [asks, says('ok')], options);
      await collect(chat.send('a\ud83d \u{1F600}'));
      const [asked, , answered] = turnsOf(chat.thread);
      equal(asked.parts[0].text, 'a\ufffd \u{1F600}');
      deepEqual(responsesIn(answered)[0].response, { output: { text: 'b\ufffd' } });
    },
  },
  {
    name: 'calls dynamic before each request and reports the stable prefix',
    async run(strata) {
      let asked = 0;
      const dynamic = () => ({ text: JSON.stringify({ asked: ++asked }) });
      const layers = { static: { text: 'Be brief, always.' }, dynamic };
      const { chat, bodies } = await talk(strata, [says('one'), says('two')], layers);
      const first = await collect(chat.send('a'));
      const second = await collect(chat.send('b'));
      const prefixes = [first, second].map(
        (events) => events.find(({ type }) => type === 'request').manifest.stablePrefixBytes,
      );
      equal(prefixes[0], 0);
      const [a, b] = bodies;
      let shared = 0;
      while (a[shared] === b[shared]) shared++;
      ok(prefixes[1] > 0 && prefixes[1] <= shared, `${prefixes[1]} of ${shared} shared bytes`);
      equal(asked, 2);
      ok(text(b).includes('\\"asked\\":2'), text(b));
    },
  },
  {
    name: 'emits a fault and throws for an answer without a Content, and keeps the question',
    async run(strata) {
      const nothing = () => stream({ candidates: [{ finishReason: 'MAX_TOKENS' }], usageMetadata });
      const { chat } = await talk(strata, [nothing]);
      const events = [];
      const failure = { code: 'answer.max_tokens', finishReason: 'MAX_TOKENS' };
      await rejects(collect(chat.send('Hi'), events), failure);
      equal(events.at(-1).type, 'fault');
      equal(events.at(-1).finishReason, 'MAX_TOKENS');
      deepEqual(turnsOf(chat.thread), [user('Hi')]);
    },
  },
];

/** Declares a tool with this name that calls `run`. */
const tool = (name, run) => ({ name, description: `Runs ${name}`, run });

const tools = [
  {
    name: 'runs parallel calls concurrently and returns results in call order with the signature intact',
    async run(strata) {
      let open;
      const both = new Promise((resolve) => (open = resolve));
      const slow = async ({ n }) => (await both, { n, who: 'slow' });
      const quick = ({ n }) => (open(), n);
      const asks = () => calls(call('slow', { n: 1 }, 'c1'), call('quick', { n: 2 }, 'c2'));
      const options = { tools: [tool('slow', slow), tool('quick', quick)] };
      const { checker, chat, bodies } = await talk(strata, [asks, says('Done.')], options);
      const events = await collect(chat.send('Go'));
      const results = events.filter(({ type }) => type === 'toolResult');
      deepEqual(
        results.map((e) => e.call.name),
        ['quick', 'slow'],
      );
      equal(chat.thread.length, 4);
      deepEqual(responsesIn(turnsOf(chat.thread)[2]), [
        { id: 'c1', name: 'slow', response: { output: { n: 1, who: 'slow' } } },
        { id: 'c2', name: 'quick', response: { output: 2 } },
      ]);
      ok(text(bodies[1]).includes(text(chat.thread.content(1))), 'the call changed on its way');
      ok(text(bodies[1]).includes(`"thoughtSignature":"${signature}"`), 'no signature');
      accepted(checker, bodies);
      const dropped = text(bodies[1]).replace(`,"thoughtSignature":"${signature}"`, '');
      const { diagnostics } = checker.lint(dropped, { model });
      ok(
        diagnostics.some(({ code }) => code === 'signature.missing'),
        JSON.stringify(diagnostics),
      );
    },
  },
  {
    name: 'answers a functionCall without an id without one, and sends declarations next to raw tools',
    async run(strata) {
      const asks = () => calls(call('now', {}));
      const options = {
        tools: [tool('now', () => 'noon'), { googleSearch: {} }],
        toolConfig: { includeServerSideToolInvocations: true },
      };
      const { chat, bodies } = await talk(strata, [asks, says('Noon.')], options);
      await collect(chat.send('Time?'));
      deepEqual(responsesIn(turnsOf(chat.thread)[2]), [
        { name: 'now', response: { output: 'noon' } },
      ]);
      deepEqual(JSON.parse(text(bodies[0])).tools, [
        { functionDeclarations: [{ name: 'now', description: 'Runs now' }] },
        { googleSearch: {} },
      ]);
    },
  },
  {
    name: 'returns an error or null for a tool that throws, is unknown, times out, or returns no JSON',
    async run(strata) {
      const circle = {};
      circle.self = circle;
      const mine = {
        throws: () => {
          throw new Error('no such city');
        },
        sleeps: () => new Promise(() => {}),
        circles: () => circle,
        silent: () => undefined,
      };
      const asked = [...Object.keys(mine), 'unknown'].map((name) => call(name, {}));
      const options = {
        tools: Object.entries(mine).map(([name, run]) => tool(name, run)),
        toolTimeoutMs: 20,
      };
      const { checker, chat, bodies } = await talk(
        strata,
        [() => calls(...asked), says('Sorry.')],
        options,
      );
      await collect(chat.send('Go'));
      const [thrown, late, circular, silent, unknown] = responsesIn(turnsOf(chat.thread)[2]);
      deepEqual(thrown.response, { error: 'no such city' });
      match(late.response.error, /longer than 20 ms/);
      ok(typeof circular.response.error === 'string', 'a circle is no result');
      deepEqual(silent.response, { output: null });
      match(unknown.response.error, /no tool named unknown/);
      accepted(checker, bodies);
    },
  },
  {
    name: 'stops running tools after maxToolRounds and answers further calls with an error',
    async run(strata) {
      const options = { tools: [tool('again', () => 1)], maxToolRounds: 2 };
      const { checker, chat, bodies } = await talk(
        strata,
        [() => calls(call('again', {}))],
        options,
      );
      const events = await collect(chat.send('Go'));
      deepEqual(typesOf(events).slice(-2), ['limit', 'done']);
      equal(events.at(-2).rounds, 2);
      equal(bodies.length, 3);
      match(responsesIn(lastOf(chat.thread))[0].response.error, /limit/);
      await collect(chat.send(''));
      accepted(checker, bodies);
    },
  },
  {
    name: 'runs the unanswered calls at the end of a thread',
    async run(strata) {
      const core = await strata.load();
      const checker = await strata.check.loadChecker();
      const asked = { role: 'model', parts: [signed(call('now', {}))] };
      const thread = core.thread({ model, sequencing: 'api', from: [user('Time?'), asked] });
      const options = { thread, tools: [tool('now', () => 'noon')] };
      const { chat, bodies } = await talk(strata, [says('Noon.')], options);
      await collect(chat.send(''));
      equal(chat.thread.length, 4);
      accepted(checker, bodies);
    },
  },
];

const cutStream = () => stream(chunk([{ text: 'Once upon' }]));
const inMiddle = () =>
  new Response(
    event(chunk([{ text: 'Once' }])) +
      JSON.stringify({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }),
  );
const blocked = () => stream({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata });
const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' };

const failures = [
  {
    name: 'throws a typed error for 429, a cut stream, an error in it, and a block; keeps the user text',
    async run(strata) {
      const kinds = [
        [
          () => errorResponse(429, 'RESOURCE_EXHAUSTED', [retryInfo]),
          { status: 429, retryAfterMs: 7000 },
        ],
        [cutStream, { status: 0 }],
        [inMiddle, { status: 503 }],
        [blocked, { blockReason: 'SAFETY' }],
        [() => new Response(''), {}],
      ];
      for (const [answer, expected] of kinds) {
        const { checker, chat, bodies } = await talk(strata, [answer, says('Here I am.')]);
        const failed = collect(chat.send('Hi'));
        await rejects(failed, { name: 'GeminiError', ...expected }, `${answer}`);
        deepEqual(turnsOf(chat.thread), [user('Hi')]);
        await collect(chat.send('Hi'));
        deepEqual(turnsOf(chat.thread)[0], user('Hi'));
        equal(chat.thread.length, 2, 'the text is there twice');
        accepted(checker, bodies);
      }
    },
  },
  {
    name: 'keeps the whole step after a failure, and resumes from it with the next send',
    async run(strata) {
      let ran = 0;
      const options = { tools: [tool('count', () => ++ran)] };
      const answers = [() => calls(call('count', {})), cutStream, says('One.')];
      const { checker, chat, bodies } = await talk(strata, answers, options);
      await rejects(collect(chat.send('Count')), { name: 'GeminiError' });
      equal(chat.thread.length, 3);
      await collect(chat.send(''));
      equal(chat.thread.length, 4);
      equal(ran, 1);
      accepted(checker, bodies);
    },
  },
  {
    name: 'does not send or store a Content that the API would reject',
    async run(strata) {
      const { chat, bodies } = await talk(strata, [says('no')]);
      await rejects(collect(chat.send({ role: 'user', parts: [] })), { name: 'HistoryError' });
      await rejects(collect(chat.send('')), { name: 'HistoryError' });
      equal(chat.thread.length, 0);
      equal(bodies.length, 0);
    },
  },
  {
    name: 'rejects a second send until the first is finished',
    async run(strata) {
      const { chat } = await talk(strata, [says('one'), says('two')]);
      const first = chat.send('a');
      await first.next();
      await rejects(collect(chat.send('b')), { name: 'StrataError', code: 'conversation.busy' });
      await collect(first);
      await collect(chat.send('b'));
      equal(chat.thread.length, 4);
    },
  },
];

const aborts = [
  {
    name: 'throws the abort reason in mid-stream and cancels the answer',
    async run(strata) {
      let cancelled = false;
      const { chat } = await talk(strata, [stalled(() => (cancelled = true)), says('Hello')]);
      const controller = new AbortController();
      const reason = new Error('enough');
      const reading = (async () => {
        for await (const { type } of chat.send('Hi', controller)) {
          if (type === 'text') controller.abort(reason);
        }
      })();
      ok((await rejects(reading)) === reason, 'another error');
      ok(cancelled, 'the answer still runs');
      deepEqual(turnsOf(chat.thread), [user('Hi')]);
      await collect(chat.send(''));
      equal(chat.thread.length, 2);
    },
  },
  {
    name: 'aborts the request when the loop over the events ends early',
    async run(strata) {
      let cancelled = false;
      const { chat } = await talk(strata, [stalled(() => (cancelled = true)), says('Hello')]);
      for await (const { type } of chat.send('Hi')) if (type === 'text') break;
      ok(cancelled, 'the answer still runs');
      deepEqual(turnsOf(chat.thread), [user('Hi')]);
      await collect(chat.send(''));
    },
  },
  {
    name: 'stores a complete step with finished and stopped calls after an abort while tools run',
    async run(strata) {
      const controller = new AbortController();
      let received;
      const endless = (_, { signal }) => ((received = signal), new Promise(() => {}));
      const options = { tools: [tool('quick', () => 1), tool('endless', endless)] };
      const asks = () => calls(call('quick', {}), call('endless', {}));
      const { checker, chat, bodies } = await talk(strata, [asks, says('Well.')], options);
      const reason = new Error('enough');
      const reading = (async () => {
        for await (const { type } of chat.send('Go', controller)) {
          if (type === 'toolResult') controller.abort(reason);
        }
      })();
      ok((await rejects(reading)) === reason, 'another error');
      ok(received.aborted, 'the tool received no abort');
      const [quick, stopped] = responsesIn(lastOf(chat.thread));
      deepEqual(quick.response, { output: 1 });
      match(stopped.response.error, /Stopped/);
      await collect(chat.send(''));
      accepted(checker, bodies);
    },
  },
  {
    name: 'stores a complete step when the loop ends before a tool runs',
    async run(strata) {
      const exits = { toolCall: () => true, turn: ({ index }) => index === 1 };
      for (const [exitType, matches] of Object.entries(exits)) {
        let ran = false;
        const options = { tools: [tool('delete', () => (ran = true))] };
        const asks = () => calls(call('delete', {}));
        const { checker, chat, bodies } = await talk(strata, [asks, says('Not done.')], options);
        for await (const e of chat.send('Go')) if (e.type === exitType && matches(e)) break;
        ok(!ran, 'the tool ran');
        match(responsesIn(lastOf(chat.thread))[0].response.error, /Stopped/);
        await collect(chat.send(''));
        accepted(checker, bodies);
      }
    },
  },
  {
    name: 'sends nothing if the signal is already aborted',
    async run(strata) {
      const { chat, bodies } = await talk(strata, [says('no')]);
      const reason = new Error('never mind');
      const signal = AbortSignal.abort(reason);
      ok((await rejects(collect(chat.send('Hi', { signal })))) === reason, 'another error');
      equal(bodies.length, 0);
      equal(chat.thread.length, 0);
    },
  },
];

const emulated = [
  {
    name: 'runs a tool call with the emulator and resumes from the saved thread',
    async run(strata) {
      const core = await strata.load();
      const client = new strata.GeminiClient({
        fetch: strata.createEmulator({ checkSignatures: true }),
      });
      const weather = {
        ...tool('get_weather', ({ city }) => ({ city, celsius: 4 })),
        parameters: {
          type: 'OBJECT',
          properties: { city: { type: 'STRING' } },
          required: ['city'],
        },
      };
      const options = { model, now, tools: [weather] };
      const chat = new strata.Conversation(core, client, options);
      const events = await collect(chat.send('What is the weather in Oslo?'));
      const types = new Set(typesOf(events));
      for (const type of ['toolCall', 'toolResult', 'text', 'done']) ok(types.has(type), type);
      equal(chat.thread.length, 4);
      const thread = core.thread({ model, sequencing: 'api', from: chat.thread.save() });
      equal(thread.length, 4);
      const again = new strata.Conversation(core, client, { ...options, thread });
      await collect(again.send('And tomorrow?'));
      ok(thread.length >= 6, `${thread.length} turns`);
    },
  },
];

export default [...plain, ...tools, ...failures, ...aborts, ...emulated];
