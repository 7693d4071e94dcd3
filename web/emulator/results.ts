// Describes the results of tools in the text of an answer.
import type { Json } from '../sdk/types/json.js';
import type { Content, Prompt } from './prompt.js';
import { quote } from './quote.js';
import type { JsonObject } from './types.js';
import { isObject, objectField, textField } from './wire.js';

const maxValues = 12;

/** Returns the functionResponses of the last Content. */
export function pendingResults(prompt: Prompt): JsonObject[] {
  const last = prompt.contents.at(-1);
  if (!last || last.role === 'model') return [];
  return last.parts.map((part) => objectField(part, 'functionResponse')).filter(isObject);
}

/** Returns one sentence per result, with the arguments of the call it answers. */
export function describeResults(prompt: Prompt, results: JsonObject[]): string {
  const calls = callsOf(prompt.contents.at(-2));
  return results
    .map((result, index) => describeResult(result, findCall(calls, result, index)))
    .join(' ');
}

function callsOf(content: Content | undefined): JsonObject[] {
  const parts = content?.parts ?? [];
  return parts.map((part) => objectField(part, 'functionCall')).filter(isObject);
}

function findCall(calls: JsonObject[], result: JsonObject, index: number): JsonObject | undefined {
  const id = textField(result, 'id');
  return calls.find((call) => id !== undefined && textField(call, 'id') === id) ?? calls[index];
}

function describeResult(result: JsonObject, call: JsonObject | undefined): string {
  const name = textField(result, 'name') ?? 'the tool';
  const args = listValues(objectField(call, 'args') ?? {}, false);
  const about = args === '' ? '' : ` for ${args}`;
  const response = objectField(result, 'response') ?? {};
  const error = response['error'];
  if (error !== undefined) return `${name}${about} failed: ${listValues({ error }, false)}.`;
  const values = listValues(
    response['output'] ?? response['result'] ?? response['content'] ?? response,
    true,
  );
  return `${name}${about} answered ${values === '' ? 'with nothing' : values}.`;
}

/** Lists the leaves of a value: "temperature 18, sky clear" or, without names, "Paris, celsius". */
function listValues(value: Json, named: boolean): string {
  const leaves: string[] = [];
  collect(value, '', named, leaves);
  const shown = leaves.slice(0, maxValues).join(', ');
  return leaves.length > maxValues ? `${shown} and more` : shown;
}

function collect(value: Json, name: string, named: boolean, leaves: string[]): void {
  if (leaves.length > maxValues) return;
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, name, named, leaves);
  } else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) collect(entry, key, named, leaves);
  } else {
    const short = quote(String(value));
    leaves.push(named && name !== '' ? `${name.replaceAll('_', ' ')} ${short}` : short);
  }
}
