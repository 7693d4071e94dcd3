// Defines a tool, from whose schema the type of its arguments is derived, and checks tools before they are declared, so
// that a misspelled member is not taken for a tool of the API.
import * as must from '../../internal/options.js';
import type { SchemaLike } from '../../types/schema.js';
import {
  isFunctionTool,
  isToolSource,
  type FunctionTool,
  type ToolDefinition,
} from '../../types/tool.js';

/**
 * Returns a tool whose arguments have a schema: one of a validator library that can tell its JSON Schema (zod 4.2 or
 * newer, arktype, valibot through `@valibot/to-json-schema`, and others with Standard JSON Schema), or a JSON Schema.
 * `run` receives valid arguments, with the type that the schema yields. docs/tools.md has examples for each library.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for a wrong member. `connect` throws
 *   `schema.not_convertible` for a schema that cannot tell its JSON Schema.
 *
 * @example
 * const weather = tool({
 *   name: 'get_weather',
 *   description: 'The weather in a city',
 *   schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
 *   run: ({ city }) => ({ city, celsius: 4 }), // city is a string
 * });
 */
export function tool<const Schema extends SchemaLike>(
  definition: ToolDefinition<Schema>,
): FunctionTool {
  try {
    checkFunction(definition, '');
    checkSchema(definition);
  } catch (error) {
    throw must.inCall('tool', error);
  }
  // The conversation validates the arguments before it calls `run`.
  return definition as unknown as FunctionTool;
}

function checkSchema(definition: object): void {
  const { schema, parameters, parametersJsonSchema }: Partial<FunctionTool> = definition;
  if (schema !== undefined || (parameters ?? parametersJsonSchema) === undefined)
    return must.schemaLike(schema, '/schema');
  const given = parameters === undefined ? 'parametersJsonSchema' : 'parameters';
  const message = `pass the schema as \`schema\`, not as \`${given}\``;
  throw must.optionError('field.invalid', '/schema', message);
}

/**
 * Thrown by `run` of a tool whose result comes later: a person answers, or another process. The call stays open, the
 * results of the other calls are kept, and the send ends with the event `waiting`. The next send runs the call again.
 *
 * @example
 * async run({ question }) {
 *   const answer = await database.answerOf(question);
 *   if (answer === undefined) throw new PausedCall();
 *   return answer;
 * }
 */
export class PausedCall extends Error {
  constructor(message = 'The result of this call comes later') {
    super(message);
    this.name = 'PausedCall';
  }
}

/** Returns whether a thrown value is a PausedCall. A revoked proxy may be thrown, too. */
export function isPausedCall(thrown: unknown): thrown is PausedCall {
  try {
    return thrown instanceof PausedCall;
  } catch {
    return false;
  }
}

const json = must.noValidator('pass it as `schema` of `tool`');

const functionOptions: must.Shape<FunctionTool> = {
  name: must.nonEmptyString,
  description: must.optional(must.string),
  schema: must.optional(must.schemaLike),
  parameters: json,
  parametersJsonSchema: json,
  run: must.func,
  confirm: must.booleanOr(must.optional(must.func)),
  timeoutMs: must.optional(must.nonNegative),
  idempotent: must.optional(must.boolean),
};

// The API's own tools are JSON without a name.
const isRawTool = (tool: object): boolean =>
  !('name' in tool) && !Object.values(tool).some((value) => typeof value === 'function');

/** Checks one function, with `path` in the caller's options. Members of its class's own are not checked. */
export function checkFunction(tool: object, path: string): void {
  const isPlain = Object.getPrototypeOf(tool) === Object.prototype;
  const names = Object.keys(functionOptions);
  const known = () => Object.fromEntries(names.map((name) => [name, tool[name as never]]));
  must.checkOptions(isPlain ? tool : known(), functionOptions, path);
}

// A conversation has no code for functions in the API's form, and would answer each call with an error.
function checkRunnable(
  tool: { functionDeclarations?: unknown; function_declarations?: unknown },
  path: string,
): void {
  const declared = [tool.functionDeclarations ?? tool.function_declarations ?? []].flat();
  if (declared.length === 0) return;
  const names = declared.map((each) => String(Object(each).name)).join(', ');
  const message = `${path} declares functions without \`run\`: ${names}. Pass each as tool({ name, description, schema, run }).`;
  throw must.optionError('tools.no_run', path, message);
}

/** Checks an element of the option `tools`: a function, a tool of the API, or a source. */
export const checkTool: must.Check = (value, path) => {
  must.object(value, path);
  const tool = value as FunctionTool;
  if (isFunctionTool(tool)) return checkFunction(tool, path);
  if (isToolSource(tool)) return;
  if (!isRawTool(tool)) return checkFunction(tool, path);
  checkRunnable(tool, path);
};
