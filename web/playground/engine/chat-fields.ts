// Tells which fields of a request a chat sends, and which it leaves out.

import { field, isObject, type JsonFields } from '../../sdk/internal/json.js';

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const toolsOf = (body: JsonFields) => listOf(body['tools']).filter(isObject);

/** Returns the declarations of the functions of a request. */
export const functionsOf = (body: JsonFields): JsonFields[] =>
  toolsOf(body)
    .flatMap((tool) => listOf(field(tool, 'functionDeclarations')))
    .filter(isObject);

// Returns the fields whose names a chat does not know. A field without a value has no effect.
const unknownFields = (fields: JsonFields, ...known: string[]) =>
  Object.keys(fields).filter(
    (name) => !known.includes(camelCase(name)) && (fields[name] ?? undefined) !== undefined,
  );

function instructionParts(body: JsonFields): string[] {
  const instruction = field(body, 'systemInstruction');
  const parts = isObject(instruction) ? listOf(instruction['parts']).filter(isObject) : [];
  return parts
    .flatMap((part) => unknownFields(part, 'text'))
    .map((name) => `${name} of systemInstruction`);
}

/** Returns the names of what a request has and a chat does not send. */
export function leftOutOf(body: JsonFields): string[] {
  const sent = ['contents', 'systemInstruction', 'generationConfig', 'tools', 'model'];
  // The chat stores nothing, too.
  if (body['store'] === false) sent.push('store');
  const declared = ['name', 'description', 'parameters', 'parametersJsonSchema'];
  return [
    ...unknownFields(body, ...sent),
    ...toolsOf(body).flatMap((tool) => unknownFields(tool, 'functionDeclarations')),
    ...functionsOf(body).flatMap((one) =>
      unknownFields(one, ...declared).map((name) => `${name} of ${String(one['name'])}`),
    ),
    ...instructionParts(body),
  ];
}
