// Reads texts that may be invalid: the tools of the document, as the functionDeclarations that the API receives.
import type { Schema } from '../../index.js';
import { isObject, textOf, type JsonFields } from '../../sdk/internal/json.js';

/** Returns what `read` returns; undefined if it throws. For callers that need not say what is wrong with a text. */
export function ifValid<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export interface Declaration {
  name: string;
  description?: string;
  /** The schema in the API's dialect, whose types are in capitals. */
  parameters?: Schema;
  parametersJsonSchema?: JsonFields;
}

// The field with the schema is `parameters` if its types are in capitals, as in `OBJECT`.
function schemaField(schema: JsonFields) {
  const isGoogle = /^[A-Z]+$/.test(textOf(schema['type']));
  return isGoogle ? { parameters: schema } : { parametersJsonSchema: schema };
}

// Accepts an array of declarations, of API tools, or an object that holds one of them.
function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(listIn);
  if (!isObject(value)) return [value];
  const { functionDeclarations, tools } = value;
  if (functionDeclarations !== undefined) return listIn(functionDeclarations);
  return tools === undefined ? [value] : listIn(tools);
}

function declarationOf(value: unknown): Declaration {
  const declaration = isObject(value) ? value : {};
  const { name, description, parameters, parametersJsonSchema, ...others } = declaration;
  if (typeof name !== 'string' || name === '')
    throw new TypeError('Each declaration must be an object with a "name".');
  const [unsent] = Object.keys(others);
  if (unsent !== undefined)
    throw new TypeError(`This page does not send the field "${unsent}" of ${name}. Remove it.`);
  const schema = parametersJsonSchema ?? parameters;
  if (schema !== undefined && !isObject(schema))
    throw new TypeError(`The parameters of ${name} must be a JSON object.`);
  const text = textOf(description);
  return { name, ...(text && { description: text }), ...(schema && schemaField(schema)) };
}

/**
 * Reads declarations from JSON text. A blank one has none.
 *
 * @throws SyntaxError or TypeError that says what is wrong
 */
export const declarationsIn = (text: string): Declaration[] =>
  text.trim() === '' ? [] : listIn(JSON.parse(text)).map(declarationOf);

export const declarationsText = (declarations: readonly object[]): string =>
  declarations.length === 0 ? '' : JSON.stringify(declarations, null, 2);
