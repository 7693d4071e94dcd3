// Finds requests in PowerShell: Invoke-WebRequest and Invoke-RestMethod, as browsers copy them.
import { callOf } from './address.js';
import type { FoundRequests, Request, SkippedRequest, Source } from './request.js';
import { WrittenString } from './written-string.js';

const command = /\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\b/gi;

/** Returns whether a text is a script of PowerShell that sends requests. */
export const isPowerShellText = (text: string): boolean =>
  /\b(?:Invoke-WebRequest|Invoke-RestMethod)\b|^\s*(?:iwr|irm)\s/i.test(text);

const escapes: { [letter: string]: string } = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07', '0': '\0' },
};
const escaped =
  /`u\{([\da-fA-F]{1,6})\}|`([^])|\$\(\[char\](\d+)\)|""|\$\([^)\n]{0,200}\)|\$\{?[\w:]+\}?/y;

/** Reads what stands between double quotes. Returns where it ends. */
function readDouble(text: string, from: number, closer: string, string: WrittenString): number {
  const stop = closer === '"' ? /["`$]/g : /\n"@|[`$]/g;
  let at = from;
  for (;;) {
    stop.lastIndex = at;
    const found = stop.exec(text);
    const next = found?.index ?? text.length;
    string.add(text.slice(at, next), at, next - at, 'powershell');
    escaped.lastIndex = next;
    const [all, code, letter, char] = escaped.exec(text) ?? [];
    const isEnd = found === null || text.startsWith(closer, next);
    if (isEnd && !(closer === '"' && all === '""'))
      return Math.min(next + closer.length, text.length);
    const number = Number.parseInt(code ?? char ?? '', code === undefined ? 10 : 16);
    const { length } = all ?? ' ';
    if (all === undefined) string.add('$', next, 1, 'powershell');
    else if (all === '""') string.add('"', next, length, 'powershell');
    else if (letter !== undefined)
      string.add(escapes[letter] ?? letter, next, length, 'powershell');
    else if (number <= 0x10ffff)
      string.add(String.fromCodePoint(number), next, length, 'powershell');
    else string.addComputed(all, next, length, 'powershell');
    at = next + length;
  }
}

/** Reads a string of PowerShell; undefined if there is none at `from`. */
function readString(text: string, from: number): WrittenString | undefined {
  const [opener = '', here, quote] =
    /^(?:@(["'])[ \t]*\r?\n|(["']))/.exec(text.slice(from, from + 80)) ?? [];
  if (opener === '') return undefined;
  const string = new WrittenString(from);
  const start = from + opener.length;
  if ((here ?? quote) === '"') {
    string.to = readDouble(text, start, here === undefined ? '"' : '\n"@', string);
    return string;
  }
  const ending = here === undefined ? /'(?!')/g : /\r?\n'@/g;
  ending.lastIndex = start;
  let at = start;
  for (;;) {
    const doubled = here === undefined ? text.indexOf("'", at) : -1;
    if (doubled < 0 || text[doubled + 1] !== "'") break;
    string.add(text.slice(at, doubled), at, doubled - at, 'powershell-single');
    string.add("'", doubled, 2, 'powershell-single');
    at = doubled + 2;
  }
  ending.lastIndex = at;
  const found = ending.exec(text);
  const end = found?.index ?? text.length;
  string.add(
    text.slice(at, end),
    at,
    end - at,
    here === undefined ? 'powershell-single' : 'verbatim',
  );
  string.to = end + (found?.[0].length ?? 0);
  return string;
}

/** Returns where the value of a parameter begins, behind what converts it; undefined if the command has none. */
function valueAt(text: string, name: string): number | undefined {
  const form = new RegExp(
    String.raw`-${name}(?:[ \t]+|:)(?:\(?\[[\w.]+\]::UTF8\.GetBytes\()?(?:\(\s*)?`,
    'i',
  );
  const found = form.exec(text);
  return found ? found.index + found[0].length : undefined;
}

/** Reads the value of a parameter, also of one that a variable of the script has. */
function valueOf(text: string, from: number, to: number, name: string): WrittenString | undefined {
  const place = valueAt(text.slice(from, to), name);
  if (place === undefined) return undefined;
  const [, variable] = /^\$(\w+)/.exec(text.slice(from + place, to)) ?? [];
  if (variable === undefined) return readString(text, from + place);
  const set = new RegExp(String.raw`(?:^|\n)[ \t]*\$${variable}[ \t]*=[ \t]*`, 'gi');
  const places = [...text.matchAll(set)].map(({ index, 0: all }) => index + all.length);
  const last = places.findLast((at) => at < from);
  return last === undefined ? undefined : readString(text, last);
}

/** Returns the requests of a script. */
export function powerShellRequests(source: Source, text: string): Omit<FoundRequests, 'form'> {
  const encoder = new TextEncoder();
  const starts = [...text.matchAll(command)].map(({ index }) => index);
  const requests: Request[] = [];
  const notes: SkippedRequest[] = [];
  let end = 0;
  for (const [index, from] of starts.entries()) {
    // Not inside the body of the command before it.
    if (from < end) continue;
    const to = starts[index + 1] ?? text.length;
    const body = valueOf(text, from, to, 'Body');
    if (!body) {
      const hasBody = valueAt(text.slice(from, to), 'Body') !== undefined;
      const message = hasBody
        ? 'The command computes its body when it runs. Paste the body itself.'
        : 'The command sends no body.';
      notes.push({ message, from, to });
      continue;
    }
    const [written = ''] = /https?:\/\/[^\s"'`]+/.exec(text.slice(from, to)) ?? [];
    const address = valueOf(text, from, to, 'Uri')?.value ?? written;
    const { other, ...target } = callOf(address, body.value, 'The command');
    end = Math.max(body.to, from);
    requests.push({
      ...{ source, body: encoder.encode(body.value), start: 0 },
      quoted: { skipped: 0, read: () => body },
      ...(starts.length > 1 ? { label: `command ${index + 1}` } : {}),
      ...(body.computed.length > 0 ? { computed: body.computed } : {}),
      ...(other === undefined ? {} : { skipped: { message: other, from, to } }),
      ...target,
    });
  }
  return { requests, notes };
}
