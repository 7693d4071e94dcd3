// Tests that nothing fails silently: what `ask` and `object` return says what was found, why a send ended and what the
// API added; errors of tools are kept; constants of the program that are wrong are refused when a conversation is made.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
const candidate = (parts, more = {}) => ({
  content: { role: 'model', parts },
  finishReason: 'STOP',
  ...more,
});
const answer = (parts, more) =>
  new Response(
    `data: ${JSON.stringify({ candidates: [candidate(parts, more)], usageMetadata })}\r\n\r\n`,
  );
const saying = (text, more) => () => answer([{ text }], more);
const calling =
  (name, args = {}) =>
  () =>
    answer([{ functionCall: { name, args }, thoughtSignature: 'c2lnbmVk' }]);

/** Returns a conversation whose n-th request gets the n-th answer, or the last one. */
async function talk(pkg, answers, options = {}) {
  let requests = 0;
  const fetch = async () => (answers[requests++] ?? answers.at(-1))();
  const client = new pkg.GeminiClient({ fetch, retry: false });
  return new pkg.Conversation(await pkg.load(), client, { model, ...options });
}

/** Returns what `work` prints with `console.error`, and its result. */
async function printed(work) {
  const { error } = console;
  const lines = [];
  console.error = (...args) => lines.push(args);
  try {
    return { result: await work(), lines };
  } finally {
    console.error = error;
  }
}

const codesOf = ({ warnings }) => warnings.map(({ code }) => code);

const endings = [
  {
    name: 'says by the finishReason that the tool rounds are used up',
    async run(pkg) {
      const tools = [{ name: 'again', run: () => 1 }];
      const chat = await talk(pkg, [calling('again')], { tools, maxToolRounds: 2 });
      const { text, finishReason } = await chat.ask('Go');
      deepEqual([text, finishReason], ['', 'MAX_TOOL_ROUNDS']);
      equal((await chat.stream('').result).finishReason, 'MAX_TOOL_ROUNDS');
      const { finishReason: none } = await (
        await talk(pkg, [calling('again')], { tools, maxToolRounds: 0 })
      ).ask('Go');
      equal(none, 'MAX_TOOL_ROUNDS');
    },
  },
  {
    name: 'says by the finishReason that a loop of calls was cut',
    async run(pkg) {
      const tools = [{ name: 'again', run: () => 1 }];
      const chat = await talk(pkg, [calling('again')], { tools, maxToolRounds: 100 });
      equal((await chat.ask('Go')).finishReason, 'TOOL_CALL_LOOP');
    },
  },
  {
    name: 'warns of each empty answer to tool results',
    async run(pkg) {
      const tools = [{ name: 'note', run: () => 'noted' }];
      const chat = await talk(pkg, [calling('note'), () => answer([])], { tools });
      for (const input of ['Go', '']) {
        const result = await chat.ask(input);
        deepEqual([result.text, codesOf(result)], ['', ['answer.empty']]);
      }
    },
  },
];

const ignored = { type: 'object', properties: { city: { type: 'string', minLength: 1 } } };

const warnings = [
  {
    name: 'returns the findings of a send once in a conversation, from ask, object and stream',
    async run(pkg) {
      const answers = [saying('Hi'), saying('{}')];
      const tools = [{ name: 'weather', schema: ignored, run: () => 1 }];
      const chat = await talk(pkg, answers, { tools });
      deepEqual(codesOf(await chat.ask('Hi')), ['schema.keyword_ignored']);
      deepEqual(codesOf(await chat.ask('Hi again')), []);
      deepEqual(codesOf(await chat.object({ type: 'object' }, 'An object')), []);
      deepEqual(codesOf(await chat.stream('And now?').result), []);
      const other = await talk(pkg, [saying('{}')], { tools });
      deepEqual(codesOf(await other.object({ type: 'object' }, 'Hi')), ['schema.keyword_ignored']);
      const third = await talk(pkg, [saying('Hi')], { tools });
      deepEqual(codesOf(await third.stream('Hi').result), ['schema.keyword_ignored']);
    },
  },
  {
    name: 'warns of a dynamic text that is not JSON',
    async run(pkg) {
      const chat = await talk(pkg, [saying('Hi')], { dynamic: { text: 'The time is 12.' } });
      deepEqual(codesOf(await chat.ask('Hi')), ['dynamic.not_json']);
      deepEqual(codesOf(await chat.ask('Hi again')), []);
    },
  },
  {
    name: 'warns once of a tool that returns undefined, and of no other value',
    async run(pkg) {
      const values = { forgot: undefined, nothing: null, empty: '', zero: 0 };
      const tools = Object.keys(values).map((name) => ({ name, run: () => values[name] }));
      const answers = [...Object.keys(values), 'forgot'].map((name) => calling(name));
      const chat = await talk(pkg, [...answers, saying('Done.')], { tools });
      const { warnings: found } = await chat.ask('Go');
      deepEqual(
        found.map(({ code, severity }) => [code, severity]),
        [['tools.no_result', 'warning']],
      );
      match(found[0].message, /forgot returned undefined/);
    },
  },
  {
    name: 'warns once of calls whose function the conversation does not have',
    async run(pkg) {
      const chat = await talk(pkg, [calling('gone'), calling('gone'), saying('Done.')]);
      const { warnings: found } = await chat.ask('Go');
      deepEqual(
        found.map(({ code, severity }) => [code, severity]),
        [['tools.undeclared', 'warning']],
      );
      match(found[0].message, /called gone, but `tools` has no such function/);
    },
  },
];

