// Why this file exists: what an emulated answer says about the results of the tools.
import type { Json } from '../sdk/types/json.js';
import type { Content, Prompt } from './prompt.js';
import { quote } from './quote.js';
import type { JsonObject } from './types.js';
import { isObject, objectField, textField } from './wire.js';

const mostValues = 12;

/** The results that end the request; none where the user has written text behind them. */
export function pendingResults(prompt: Prompt): JsonObject[] {
  const last = prompt.contents.at(-1);
  if (!last || last.role === 'model') return [];
  return last.parts.map((part) => objectField(part, 'functionResponse')).filter(isObject);
}

/** A sentence for each result, with what was asked where the call stands before it. */
export function tellResults(prompt: Prompt, results: JsonObject[]): string {
  const calls = callsOf(prompt.contents.at(-2));
  return results
    .map((result, index) => tellResult(result, findCall(calls, result, index)))
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

function tellResult(result: JsonObject, call: JsonObject | undefined): string {
  const name = textField(result, 'name') ?? 'the tool';
  const asked = listValues(objectField(call, 'args') ?? {}, false);
  const about = asked === '' ? '' : ` for ${asked}`;
  const response = objectField(result, 'response') ?? {};
  const error = response['error'];
  if (error !== undefined) return `${name}${about} failed: ${listValues({ error }, false)}.`;
  const told = listValues(response['output'] ?? response['result'] ?? response, true);
  return `${name}${about} answered ${told === '' ? 'with nothing' : told}.`;
}

/** The leaves of a value, as "temperature 18, sky clear" or, without names, "Paris, celsius". */
function listValues(value: Json, named: boolean): string {
  const leaves: string[] = [];
  collect(value, '', named, leaves);
  const shown = leaves.slice(0, mostValues).join(', ');
  return leaves.length > mostValues ? `${shown} and more` : shown;
}

function collect(value: Json, name: string, named: boolean, into: string[]): void {
  if (into.length > mostValues) return;
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, name, named, into);
  } else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) collect(entry, key, named, into);
  } else {
    const short = quote(String(value));
    into.push(named && name !== '' ? `${name.replaceAll('_', ' ')} ${short}` : short);
  }
}
