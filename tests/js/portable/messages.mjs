// Tests what one message can have of its own, how a conversation begins, how it is awaited, and what an abort leaves.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const other = 'gemini-3.1-pro-preview';
const decode = (bytes) => new TextDecoder().decode(bytes);
const answer = (parts) => {
  const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP' }];
  return new Response(`data: ${JSON.stringify({ candidates })}\r\n\r\n`);
};
const saying = (text) => () => answer([{ text }]);
const calling = (name) => () =>
  answer([{ functionCall: { name, args: {} }, thoughtSignature: 'c2lnbmVk' }]);

/** Returns a conversation whose n-th request gets the n-th answer, or the last one, and what it sent. */
async function talk(pkg, answers, options = {}) {
  const sent = [];
  const fetch = async (url, { body, signal }) => {
    sent.push({ model: /models\/([^:]+)/.exec(String(url))[1], ...JSON.parse(decode(body)) });
    return (answers[sent.length - 1] ?? answers.at(-1))(signal);
  };
  const client = new pkg.GeminiClient({ fetch, retry: false });
  const strata = await pkg.load();
  const all = { model, ...options };
  const chat = await (all.id
    ? pkg.Conversation.open(strata, client, all)
    : pkg.connect({ client, ...all }));
  return { chat, sent, strata, client };
}

const rolesOf = (chat) => chat.history.map(({ role }) => role).join();
const textsOf = (chat) => chat.history.map(({ parts }) => parts[0].text);

const settings = [
  {
    name: 'sends settings of one message, from each method, and those of the conversation after it',
    async run(pkg) {
      const common = { generationConfig: { temperature: 0, maxOutputTokens: 99 } };
      const { chat, sent } = await talk(pkg, [saying('{}')], common);
      const safetySettings = [
        { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' },
      ];
      const own = { generationConfig: { temperature: 1 }, safetySettings };
      const expected = { temperature: 1, maxOutputTokens: 99 };
      const ways = [
        () => chat.ask('Hi', own),
        () => chat.stream('Hi', own).result,
        () => chat.send('Hi', own),
        async () => {
          for await (const event of chat.send('Hi', own)) void event;
        },
        () => chat.object({ type: 'object' }, 'Hi', own),
      ];
      for (const way of ways) {
        await way();
        const { generationConfig, safetySettings: safety } = sent.at(-1);
        const { temperature, maxOutputTokens } = generationConfig;
        deepEqual([{ temperature, maxOutputTokens }, safety], [expected, safetySettings]);
      }
      await chat.ask('Hi');
      deepEqual(sent.at(-1).generationConfig, common.generationConfig);
      ok(!('safetySettings' in sent.at(-1)));
      const bytes = new TextEncoder().encode('{"topK":3}');
      await chat.ask('Hi', { generationConfig: bytes });
      deepEqual(sent.at(-1).generationConfig, { topK: 3 });
    },
  },
  {
    name: 'declares and runs the tools of one message only for it',
    async run(pkg) {
      const tools = [{ name: 'always', run: () => 1 }];
      const own = [{ name: 'once', run: () => 'ran' }];
      const { chat, sent } = await talk(pkg, [calling('once'), saying('Done.')], { tools });
      const toolConfig = { functionCallingConfig: { mode: 'AUTO' } };
      await chat.ask('Go', { tools: own, toolConfig });
      deepEqual(sent[0].tools, [{ functionDeclarations: [{ name: 'once' }] }]);
      deepEqual(sent[0].toolConfig, toolConfig);
      deepEqual(sent[1].contents.at(-1).parts[0].functionResponse.response, { output: 'ran' });
      await chat.ask('Hi', { tools: [] });
      ok(!('tools' in sent.at(-1)));
      await chat.ask('Hi');
      equal(sent.at(-1).tools[0].functionDeclarations[0].name, 'always');
      ok(!('toolConfig' in sent.at(-1)));
    },
  },
  {
    name: 'lets another model answer one message, by its rules, and stores the turns as always',
    async run(pkg) {
      const store = new pkg.MemoryStore();
      const place = { store, id: 'a' };
      const { chat, sent, strata, client } = await talk(pkg, [saying('Hi')], place);
      await chat.ask('One');
      await chat.ask('Two', { model: other });
      await rejects(
        chat.ask('Three', {
          model: 'gemini-2.5-flash',
          generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } },
        }),
      );
      equal(chat.unanswered, true);
      await chat.ask('');
      deepEqual(
        sent.map((each) => each.model),
        [model, other, model],
      );
      deepEqual(textsOf(chat), ['One', 'Hi', 'Two', 'Hi', 'Three', 'Hi']);
      const again = await pkg.Conversation.open(strata, client, { model, ...place });
      deepEqual(again.history, chat.history);
      await again.ask('Four');
      equal(again.history.length, 8);
      const lines = await store.read('a');
      equal(
        JSON.parse(lines.find((line) => line.includes('"Hi"') && line.includes(other))).meta.model,
        other,
      );
    },
  },
  {
    name: 'goes back to its model after an abort, and leaves a thread of the caller as it is',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model });
      const { chat, sent } = await talk(pkg, [saying('Hi')]);
      void chat;
      const client = new pkg.GeminiClient({ fetch: async () => saying('Hi')(), retry: false });
      const own = new pkg.Conversation(strata, client, { model, thread });
      const controller = new AbortController();
      controller.abort();
      await rejects(own.ask('One', { model: other, signal: controller.signal }));
      for await (const { type } of own.send('Two', { model: other })) if (type === 'request') break;
      equal((await own.ask('')).text, 'Hi');
      equal(thread.length, 0);
      equal(own.history.at(-1).role, 'model');
      equal(sent.length, 0);
    },
  },
  {
    name: 'refuses unknown and invalid options of a message',
    async run(pkg) {
      const { chat } = await talk(pkg, [saying('Hi')]);
      const message = /temperature.*generationConfig/;
      await rejects(chat.ask('Hi', { temperature: 1 }), { code: 'field.unknown', message });
      await rejects(chat.ask('Hi', { model: '' }), { code: 'field.invalid' });
      await rejects(chat.ask('Hi', { tools: {} }), { code: 'field.invalid' });
      await rejects(chat.ask('Hi', { tools: [{ functionDeclarations: [{ name: 'a' }] }] }), {
        code: 'tools.no_run',
      });
      equal(chat.history.length, 0);
      await chat.ask('Hi', { model: undefined, tools: undefined, generationConfig: undefined });
      equal(chat.history.length, 2);
    },
  },
];

