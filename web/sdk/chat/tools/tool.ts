// Defines a tool with a schema, from which the type of its arguments is derived.
import * as must from '../../internal/options.js';
import { checkFunction } from './check-tool.js';
import type { SchemaLike } from '../../types/json-schema.js';
import type { FunctionTool, ToolDefinition } from '../../types/tool.js';

/**
 * Returns a tool whose arguments have a schema: one of a validator library that can tell its JSON Schema (zod 4.2 or
 * newer, arktype, valibot through `@valibot/to-json-schema`, and others with Standard JSON Schema), or a JSON Schema.
 * `run` receives valid arguments, with the type that the schema yields. docs/tools.md has examples for each library.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for a wrong member. The first send that declares the tool
 *   throws `schema.not_convertible` for a schema that cannot tell its JSON Schema.
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
