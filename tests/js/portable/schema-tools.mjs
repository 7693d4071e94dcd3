// Tools with a JSON Schema, and structured output: what is declared, what matches, and what happens if it does not.
import { deepEqual, equal, match, ok, rejects, throws } from './assert.mjs';

const model = 'gemini-3.8-flash';
const utf8 = (bytes) => new TextDecoder().decode(bytes);
const text = (value) => ({
  parts: [{ text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const calls = (...args) => ({
  parts: args.map((each, index) => ({
    functionCall: { name: 'f', args: each },
    ...(index === 0 && { thoughtSignature: 'c2lnbmVk' }),
  })),
});

/** Returns a conversation whose model gives these answers, and the bodies of its requests. */
async function conversation(pkg, answers, options = {}, { load, Conversation } = pkg) {
  const bodies = [];
  const emulator = pkg.createEmulator({ respond: ({ index }) => answers[index - 1] });
  const fetch = (url, init) => {
    bodies.push(JSON.parse(utf8(init.body)));
    return emulator(url, init);
  };
  const client = new pkg.GeminiClient({ fetch, retry: false });
  const strata = await load();
  return { strata, bodies, chat: new Conversation(strata, client, { model, ...options }) };
}

async function eventsOf(chat, input = 'Go') {
  const events = [];
  for await (const event of chat.send(input)) events.push(event);
  return events;
}

const object = (properties, more) => ({ type: 'object', properties, ...more });

class Weather {
  #unit = 'C';
  schema = city;
  get name() {
    return 'f';
  }
  run({ city: name }) {
    return `${name}: 4 ${this.#unit}`;
  }
}
const city = object({ city: { type: 'string' } }, { required: ['city'] });

/** Rows of: the schema of the argument `a`, values that match, and values that do not with the words about them. */
const validation = [
  [{ type: 'string' }, ['x', ''], [[1, 'must be of type string, not number']]],
  [{ type: 'integer' }, [1, -1, 2.0], [[1.5, 'must be of type integer, not number']]],
  [{ type: 'number' }, [1.5], [['1', 'must be of type number, not string']]],
  [{ type: 'boolean' }, [false], [[null, 'must be of type boolean, not null']]],
  [{ type: ['string', 'null'] }, ['x', null], [[[], 'must be of type string or null, not array']]],
  [{ type: 'array', items: { type: 'null' } }, [[], [null]], [[[0], '/0: must be of type null']]],
  [{ type: 'object' }, [{}, { b: 1 }], [[[], 'must be of type object, not array']]],
  [{ enum: ['a', 2, { b: [1], c: 2 }] }, ['a', 2, { c: 2, b: [1] }], [['b', 'one of "a", 2, {']]],
  [{ type: 'STRING' }, ['x'], [[1, 'must be of type string, not number']]],
  [{ type: 'STRING', nullable: true }, ['x', null], [[1, 'must be of type string']]],
  [{ const: 'x' }, ['x'], [['y', 'must be "x"']]],
  [{ const: null }, [null], [[false, 'must be null']]],
  [
    { minimum: 1, maximum: 2 },
    [1, 2, 'x'],
    [
      [0, 'at least 1'],
      [3, 'at most 2'],
    ],
  ],
  [
    { exclusiveMinimum: 1, exclusiveMaximum: 2 },
    [1.5],
    [
      [1, 'more than 1'],
      [2, 'less than 2'],
    ],
  ],
  [{ multipleOf: 0.1 }, [0.3, 7], [[0.35, 'multiple of 0.1']]],
  [
    { minLength: 2, maxLength: 3 },
    ['ab', '🌍🌍'],
    [
      ['🌍', 'at least 2'],
      ['abcd', 'at most 3'],
    ],
  ],
  [{ pattern: '^a+$' }, ['aa', 5], [['b', 'must match the pattern ^a+$']]],
  [{ pattern: '(?<!' }, ['an expression that is none'], []],
  [
    { minItems: 1, maxItems: 1 },
    [[0], {}],
    [
      [[], 'at least 1'],
      [[1, 2], 'at most 1'],
    ],
  ],
  [{ uniqueItems: true }, [[1, '1']], [[[{ b: 1 }, { b: 1 }], 'must not repeat items']]],
  [{ prefixItems: [{ type: 'string' }], items: false }, [[], ['a']], [[['a', 1], '/1: is not']]],
  [{ items: [{ const: 1 }], additionalItems: { const: 2 } }, [[1, 2]], [[[1, 3], '/1: must be 2']]],
  [object({ b: {} }, { required: ['b'] }), [{ b: null }], [[{}, '/b: is missing']]],
  [object({ b: {} }, { required: ['toString'] }), [], [[{}, '/toString: is missing']]],
  [object({ 'b/c~': { const: 1 } }), [{ 'b/c~': 1 }], [[{ 'b/c~': 2 }, '/b~1c~0: must be 1']]],
  [
    object({ b: {} }, { additionalProperties: false }),
    [{ b: 1 }],
    [[{ c: 1 }, '/c: is not allowed']],
  ],
  [{ additionalProperties: { const: 1 } }, [{ b: 1 }], [[{ b: 2 }, '/b: must be 1']]],
  [
    { patternProperties: { '^x': { const: 1 } } },
    [{ x1: 1, y: 2 }],
    [[{ x1: 2 }, '/x1: must be 1']],
  ],
  [{ propertyNames: { maxLength: 1 } }, [{ b: 1 }], [[{ bc: 1 }, '/bc: must have at most 1']]],
  [
    { minProperties: 1, maxProperties: 1 },
    [{ b: 1 }],
    [
      [{}, 'at least 1'],
      [{ b: 1, c: 1 }, 'most 1'],
    ],
  ],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, [1, 2], [[3, 'must be 1, or must be 2']]],
  [
    { anyOf: [{ type: 'null' }, object({ b: { type: 'string' } })] },
    [null, { b: 'x' }],
    [
      [{ b: 1 }, '/b: must be of type string'],
      [5, 'must be of type null, not number, or'],
    ],
  ],
  [
    { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
    [1],
    [
      [2, 'only one'],
      [0, 'at least 1, or'],
    ],
  ],
  [
    { allOf: [{ minimum: 1 }, { maximum: 2 }] },
    [1],
    [
      [0, 'at least 1'],
      [3, 'at most 2'],
    ],
  ],
  [{ not: { const: 1 } }, [2], [[1, 'is not allowed']]],
  [
    { if: { type: 'string' }, then: { minLength: 1 }, else: { minimum: 1 } },
    ['x', 1],
    [
      ['', 'at least 1 char'],
      [0, 'at least 1'],
    ],
  ],
  [{ format: 'email', 'x-own': 1 }, ['no email'], []],
  [{}, [null, 1, {}], []],
  [true, [null], []],
  [false, [], [[1, 'is not allowed']]],
  [
    { $ref: '#/$defs/tree' },
    [{ next: { next: {} } }],
    [[{ next: { next: 1 } }, '/next/next: must be of type object']],
  ],
  [{ $ref: '#/$defs/same' }, [1], []],
];
const $defs = {
  tree: object({ next: { $ref: '#/$defs/tree' } }),
  same: { $ref: '#/$defs/same' },
};

/** A tree of nodes with one child, each of one of three kinds, and a leaf. */
const treeSchema = (keyword) => {
  const node = { $ref: '#/$defs/node' };
  const kind = (name, properties) =>
    object(
      { kind: { const: name }, ...properties },
      { required: Object.keys({ kind: 0, ...properties }) },
    );
  const kinds = ['k0', 'k1', 'k2'].map((name) => kind(name, { child: node }));
  const leaf = kind('leaf', { value: { type: 'number' } });
  return object({ a: node }, { $defs: { node: { [keyword]: [leaf, ...kinds] } } });
};
function tree(depth, value) {
  let node = { kind: 'leaf', value };
  for (let i = 0; i < depth; i++) node = { kind: `k${i % 3}`, child: node };
  return node;
}

/** Counts how often the members of a value are read. */
function counted(value, seen) {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, counted(member, seen)]);
  const ownKeys = (target) => (seen.reads++, Reflect.ownKeys(target));
  return new Proxy(Object.fromEntries(members), { ownKeys });
}

/** Runs one call for each value, in one answer; returns the responses. */
async function responsesFor(pkg, schema, values) {
  const tool = pkg.tool({
    name: 'f',
    schema: object({ a: schema }, { $defs }),
    run: ({ a }) => ({ a }),
  });
  const answers = [calls(...values.map((a) => ({ a }))), text('Done.')];
  const { chat, bodies } = await conversation(pkg, answers, { tools: [tool] });
  await eventsOf(chat);
  return bodies[1].contents.at(-1).parts.map(({ functionResponse }) => functionResponse.response);
}

const tools = [
  {
    name: 'validates arguments with every keyword of JSON Schema',
    async run(pkg) {
      for (const [schema, valid, invalid] of validation) {
        const values = [...valid, ...invalid.map(([value]) => value)];
        if (values.length === 0) continue;
        const responses = await responsesFor(pkg, schema, values);
        const about = (index) => `${JSON.stringify(schema)} ${JSON.stringify(values[index])}`;
        valid.forEach((a, index) => deepEqual(responses[index].output, { a }, about(index)));
        invalid.forEach(([, words], place) => {
          const index = valid.length + place;
          const { error = '' } = responses[index];
          ok(error.startsWith('Not run: the arguments do not match. /a'), about(index) + error);
          ok(error.includes(words), `${about(index)} ${error}`);
        });
      }
    },
  },
  {
    name: 'validates recursive alternatives to any depth, and names the deepest fault',
    async run(pkg) {
      for (const keyword of ['anyOf', 'oneOf']) {
        const tool = pkg.tool({ name: 'f', schema: treeSchema(keyword), run: () => 'ran' });
        const depths = [8, 18, 90];
        const args = depths.flatMap((depth) => [{ a: tree(depth, 1) }, { a: tree(depth, 'x') }]);
        const { chat, bodies } = await conversation(pkg, [calls(...args), text('Done.')], {
          tools: [tool],
        });
        await eventsOf(chat);
        const parts = bodies[1].contents.at(-1).parts;
        const responses = parts.map(({ functionResponse }) => functionResponse.response);
        depths.forEach((depth, at) => {
          equal(responses[2 * at].output, 'ran');
          const path = `/a${'/child'.repeat(depth)}`;
          ok(
            responses[2 * at + 1].error.includes(`${path}/value: must be of type number`),
            keyword,
          );
        });
      }
    },
  },
  {
    name: 'reads an answer with recursive alternatives as often as it is deep',
    async run(pkg) {
      const reads = [];
      for (const depth of [20, 40, 80]) {
        const seen = { reads: 0 };
        const { parse } = JSON;
        const { chat } = await conversation(pkg, [text({ a: tree(depth, 1) })]);
        // What is validated is what JSON.parse returns.
        JSON.parse = (...given) => {
          const value = parse(...given);
          return Object(value).a?.kind ? counted(value, seen) : value;
        };
        try {
          await chat.object(treeSchema('oneOf'), 'Go');
        } finally {
          JSON.parse = parse;
        }
        reads.push(seen.reads);
      }
      ok(reads[0] > 20, `${reads}`);
      ok(reads[2] - reads[1] <= 2.2 * (reads[1] - reads[0]), `${reads}`);
    },
  },
  {
    name: 'ends the validation of a schema whose parts multiply with an error to the model',
    async run(pkg) {
      const $defs = { s60: { minimum: 1 } };
      for (let i = 0; i < 60; i++) {
        const next = { $ref: `#/$defs/s${i + 1}` };
        $defs[`s${i}`] = { allOf: [next, next] };
      }
      const schema = object({ a: { $ref: '#/$defs/s0' } }, { $defs });
      const tool = pkg.tool({ name: 'f', schema, run: () => 'ran' });
      const answers = [calls({ a: 1 }, { a: 0 }), text('Done.')];
      const { chat, bodies } = await conversation(pkg, answers, { tools: [tool] });
      const events = await eventsOf(chat);
      const parts = bodies[1].contents.at(-1).parts;
      const responses = parts.map(({ functionResponse }) => functionResponse.response);
      equal(responses[0].output, 'ran');
      match(responses[1].error, /takes more than 1000000 steps to validate/);
      equal(events.filter(({ type }) => type === 'invalidArguments').length, 1);
      const structured = await conversation(pkg, [text({ a: 0 }), text({ a: 0 }), text({ a: 0 })]);
      const error = await rejects(structured.chat.object(schema, 'Go'), { code: 'object.invalid' });
      match(error.message, /1000000 steps/);
    },
  },
  {
    name: 'tells the name of a member from its value',
    async run(pkg) {
      const short = { $ref: '#/$defs/short' };
      const schema = object(
        { a: { propertyNames: short, additionalProperties: short } },
        { $defs: { short: { maxLength: 3 } } },
      );
      const tool = pkg.tool({ name: 'f', schema, run: () => 'ran' });
      const values = [{ abcd: 'x' }, { x: 'abcd' }, { abc: 'abc' }];
      const answers = [calls(...values.map((a) => ({ a }))), text('Done.')];
      const { chat } = await conversation(pkg, answers, { tools: [tool] });
      const issues = (await eventsOf(chat)).flatMap((event) => event.issues ?? []);
      const message = 'must have at most 3 characters';
      deepEqual(issues, [
        { path: '/a/abcd', message },
        { path: '/a/x', message },
      ]);
    },
  },
  {
    name: 'answers arguments that do not match, and emits invalidArguments before the result',
    async run(pkg) {
      const ran = [];
      const asked = [];
      const tool = pkg.tool({
        ...{ name: 'f', schema: city, confirm: true },
        run: (args) => void ran.push(args),
      });
      const { chat } = await conversation(pkg, [calls({ town: 'Oslo' }, { city: 'Oslo' })], {
        tools: [tool],
        confirmTool: ({ args }) => asked.push(args) > 0,
      });
      const events = await eventsOf(chat);
      const types = events
        .map(({ type }) => type)
        .filter((type) => /invalid|toolResult/.test(type));
      deepEqual(types, ['invalidArguments', 'toolResult', 'toolResult']);
      const { call, issues } = events.find(({ type }) => type === 'invalidArguments');
      deepEqual(call.args, { town: 'Oslo' });
      deepEqual(issues, [{ path: '/city', message: 'is missing' }]);
      // Nobody is asked about a call that cannot run.
      deepEqual([ran, asked], [[{ city: 'Oslo' }], [{ city: 'Oslo' }]]);
    },
  },
  {
    name: 'runs a tool that is an object of a class with private members',
    async run(pkg) {
      const answers = [calls({ city: 'Oslo' }, { town: 'Oslo' }), text('Hi.')];
      const { chat, bodies } = await conversation(pkg, answers, { tools: [new Weather()] });
      await eventsOf(chat);
      const [declaration] = bodies[0].tools[0].functionDeclarations;
      deepEqual(declaration, { name: 'f', parametersJsonSchema: city });
      const parts = bodies[1].contents.at(-1).parts;
      const [first, second] = parts.map(({ functionResponse }) => functionResponse.response);
      deepEqual(first, { output: 'Oslo: 4 C' });
      match(second.error, /^Not run: the arguments do not match/);
    },
  },
  {
    name: 'declares the schema in the form that the model takes, and reports what was changed',
    async run(pkg) {
      const schema = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        ...object({ kind: { const: 'now' } }),
      };
      const run = () => 1;
      const named = (name, more) => pkg.tool({ name, run, ...more });
      const all = [named('a', { schema: object({}) }), named('b', { schema })];
      const { chat, bodies } = await conversation(pkg, [text('Hi.'), text('Hi.')], { tools: all });
      const events = await eventsOf(chat);
      const declarations = bodies[0].tools[0].functionDeclarations;
      const parametersJsonSchema = object({ kind: { enum: ['now'] } });
      deepEqual(declarations, [{ name: 'a' }, { name: 'b', parametersJsonSchema }]);
      const [first] = events.filter(({ type }) => type === 'diagnostics');
      const path = '/tools/0/functionDeclarations/1/parametersJsonSchema/properties/kind/const';
      deepEqual([first.diagnostics[0].path, first.diagnostics[0].repaired], [path, true]);
      const later = await eventsOf(chat, 'Again');
      ok(!later.some(({ type }) => type === 'diagnostics'));
      deepEqual(bodies[1].tools, bodies[0].tools);
    },
  },
  {
    name: 'declares a schema without properties whose other keywords say something, and reports them',
    async run(pkg) {
      const misspelled = { type: 'object', propertis: { city: { type: 'string' } } };
      const required = { type: 'object', properties: {}, required: ['city'] };
      const empty = {
        ...object({}),
        description: 'Nothing',
        required: [],
        additionalProperties: false,
      };
      const tools = [misspelled, required, empty].map((schema, at) =>
        pkg.tool({ name: `f${at}`, schema, run: () => 1 }),
      );
      const { chat, bodies } = await conversation(pkg, [text('Hi.')], { tools });
      const events = await eventsOf(chat);
      deepEqual(bodies[0].tools[0].functionDeclarations, [
        { name: 'f0', parametersJsonSchema: misspelled },
        { name: 'f1', parametersJsonSchema: required },
        { name: 'f2' },
      ]);
      const { diagnostics } = events.find(({ type }) => type === 'diagnostics');
      const codes = diagnostics.map(({ code }) => code);
      deepEqual(codes, ['schema.keyword_ignored', 'schema.required_undefined']);
    },
  },
  {
    name: 'refuses `required` that is no array of names, because no arguments would match',
    async run(pkg) {
      for (const wrong of ['city', true, [1]]) {
        const schema = { ...city, required: wrong };
        const tools = [pkg.tool({ name: 'f', schema, run: () => 1 })];
        const { chat } = await conversation(pkg, [text('Hi.')], { tools });
        const expected = { code: 'field.invalid', message: /required must be an array of names/ };
        await rejects(eventsOf(chat), expected);
        await rejects(chat.object(schema, 'Hi'), expected);
      }
    },
  },
  {
    name: 'takes a schema without `tool`, from a source, and next to other tools',
    async run(pkg) {
      const found = { name: 'g', schema: city, run: ({ city: name }) => name };
      const others = [{ name: 'f', parameters: { type: 'OBJECT', properties: {} }, run: () => 1 }];
      const { chat, bodies } = await conversation(
        pkg,
        [
          { parts: [{ functionCall: { name: 'g', args: {} }, thoughtSignature: 'c2lnbmVk' }] },
          text('Done.'),
        ],
        { tools: [...others, { discover: () => [found] }] },
      );
      await eventsOf(chat);
      const [f, g] = bodies[0].tools[0].functionDeclarations;
      deepEqual([f.parameters, g.parametersJsonSchema], [others[0].parameters, city]);
      const [{ functionResponse }] = bodies[1].contents.at(-1).parts;
      match(functionResponse.response.error, /\/city: is missing/);
    },
  },
  {
    name: 'a validator that throws, hangs or is asynchronous is answered',
    async run(pkg) {
      const standard = (validate) => ({
        '~standard': {
          ...{ version: 1, vendor: 'own', validate },
          jsonSchema: { input: () => city },
        },
      });
      const run = (args) => args;
      const responses = async (validate, signal) => {
        const tool = pkg.tool({ name: 'f', schema: standard(validate), run });
        const { chat } = await conversation(pkg, [calls({ city: 'x' }), text('Done.')], {
          tools: [tool],
        });
        const events = [];
        try {
          for await (const event of chat.send('Go', { signal })) events.push(event);
        } catch (error) {
          if (!signal?.aborted) throw error;
          const [{ functionResponse }] = JSON.parse(utf8(chat.thread.content(2))).parts;
          return functionResponse.response;
        }
        return events.find(({ type }) => type === 'toolResult').response;
      };
      const fails = () => {
        throw new Error('a bug');
      };
      deepEqual(await responses(fails), { error: 'a bug' });
      deepEqual(await responses(async () => ({ value: 7 })), { output: 7 });
      const issues = [{ message: 'No', path: ['a', { key: 0 }, 'b/c'] }, { message: 'Never' }];
      const { error } = await responses(() => ({ issues }));
      equal(error, 'Not run: the arguments do not match. /a/0/b~1c: No; Never');
      const controller = new AbortController();
      const hang = () => {
        setTimeout(() => controller.abort());
        return new Promise(() => {});
      };
      const hung = await responses(hang, controller.signal);
      deepEqual(hung, { error: 'Stopped before it finished.' });
    },
  },
];

const objects = [
  {
    name: 'returns an object that matches, in both packages',
    async run(pkg) {
      const generationConfig = { temperature: 0.5, response_mime_type: 'text/plain' };
      const options = { generationConfig: JSON.stringify(generationConfig), continue: {} };
      const { chat, bodies } = await conversation(pkg, [text({ city: 'Oslo' })], options);
      const { object: found, usage } = await chat.object(city, 'Which city?');
      deepEqual(found, { city: 'Oslo' });
      equal(usage.totalTokenCount > 0, true);
      deepEqual(bodies[0].generationConfig, {
        ...{ temperature: 0.5, responseMimeType: 'application/json', responseJsonSchema: city },
      });
      deepEqual([bodies.length, chat.thread.length], [1, 2]);
    },
  },
  {
    name: 'asks once more with the words of the validator, and keeps all turns',
    async run(pkg) {
      const answers = [text('Oslo, I think'), text({ city: 'Oslo' })];
      const { chat, bodies } = await conversation(pkg, answers);
      const events = [];
      const onEvent = (event) => events.push(event);
      deepEqual((await chat.object(city, 'Which?', { onEvent })).object, { city: 'Oslo' });
      const invalid = events.find(({ type }) => type === 'invalidObject');
      const ends = events.flatMap(({ type }, index) => (type === 'done' ? index : []));
      deepEqual(ends, [events.length - 1]);
      equal(invalid.text, 'Oslo, I think');
      match(invalid.issues[0].message, /not JSON/);
      match(bodies[1].contents.at(-1).parts[0].text, /does not match the schema.*not JSON/);
      equal(chat.thread.length, 4);
      equal(chat.unanswered, false);
      // The next send is not bound to the schema.
      for await (const event of chat.send('Thanks')) void event;
      equal(bodies[2].generationConfig, undefined);
    },
  },
  {
    name: 'throws ObjectError if the second answer does not match either',
    async run(pkg) {
      const answers = [text({ city: 1 }), text({ town: 'Oslo' }), text('Fine.')];
      const { chat } = await conversation(pkg, answers);
      const expected = {
        name: 'ObjectError',
        code: 'object.invalid',
        message: /\/city: is missing/,
      };
      const error = await rejects(chat.object(city, 'Which?'), expected);
      ok(error instanceof pkg.ObjectError && error instanceof pkg.StrataError);
      equal(error.text, '{"town":"Oslo"}');
      deepEqual(error.diagnostics, [
        { code: 'object.invalid', severity: 'error', path: '/city', message: 'is missing' },
      ]);
      deepEqual([chat.thread.length, chat.unanswered], [4, false]);
      await eventsOf(chat, 'Then in words');
      equal(chat.thread.length, 6);
    },
  },
  {
    name: 'runs tools first on Gemini 3, and is refused with tools by Gemini 2.5',
    async run(pkg) {
      const tool = pkg.tool({ name: 'f', schema: city, run: () => 'clear' });
      const answers = [calls({ city: 'Oslo' }), text({ city: 'Oslo' })];
      const { chat, bodies } = await conversation(pkg, answers, { tools: [tool] });
      deepEqual((await chat.object(city, 'Go')).object, { city: 'Oslo' });
      equal(bodies.length, 2);
      for (const { generationConfig } of bodies)
        deepEqual(generationConfig.responseJsonSchema, city);

      const old = await conversation(pkg, answers, { tools: [tool], model: 'gemini-2.5-flash' });
      await rejects(old.chat.object(city, 'Go'), { name: 'HistoryError', code: 'tools.json_mode' });
      equal(old.bodies.length, 0);
      const bare = await conversation(pkg, [text({ city: 'Oslo' })], { model: 'gemini-2.5-flash' });
      deepEqual((await bare.chat.object(city, 'Go')).object, { city: 'Oslo' });
    },
  },
  {
    name: 'throws ObjectError if the model only calls tools',
    async run(pkg) {
      const tool = pkg.tool({ name: 'f', schema: city, run: () => 'clear' });
      const again = calls({ city: 'Oslo' });
      const { chat } = await conversation(pkg, [again, again], { tools: [tool], maxToolRounds: 1 });
      const expected = { code: 'object.invalid', message: /called tools until a limit/ };
      await rejects(chat.object(city, 'Go'), expected);
      equal(chat.thread.length, 5);
    },
  },
  {
    name: 'waits in the queue, ends with its signal, and refuses to run beside another send',
    async run(pkg) {
      const answers = [text({ city: 'A' }), text('Hello.'), text({ city: 'B' })];
      const queued = await conversation(pkg, answers, { concurrent: 'queue' });
      const first = queued.chat.object(city, 'One');
      const second = eventsOf(queued.chat, 'Two');
      const third = queued.chat.object(city, 'Three');
      deepEqual([(await first).object, (await third).object], [{ city: 'A' }, { city: 'B' }]);
      equal((await second).find(({ type }) => type === 'text').text, 'Hello.');
      const questions = [0, 2, 4].map(
        (index) => JSON.parse(utf8(queued.chat.thread.content(index))).parts[0].text,
      );
      deepEqual(questions, ['One', 'Two', 'Three']);

      const { chat } = await conversation(pkg, [text({ city: 'A' })]);
      const running = chat.object(city, 'One');
      await rejects(chat.object(city, 'Two'), { code: 'conversation.busy' });
      await running;
      const signal = AbortSignal.abort(new Error('enough'));
      await rejects(chat.object(city, 'Three', { signal }), { message: 'enough' });
      equal(chat.thread.length, 2);
    },
  },
  {
    name: 'resumes a turn without an answer, and retries as a send does',
    async run(pkg) {
      const faults = [
        { at: 1, kind: 'blocked' },
        { at: 2, kind: 'cut-stream' },
      ];
      const respond = () => text({ city: 'Oslo' });
      const client = new pkg.GeminiClient({ fetch: pkg.createEmulator({ faults, respond }) });
      const options = { model, answerRetry: { initialMs: 1 } };
      const chat = new pkg.Conversation(await pkg.load(), client, options);
      await rejects(chat.object(city, 'Which?'), { name: 'GeminiError', code: 'answer.blocked' });
      const retries = [];
      const onEvent = ({ type, code }) => type === 'retry' && retries.push(code);
      deepEqual((await chat.object(city, '', { onEvent })).object, { city: 'Oslo' });
      deepEqual(retries, ['answer.cut']);
      equal(chat.thread.length, 2);
    },
  },
  {
    name: 'the schema is changed to the form that the model takes, and that is reported',
    async run(pkg) {
      const { chat, bodies } = await conversation(pkg, [text({ kind: 'now' })]);
      const events = [];
      const schema = object({ kind: { const: 'now' } });
      await chat.object(schema, 'Go', { onEvent: (event) => events.push(event) });
      deepEqual(bodies[0].generationConfig.responseJsonSchema, object({ kind: { enum: ['now'] } }));
      const [{ diagnostics }] = events.filter(({ type }) => type === 'diagnostics');
      equal(diagnostics[0].path, '/generationConfig/responseJsonSchema/properties/kind/const');
      equal(diagnostics[0].repaired, true);
    },
  },
  {
    name: 'options of object are checked',
    async run(pkg) {
      const { chat } = await conversation(pkg, []);
      const wrong = chat.object(city, 'Go', { onEvnt: () => {} });
      await rejects(wrong, { code: 'field.unknown', message: /Did you mean onEvent\?/ });
      await rejects(chat.object(city, 'Go', { onEvent: 1 }), { code: 'field.invalid' });
      for (const schema of [undefined, 'city', null, 5])
        await rejects(chat.object(schema, 'Go'), {
          code: 'field.invalid',
          message: /^\/schema must/,
        });
      equal(chat.thread.length, 0);
      throws(() => pkg.tool({ name: 'f', run: () => 1 }), { code: 'field.invalid' });
    },
  },
];

export default [...tools, ...objects];
