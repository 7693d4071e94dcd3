// Lays out JSON over lines, and takes it apart, token by token: numbers, strings and repeated names stay as they are written.

// Strings, brackets, and the rest: numbers and words.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

export interface Layout {
  /** What each level is indented by. */
  step: string;
  /** What stands before each line but the first. Default: nothing. */
  indent?: string;
  /** Whether a comma follows the last item, too. Default: false. */
  lastComma?: boolean;
  /** Returns how a string, a number or a word is written. Default: as it is. */
  write?: (token: string) => string;
}

const isOpening = (token: string) => token === '{' || token === '[';
const isClosing = (token: string) => token === '}' || token === ']';

/** Returns the items of a JSON array, or the members of an object, as they are written. */
export function itemsOf(json: string): string[] {
  const items: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of json.matchAll(tokens)) {
    if (isClosing(token)) depth -= 1;
    if (depth === 0 || (depth === 1 && token === ',')) {
      const item = json.slice(start, index).trim();
      if (item !== '') items.push(item);
    }
    if (isOpening(token)) depth += 1;
    if (depth === 1 && (isOpening(token) || token === ',')) start = index + 1;
  }
  return items;
}

/** The text of each value, by its name. */
export type Members = Map<string, string>;

/** Returns the members of a JSON object by their names. */
export const membersOf = (json: string): Members =>
  new Map(
    itemsOf(json).map((member) => {
      const [, name = '""', value = ''] = /^("(?:[^"\\]|\\.)*")\s*:\s*(.*)$/s.exec(member) ?? [];
      return [JSON.parse(name) as string, value];
    }),
  );

/** Returns the JSON of an object. */
export const objectOf = (members: Members): string =>
  `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;

// What Google's libraries take in their configuration, besides the members of generationConfig.
const configMembers = [
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'cachedContent',
  'labels',
];

/** Splits a body as Google's libraries do: the contents, their configuration, and what they have no names for. */
export function configOf(body: string): { contents: string; config: Members; others: Members } {
  const members = membersOf(body);
  const given = members.get('generationConfig') ?? '{}';
  const isObject = given.startsWith('{');
  const config: Members = isObject ? membersOf(given) : new Map();
  const others: Members = isObject ? new Map() : new Map([['generationConfig', given]]);
  for (const [name, json] of members)
    if (name !== 'contents' && name !== 'generationConfig')
      (configMembers.includes(name) ? config : others).set(name, json);
  return { contents: members.get('contents') ?? '[]', config, others };
}

/** Returns valid JSON with each member and item on a line of its own. */
export function laidOut(
  json: string,
  { step, indent = '', lastComma = false, write = (token) => token }: Layout,
): string {
  const written: string[] = [];
  let depth = 0;
  let before = '';
  const newLine = () => written.push(`\n${indent}${step.repeat(depth)}`);
  for (const [token] of json.matchAll(tokens)) {
    if (isClosing(token)) {
      depth -= 1;
      if (!isOpening(before)) {
        if (lastComma) written.push(',');
        newLine();
      }
    } else if (isOpening(before) || before === ',') newLine();
    if (isOpening(token)) depth += 1;
    if (token === ':') written.push(': ');
    else written.push(/^[{}[\],]$/.test(token) ? token : write(token));
    before = token;
  }
  return written.join('');
}