const beginnings = [
  {
    name: 'begins with a history in any form that imports know, with its system messages',
    async run(pkg) {
      const histories = {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ text: 'Hello' }] },
        ],
        openai: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello' },
        ],
        aiSdk: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
        ],
        langchain: [
          { type: 'system', data: { content: 'Be kind.' } },
          { type: 'human', data: { content: 'Hi' } },
          { type: 'ai', data: { content: 'Hello' } },
        ],
      };
      for (const [name, history] of Object.entries(histories)) {
        const { chat, sent } = await talk(pkg, [saying('Fine.')], { history });
        deepEqual(textsOf(chat), ['Hi', 'Hello'], name);
        deepEqual((await chat.ask('How are you?')).warnings, [], name);
        equal(sent[0].contents.length, 3);
        const system = sent[0].systemInstruction?.parts[0].text;
        equal(system, name === 'contents' ? undefined : 'Be kind.', name);
        const saved = chat.thread.save();
        const next = await talk(pkg, [saying('Fine.')], { history: saved });
        deepEqual(next.chat.history, chat.history);
      }
      const options = { history: histories.openai, systemInstruction: 'Be brief.' };
      const { chat, sent } = await talk(pkg, [saying('Fine.')], options);
      const { warnings } = await chat.ask('How are you?');
      deepEqual(
        warnings.map(({ code }) => code),
        ['import.system_text'],
      );
      equal(sent[0].systemInstruction.parts[0].text, 'Be brief.');
      for (const none of [[], undefined, null]) {
        const empty = await pkg.connect({ model, emulator: true, history: none });
        equal(empty.history.length, 0);
      }
    },
  },
  {
    name: 'stores a history, which a stored conversation does not take again, but its system messages',
    async run(pkg) {
      const history = [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ];
      const place = { store: new pkg.MemoryStore(), id: 'a', history };
      const first = await talk(pkg, [saying('Fine.')], place);
      await first.chat.ask('How are you?');
      const second = await talk(pkg, [saying('Fine.')], place);
      equal(rolesOf(second.chat), 'user,model,user,model');
      await second.chat.ask('And now?');
      equal(second.sent[0].systemInstruction.parts[0].text, 'Be kind.');
    },
  },
  {
    name: 'takes unsigned calls of past turns, and with dummySignatures those of the current one',
    async run(pkg) {
      const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: '{"seen":1}' },
        { role: 'assistant', content: 'Seen.' },
      ];
      const past = await talk(pkg, [saying('Fine.')], { history: messages });
      await past.chat.ask('And now?');
      equal(past.sent[0].contents[1].parts[0].thoughtSignature, undefined);
      const contents = [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] },
      ];
      for (const history of [messages.slice(0, 3), contents]) {
        await rejects(talk(pkg, [], { history }), {
          name: 'HistoryError',
          code: 'signature.missing',
          message: /\(\/contents\/1\/parts\/0\).* With `dummySignatures: true`/,
        });
        const options = { history, dummySignatures: true };
        const { chat, sent } = await talk(pkg, [saying('Fine.')], options);
        await chat.ask('');
        match(sent[0].contents[1].parts[0].thoughtSignature, /^\w+$/);
      }
    },
  },
  {
    name: 'warns of what the import changed, and refuses what is no history or stands beside a thread',
    async run(pkg) {
      const history = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, refusal: 'No.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'unheard_of', x: 1 },
          ],
        },
        { role: 'assistant', content: 'Hello' },
      ];
      const { chat } = await talk(pkg, [saying('Fine.')], { history });
      const { warnings } = await chat.ask('How are you?');
      ok(
        warnings.some(({ code }) => code.startsWith('import.')),
        JSON.stringify(warnings),
      );
      deepEqual((await chat.ask('And now?')).warnings, []);
      await rejects(pkg.connect({ model, emulator: true, history: [{ role: 'robot' }] }), {
        name: 'HistoryError',
      });
      await rejects(pkg.connect({ model, emulator: true, history: 'hello' }), {
        code: 'json.invalid',
        message: /A text is read as JSON/,
      });
      await rejects(pkg.connect({ model, emulator: true, id: 'a' }), {
        code: 'field.invalid',
        message: /store must be set, because `id` names/,
      });
      const strata = await pkg.load();
      const thread = strata.thread({ model });
      await rejects(pkg.connect({ model, emulator: true, history: [], thread }), {
        code: 'field.invalid',
        message: /connect: history must be omitted, because `thread` is set/,
      });
    },
  },
];

