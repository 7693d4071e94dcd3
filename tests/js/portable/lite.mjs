// prompt-strata/lite: the smaller core does what a chat needs as the whole one does, and names what it lacks.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const bytes = (text) => new TextEncoder().encode(text);
const text = (utf8) => new TextDecoder().decode(utf8);
const user = (words) => ({ role: 'user', parts: [{ text: words }] });
const answer = (words) => ({ role: 'model', parts: [{ text: words }] });
const unavailable = { name: 'StrataError', code: 'feature.unavailable' };

const event = (value) => `data: ${JSON.stringify(value)}\r\n\r\n`;
const says = (...parts) =>
  event({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] });

/** A conversation whose answers come in turn, with all bodies that were sent. */
async function talk({ lite }, answers, options = {}) {
  const bodies = [];
  const fetch = async (url, init) => {
    bodies.push(text(new Uint8Array(init.body)));
    return new Response(answers[bodies.length - 1]);
  };
  const client = new lite.GeminiClient({ fetch, retry: false });
  const chat = new lite.Conversation(await lite.load(), client, { model, now, ...options });
  return { chat, bodies };
}

async function textOf(events) {
  let all = '';
  for await (const happened of events) if (happened.type === 'text') all += happened.text;
  return all;
}

const history = [user('a'), answer('b'), user('c')];

export default [
  {
    name: 'a conversation sends what its user gave, `store`, and nothing else',
    async run(strata) {
      const { chat, bodies } = await talk(strata, [says({ text: 'Hello' }), says({ text: 'Bye' })]);
      equal(await textOf(chat.send('Hi')), 'Hello');
      equal(await textOf(chat.send('End')), 'Bye');
      const [first, second] = [[user('Hi')], [user('Hi'), answer('Hello'), user('End')]];
      deepEqual(
        bodies,
        [first, second].map((contents) => JSON.stringify({ store: false, contents })),
      );
    },
  },
  {
    name: 'a conversation with texts and tools',
    async run(strata) {
      const call = { functionCall: { name: 'add', args: { a: 1 } }, thoughtSignature: 'c2ln' };
      const tool = { name: 'add', run: ({ a }) => ({ sum: a + 1 }) };
      const { chat, bodies } = await talk(strata, [says(call), says({ text: '2' })], {
        static: { text: 'Be brief.' },
        dynamic: () => ({ text: '{"todo":1}' }),
        tools: [tool],
      });
      equal(await textOf(chat.send('1 + 1?')), '2');
      const last = JSON.parse(bodies[1]);
      equal(last.systemInstruction.parts[0].text, 'Be brief.');
      equal(last.contents[0].parts[0].text, '{"todo":1}');
      deepEqual(last.contents[3].parts[0].functionResponse.response, { output: { sum: 2 } });
      equal(chat.thread.length, 4);
    },
  },
  {
    name: 'a stored conversation is resumed',
    async run(strata) {
      const { lite } = strata;
      const core = await lite.load();
      const fetch = async () => new Response(says({ text: 'Hello' }));
      const client = new lite.GeminiClient({ fetch, retry: false });
      const options = { model, now, store: new lite.MemoryStore(), id: 'today' };
      const first = await lite.Conversation.open(core, client, options);
      await textOf(first.send('Hi'));
      const second = await lite.Conversation.open(core, client, options);
      equal(text(second.thread.save()), text(first.thread.save()));
      equal(second.thread.length, 2);
    },
  },
  {
    name: 'threads, requests, lint, answers and estimates are byte for byte those of the whole core',
    async run({ lite, load }) {
      const [small, whole] = [await lite.load(), await load()];
      const input = {
        now: now(),
        static: { text: 'Be brief.' },
        dynamic: { text: '{}' },
        tools: [{ functionDeclarations: [{ name: 'f' }] }],
      };
      const done = [small, whole].map((strata) => {
        const thread = strata.thread({ model, from: history });
        const fork = thread.fork(1);
        fork.append(answer('other'));
        const { ok: isOk, body, manifest } = thread.assemble(input);
        const saved = strata.thread({ model, from: thread.save() });
        const response = strata.response();
        const events = response.push(bytes(says({ text: 'x' })));
        return {
          ...{ isOk, manifest, events, body: text(body) },
          saved: text(saved.save()),
          fork: text(fork.save()),
          report: thread.report(),
          answer: text(response.finish().content),
          lint: strata.lint({ contents: [answer('first'), answer('second')] }, { model }),
          limits: strata.modelLimits(model),
          tokens: strata.estimateTokens(history, { model }),
          calibration: strata.calibrate(history, 100, { model }),
          version: strata.version,
        };
      });
      ok(done[0].isOk);
      ok(done[0].lint.diagnostics.length > 0);
      deepEqual(done[0], done[1]);
    },
  },
  {
    name: 'a thread repairs its open step under its policy',
    async run({ lite }) {
      const strata = await lite.load();
      const thread = strata.thread({ model, policy: 'repair', from: [user('a')] });
      const call = { functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2ln' };
      thread.append({ role: 'model', parts: [call] });
      const { diagnostics } = thread.append(user('b'));
      ok(diagnostics.some(({ repaired }) => repaired));
      ok(thread.assemble({ now: now(), static: { text: '' } }).ok);
    },
  },
  {
    name: 'rows of models are added to an instance',
    async run({ lite }) {
      const row = { id: 'my-model', contextTokens: 1000 };
      const { contextTokens } = (await lite.load({ models: [row] })).modelLimits('my-model');
      equal(contextTokens, 1000);
    },
  },
  {
    name: 'what it lacks is named, with the package that has it',
    async run({ lite, GeminiClient }) {
      const strata = await lite.load();
      const thread = strata.thread({ model, from: history });
      const from = [{ role: 'user', content: 'a' }];
      const attempts = [
        () => thread.assemble({ now: now(), static: { template: 'Hello' } }),
        () => thread.assemble({ now: now(), dynamic: { variables: {} } }),
        () => thread.assemble({ now: now(), compiled: { stable: '', dynamic: '' } }),
        () => strata.thread({ model, from, format: 'openai' }),
        () => strata.thread({ model, from: history, signatures: 'strip' }),
        ...['masking', 'caching', 'compression', 'contextGuard'].map(
          (name) => () =>
            new lite.Conversation(strata, new GeminiClient({}), { model, [name]: true }),
        ),
        () => new lite.Conversation(strata, new GeminiClient({}), { model, plugins: [] }),
      ];
      for (const attempt of attempts) throws(attempt, unavailable, String(attempt));
      await rejects(async () => attempts[0](), { message: /^\/static.*'prompt-strata'/ });
      throws(() => strata.thread({ model, from }), { name: 'HistoryError', code: 'field.invalid' });
      // Options for both packages turn plugins off.
      ok(new lite.Conversation(strata, new GeminiClient({}), { model, contextGuard: false }));
    },
  },
  {
    name: 'both entries throw the same classes of errors',
    async run({ lite, StrataError, HistoryError }) {
      equal(lite.StrataError, StrataError);
      const error = await lite
        .load()
        .then((strata) => strata.thread({ model, from: '[' }))
        .catch((thrown) => thrown);
      ok(error instanceof HistoryError);
      match(error.message, /JSON/);
    },
  },
];
