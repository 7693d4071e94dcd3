// Compares JSON values: one text for equal values, and where two values differ.
import { isObject } from '../sdk/internal/json.js';
import type { Json } from '../sdk/types/json.js';

const sorted = (_: string, value: unknown) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Returns the JSON text of a value, whatever the order of its fields is. */
export const canonicalText = (value: Json): string => JSON.stringify(value, sorted);

const longest = 80;

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Returns each place at which two values differ, with what was recorded and what was asked there. */
export function differencesOf(
  recorded: Json | undefined,
  asked: Json | undefined,
  path = '',
): string[] {
  if (isObject(recorded) && isObject(asked)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(asked)])];
    return names.flatMap((name) =>
      differencesOf(recorded[name] as Json, asked[name] as Json, `${path}/${name}`),
    );
  }
  if (Array.isArray(recorded) && Array.isArray(asked)) {
    const length = Math.max(recorded.length, asked.length);
    return Array.from({ length }, (_, i) =>
      differencesOf(recorded[i], asked[i], `${path}/${i}`),
    ).flat();
  }
  if (recorded === asked) return [];
  return [`${path} was ${shown(recorded)} and is ${shown(asked)}`];
}
