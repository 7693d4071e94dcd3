// Thread.timeline says what each turn is, and Strata.timeline does for the history of a body that no thread may take.
import { deepEqual, equal, ok, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder().decode(bytes);
const user = (...parts) => ({ role: 'user', parts });
const answer = (...parts) => ({ role: 'model', parts });
const call = (name, fields = {}) => ({ functionCall: { name, ...fields } });
const signed = (part) => ({ ...part, thoughtSignature: 'QUJD' });
const result = (name, fields = {}) => ({
  functionResponse: { name, ...fields, response: { output: 1 } },
});

const talk = [
  user({ text: 'Zürich 🌧 مرحبا' }),
  answer({ text: 'Hm', thought: true }, signed(call('a', { args: { big: [1] } })), call('b')),
  user(result('a'), result('b')),
  answer({ text: 'Rain.' }),
  user({ text: 'And now?' }),
  answer(call('a')),
];

const threads = [
  {
    name: 'says what each turn is',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model, policy: 'warn' });
      for (const [index, content] of talk.entries())
        thread.append(content, index === 3 ? { tokens: 77 } : {});
      const { turns, firstRefused } = thread.timeline();
      equal(firstRefused, 5);
      deepEqual(
        turns.map(({ kind, turn, step, verdict }) => `${kind} ${turn}.${step} ${verdict}`),
        [
          ...['user 0.0 accepted', 'model 0.0 open', 'tool 0.0 accepted', 'model 0.1 open'],
          ...['user 1.0 accepted', 'model 1.0 refused'],
        ],
      );
      deepEqual(turns[5].refusedBy, ['signature.missing']);
      equal(turns[3].tokens, 77);
      equal(turns[0].excerpt, 'Zürich 🌧 مرحبا');
      deepEqual(turns[1].calls, [
        {
          ...{ part: 1, name: 'a', args: { big: [1] }, signed: true },
          response: { index: 2, part: 0 },
        },
        { part: 2, name: 'b', args: {}, signed: false, response: { index: 2, part: 1 } },
      ]);
      deepEqual(
        turns.flatMap(({ canCutBefore, index }) => (canCutBefore ? [index] : [])),
        [4],
      );
    },
  },
  {
    name: 'starts where it is asked to, and has the Contents if they are asked for',
    async run({ load }) {
      const strata = await load();
      const thread = strata.thread({ model, policy: 'warn', from: talk });
      const { turns, firstRefused } = thread.timeline();
      deepEqual(thread.timeline({ from: 2 }), { turns: turns.slice(2), firstRefused });
      deepEqual(thread.timeline({ from: 9 }).turns, []);
      const { turns: whole } = thread.timeline({ content: true });
      deepEqual(
        whole.map(({ content }) => content),
        talk,
      );
      throws(() => thread.timeline({ from: -1 }), { code: 'field.invalid' });
    },
  },
  {
    name: 'the calls of earlier rounds of a send count as repeated calls',
    async run(pkg) {
      const functionCall = { name: 'again', args: { n: 1 } };
      const candidates = [{ content: answer(signed({ functionCall })), finishReason: 'STOP' }];
      const fetch = async () => new Response(JSON.stringify({ candidates }));
      const { load, Conversation, GeminiClient } = pkg;
      const client = new GeminiClient({ fetch, retry: false });
      const now = () => '2026-11-21T10:00:00Z';
      const tools = [{ name: 'again', run: () => 'same' }];
      const rounds = [answer(signed({ functionCall })), user(result('again'))];
      const history = [user({ text: 'Go' }), ...rounds, ...rounds];
      const options = { model, now, tools, history, loopDetection: { calls: 3 } };
      const chat = new Conversation(await load(), client, options);
      const loops = [];
      for await (const event of chat.continueSend(0)) if (event.type === 'loop') loops.push(event);
      deepEqual(
        loops.map(({ kind, count }) => [kind, count]),
        [
          ['calls', 1],
          ['calls', 2],
        ],
      );
      // The first answer completes the cycle of three, and after the warning three more do.
      equal(chat.history.length, history.length + 8);
    },
  },
];

const bodyOf = (contents) => JSON.stringify({ contents }, null, 2);

const bodies = [
  {
    name: 'of a body says what thread.timeline does, with the place of each Content',
    async run({ load, check: { loadChecker } }) {
      const strata = await load();
      const checker = await loadChecker();
      const text = bodyOf(talk);
      const { turns, firstRefused } = checker.timeline(text, { model, positions: 'utf16' });
      equal(firstRefused, 5);
      const thread = strata.thread({ model, policy: 'warn', from: text });
      deepEqual(
        turns.map(({ range, ...turn }) => [turn, JSON.parse(text.slice(...range))]),
        thread.timeline().turns.map((turn, index) => [turn, talk[index]]),
      );
      const bytes = encode(text);
      for (const { range, index } of checker.timeline(bytes, { model }).turns)
        deepEqual(JSON.parse(decode(bytes.subarray(...range))), talk[index]);
    },
  },
  {
    name: 'of a body that only Google takes, or no thread does',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const given = { model, positions: 'utf16' };
      const lenient = `{contents: [{'role': 'user', parts: [{text: '🌧 x'},],},],}`;
      const [{ range, excerpt, verdict }] = checker.timeline(lenient, given).turns;
      deepEqual(
        [lenient.slice(...range), excerpt, verdict],
        [`{'role': 'user', parts: [{text: '🌧 x'},],}`, '🌧 x', 'accepted'],
      );
      const odd = checker.timeline({ contents: [1, { parts: { text: 'a' } }, null] }, given).turns;
      deepEqual(
        odd.map(({ parts, verdict: said }) => [parts, said]),
        [
          [0, 'refused'],
          [1, 'refused'],
          [0, 'refused'],
        ],
      );
      ok(odd.every((turn) => !('range' in turn)));
      const counted = { generateContentRequest: { contents: talk } };
      equal(checker.timeline(counted, given).turns.length, talk.length);
    },
  },
  {
    name: 'of a body without readable Contents is empty',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      for (const body of ['{"contents": [', '', '[]', '{}', '{"contents": "x"}'])
        deepEqual(checker.timeline(body, { model }), { turns: [] });
    },
  },
  {
    name: 'of a body knows its tools and who created the signatures',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const contents = [
        user({ text: 'a' }),
        answer(signed(call('f', { id: '1' })), result('f', { id: '1' }), { text: 'b' }),
      ];
      const own = checker.timeline({ contents }, { model });
      equal(own.firstRefused, 1);
      const tools = [{ mcpServers: [{ name: 'm' }] }];
      equal(checker.timeline({ contents, tools }, { model }).firstRefused, undefined);
      const signaturesFrom = { backend: 'vertex' };
      const foreign = checker.timeline({ contents, tools }, { model, signaturesFrom });
      deepEqual(foreign.turns[1].refusedBy, ['signature.foreign']);
    },
  },
  {
    name: 'of a body says how many Contents it leaves out',
    async run({ check: { loadChecker } }) {
      const checker = await loadChecker();
      const { turns, omitted } = checker.timeline(bodyOf(talk), { model, maxContents: 4 });
      deepEqual([turns.length, omitted, turns[3].isCurrentTurn], [4, 2, true]);
      equal('omitted' in checker.timeline(bodyOf(talk), { model, maxContents: 6 }), false);
    },
  },
];

export default [...threads, ...bodies];
