// Tests stored conversations that cannot be read, and what was said in those that were compressed.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-22T10:00:00Z';
const tools = [{ name: 'add', run: () => ({ sum: 3 }) }];

async function parts(strata) {
  const core = await strata.load();
  const client = new strata.GeminiClient({ fetch: strata.createEmulator({ now }), retry: false });
  const store = new strata.MemoryStore();
  const open = (more = {}) =>
    strata.Conversation.open(core, client, { model, now, tools, store, id: 'a', ...more });
  return { core, store, open };
}

/** Stores user, call, result, answer, user, answer. */
async function stored(strata) {
  const all = await parts(strata);
  const chat = await all.open();
  await chat.ask('Please call add');
  await chat.ask('Thanks');
  return { ...all, lines: await all.store.read('a'), history: chat.history };
}

const cut = (lines, at, text) => [...lines.slice(0, at), ...text, ...lines.slice(at + 1)];

// How lines may be damaged, the number of the line that is named, and the turns that are left.
const damages = [
  [
    'a line that is half there',
    (lines) => cut(lines, 3, [lines[3].slice(0, -9)]),
    4,
    [0, 1, 2, 4, 5],
  ],
  [
    'a line that is none of ours',
    (lines) => cut(lines, 0, ['<<<<<<< HEAD', lines[0]]),
    1,
    [0, 1, 2, 3, 4, 5],
  ],
  ['a line that is another JSON', (lines) => cut(lines, 5, ['{"a":1}']), 6, [0, 1, 2, 3, 4]],
  ['a line that is empty JSON', (lines) => cut(lines, 4, ['{}']), 5, [0, 1, 2, 3, 5]],
  ['a missing call', (lines) => cut(lines, 1, []), 2, [0, 3, 4, 5]],
  [
    'a record that is half there',
    (lines) => [...lines, '{"strata":1,"kind":"result","ind'],
    7,
    [0, 1, 2, 3, 4, 5],
  ],
];

const damaged = damages.map(([name, damage, line, left]) => ({
  name: `names ${name} with its line, and opens the rest`,
  async run(strata) {
    const { store, open, lines, history } = await stored(strata);
    const broken = damage(lines);
    await store.write('a', 0, broken);
    await rejects(open(), {
      name: 'HistoryError',
      code: 'store.damaged',
      message: new RegExp(`^The stored conversation "a", line ${line} cannot be read: .*salvage`),
    });
    const chat = await open({ damaged: 'salvage' });
    deepEqual(
      chat.history,
      left.map((index) => history[index]),
    );
    match(chat.damage[0].message, new RegExp(`line ${line} was left out`));
    deepEqual(await store.read('a'), broken, 'opening writes nothing');
    const asked = await chat.ask('Go on');
    ok(asked.warnings.some(({ code }) => code === 'store.damaged'));
    const { message } = chat.damage.at(-1);
    const [, original] = /"([^"]+)"/.exec(message);
    const text = new TextDecoder().decode(await chat.readStored(original));
    deepEqual(text.trimEnd().split('\n'), broken);
    equal((await open()).history.length, left.length + 2);
  },
}));

const intact = [
  {
    name: 'opens an intact conversation in the same way with salvage, and refuses another word',
    async run(strata) {
      const { open, history } = await stored(strata);
      const chat = await open({ damaged: 'salvage' });
      deepEqual([chat.history, chat.damage], [history, []]);
      await rejects(open({ damaged: 'repair' }), { code: 'field.invalid' });
    },
  },
];

const long = (count) =>
  Array.from({ length: 2 * count }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'model',
    parts: [{ text: `${i}: ${'why and so '.repeat(40)}` }],
  }));
const textOf = ({ parts: [part] }) => part.text;
const isSaid = ({ summary }) => !summary;

const compressions = [
  ['summaries', { contextTokens: 2500 }],
  ['a budget', { form: 'budget', contextTokens: 2500, reserve: 500 }],
  [
    'a budget whose summaries fail',
    { form: 'budget', contextTokens: 2500, reserve: 500, model: 'no-model' },
  ],
];

const transcripts = [
  ...compressions.map(([name, compression]) => ({
    name: `has everything that was said after several compressions and a restart, with ${name}`,
    async run(strata) {
      const { core, open } = await parts(strata);
      const thread = core.thread({ model, from: long(10) });
      const chat = await open({ thread, compression });
      const questions = Array.from(
        { length: 6 },
        (_, i) => `Question ${i} ${'of many '.repeat(60)}`,
      );
      let compressed = 0;
      for (const question of questions)
        for await (const { type } of chat.send(question))
          compressed += Number(type === 'compressed');
      ok(compressed >= 2, `${compressed} compressions`);
      const expected = [...long(10).map(textOf), ...questions];
      for (const each of [chat, await open({ compression })]) {
        const transcript = await each.transcript();
        const said = transcript.filter(isSaid);
        equal(said.length, 20 + 2 * questions.length);
        const texts = said.map(textOf);
        deepEqual(
          texts.filter((text) => expected.includes(text)),
          expected,
        );
        deepEqual(
          transcript.flatMap(({ index }) => (index === undefined ? [] : [index])),
          Array.from({ length: each.thread.length }, (_, i) => i).slice(
            each.thread.length - transcript.filter(({ removed }) => !removed).length,
          ),
        );
        ok(said[0].removed && !said.at(-1).removed);
      }
    },
  })),
  {
    name: 'marks a summary, also one that another replaced',
    async run(strata) {
      const { core, open } = await parts(strata);
      const thread = core.thread({ model, from: long(10) });
      const chat = await open({ thread, compression: { contextTokens: 2500 } });
      await chat.ask('And now?');
      const [summary] = (await chat.transcript()).filter((turn) => !isSaid(turn));
      match(textOf(summary), /summed up/);
      equal(summary.index, 0);
      equal(textOf(chat.history[0]), textOf(summary));
    },
  },
  {
    name: 'is the history where nothing was removed',
    async run(strata) {
      const { open, history } = await stored(strata);
      const transcript = await (await open()).transcript();
      deepEqual(
        transcript.map(({ role, parts: said }) => ({ parts: said, role })),
        history,
      );
      equal(transcript[0].at, now());
    },
  },
  {
    name: 'says which turns the store no longer has',
    async run(strata) {
      const { core, store, open } = await parts(strata);
      const thread = core.thread({ model, from: long(10) });
      const chat = await open({ thread, compression: { contextTokens: 2500 } });
      await chat.ask('And now?');
      store.readStored = async () => undefined;
      await rejects(chat.transcript(), {
        code: 'store.damaged',
        message: /has no turns under the name/,
      });
    },
  },
];

export default [...damaged, ...intact, ...transcripts];
