// Compression goes on when a summary is missing, useless or of an unusual form, and asks for none that would not help.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';
import { accepted, answered, collect, longThread, model, ofType } from './long-history.mjs';
import { says, signature, snapshot, talk, turnsOf, user } from './long-history.mjs';

const noSummary = () => says('');
const ways = (events) => ofType(events, 'compressed').map(({ how }) => how);

const earlierSummaries = [
  {
    name: 'does not take a question that contains <state_snapshot> for an earlier summary',
    async run(strata) {
      const thread = (core) => {
        const made = core.thread({ model, sequencing: 'api' });
        made.append(user(`What does <state_snapshot> mean? ${'x'.repeat(400)}`));
        const functionCall = { name: 'look_up', args: {} };
        made.append({ role: 'model', parts: [{ functionCall, thoughtSignature: signature }] });
        const functionResponse = { name: 'look_up', response: { output: 'z'.repeat(1600) } };
        made.append({ role: 'user', parts: [{ functionResponse }] });
        made.append(answered('This.'));
        for (let i = 0; i < 8; i++) {
          made.append(user('x'.repeat(400)));
          made.append(answered('y'.repeat(400)));
        }
        return made;
      };
      const compression = { form: 'budget', contextTokens: 2200, reserve: 200 };
      const options = { summary: noSummary, thread, compression, contextGuard: false };
      const { checker, chat, sent } = await talk(strata, options);
      const events = [];
      for (let i = 0; i < 3; i++) events.push(...(await collect(chat.send('q'.repeat(900)))));
      ok(ways(events).includes('truncated'), JSON.stringify(ways(events)));
      accepted(checker, sent.answers);
    },
  },
  {
    name: 'keeps an earlier summary without the tag when the turns after it are left out',
    async run(strata) {
      const summary = ({ summaries }) =>
        says(summaries.length === 1 ? 'The code word is APPLE.' : '');
      const compression = { form: 'budget', contextTokens: 4000, reserve: 500 };
      const respond = () => says('y'.repeat(1600));
      const options = { summary, respond, thread: longThread(16), compression };
      const { chat } = await talk(strata, { ...options, contextGuard: false });
      const events = [];
      for (let i = 0; i < 8; i++) {
        events.push(...(await collect(chat.send(`Question ${i} ${'x'.repeat(1200)}`))));
      }
      const seen = ways(events);
      ok(seen[0] === 'summary' && seen.includes('truncated'), seen.join());
      match(turnsOf(chat.thread)[0], /The code word is APPLE\./);
    },
  },
];

const requested = [
  {
    name: 'requests the summary and its check with the safety settings of the conversation',
    async run(strata) {
      const category = 'HARM_CATEGORY_HARASSMENT';
      const safetySettings = [{ category, threshold: 'BLOCK_NONE' }];
      const compression = { contextTokens: 4000 };
      const options = { thread: longThread(10), safetySettings, compression };
      const { chat, sent } = await talk(strata, options);
      await collect(chat.send('And now?'));
      const bodies = sent.summaries.map((body) => JSON.parse(body).safetySettings);
      deepEqual(bodies, [safetySettings, safetySettings]);
    },
  },
  {
    name: 'requests at most the output of the model that writes the summary',
    async run(strata) {
      for (const [more, expected] of [
        [{}, 65_536],
        [{ limits: { outputTokenLimit: 30_000 } }, 30_000],
        [{ model: 'gemini-3.8-pro', limits: { outputTokenLimit: 30_000 } }, 65_536],
      ]) {
        const compression = { form: 'budget', ...(more.model && { model: more.model }) };
        const { limits } = more;
        const settings = { compression, contextGuard: false, ...(limits && { limits }) };
        const options = { thread: longThread(10, 45_000), ...settings };
        const { chat, sent } = await talk(strata, options);
        const events = await collect(chat.send('And now?'));
        deepEqual(ofType(events, 'compressionFailed'), []);
        deepEqual(ways(events), ['summary']);
        const { generationConfig } = JSON.parse(sent.summaries[0]);
        equal(generationConfig.maxOutputTokens, expected, JSON.stringify(more));
      }
    },
  },
];