const awaited = [
  {
    name: 'runs a send that is awaited, and returns its result',
    async run(pkg) {
      const { chat, sent } = await talk(pkg, [saying('Hello.')]);
      const { text, warnings } = await chat.send('Hi');
      deepEqual([text, warnings, sent.length, chat.history.length], ['Hello.', [], 1, 2]);
      const failed = await talk(pkg, [() => new Response('{}', { status: 400 })]);
      await rejects(async () => failed.chat.send('Hi'), { code: 'api.400' });
      const read = chat.send('Hi again');
      for await (const event of read) void event;
      await rejects(async () => read, { code: 'stream.read' });
    },
  },
];

/** An answer that never ends, until its signal aborts. */
const endless = (signal) =>
  new Response(
    new ReadableStream({
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    }),
  );

const aborts = [
  {
    name: 'keeps or drops the message of an aborted send, also in its store',
    async run(pkg) {
      for (const [onAbort, kept] of [
        [undefined, true],
        ['keep', true],
        ['drop', false],
      ]) {
        const place = { store: new pkg.MemoryStore(), id: 'a' };
        const answers = [saying('Hello.'), endless, saying('Hello.')];
        const { chat, sent, strata, client } = await talk(pkg, answers, { onAbort, ...place });
        await chat.ask('One');
        const controller = new AbortController();
        const asked = chat.ask('Two', { signal: controller.signal });
        while (sent.length < 2) await new Promise((done) => setTimeout(done, 1));
        controller.abort();
        await rejects(asked, { name: 'AbortError' });
        equal(rolesOf(chat), kept ? 'user,model,user' : 'user,model');
        const again = await pkg.Conversation.open(strata, client, { model, ...place });
        deepEqual(again.history, chat.history);
        for await (const { type } of chat.send('Three')) if (type === 'request') break;
        await chat.ask('Four');
        const texts = kept ? ['One', 'Two', 'Three', 'Four'] : ['One', 'Four'];
        deepEqual(
          textsOf(chat).filter((text) => text !== 'Hello.'),
          texts,
        );
        deepEqual(
          (await pkg.Conversation.open(strata, client, { model, ...place })).history,
          chat.history,
        );
      }
    },
  },
  {
    name: 'drops no turn in which a tool ran, no message of another send, and none that failed',
    async run(pkg) {
      const tools = [{ name: 'act', run: () => 'done' }];
      const answers = [calling('act'), endless, () => new Response('{}', { status: 400 }), endless];
      const { chat } = await talk(pkg, answers, { tools, onAbort: 'drop' });
      for await (const { type } of chat.send('Go')) if (type === 'toolResult') break;
      equal(rolesOf(chat), 'user,model,user');
      const { chat: second } = await talk(pkg, answers.slice(2), { onAbort: 'drop' });
      await rejects(second.ask('Hi'), { code: 'api.400' });
      equal(rolesOf(second), 'user');
      for await (const { type } of second.send('')) if (type === 'request') break;
      equal(rolesOf(second), 'user');
    },
  },
];

