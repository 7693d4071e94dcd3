// Writes tools as the declarations that the API receives, and reads them from such declarations.
import type { Schema } from '../../index.js';
import { isObject, textOf, type JsonFields } from '../../sdk/internal/json.js';
import type { ToolDraft } from '../state/playground-document.js';

/** A functionDeclaration. */
export interface Declaration {
  name: string;
  description?: string;
  /** The schema in the API's dialect, whose types are in capitals. */
  parameters?: Schema;
  parametersJsonSchema?: JsonFields;
}

/** Returns the field with the schema: `parameters` if its types are in capitals, as in `OBJECT`. */
export function schemaField(
  schema: JsonFields,
): Pick<Declaration, 'parameters' | 'parametersJsonSchema'> {
  const { type } = schema;
  const isGoogle = typeof type === 'string' && /^[A-Z]+$/.test(type);
  return isGoogle ? { parameters: schema } : { parametersJsonSchema: schema };
}

/**
 * Returns the schema of a tool; undefined if it takes no arguments.
 *
 * @throws SyntaxError or TypeError if the text is not a JSON object
 */
export function schemaOf({ parameters }: ToolDraft): JsonFields | undefined {
  if (parameters.trim() === '') return undefined;
  const schema: unknown = JSON.parse(parameters);
  if (!isObject(schema)) throw new TypeError('The parameters must be a JSON object.');
  return schema;
}

/**
 * Returns the declaration of a tool.
 *
 * @throws SyntaxError or TypeError if its parameters are not a JSON object
 */
export function declarationOf(draft: ToolDraft): Declaration {
  const { name, description } = draft;
  const schema = schemaOf(draft);
  return { name, ...(description && { description }), ...(schema && schemaField(schema)) };
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

// Parameters that are not JSON are written as a text, so that none is lost.
function writtenDeclaration(draft: ToolDraft): object {
  try {
    return declarationOf(draft);
  } catch {
    const { name, description, parameters } = draft;
    return { name, description, parameters };
  }
}

/** Returns the tools as JSON text: an array of functionDeclarations. */
export const declarationsText = (drafts: readonly ToolDraft[]): string =>
  pretty(drafts.map(writtenDeclaration));

// Accepts an array of declarations, of API tools, or an object that holds one of them.
function declarationsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(declarationsIn);
  if (!isObject(value)) return [value];
  const { functionDeclarations, tools } = value;
  if (functionDeclarations !== undefined) return declarationsIn(functionDeclarations);
  if (tools !== undefined) return declarationsIn(tools);
  return [value];
}

function draftOf(value: unknown): ToolDraft {
  const declaration = isObject(value) ? value : {};
  const { name, description, parameters, parametersJsonSchema, ...others } = declaration;
  if (typeof name !== 'string' || name === '')
    throw new TypeError('Each declaration must be an object with a "name".');
  const [unsent] = Object.keys(others);
  if (unsent !== undefined)
    throw new TypeError(`This page does not send the field "${unsent}" of ${name}. Remove it.`);
  const schema = parametersJsonSchema ?? parameters;
  const text = typeof schema === 'string' ? schema : schema === undefined ? '' : pretty(schema);
  return { name, description: textOf(description), parameters: text };
}

/**
 * Reads tools from JSON text.
 *
 * @throws SyntaxError or TypeError that says what is wrong
 */
export function draftsFrom(text: string): ToolDraft[] {
  if (text.trim() === '') return [];
  return declarationsIn(JSON.parse(text)).map(draftOf);
}