const reserves = [
  {
    name: 'forgets no short history in a context that is smaller than 16,000 tokens',
    async run(strata) {
      for (const more of [{ contextTokens: 10_000 }, { reserve: 2_000_000 }]) {
        const compression = { form: 'budget', ...more };
        const { chat, sent } = await talk(strata, { thread: longThread(2, 10), compression });
        const events = await collect(chat.send('And now?'));
        deepEqual(ways(events), []);
        equal(chat.thread.length, 6);
        equal(sent.summaries.length, 0);
      }
    },
  },
  {
    name: 'refuses a reserve that leaves nothing of the context',
    async run(strata) {
      const compression = { form: 'budget', contextTokens: 10_000, reserve: 10_000 };
      const failure = await rejects(() => talk(strata, { compression }), { code: 'field.invalid' });
      equal(failure.message, '/compression/reserve must be less than contextTokens');
    },
  },
];

/** Returns the first turn and the events of a conversation whose summaries are these answers. */
async function summarizedAs(strata, ...answers) {
  const summary = ({ summaries }) => answers[summaries.length - 1] ?? says(snapshot);
  const compression = { contextTokens: 4000, check: answers.length > 1 };
  const { chat, sent } = await talk(strata, { summary, thread: longThread(10), compression });
  const events = await collect(chat.send('And now?'));
  return { chat, sent, events, first: JSON.parse(turnsOf(chat.thread)[0]).parts[0].text };
}

const introduced = `What happened so far, summed up:\n\n${snapshot}`;

const texts = [
  {
    name: 'keeps the summary when the answer to the check has none',
    async run(strata) {
      for (const second of ['All is complete.', '<state_snapshot> </state_snapshot>', '']) {
        const { first } = await summarizedAs(strata, says(snapshot), says(second));
        equal(first, introduced, second);
      }
    },
  },
  {
    name: 'keeps the summary when the check is refused, and summarizes again later',
    async run(strata) {
      const refused = { error: { code: 503, status: 'UNAVAILABLE', message: 'overloaded' } };
      const answers = [says(snapshot), refused];
      const { chat, events, first } = await summarizedAs(strata, ...answers);
      equal(first, introduced);
      deepEqual(ofType(events, 'compressionFailed'), []);
      const later = [];
      while (chat.thread.length < 40 && later.length === 0) {
        const more = await collect(chat.send('x'.repeat(1600)));
        later.push(...ways(more), ...ofType(more, 'compressionFailed'));
      }
      deepEqual(later, ['summary']);
    },
  },
  {
    name: 'takes a snapshot without content for an empty summary',
    async run(strata) {
      const answer = '<scratchpad>?</scratchpad><state_snapshot>\n</state_snapshot>';
      const { events, first } = await summarizedAs(strata, says(answer));
      equal(ofType(events, 'compressionFailed')[0].failure, 'empty');
      match(first, /^Question 0/);
    },
  },
  {
    name: 'leaves the scratchpad out of the history, also if it names the tag or is not closed',
    async run(strata) {
      for (const scratchpad of [
        '<scratchpad>The earlier <state_snapshot> said so.</scratchpad>',
        '<scratchpad>One.</scratchpad><scratchpad>Two.</scratchpad>',
        '<scratchpad>Not closed. ',
      ]) {
        const { first } = await summarizedAs(strata, says(scratchpad + snapshot));
        equal(first, introduced, scratchpad);
      }
    },
  },
  {
    name: 'keeps what a snapshot says of scratchpads',
    async run(strata) {
      for (const said of ['a <scratchpad> tag', 'a <scratchpad>note</scratchpad> and 42']) {
        const about = snapshot.replace('Go on', said);
        const { first } = await summarizedAs(strata, says(`<scratchpad>Hm</scratchpad>${about}`));
        equal(first, introduced.replace('Go on', said));
      }
    },
  },
];

const sizes = [
  {
    name: 'forgets the size of turns that were taken back',
    async run(strata) {
      const respond = () => says('z'.repeat(4000));
      const compression = { contextTokens: 4000, threshold: 0.6 };
      const { chat, sent } = await talk(strata, { respond, thread: longThread(8), compression });
      await collect(chat.send('And now?'));
      await chat.rewind(6);
      deepEqual(ways(await collect(chat.send('Short?'))), []);
      equal(sent.summaries.length, 0);
    },
  },
  {
    name: 'counts what masking left out before the same request',
    async run(strata) {
      const tools = [{ name: 'look_up', description: 'Looks up', run: () => 'z'.repeat(6400) }];
      const functionCall = { name: 'look_up', args: {} };
      const respond = ({ body: { contents } }) =>
        JSON.stringify(contents.at(-1)).includes('functionResponse')
          ? says('Done.')
          : { parts: [{ functionCall, thoughtSignature: signature }] };
      const masking = { protect: 300, least: 6000 };
      const compression = { contextTokens: 12_000, check: false };
      const options = { respond, tools, masking, compression, contextGuard: false };
      const { chat, sent } = await talk(strata, options);
      const events = [];
      for (let i = 0; i < 6; i++) events.push(...(await collect(chat.send(`Question ${i}`))));
      ok(ofType(events, 'masked').length > 0, 'nothing was masked');
      equal(sent.summaries.length, 0);
    },
  },
];