const metadata = [
  {
    name: 'returns the sources and the search suggestions of an answer',
    async run(pkg) {
      const said = {
        groundingMetadata: {
          searchEntryPoint: { renderedContent: '<div>Oslo</div>' },
          webSearchQueries: ['Oslo weather'],
        },
        urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'https://example.com' }] },
        citationMetadata: { citationSources: [{ uri: 'https://example.com' }] },
      };
      const answers = [saying('{}', said), saying('{}', said), saying('{}', said), saying('No.')];
      const chat = await talk(pkg, answers, { tools: [{ googleSearch: {} }] });
      deepEqual((await chat.ask('Hi')).metadata, said);
      deepEqual((await chat.object({ type: 'object' }, 'Hi')).metadata, said);
      deepEqual((await chat.stream('Hi').result).metadata, said);
      ok(!('metadata' in (await chat.ask('Hi'))));
    },
  },
  {
    name: 'gets sources from a scripted chunk of the emulator',
    async run(pkg) {
      const groundingMetadata = { searchEntryPoint: { renderedContent: '<div>Oslo</div>' } };
      const chunk = { candidates: [candidate([{ text: 'Rain.' }], { groundingMetadata })] };
      const emulator = pkg.createEmulator({ respond: () => ({ chunks: [chunk] }) });
      const client = new pkg.GeminiClient({ fetch: emulator });
      const chat = new pkg.Conversation(await pkg.load(), client, { model });
      deepEqual((await chat.ask('Hi')).metadata, { groundingMetadata });
    },
  },
];

class BugError extends TypeError {}

const failing = (thrown) => [
  {
    name: 'fail',
    run() {
      throw thrown;
    },
  },
];

