// The stages of a request: their order, their reports, and that nothing is sent when one fails, in prepareRequest
// and in a Conversation.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = '2026-11-21T10:00:00Z';
const decode = (bytes) => new TextDecoder().decode(bytes);
const parse = ({ body }) => JSON.parse(decode(body));
const user = (text) => ({ role: 'user', parts: [{ text }] });
const says = (text) => ({ role: 'model', parts: [{ text }] });

const everyStage = [
  ...['build_user_message', 'snapshot_history', 'validate_history'],
  ...['prepare_prompt_arguments', 'compile_prompt', 'assemble'],
];

const prompt = {
  sections: [
    { id: 'who', template: 'You are {{ assistant.name }}.' },
    { id: 'asked', stability: 'dynamic', template: 'Asked: {{ message.text }}' },
  ],
};
const args = { assistant: { name: 'Ann' }, args: { system: 'shadow' } };

async function open(pkg, options = {}) {
  const strata = await pkg.load();
  const thread = strata.thread({ model, ...options });
  const stages = [];
  return { strata, thread, stages, onStage: (report) => stages.push(report) };
}

const namesOf = (stages) => stages.map(({ stage }) => stage);

const standalone = [
  {
    name: 'runs the stages in order, times each one, and does not change the thread',
    async run(pkg) {
      const { thread, stages, onStage } = await open(pkg);
      thread.append(user('a'));
      thread.append(says('b'));
      const sources = { now, message: 'Who?', prompt, arguments: args, dynamic: {}, onStage };
      const request = await pkg.prepareRequest(thread, sources);
      deepEqual(namesOf(stages), everyStage);
      ok(stages.every(({ ms, ...rest }) => ms >= 0 && !('error' in rest)));
      equal(thread.length, 2);
      const { systemInstruction, contents } = parse(request);
      equal(systemInstruction.parts[0].text, '## who\nYou are Ann.');
      match(contents[0].parts[0].text, /^## asked\nAsked: Who\?\n\n\{/);
      deepEqual(contents.slice(1), [user('a'), says('b'), user('Who?')]);
      for (const { diagnostics } of [request, request.manifest]) {
        deepEqual(
          diagnostics.map(({ code, path }) => [code, path]),
          [['argument.shadows_namespace', '/args/system']],
        );
      }
    },
  },
  {
    name: 'gives arguments precedence over the variables of the layers',
    async run(pkg) {
      const { thread } = await open(pkg);
      const request = await pkg.prepareRequest(thread, {
        now,
        message: { role: 'user', parts: [{ text: 'Sal' }, { text: 'ut' }] },
        arguments: { args: { name: 'Zoé' }, message: { language: 'fr' } },
        static: {
          template: '{{ name }} {{ age }} {{ message.text }} {{ message.language }}',
          variables: { name: 'nobody', age: 7 },
        },
        dynamic: { text: '' },
      });
      equal(parse(request).systemInstruction.parts[0].text, 'Zoé 7 Salut fr');
    },
  },
  {
    name: 'passes the history to functions that build the prompt and the arguments',
    async run(pkg) {
      const { thread } = await open(pkg);
      thread.append(user('first'));
      const seen = [];
      const maker = (value) => async (history) => {
        seen.push(history);
        return value;
      };
      const sources = { now, prompt: maker(prompt), arguments: maker(args) };
      await pkg.prepareRequest(thread, sources);
      deepEqual(seen, [
        { turns: 1, text: 'first' },
        { turns: 1, text: 'first' },
      ]);
    },
  },
  {
    name: 'reports the error of a failed stage and runs no later stage',
    async run(pkg) {
      const failing = {
        build_user_message: { message: 7n },
        validate_history: { message: { role: 'user', parts: [] } },
        prepare_prompt_arguments: { arguments: { args: 7 } },
        compile_prompt: { prompt: { profile: 'unknown' } },
        assemble: { message: 'hi', tools: '{' },
      };
      for (const [stage, sources] of Object.entries(failing)) {
        const { thread, stages, onStage } = await open(pkg);
        const all = { now, message: 'hi', prompt, arguments: args, ...sources, onStage };
        const error = await rejects(pkg.prepareRequest(thread, all));
        const last = stages.at(-1);
        equal(last.stage, stage);
        ok(last.error === error, stage);
        deepEqual(namesOf(stages), everyStage.slice(0, everyStage.indexOf(stage) + 1));
        equal(thread.length, 0);
      }
    },
  },
  {
    name: 'rejects text after an unanswered functionCall',
    async run(pkg) {
      const { thread, stages, onStage } = await open(pkg, { sequencing: 'strict' });
      thread.append(user('Look it up.'));
      const call = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2lnbmVk' };
      thread.append({ role: 'model', parts: [call] });
      const asked = pkg.prepareRequest(thread, { now, message: 'Well?', onStage });
      await rejects(asked, { name: 'HistoryError' });
      deepEqual(namesOf(stages), everyStage.slice(0, 3));
    },
  },
];

// In a Conversation

const event = (value) => `data: ${JSON.stringify(value)}\r\n\r\n`;
const answer = (parts) =>
  new Response(
    event({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }),
  );

async function talk(pkg, answers, options) {
  const strata = await pkg.load();
  const bodies = [];
  const fetch = async (_, { body }) => {
    bodies.push(JSON.parse(decode(new Uint8Array(body))));
    return answer(answers[bodies.length - 1]);
  };
  const client = new pkg.GeminiClient({ fetch, retry: false });
  const defaults = { model, now: () => now, answerRetry: false };
  return { chat: new pkg.Conversation(strata, client, { ...defaults, ...options }), bodies };
}

async function collect(events) {
  const all = [];
  for await (const each of events) all.push(each);
  return all;
}

const conversations = [
  {
    name: 'rebuilds the prompt for each request of a Conversation, with the same message',
    async run(pkg) {
      const stages = [];
      const call = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2lnbmVk' };
      const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
      let made = 0;
      const { chat, bodies } = await talk(pkg, [[call], [{ text: 'Found.' }]], {
        prompt,
        arguments: () => ({ assistant: { name: `Ann ${++made}` } }),
        tools: [{ ...look, run: () => ({ found: true }) }],
        onStage: ({ stage }) => stages.push(stage),
      });
      await collect(chat.send('Where?'));
      deepEqual(stages, [...everyStage, ...everyStage.slice(1)]);
      const texts = bodies.map(({ systemInstruction, contents }) => [
        systemInstruction.parts[0].text,
        contents[0].parts[0].text.split('\n\n')[0],
      ]);
      deepEqual(texts, [
        ['## who\nYou are Ann 1.', '## asked\nAsked: Where?'],
        ['## who\nYou are Ann 2.', '## asked\nAsked: Where?'],
      ]);
      // The tools appear in the field `tools` only.
      for (const { tools, ...rest } of bodies) {
        match(JSON.stringify(tools), /Looks\./);
        ok(!/Looks\./.test(JSON.stringify(rest)));
      }
    },
  },
  {
    name: 'sends nothing and keeps the message when a stage of a Conversation fails',
    async run(pkg) {
      const failing = {
        prepare_prompt_arguments: { arguments: () => Promise.reject(new Error('no database')) },
        // Templates of the options themselves are compiled when the conversation is created.
        compile_prompt: {
          prompt: () => ({ sections: [{ id: 'a', template: '{%' }], strict: true }),
        },
        assemble: { dynamic: () => ({ template: '{{' }), strict: true },
      };
      for (const [stage, options] of Object.entries(failing)) {
        const stages = [];
        const onStage = (report) => stages.push(report);
        const { chat, bodies } = await talk(pkg, [], { ...options, onStage });
        const error = await rejects(collect(chat.send('hi')));
        equal(stages.at(-1).stage, stage);
        ok(stages.at(-1).error === error, stage);
        equal(bodies.length, 0);
        equal(chat.thread.length, 1);
      }
    },
  },
];

const memory = [
  {
    name: 'reads memory files from the project root down and renders them in the static layer',
    async run(pkg) {
      const { thread } = await open(pkg);
      const files = { 'GEMINI.md': ' Use tabs.\n', 'web/sdk/GEMINI.md': 'No: blanks.', x: '' };
      const reader = (path) => {
        if (path === 'web/GEMINI.md') throw new Error('locked');
        return files[path];
      };
      const paths = pkg.templates.memoryFiles('web/sdk/');
      const { memory: blocks, unreadable } = await pkg.templates.readMemory(reader, paths);
      deepEqual(blocks, [
        { scope: 'project', path: 'GEMINI.md', text: 'Use tabs.' },
        { scope: 'directory', path: 'web/sdk/GEMINI.md', text: 'No: blanks.' },
      ]);
      deepEqual(
        unreadable.map(({ path, error }) => [path, error]),
        [['web/GEMINI.md', 'locked']],
      );
      const environment = { operating_system: 'Linux', working_directories: ['/w'] };
      const variables = { memory: blocks, environment, roles: { definitions: [] } };
      const request = await pkg.prepareRequest(thread, {
        now,
        static: { variables },
        message: 'hi',
      });
      const rendered = JSON.parse(parse(request).systemInstruction.parts[0].text);
      const { memory: renderedMemory, environment: renderedEnvironment, roles } = rendered;
      deepEqual([renderedMemory, renderedEnvironment, roles], [blocks, environment, undefined]);
    },
  },
];

export default [...standalone, ...conversations, ...memory];