const truncated = [
  {
    name: 'leaves out as many turns as a long instruction requires, also in the first send',
    async run(strata) {
      const compression = { form: 'budget', contextTokens: 4000, reserve: 500 };
      const contextGuard = { contextTokens: 4000 };
      const layers = { static: { text: 'Name your sources. '.repeat(300) } };
      const options = { summary: noSummary, thread: longThread(14), compression, contextGuard };
      const { checker, chat, sent } = await talk(strata, { ...options, ...layers });
      for (const question of ['And now?', 'And then?', 'Why?']) {
        equal((await collect(chat.send(question))).at(-1).type, 'done');
      }
      accepted(checker, sent.answers);
    },
  },
];

const repeated = [
  {
    name: 'requests no summary of a few turns when a long instruction exceeds the threshold',
    async run(strata) {
      const layers = { static: { text: 'Name your sources. '.repeat(500) } };
      const respond = () => says('A fine answer. '.repeat(10));
      const options = { ...layers, respond, thread: longThread(8) };
      const { chat } = await talk(strata, { ...options, compression: { contextTokens: 4000 } });
      const events = [];
      for (let i = 0; i < 6; i++) {
        events.push(...(await collect(chat.send(`Question ${i} ${'w'.repeat(100)}`))));
      }
      deepEqual(ofType(events, 'compressionFailed'), []);
      const summaries = ways(events).length;
      ok(summaries >= 1 && summaries <= 2, String(summaries));
    },
  },
  {
    name: 'requests no summary of small steps when the question of a tool loop exceeds the threshold',
    async run(strata) {
      const tools = [{ name: 'look_up', description: 'Looks up', run: () => 'A small result' }];
      const respond = ({ index }) =>
        index % 9 < 8
          ? {
              parts: [
                {
                  functionCall: { name: 'look_up', args: { index } },
                  thoughtSignature: signature,
                },
              ],
            }
          : says('Done.');
      const options = { tools, respond, thread: longThread(2, 20) };
      const { chat, sent } = await talk(strata, {
        ...options,
        compression: { contextTokens: 8000 },
      });
      const events = await collect(chat.send(`A document: ${'d'.repeat(20_000)}`));
      equal(events.at(-1).type, 'done');
      ok(sent.answers.length > 3, String(sent.answers.length));
      equal(sent.summaries.length, 0);
    },
  },
  {
    name: 'requests another summary for a budget only after the history has grown',
    async run(strata) {
      const compression = { form: 'budget', contextTokens: 4000, reserve: 500 };
      const options = { summary: noSummary, respond: () => says('Yes.'), compression };
      const more = { thread: longThread(14), contextGuard: false };
      const { chat, sent } = await talk(strata, { ...options, ...more });
      for (let i = 0; i < 4; i++) await collect(chat.send(`Question ${i}`));
      equal(sent.summaries.length, 1);
      // Also where each send leaves out as much as it adds.
      for (let i = 0; i < 12; i++) await collect(chat.send('x'.repeat(1200)));
      ok(sent.summaries.length >= 2 && sent.summaries.length <= 8, String(sent.summaries.length));
    },
  },
];

const shares = [
  {
    name: 'keeps only the current turn with keep: 0',
    async run(strata) {
      const compression = { contextTokens: 4000, keep: 0 };
      const { chat } = await talk(strata, { thread: longThread(10), compression });
      deepEqual(ways(await collect(chat.send('And now?'))), ['summary']);
      match(turnsOf(chat.thread)[2], /And now\?/);
    },
  },
  {
    name: 'refuses percentages for shares, which switched compression off',
    async run(strata) {
      for (const [name, value] of Object.entries({ keep: 30, threshold: 50 })) {
        const compression = { [name]: value };
        const failure = await rejects(() => talk(strata, { compression }), {
          code: 'field.invalid',
        });
        equal(failure.message, `/compression/${name} must be a number from 0 to 1, not ${value}`);
      }
      await rejects(() => talk(strata, { compression: { keep: 1 } }), { code: 'field.invalid' });
    },
  },
];

export default [
  ...earlierSummaries,
  ...requested,
  ...reserves,
  ...texts,
  ...sizes,
  ...truncated,
  ...repeated,
  ...shares,
];
