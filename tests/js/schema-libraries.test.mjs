// Runs tools and structured output with the schemas of real validator libraries: zod 4, valibot and arktype.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Conversation, GeminiClient, load, tool } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';
import * as v from 'valibot';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod/v3';

const model = 'gemini-3.8-flash';
const call = (args, name = 'get_weather') => ({
  parts: [{ functionCall: { name, args }, thoughtSignature: 'c2lnbmVk' }],
});
const text = (value) => ({
  parts: [{ text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

/** Returns a conversation whose model gives these answers, and the bodies of its requests. */
async function conversation(answers, options = {}) {
  const bodies = [];
  const emulator = createEmulator({ respond: ({ index }) => answers[index - 1] });
  const fetch = (url, init) => {
    bodies.push(JSON.parse(new TextDecoder().decode(init.body)));
    return emulator(url, init);
  };
  const client = new GeminiClient({ fetch, retry: false });
  const chat = new Conversation(await load(), client, { model, ...options });
  return { chat, bodies };
}

async function eventsOf(chat, input) {
  const events = [];
  for await (const event of chat.send(input)) events.push(event);
  return events;
}

/** One schema in each library: `length` is the length of the text that the model sends. */
const libraries = {
  zod: z.object({
    city: z.string().min(2),
    length: z.string().transform((given) => given.length),
    days: z.number().int().optional(),
    kind: z.literal('now'),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      city: v.pipe(v.string(), v.minLength(2)),
      length: v.pipe(
        v.string(),
        v.transform((given) => given.length),
      ),
      days: v.optional(v.pipe(v.number(), v.integer())),
      kind: v.literal('now'),
    }),
    { errorMode: 'ignore' },
  ),
  arktype: type({
    city: 'string >= 2',
    length: ['string', '=>', (given) => given.length],
    'days?': 'number.integer',
    kind: "'now'",
  }),
};

for (const [name, schema] of Object.entries(libraries)) {
  describe(`a tool with a schema of ${name}`, () => {
    const seen = [];
    const weather = tool({
      name: 'get_weather',
      description: 'The weather',
      schema,
      run: (args) => void seen.push(args),
    });
    const wrong = { city: 'O', length: 'abcd', days: 1.5 };
    const right = { city: 'Oslo', length: 'abcd', kind: 'now' };

    test('validates and transforms the arguments', async () => {
      seen.length = 0;
      const answers = [call(wrong), call(right), text('Done.')];
      const { chat, bodies } = await conversation(answers, { tools: [weather] });
      const events = await eventsOf(chat, 'The weather in Oslo?');

      const invalid = events.find((event) => event.type === 'invalidArguments');
      assert.deepEqual(invalid.issues.map(({ path }) => path).sort(), ['/city', '/days', '/kind']);
      assert.deepEqual(invalid.call.args, wrong);
      const { error } = bodies[1].contents.at(-1).parts[0].functionResponse.response;
      for (const { path, message } of invalid.issues) {
        assert.ok(error.includes(`${path}: ${message}`), error);
      }
      assert.deepEqual(
        seen,
        [{ city: 'Oslo', length: 4, kind: 'now' }].map((args) => ({ ...args })),
      );
    });

    test('is declared as a JSON Schema that the model takes', async () => {
      const { chat, bodies } = await conversation([text('Hi.')], { tools: [weather] });
      const events = await eventsOf(chat, 'Hello');
      const [{ functionDeclarations }] = bodies[0].tools;
      const [{ parametersJsonSchema, ...others }] = functionDeclarations;
      assert.deepEqual(others, { name: 'get_weather', description: 'The weather' });
      assert.equal(parametersJsonSchema.$schema, undefined);
      assert.equal(parametersJsonSchema.properties.city.type, 'string');
      assert.deepEqual(parametersJsonSchema.properties.kind.enum, ['now']);
      assert.deepEqual([...parametersJsonSchema.required].sort(), ['city', 'kind', 'length']);
      const checker = await loadChecker();
      assert.ok(checker.lint(bodies[0], { model }).ok);
      const changed = events
        .filter((event) => event.type === 'diagnostics')
        .flatMap(({ diagnostics }) => diagnostics)
        .filter(({ repaired }) => repaired);
      const place = '/tools/0/functionDeclarations/0/parametersJsonSchema';
      for (const { path } of changed) assert.ok(path.startsWith(place), path);
      // The libraries differ in how they write a constant.
      if (name === 'zod') assert.deepEqual(changed[0].path, `${place}/properties/kind/const`);
    });

    test('gives objects', async () => {
      const answers = [text({ city: 'O' }), text(right)];
      const { chat, bodies } = await conversation(answers, { generationConfig: { seed: 7 } });
      const events = [];
      const { object, usage } = await chat.object(schema, 'Which?', {
        onEvent: (event) => events.push(event),
      });
      assert.deepEqual({ ...object }, { city: 'Oslo', length: 4, kind: 'now' });
      assert.equal(typeof usage.promptTokenCount, 'number');
      const { responseMimeType, responseJsonSchema, seed } = bodies[1].generationConfig;
      assert.equal(responseMimeType, 'application/json');
      assert.equal(responseJsonSchema.type, 'object');
      assert.equal(seed, 7);
      const { issues } = events.find((event) => event.type === 'invalidObject');
      const question = bodies[1].contents.at(-1).parts[0].text;
      for (const { path, message } of issues) assert.ok(question.includes(`${path}: ${message}`));
      assert.equal(chat.thread.length, 4);
    });
  });
}

describe('schemas that cannot tell their JSON Schema', () => {
  const declare = async (definition) => {
    const { chat } = await conversation([text('Hi.')], { tools: [tool(definition)] });
    return eventsOf(chat, 'Hello');
  };
  const run = () => 1;
  const old = { code: 'schema.not_convertible' };
  // zod 4.0 and 4.1 have a validator only.
  const zod41 = {
    '~standard': { version: 1, vendor: 'zod', validate: (value) => ({ value }) },
    def: { type: 'object' },
  };
  // Before 3.24, zod has no Standard Schema interface.
  const zod323 = z3.object({ city: z3.string() });
  Object.defineProperty(zod323, '~standard', { value: undefined });

  test('name the fix', async () => {
    const plain = v.object({ city: v.string() });
    const rows = [
      [plain, /toStandardJsonSchema\(schema\) of @valibot\/to-json-schema/],
      ...[z3.object({ city: z3.string() }), zod323].map((schema) => [
        schema,
        /zod 4\.2 or newer, or zod\/v4 and .*z\.toJSONSchema\(schema\), or .*zod-to-json-schema/,
      ]),
      [zod41, /zod 4\.2 or newer/],
      [mini.object({ city: mini.string() }), /z\.toJSONSchema\(schema\)/],
      [z.object({ at: z.date() }), /Date cannot be represented in JSON Schema\. Use .* string/],
    ];
    for (const [schema, message] of rows) {
      await assert.rejects(declare({ name: 'f', schema, run }), { ...old, message });
      const { chat } = await conversation([]);
      await assert.rejects(chat.object(schema, 'Hello'), { ...old, message });
      assert.equal(chat.thread.length, 0);
    }
  });

  test('of zod before 3.24 are refused with a JSON Schema beside them, and in place of one', async () => {
    const parametersJsonSchema = { type: 'object', properties: { city: { type: 'string' } } };
    const definition = { name: 'f', schema: zod323, parametersJsonSchema, run };
    await assert.rejects(declare(definition), old);
    const tools = [{ name: 'f', parametersJsonSchema: zod323, run }];
    await assert.rejects(conversation([], { tools }), {
      code: 'field.invalid',
      message: /not a schema of zod/,
    });
  });

  test('are accepted with a JSON Schema beside them, or as z.toJSONSchema', async () => {
    const plain = v.object({ city: v.string() });
    const parametersJsonSchema = toJsonSchema(plain);
    const small = mini.object({ city: mini.string() });
    for (const definition of [
      { schema: plain, parametersJsonSchema },
      { schema: zod41, parametersJsonSchema },
      { schema: mini.toJSONSchema(small) },
      { schema: z.toJSONSchema(z.object({ city: z.string() })) },
    ]) {
      const [request] = (await declare({ name: 'f', ...definition, run })).filter(
        ({ type: kind }) => kind === 'request',
      );
      const body = JSON.parse(new TextDecoder().decode(request.body));
      const { parametersJsonSchema: sent } = body.tools[0].functionDeclarations[0];
      assert.deepEqual(sent.properties, { city: { type: 'string' } });
      assert.equal(sent.$schema, undefined);
    }
  });

  test('must describe an object, for tools', async () => {
    const expected = { code: 'field.invalid', message: /schema of an object/ };
    await assert.rejects(declare({ name: 'f', schema: z.string(), run }), expected);
    const { chat } = await conversation([text('"abc"')]);
    assert.equal((await chat.object(z.string(), 'A text')).object, 'abc');
  });
});

describe('schemas of libraries where JSON is expected', () => {
  const schemas = {
    zod: z.object({ city: z.string() }),
    valibot: v.object({ city: v.string() }),
    arktype: type({ city: 'string' }),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    test(`${name}: as parameters of a tool, which proposes \`schema\``, async () => {
      for (const field of ['parameters', 'parametersJsonSchema']) {
        const tools = [{ name: 'f', [field]: schema, run: () => 1 }];
        await assert.rejects(conversation([], { tools }), {
          code: 'field.invalid',
          message: new RegExp(
            `^/tools/0/${field} must be JSON, not a schema of ${name}: .*\`schema\``,
          ),
        });
      }
    });

    test(`${name}: as schema of the answer, which proposes \`object\``, async () => {
      for (const field of ['responseSchema', 'responseJsonSchema']) {
        const generationConfig = { [field]: schema };
        await assert.rejects(conversation([], { generationConfig }), {
          code: 'field.invalid',
          message: new RegExp(`^/generationConfig/${field} must be JSON, .*\`object\``),
        });
      }
    });

    test(`${name}: in a body that is linted`, async () => {
      const checker = await loadChecker();
      const declaration = { name: 'f', parametersJsonSchema: schema };
      const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
      const body = { contents, tools: [{ functionDeclarations: [declaration] }] };
      const [finding] = checker.lint(body, { model }).diagnostics;
      assert.equal(finding.code, 'schema.validator_object');
      assert.equal(finding.path, '/tools/0/functionDeclarations/0/parametersJsonSchema');
      assert.match(finding.message, new RegExp(`${name} .*tool\\(\\{ schema \\}\\)`));
    });
  }

  test('zod: as JSON text', async () => {
    const checker = await loadChecker();
    const declaration = { name: 'f', parametersJsonSchema: schemas.zod };
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
    const body = JSON.stringify({ contents, tools: [{ functionDeclarations: [declaration] }] });
    const [finding] = checker.lint(body, { model }).diagnostics;
    assert.equal(finding.code, 'schema.validator_object');
  });

  test('z.toJSONSchema is JSON', async () => {
    const parametersJsonSchema = z.toJSONSchema(schemas.zod);
    const tools = [{ name: 'f', parametersJsonSchema, run: () => 1 }];
    const { chat, bodies } = await conversation([text('Hi.')], { tools });
    await eventsOf(chat, 'Hello');
    const sent = bodies[0].tools[0].functionDeclarations[0].parametersJsonSchema;
    assert.deepEqual(sent, JSON.parse(JSON.stringify(parametersJsonSchema)));
  });
});
