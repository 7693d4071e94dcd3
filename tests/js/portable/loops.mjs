// Loop detection: repeated text emits an event and the answer is stored, unless the options end the send; repeated
// calls end the send.
import { deepEqual, equal, match, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
const oks = 'ok '.repeat(50);
const text = (utf8) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8);

/** Returns a conversation with scripted answers; the last one repeats. */
async function talk(strata, answers, options = {}) {
  let asked = 0;
  const respond = () => ({ parts: answers[Math.min(asked++, answers.length - 1)] });
  const client = new strata.GeminiClient({ fetch: strata.createEmulator({ respond }) });
  const settings = { model, answerRetry: false, ...options };
  return new strata.Conversation(await strata.load(), client, settings);
}

async function send(chat, message) {
  const events = [];
  try {
    for await (const event of chat.send(message)) events.push(event);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

const ofType = (events, wanted) => events.filter(({ type }) => type === wanted);
const textsOf = (events) => ofType(events, 'text').map((event) => event.text);
const lastTurn = ({ thread }) => JSON.parse(text(thread.content(thread.length - 1)));

export default [
  ...[undefined, {}, { texts: 10 }, { onText: 'event' }].map((loopDetection) => ({
    name: `stores an answer that repeats a text and emits one event: ${JSON.stringify(loopDetection)}`,
    async run(strata) {
      const chat = await talk(strata, [[{ text: oks }]], { loopDetection });
      const { events, error } = await send(chat, 'Say ok fifty times.');
      equal(error, undefined, error?.message);
      deepEqual(ofType(events, 'loop'), [{ type: 'loop', kind: 'text', count: 1 }]);
      equal(textsOf(events).join(''), oks);
      equal(
        lastTurn(chat)
          .parts.map((part) => part.text)
          .join(''),
        oks,
      );
      equal(events.at(-1).type, 'done');
      deepEqual(ofType(events, 'fault'), []);
    },
  })),
  {
    name: 'emits one event with a count for each answer of a send that repeats a text',
    async run(strata) {
      const call = { functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2lnbmVk' };
      const answers = [[{ text: oks.repeat(3) }, call], [{ text: oks }], [{ text: 'Fine.' }]];
      const chat = await talk(strata, answers, { tools: [{ name: 'f', run: () => 1 }] });
      const { events } = await send(chat, 'Sing.');
      deepEqual(
        ofType(events, 'loop').map(({ kind, count }) => [kind, count]),
        [
          ['text', 1],
          ['text', 2],
        ],
      );
      equal(chat.thread.length, 4);
      deepEqual(ofType((await send(chat, 'And now?')).events, 'loop'), []);
    },
  },
  {
    name: 'emits the event while the answer streams, so the reader can stop',
    async run(strata) {
      const chat = await talk(strata, [[{ text: oks.repeat(20) }]]);
      let received = '';
      for await (const event of chat.send('Sing.')) {
        if (event.type === 'text') received += event.text;
        if (event.type === 'loop') break;
      }
      ok(
        received.length >= 50 && received.length < oks.length * 20,
        `${received.length} characters`,
      );
      equal(chat.unanswered, true);
    },
  },
  {
    name: 'ends the send on repeated text with onText "end"',
    async run(strata) {
      const chat = await talk(strata, [[{ text: oks }]], { loopDetection: { onText: 'end' } });
      const { events, error } = await send(chat, 'Say ok fifty times.');
      equal(error?.code, 'answer.loop');
      deepEqual(ofType(events, 'loop'), []);
      equal(ofType(events, 'fault')[0].code, 'answer.loop');
      equal(chat.thread.length, 1);
    },
  },
  {
    name: 'asks the model again with the reason, with onText "end" and a retry',
    async run(strata) {
      const requests = [];
      const options = { loopDetection: { onText: 'end' }, answerRetry: { initialMs: 1 } };
      const chat = await talk(strata, [[{ text: oks }], [{ text: 'Fifty times ok.' }]], options);
      const { events, error } = await send(chat, 'Say ok fifty times.');
      equal(error, undefined, error?.message);
      for (const { body } of ofType(events, 'request')) requests.push(text(body));
      equal(requests.length, 2);
      match(requests[1], /said the same again and again/);
      equal(lastTurn(chat).parts[0].text, 'Fifty times ok.');
    },
  },
  {
    name: 'ends the send on repeated calls with every onText setting',
    async run(strata) {
      const call = { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2lnbmVk' };
      let ran = 0;
      const tools = [{ name: 'f', run: () => ++ran }];
      for (const loopDetection of [undefined, { onText: 'event' }, { onText: 'end' }]) {
        ran = 0;
        const chat = await talk(strata, [[call]], { tools, maxToolRounds: 100, loopDetection });
        const { events, error } = await send(chat, 'Go');
        equal(error, undefined);
        const reported = ofType(events, 'loop').map(({ kind, count, calls }) => [
          kind,
          count,
          calls[0].name,
        ]);
        deepEqual(reported, [
          ['calls', 1, 'f'],
          ['calls', 2, 'f'],
        ]);
        equal(ran, 8);
        equal(events.at(-1).type, 'done');
      }
    },
  },
  {
    name: 'emits nothing with loop detection disabled',
    async run(strata) {
      const chat = await talk(strata, [[{ text: oks }]], { loopDetection: false });
      const { events, error } = await send(chat, 'Say ok fifty times.');
      equal(error, undefined);
      deepEqual(ofType(events, 'loop'), []);
    },
  },
];
