// Writes messages for people: of thrown values, of findings, and of wrong names.
import type { Diagnostic } from '../types/diagnostic.js';

const isObject = (value: unknown): value is { message?: unknown } =>
  typeof value === 'object' && value !== null;

/**
 * Returns the message of an error or of another object, or an error's name if the message is empty; for other values,
 * the value as text, for objects as JSON.
 */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return `${error.message || error.name}`;
    if (!isObject(error)) return String(error);
    const { message } = error;
    return typeof message === 'string' ? message : String(JSON.stringify(error));
  } catch {
    return 'The thrown value cannot be converted to a string.';
  }
}

/** Prints an error with its stack. The model receives only its message. */
export function printToolError(error: unknown, { name }: { name: string }): void {
  console.error(`The tool ${name} failed:`, error);
}

/** Returns how many faults a list stands for: those in it, at all their places, and those that it counts as `more`. */
export const countDiagnostics = (
  diagnostics: readonly { more?: number; places?: readonly unknown[] }[],
): number =>
  diagnostics.reduce((sum, { more = 0, places = [] }) => sum + 1 + places.length + more, 0);

const groupOf = ({ code, severity, repaired }: Diagnostic): string =>
  `${code} ${repaired ? 'repaired' : severity}`;

const errorsFirst = (diagnostics: readonly Diagnostic[]): Diagnostic[] => [
  ...diagnostics.filter(({ severity }) => severity === 'error'),
  ...diagnostics.filter(({ severity }) => severity !== 'error'),
];

// The last one counts those that are left out.
function countingOthers(shown: readonly Diagnostic[], all: number): Diagnostic[] {
  return shown.map(({ more: _, ...found }, index) => {
    const more = index === shown.length - 1 ? all - shown.length : 0;
    return more > 0 ? { ...found, more } : found;
  });
}

/**
 * Returns at most `most` diagnostics: the first of each code and severity, errors before others, then the rest. The
 * last one of a code and severity counts those that are left out as `more`. A list that is shortened has errors first.
 */
export function firstDiagnostics(diagnostics: readonly Diagnostic[], most: number): Diagnostic[] {
  if (diagnostics.length <= most) return [...diagnostics];
  const groups = new Map<string, Diagnostic[]>();
  for (const found of errorsFirst(diagnostics)) {
    const members = groups.get(groupOf(found));
    if (members) members.push(found);
    else groups.set(groupOf(found), [found]);
  }
  const firsts = [...groups.values()].flatMap((members) => members.slice(0, 1));
  const others = [...groups.values()].flatMap((members) => members.slice(1));
  const kept = new Set([...errorsFirst(firsts), ...errorsFirst(others)].slice(0, most));
  return [...groups.values()].flatMap((members) => {
    const shown = members.filter((found) => kept.has(found));
    return countingOthers(shown, countDiagnostics(members));
  });
}

const synonyms: { readonly [name: string]: RegExp } = {
  run: /^(execute|handler|func|function|fn|callback|call|invoke)$/,
  schema: /^(inputschema|args|arguments|input|zodschema)$/,
  systemInstruction: /^(system|instructions?|systemprompt)$/,
  static: /^(system|instructions?|systeminstruction|systemprompt)$/,
  generationConfig: /^(config|temperature|top[pk]|max(output)?tokens|thinkingconfig|response\w+)$/,
  maxToolRounds: /^max(steps|turns|rounds)$/,
  confirm: /^(needsapproval|requireapproval)$/,
  signal: /^abort(signal|controller)$/,
  apiKey: /^(key|token)$/,
  client: /^(baseurl|fetch|headers|retry|vertexai)$/,
  history: /^(messages|contents|from)$/,
  baseUrl: /^(url|host|endpoint)$/,
  timeoutMs: /^timeout$/,
};

const folded = (name: string) => name.replaceAll('_', '').toLowerCase();

// Returns whether at most `edits` edits turn `a` into `b`.
function isWithin(a: string, b: string, edits: number): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [c, d] = [a.slice(start), b.slice(start)];
  if (c === '' || d === '') return c.length + d.length <= edits;
  if (edits === 0) return false;
  const isSwapped = c[0] === d[1] && c[1] === d[0];
  return (
    isWithin(c.slice(1), d, edits - 1) ||
    isWithin(c, d.slice(1), edits - 1) ||
    isWithin(c.slice(1), d.slice(1), edits - 1) ||
    (isSwapped && isWithin(c.slice(2), d.slice(2), edits - 1))
  );
}

// src/base/near_name.cpp allows the same number of edits.
function isNear(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  return isWithin(a, b, longest < 5 ? 0 : longest < 12 ? 1 : 2);
}

/** Returns the name of `names` that `given` most likely means, if any. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const name = folded(given);
  return (
    names.find((known) => isNear(name, folded(known))) ??
    Object.keys(synonyms).find((known) => names.includes(known) && synonyms[known]?.test(name))
  );
}