const toolErrors = [
  {
    name: 'keeps what a tool threw, with its class and stack, in the event toolResult',
    async run(pkg) {
      const thrown = new BugError('a bug');
      const chat = await talk(pkg, [calling('fail'), saying('Sorry.')], { tools: failing(thrown) });
      const { result, lines } = await printed(async () => {
        const found = [];
        for await (const event of chat.send('Go'))
          if (event.type === 'toolResult') found.push(event);
        return found;
      });
      equal(result[0].error, thrown);
      deepEqual(result[0].response, { error: 'a bug' });
      deepEqual(lines, []);
    },
  },
  {
    name: 'calls onToolError with it, and prints nothing',
    async run(pkg) {
      const seen = [];
      const onToolError = (error, { name }) => seen.push([error, name]);
      const thrown = new BugError('a bug');
      const tools = failing(thrown);
      const chat = await talk(pkg, [calling('fail'), saying('Sorry.')], { tools, onToolError });
      const { lines } = await printed(() => chat.ask('Go'));
      deepEqual([seen.length, seen[0][0] === thrown, seen[0][1], lines], [1, true, 'fail', []]);
    },
  },
  {
    name: 'prints it once where nobody reads the events',
    async run(pkg) {
      const thrown = new BugError('a bug');
      const ways = {
        ask: (chat) => chat.ask('Go'),
        object: (chat) => chat.object({ type: 'object' }, 'Go'),
        result: (chat) => chat.stream('Go').result,
        async text(chat) {
          for await (const text of chat.stream('Go').textStream) void text;
        },
        response: (chat) => chat.stream('Go').toResponse().text(),
      };
      for (const [name, way] of Object.entries(ways)) {
        const answers = [calling('fail'), saying('{}')];
        const chat = await talk(pkg, answers, { tools: failing(thrown) });
        const { lines } = await printed(() => way(chat));
        deepEqual([lines.length, lines[0]?.[1] === thrown], [1, true], name);
      }
      const heard = [
        async (chat) => {
          for await (const event of chat.stream('Go')) void event;
        },
        (chat) => chat.object({ type: 'object' }, 'Go', { onEvent: () => {} }),
      ];
      for (const way of heard) {
        const answers = [calling('fail'), saying('{}')];
        const chat = await talk(pkg, answers, { tools: failing(thrown) });
        deepEqual((await printed(() => way(chat))).lines, []);
      }
    },
  },
  {
    name: 'shows the developer a result that cannot be sent: a Map, a function, a returned Error',
    async run(pkg) {
      for (const [value, message] of [
        [new Map(), /Map/],
        [() => 1, /function/],
        [new Error('returned'), /returned/],
        [new pkg.MediaResult('x', [{ inlineData: { mimeType: 5, data: '' } }]), /can't be sent/],
      ]) {
        const tools = [{ name: 'odd', run: () => value }];
        const chat = await talk(pkg, [calling('odd'), saying('Sorry.')], { tools });
        const { lines } = await printed(() => chat.ask('Go'));
        equal(lines.length, 1);
        match(String(lines[0][1]?.message), message);
        match(lines[0][0], /odd/);
      }
    },
  },
  {
    name: 'prints nothing for calls that do not match or that the user declined, and after an abort',
    async run(pkg) {
      const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
      const tools = [
        { name: 'typed', schema, run: () => 1 },
        { name: 'asked', confirm: true, run: () => 1 },
      ];
      const answers = [calling('typed'), calling('asked'), calling('unknown'), saying('Done.')];
      const chat = await talk(pkg, answers, { tools, confirmTool: () => false });
      deepEqual((await printed(() => chat.ask('Go'))).lines, []);
      const controller = new AbortController();
      const slow = {
        name: 'slow',
        run: (_, { signal }) => (controller.abort(), signal.throwIfAborted()),
      };
      const aborted = await talk(pkg, [calling('slow')], { tools: [slow] });
      const { lines } = await printed(() =>
        aborted.ask('Go', { signal: controller.signal }).catch(({ name }) => name),
      );
      deepEqual(lines, []);
    },
  },
  {
    name: 'keeps errors of tools out of responses, also if their events are asked for',
    async run(pkg) {
      const thrown = Object.assign(new BugError('a bug'), { secret: 'hidden' });
      for (const tools of [failing(thrown), failing({ secret: 'hidden', message: 'a bug' })]) {
        const chat = await talk(pkg, [calling('fail'), saying('Sorry.')], { tools });
        const { result } = await printed(() =>
          chat
            .stream('Go')
            .toResponse({ events: ['toolResult'] })
            .text(),
        );
        match(result, /event: toolResult/);
        ok(!result.includes('hidden'));
      }
    },
  },
];

const constants = [
  {
    name: 'refuses templates that do not compile when the conversation is created',
    async run(pkg) {
      const broken = 'You answer for {{ shop .';
      for (const [options, place] of [
        [{ static: { template: broken } }, '/static/template'],
        [{ dynamic: { template: '{{ now | nofilter }}' } }, '/dynamic/template'],
        [
          { prompt: { sections: [{ id: 'a', template: '{% if %}' }] } },
          '/prompt/sections/0/template',
        ],
      ]) {
        const error = await rejects(pkg.connect({ model, emulator: true, ...options }), {
          name: 'TemplateError',
        });
        ok(error.message.startsWith(`${place}, line 1, column `), error.message);
        equal(error.line, 1);
        const place2 = { store: new pkg.MemoryStore(), id: 'a' };
        await rejects(pkg.connect({ model, emulator: true, ...place2, ...options }), {
          name: 'TemplateError',
        });
      }
    },
  },
  {
    name: 'refuses misspelled variables of the default templates and of templates that read another one',
    async run(pkg) {
      const strata = await pkg.load();
      const templates = await pkg.templates.loadTemplates();
      const own = templates.template('{{ shop_name }}');
      for (const [options, message] of [
        [
          { static: { variables: { mainInstruction: 'x' } } },
          /\/static\/variables\/mainInstruction .*main_instruction\?/,
        ],
        [{ static: { variables: { shop: 'x' } } }, /Variables: description, main_instruction/],
        [{ dynamic: { variables: { todo: [] } } }, /Did you mean todos\?/],
        [
          { static: { template: 'For {{ shop }}', variables: { shopp: 'x' } } },
          /Did you mean shop\?/,
        ],
        [{ static: { template: own, variables: { shopName: 'x' } } }, /Did you mean shop_name\?/],
      ]) {
        const client = new pkg.GeminiClient({ fetch: pkg.createEmulator() });
        const make = () => new pkg.Conversation(strata, client, { model, ...options });
        await rejects(make().ask('Hi'), { code: 'field.unknown', message });
      }
      for (const options of [
        { static: { template: '{{ item1 }}', variables: { item1: 1, item2: 2, color: 3 } } },
        { static: { variables: { main_instruction: 'x' } }, dynamic: {} },
      ]) {
        const { warnings: found } = await (
          await pkg.connect({ model, emulator: true, ...options })
        ).ask('Hi');
        deepEqual(found, []);
      }
    },
  },
  {
    name: 'refuses declarations without `run`, from the options and from a source',
    async run(pkg) {
      const functionDeclarations = [{ name: 'get_weather', description: 'Weather' }];
      const message =
        /\/tools\/0.*`run`.*get_weather.*tool\(\{ name, description, schema, run \}\)/;
      for (const declared of [
        { functionDeclarations },
        { function_declarations: functionDeclarations },
      ]) {
        await rejects(pkg.connect({ model, emulator: true, tools: [declared] }), {
          code: 'tools.no_run',
          message,
        });
        const source = { discover: () => [declared] };
        const chat = await pkg.connect({ model, emulator: true, tools: [source] });
        await rejects(chat.ask('Hi'), { code: 'tools.no_run', message });
      }
      const none = await pkg.connect({
        model,
        emulator: true,
        tools: [{ functionDeclarations: [] }],
      });
      ok(none);
    },
  },
];

export default [...endings, ...warnings, ...metadata, ...toolErrors, ...constants];
