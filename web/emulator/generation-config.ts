// Refuses values of `generationConfig` as the API's JSON parser does, in its words; `lint` has its own.
import type { Backend } from '../sdk/types/model.js';
import { invalidArgument } from './errors.js';
import type { JsonObject } from './types.js';
import { field, isObject, numberField, objectField } from './wire.js';

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** The scalar fields, by their ProtoJSON type. */
const scalars: readonly [name: string, type: 'FLOAT' | 'INT32' | 'BOOL' | 'STRING'][] = [
  ['temperature', 'FLOAT'],
  ['topP', 'FLOAT'],
  ['presencePenalty', 'FLOAT'],
  ['frequencyPenalty', 'FLOAT'],
  ['candidateCount', 'INT32'],
  ['maxOutputTokens', 'INT32'],
  ['seed', 'INT32'],
  ['logprobs', 'INT32'],
  ['responseLogprobs', 'BOOL'],
  ['responseMimeType', 'STRING'],
];

const mimeTypes = [
  'text/plain',
  'application/json',
  'application/xml',
  'application/yaml',
  'text/x.enum',
];

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Checks the types of the scalar fields, and on the Gemini API the MIME type.
 *
 * @throws Failure
 */
export function checkGenerationConfig(body: JsonObject, backend: Backend): void {
  const config = objectField(body, 'generationConfig');
  if (!config) return;
  for (const [name, type] of scalars) checkScalar(config, name, type);
  if (backend === 'gemini') checkMimeType(config);
}

function checkScalar(config: JsonObject, name: string, type: string): void {
  const value = field(config, name);
  if (value === undefined || value === null || isOfType(value, type)) return;
  const path = `generation_config.${snakeCase(name)}`;
  if (Array.isArray(value) || isObject(value)) {
    const message = Array.isArray(value)
      ? 'Proto field is not repeating, cannot start list.'
      : `Starting an object on a scalar field.`;
    throw invalidArgument(
      `Invalid JSON payload received. Unknown name "${name}" at 'generation_config': ${message}`,
    );
  }
  throw invalidArgument(`Invalid value at '${path}' (TYPE_${type}), ${JSON.stringify(value)}`);
}

// ProtoJSON takes numbers as strings too.
function isOfType(value: unknown, type: string): boolean {
  if (type === 'BOOL') return typeof value === 'boolean';
  if (type === 'STRING') return typeof value === 'string';
  const number = numberField({ value }, 'value');
  if (number === undefined || type === 'FLOAT') return number !== undefined;
  return Number.isInteger(number) && number >= int32.min && number <= int32.max;
}

function checkMimeType(config: JsonObject): void {
  const mimeType = field(config, 'responseMimeType') ?? '';
  if (mimeType === '' || mimeTypes.some((known) => known === mimeType)) return;
  const named = mimeTypes.map((known) => `\`${known}\``);
  const allowed = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  throw invalidArgument(
    `* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are ${allowed}.`,
  );
}
