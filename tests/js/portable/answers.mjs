// How a Conversation reads answers: continued over several requests, in every stream format, and requested again
// after a fault.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const text = (utf8) => new TextDecoder().decode(utf8);
const event = (value) => `data: ${JSON.stringify(value)}\r\n\r\n`;

const candidate = (parts, finishReason, more = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
  ...more,
});
const says = (reply) => event(candidate([{ text: reply }], 'STOP'));

/** Returns a conversation whose responses are these texts, in order; the last one repeats. */
async function talk(strata, answers, options = {}) {
  const core = await strata.load();
  const bodies = [];
  const fetch = async (_, init) => {
    bodies.push(text(init.body));
    return new Response(answers[Math.min(bodies.length, answers.length) - 1]);
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = new strata.Conversation(core, client, { model, now, ...options });
  return { core, chat, bodies };
}

async function collect(events, into = []) {
  for await (const happened of events) into.push(happened);
  return into;
}

const ofType = (events, wanted) => events.filter(({ type }) => type === wanted);
const turn = (thread, index) => JSON.parse(text(thread.content(index)));

const part = (reply, token, usage) =>
  event(
    candidate([{ text: reply }], token === undefined ? 'STOP' : 'CONTINUATION', {
      ...(token === undefined ? {} : { continuationToken: token }),
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: usage,
        totalTokenCount: 10 + usage,
      },
    }),
  );

const continued = [
  {
    name: 'joins an answer continued over three requests into one turn and adds up its usage',
    async run(strata) {
      const answers = [
        part('Once ', 'token "1"', 1),
        part('upon ', 'token 2', 2),
        part('a time.', undefined, 4),
      ];
      const { chat, bodies } = await talk(strata, answers);
      const events = await collect(chat.send('Tell me a story'));
      equal(chat.thread.length, 2);
      deepEqual(turn(chat.thread, 1).parts, [{ text: 'Once upon a time.' }]);
      const [first, second, third] = bodies;
      equal(second, `${first.slice(0, -1)},"continuationToken":"token \\"1\\""}`);
      equal(third, `${first.slice(0, -1)},"continuationToken":"token 2"}`);
      const { usage, finishReason } = events.at(-1);
      deepEqual(
        [finishReason, usage.candidatesTokenCount, usage.promptTokenCount],
        ['STOP', 7, 30],
      );
      equal(ofType(events, 'turn').length, 2);
      await collect(chat.send('Go on'));
      ok(!bodies[3].includes('continuationToken'));
    },
  },
  {
    name: 'adds up equal counts, and counts anew if the continuation begins without counts',
    async run(strata) {
      const same = await talk(strata, [part('Once ', 't', 3), part('more.', undefined, 3)]);
      const { usage } = (await collect(same.chat.send('Go'))).at(-1);
      deepEqual([usage.promptTokenCount, usage.candidatesTokenCount], [20, 6]);
      const first = event(
        candidate([{ text: 'a' }], 'CONTINUATION', {
          continuationToken: 't',
          usageMetadata: { thoughtsTokenCount: 100, totalTokenCount: 106 },
        }),
      );
      const silent = event({
        candidates: [{ content: { role: 'model', parts: [{ text: 'b' }] } }],
      });
      const late = await talk(strata, [first, silent + part('c', undefined, 1)]);
      const last = (await collect(late.chat.send('Go'))).at(-1).usage;
      deepEqual([last.thoughtsTokenCount, last.candidatesTokenCount], [100, 1]);
    },
  },
  {
    name: 'takes the last request of a continued answer for the size of the history',
    async run(strata) {
      const seen = [];
      const plugin = { name: 'usage', afterAnswer: (usage) => void seen.push(usage) };
      const silent = event(
        candidate([{ text: 'upon ' }], 'CONTINUATION', { continuationToken: 'u' }),
      );
      const answers = [part('Once ', 't', 1), silent, part('a time.', undefined, 4)];
      const { chat } = await talk(strata, answers, { plugins: [plugin] });
      const { usage } = (await collect(chat.send('Tell me a story'))).at(-1);
      deepEqual([usage.promptTokenCount, usage.candidatesTokenCount], [20, 5]);
      deepEqual(
        seen.map(({ promptTokenCount, totalTokenCount }) => [promptTokenCount, totalTokenCount]),
        [[10, 14]],
      );
    },
  },
  {
    name: 'accepts a functionCall in the continuation, and stores nothing if the continuation fails',
    async run(strata) {
      const call = { functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2lnbmVk' };
      const answers = [part('I look.', 't', 1), event(candidate([call], 'STOP')), says('Done.')];
      const tools = [{ name: 'f', run: () => 1 }];
      const { chat } = await talk(strata, answers, { tools });
      await collect(chat.send('Go'));
      equal(chat.thread.length, 4);
      deepEqual(turn(chat.thread, 1).parts, [{ text: 'I look.' }, call]);

      const broken = await talk(
        strata,
        [part('Once ', 't', 1), event(candidate([{ text: 'up' }]))],
        {
          answerRetry: false,
        },
      );
      await rejects(collect(broken.chat.send('Go')), { code: 'answer.cut' });
      equal(broken.chat.thread.length, 1);
    },
  },
  {
    name: 'rejects an answer with finishReason CONTINUATION and no continuationToken',
    async run(strata) {
      const endless = event(candidate([{ text: 'Once' }], 'CONTINUATION'));
      const { chat, bodies } = await talk(strata, [endless], { answerRetry: false });
      await rejects(collect(chat.send('Go')), { code: 'answer.cut', finishReason: 'CONTINUATION' });
      equal(bodies.length, 1);
    },
  },
];

const forms = [
  {
    name: 'builds the same turn from server-sent events, a JSON array, and a single response object',
    async run(strata) {
      const chunks = [candidate([{ text: 'Zür' }]), candidate([{ text: 'ich' }], 'STOP')];
      const bodies = [
        chunks.map(event).join(''),
        JSON.stringify(chunks),
        JSON.stringify(candidate([{ text: 'Zürich' }], 'STOP')),
      ];
      for (const body of bodies) {
        const { chat } = await talk(strata, [body]);
        await collect(chat.send('Where?'));
        deepEqual(turn(chat.thread, 1).parts, [{ text: 'Zürich' }]);
      }
    },
  },
];

const endings = [
  {
    name: 'loses nothing of a stream whose last blank line is missing, or that a byte order mark begins',
    async run(strata) {
      const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
      const first = event(candidate([{ text: 'Zür' }]));
      const last = event(candidate([{ text: 'ich' }], 'STOP', { usageMetadata }));
      for (const ending of ['', '\n', '\r\n', '\r\n\r\n']) {
        const body = `\ufeff${first}${last.trimEnd()}${ending}`;
        const { chat } = await talk(strata, [body]);
        const events = await collect(chat.send('Where?'));
        deepEqual(
          ofType(events, 'text').map((one) => one.text),
          ['Zür', 'ich'],
        );
        equal(ofType(events, 'usage').at(-1).usage.totalTokenCount, 5);
        const streamed = await talk(strata, [body]);
        deepEqual(await collect(streamed.chat.stream('Where?').textStream), ['Zür', 'ich']);
        equal((await streamed.chat.ask('Again?')).usage.totalTokenCount, 5);
      }
    },
  },
  {
    name: 'continues an answer whose last blank line is missing',
    async run(strata) {
      const answers = [part('Hel', 'a', 3), part('lo', undefined, 4)];
      const { chat, bodies } = await talk(
        strata,
        answers.map((one) => one.trimEnd()),
      );
      const events = await collect(chat.send('Go'));
      equal(bodies.length, 2);
      equal(
        ofType(events, 'text')
          .map((one) => one.text)
          .join(''),
        'Hello',
      );
    },
  },
];

const blocked = JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } });

