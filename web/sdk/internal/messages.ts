// Writes messages for people: of thrown values, and of wrong names.

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

const synonyms: { readonly [name: string]: RegExp } = {
  run: /^(execute|handler|func|function|fn|callback|call|invoke)$/,
  schema: /^(inputschema|args|arguments|input|zodschema)$/,
  systemInstruction: /^(system|instructions?|systemprompt)$/,
  static: /^(system|instructions?|systeminstruction|systemprompt)$/,
  generationConfig: /^(config|maxtokens)$/,
  maxToolRounds: /^max(steps|turns|rounds)$/,
  confirm: /^(needsapproval|requireapproval)$/,
  signal: /^abort(signal|controller)$/,
  apiKey: /^(key|token)$/,
  history: /^(messages|contents|from)$/,
  baseUrl: /^(url|host|endpoint)$/,
  timeoutMs: /^timeout$/,
};

/** Members that are given in place of the option that holds them, and how they are written in it. */
const members: {
  readonly [option: string]: { readonly given: RegExp; readonly write: (name: string) => string };
} = {
  generationConfig: {
    given: /^(temperature|top[pk]|maxoutputtokens|thinkingconfig|response\w+)$/,
    write: (name) => `generationConfig: { ${name} }`,
  },
  client: {
    given: /^(baseurl|fetch|headers|retry|vertexai)$/,
    write: (name) => `client: new GeminiClient({ ${name} })`,
  },
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

/** Returns the name of `names` that `given` most likely means, if any; for a member of one, how it is written in that. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const name = folded(given);
  const holder = Object.keys(members).find((known) => members[known]?.given.test(name));
  return (
    names.find((known) => isNear(name, folded(known))) ??
    Object.keys(synonyms).find((known) => names.includes(known) && synonyms[known]?.test(name)) ??
    (holder && names.includes(holder) ? members[holder]?.write(given) : undefined)
  );
}