const busy = [
  {
    name: 'says what to do while another send runs',
    async run(pkg) {
      const { chat } = await talk(pkg, [endless]);
      const controller = new AbortController();
      const { result } = chat.stream('Hi', controller);
      const { message } = await rejects(chat.ask('Hi'), { code: 'conversation.busy' });
      match(message, /Await it, or set the option `concurrent: 'queue'`/);
      controller.abort();
      await rejects(result, { name: 'AbortError' });
    },
  },
];

const wrongPlaces = [
  {
    name: 'refuses a tool whose schema is not one of an object before anything is sent',
    async run(pkg) {
      const run = () => 'never';
      const message = /connect: The schema of the tool pick must be a schema of an object/;
      for (const schema of [{ type: 'string' }, { city: { type: 'string' } }]) {
        const tools = [{ name: 'pick', schema, run }];
        const refused = pkg.connect({ model, emulator: true, tools });
        await rejects(refused, { code: 'field.invalid', message });
      }
    },
  },
  {
    name: 'says what `store` and `id` are for where one is missing, and the order of the arguments of `object`',
    async run(pkg) {
      const unnamed = pkg.connect({ model, emulator: true, store: new pkg.MemoryStore() });
      await rejects(unnamed, { message: /id must be set, because it names the conversation/ });
      const unstored = pkg.connect({ model, emulator: true, id: 'a' });
      await rejects(unstored, { message: /store must be set, because `id` names a conversation/ });
      const chat = await pkg.connect({ model, emulator: true });
      const message = /schema must be the first argument, before the message/;
      await rejects(chat.object('Hi', { schema: {} }), { code: 'field.invalid', message });
    },
  },
  {
    name: 'names FileStore for a path as store, and `schema` for parameters of `tool`',
    async run(pkg) {
      const message = /connect: store must be a store, such as new FileStore\('data'\)/;
      for (const place of [{ store: 'data', id: 'a' }, { store: './data' }])
        await rejects(pkg.connect({ model, emulator: true, ...place }), {
          code: 'field.invalid',
          message,
        });
      for (const name of ['parameters', 'parametersJsonSchema']) {
        const definition = { name: 'a', [name]: { type: 'object' }, run: () => 1 };
        throws(() => pkg.tool(definition), {
          code: 'field.invalid',
          message: new RegExp(`pass the schema as \`schema\`, not as \`${name}\``),
        });
      }
      throws(() => pkg.tool({ name: 'a', run: () => 1 }), { message: /tool: schema must be/ });
    },
  },
  {
    name: 'warns of a model whose name is near one, also with the emulator',
    async run(pkg) {
      const chat = await pkg.connect({ model: 'gemini-3.8-falsh', emulator: true });
      const { warnings } = await chat.ask('Hi');
      deepEqual(
        warnings.map(({ code, severity }) => [code, severity]),
        [['model.misspelled', 'warning']],
      );
      match(warnings[0].message, /gemini-3\.8-flash/);
      deepEqual((await chat.ask('Hi again')).warnings, []);
      const known = await pkg.connect({ model: 'models/gemini-3.8-flash', emulator: true });
      deepEqual((await known.ask('Hi')).warnings, []);
    },
  },
];

export default [...wrongPlaces, ...settings, ...beginnings, ...awaited, ...aborts, ...busy];
