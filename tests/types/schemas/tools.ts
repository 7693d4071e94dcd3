// Type tests: the arguments of a tool and the result of `object` are derived from schemas of zod, valibot, arktype and
// from JSON Schemas, and what does not fit does not compile.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import {
  tool,
  type Conversation,
  type FunctionTool,
  type InferOutput,
  type Json,
  type JsonSchema,
  type StandardSchema,
  type Tool,
  type ToolArguments,
  type UsageMetadata,
} from 'prompt-strata';
import * as v from 'valibot';
import * as z from 'zod';

/** Compiles only if both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

interface Weather {
  city: string;
  days?: number | undefined;
}

// zod 4: what `run` receives is the output of the schema, after its transformations.
export const withZod = tool({
  name: 'get_weather',
  description: 'The weather in a city',
  schema: z.object({
    city: z.string().min(1),
    days: z.number().int().optional(),
    unit: z.enum(['C', 'F']).default('C'),
    length: z.string().transform((text) => text.length),
  }),
  run: (args, { signal, call }) => {
    same<typeof args.city, string>(true);
    same<typeof args.days, number | undefined>(true);
    same<typeof args.unit, 'C' | 'F'>(true);
    same<typeof args.length, number>(true);
    same<typeof signal, AbortSignal>(true);
    same<typeof call.args, { [name: string]: Json }>(true);
    // @ts-expect-error No such argument
    void args.town;
    // @ts-expect-error A string is not a number
    const wrong: number = args.city;
    return { city: args.city, wrong };
  },
  confirm: ({ name }) => name === 'get_weather',
  timeoutMs: 5000,
  idempotent: false,
});
same<typeof withZod, FunctionTool>(true);

// z.toJSONSchema hides the schema in its result.
tool({
  name: 'f',
  schema: z.toJSONSchema(z.object({ city: z.string() })),
  run: ({ city }) => city,
});

export const withValibot = tool({
  name: 'get_weather',
  schema: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number()) })),
  run: (args) => {
    same<typeof args.city, string>(true);
    same<typeof args.days, number | undefined>(true);
    // @ts-expect-error No such argument
    void args.town;
    return args;
  },
});

// Any Standard Schema compiles together with its JSON Schema.
tool({
  name: 'f',
  schema: v.object({ city: v.string() }),
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
  run: ({ city }) => city.length,
});

export const withArktype = tool({
  name: 'get_weather',
  schema: type({ city: 'string > 0', 'days?': 'number.integer', unit: '"C" | "F"' }),
  run: (args) => {
    same<typeof args.city, string>(true);
    same<typeof args.days, number | undefined>(true);
    same<typeof args.unit, 'C' | 'F'>(true);
    // @ts-expect-error A number is not a string
    const wrong: string = args.days;
    return wrong;
  },
});

// A JSON Schema in place needs no `as const`.
export const withJson = tool({
  name: 'get_weather',
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: ['integer', 'null'] },
      unit: { enum: ['C', 'F'] },
      kind: { const: 'now' },
      tags: { type: 'array', items: { type: 'string' } },
      place: {
        type: 'object',
        properties: { lat: { type: 'number' }, exact: { type: 'boolean' } },
        required: ['lat'],
      },
      either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] },
      both: {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'number' } } },
        ],
      },
      names: { type: 'object', additionalProperties: { type: 'number' } },
      anything: {},
    },
    required: ['city', 'days', 'unit', 'kind'],
  },
  run: (args) => {
    same<typeof args.city, string>(true);
    same<typeof args.days, number | null>(true);
    same<typeof args.unit, 'C' | 'F'>(true);
    same<typeof args.kind, 'now'>(true);
    same<typeof args.tags, string[] | undefined>(true);
    same<typeof args.place, { lat: number; exact?: boolean } | undefined>(true);
    same<typeof args.either, string | number[] | undefined>(true);
    same<NonNullable<typeof args.both>['a'], string>(true);
    same<NonNullable<typeof args.both>['b'], number | undefined>(true);
    same<typeof args.names, { [name: string]: number } | undefined>(true);
    same<typeof args.anything, Json | undefined>(true);
    // @ts-expect-error No such argument
    void args.town;
    return args.city;
  },
});

const constant = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const;
tool({ name: 'f', schema: constant, run: ({ city }) => city.length });
same<InferOutput<typeof constant>, { city: string }>(true);

// Without `as const` only the form of the schema is known.
const loose = { type: 'object', properties: { city: { type: 'string' } } };
tool({ name: 'f', schema: loose, run: (args) => args['city'] ?? null });
const unknown: JsonSchema = constant;
tool({
  name: 'f',
  schema: unknown,
  run: (args) => {
    same<typeof args, { [name: string]: Json }>(true);
    return args;
  },
});
same<ToolArguments<{ readonly type: 'object' }>, { [name: string]: Json }>(true);

// Another library needs no more than the interface.
declare const other: StandardSchema<unknown, { on: boolean }>;
tool({ name: 'f', schema: other, run: ({ on }) => !on });

// @ts-expect-error `execute` is `run`
tool({ name: 'f', schema: constant, execute: () => 1 });
// @ts-expect-error A tool needs a schema
tool({ name: 'f', run: () => 1 });
// @ts-expect-error A tool needs a name
tool({ schema: constant, run: () => 1 });
// @ts-expect-error `desc` is `description`
tool({ name: 'f', desc: 'x', schema: constant, run: () => 1 });
// @ts-expect-error The arguments are those of the schema
tool({ name: 'f', schema: constant, run: ({ city }: { city: number }) => city });

export const tools: Tool[] = [withZod, withValibot, withArktype, withJson, { googleSearch: {} }];
// A schema without `tool` is accepted; the arguments are JSON.
export const plain: FunctionTool = { name: 'f', schema: constant, run: ({ city }) => city ?? null };

export async function objects(chat: Conversation): Promise<void> {
  const { object, usage } = await chat.object(z.object({ city: z.string() }), 'Where?');
  same<typeof object, { city: string }>(true);
  const counts: UsageMetadata = usage;
  same<typeof usage.requests, number>(true);
  void counts;
  const weather: Weather = (await chat.object(withDays, 'When?')).object;
  void weather;
  const inPlace = await chat.object({ type: 'array', items: { enum: ['a', 'b'] } }, 'Which?');
  same<typeof inPlace.object, ('a' | 'b')[]>(true);
  const ark = await chat.object(type({ on: 'boolean' }), 'On?', { signal: AbortSignal.abort() });
  same<typeof ark.object, { on: boolean }>(true);
  const valibot = await chat.object(toStandardJsonSchema(v.object({ n: v.number() })), 'How many?');
  same<typeof valibot.object, { n: number }>(true);
  // @ts-expect-error The schema comes first
  await chat.object('Where?', z.object({ city: z.string() }));
  // @ts-expect-error No such option
  await chat.object(constant, 'Where?', { sginal: undefined });
  // @ts-expect-error No such option of send
  chat.send('Hello', { sginal: undefined });
  // @ts-expect-error No such member
  void (await chat.object(constant, 'Where?')).object.town;
}
const withDays = z.object({ city: z.string(), days: z.number().optional() });