const policies = [
  {
    name: 'reports a faulty answer, requests it again, and does not store it',
    async run(strata) {
      const checker = await strata.check.loadChecker();
      const answers = [
        event(candidate([{ text: 'Half' }])),
        event(candidate([], 'STOP')),
        says('Whole.'),
      ];
      const { chat, bodies } = await talk(strata, answers, { answerRetry: { initialMs: 1 } });
      const events = await collect(chat.send('Hi'));
      deepEqual(
        ofType(events, 'fault').map(({ code }) => code),
        ['answer.cut', 'answer.empty'],
      );
      deepEqual(
        ofType(events, 'retry').map(({ attempt, delayMs }) => [attempt, delayMs]),
        [
          [1, 1],
          [2, 2],
        ],
      );
      equal(bodies[0], bodies[1]);
      match(bodies[2], /Your last answer had no text/);
      equal(chat.thread.length, 2);
      deepEqual(turn(chat.thread, 1).parts, [{ text: 'Whole.' }]);
      for (const body of bodies) ok(checker.lint(body, { model }).ok, body);
    },
  },
  {
    name: 'honors the codes, attempts, and nudge options; a block is retried only if listed in codes',
    async run(strata) {
      const once = await talk(strata, [blocked, says('Hello.')], { answerRetry: { initialMs: 1 } });
      await rejects(collect(once.chat.send('Hi')), {
        code: 'answer.blocked',
        blockReason: 'SAFETY',
      });
      equal(once.bodies.length, 1);
      equal(once.chat.thread.length, 1);

      const answerRetry = { initialMs: 1, codes: ['answer.blocked'], attempts: 2 };
      const twice = await talk(strata, [blocked, says('Hello.')], { answerRetry });
      await collect(twice.chat.send('Hi'));
      equal(twice.bodies.length, 2);

      const silent = event(candidate([], 'STOP'));
      for (const [nudge, wanted] of [
        ['Say something.', true],
        [false, false],
      ]) {
        const asked = await talk(strata, [silent, says('Hello.')], {
          answerRetry: { initialMs: 1, nudge },
        });
        await collect(asked.chat.send('Hi'));
        equal(asked.bodies[1].includes('Say something.'), wanted);
      }
    },
  },
  {
    name: 'uses the default of four attempts when options are undefined',
    async run(strata) {
      const half = event(candidate([{ text: 'Half' }]));
      const answerRetry = { attempts: undefined, codes: undefined, initialMs: 0 };
      const { chat, bodies } = await talk(strata, [...Array(6).fill(half), says('Whole.')], {
        answerRetry,
      });
      await rejects(collect(chat.send('Hi')), { code: 'answer.cut' });
      equal(bodies.length, 4);
    },
  },
  {
    name: 'stops waiting between two attempts when aborted',
    async run(strata) {
      const { chat, bodies } = await talk(strata, [event(candidate([{ text: 'Half' }]))]);
      const controller = new AbortController();
      const reading = (async () => {
        for await (const { type } of chat.send('Hi', controller)) {
          if (type === 'retry') controller.abort(new Error('enough'));
        }
      })();
      await rejects(reading, { message: 'enough' });
      equal(bodies.length, 1);
      equal(chat.thread.length, 1);
    },
  },
];

export default [...continued, ...forms, ...endings, ...policies];
