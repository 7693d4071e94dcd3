// Makes JSON of a body in which a shell computes values, such as `"data": "$(base64 cat.jpg)"`.
import { WrittenString, type QuoteStyle } from './written-string.js';
import { decodeDocument } from '../sdk/internal/bytes.js';
import { readWindowsCommand } from './cmd-words.js';
import { callOf } from './address.js';
import { readCommand, type Command } from './posix-words.js';
import type { FoundRequests, Request, SkippedRequest, Source } from './request.js';

const windows: ReadonlySet<QuoteStyle> = new Set(['caret', 'cmd-quoted']);

/** Returns whether `[from, to)` ends inside a JSON string, if it begins inside one or not. */
function endsInString(json: string, from: number, to: number, isString: boolean): boolean {
  for (let at = from; at < to; at += 1) {
    if (json[at] === '\\' && isString) at += 1;
    else if (json[at] === '"') isString = !isString;
  }
  return isString;
}

/** Returns the body with each computed value as a JSON string, or as a part of one, that holds what is written there. */
function withComputedStrings(body: WrittenString): WrittenString {
  if (body.computed.length === 0) return body;
  const { value } = body;
  const json = new WrittenString(body.from);
  json.to = body.to;
  let isString = false;
  let at = 0;
  for (const { from, to } of body.computed) {
    json.addPart(body, at, from);
    isString = endsInString(value, at, from, isString);
    at = to;
    // cmd.exe has variables in what is written out elsewhere.
    if (!isString && windows.has(body.styleAt(from))) {
      json.addPart(body, from, to, 'text');
      continue;
    }
    const quoted = JSON.stringify(value.slice(from, to));
    const place = body.rangeOf(from, to);
    json.addComputed(
      isString ? quoted.slice(1, -1) : quoted,
      place.from,
      place.to - place.from,
      body.styleAt(from),
    );
  }
  json.addPart(body, at, value.length);
  return json;
}

// At the start of a line, after a prompt, after an operator, or after what runs or sets something for a command.
const lineStart = String.raw`(?:^|[\n;&|(])[ \t]*(?:[$>%#][ \t]+)?`;
const runners = String.raw`(?:sudo|time|exec|command|env|nohup|if|then|do|!)(?:[ \t]+-[^\s;&|()]+)*`;
const assignments = String.raw`\w+=(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|()"']*)`;
const curlWord = new RegExp(
  String.raw`${lineStart}(?:(?:${runners}|${assignments})[ \t]+)*(?=(?:[\w.~-]*\/)*curl(?:\.exe)?["']?(?:\s|\\|\^))`,
);

/** Returns whether a text is a script with cURL commands instead of JSON. */
export function isCurlText(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false;
  return curlWord.test(text);
}

/** Returns whether a file is a script with cURL commands instead of JSON. */
export function isCurl(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 32);
  if (first === undefined || first === 0x7b || first === 0x5b) return false;
  return isCurlText(decodeDocument(bytes));
}

/** A cURL command: the words of its options, by what they are. */
interface CurlCommand {
  from: number;
  to: number;
  url?: WrittenString;
  headers: WrittenString[];
  /** User names with passwords, tokens and cookies. */
  credentials: WrittenString[];
  data: { option: string; value: WrittenString }[];
  input?: WrittenString;
}

// The options of curl that a value follows. Others are switches.
const shortWithValue = 'ACDEFHKPQTUXYbcdemortuwxyz';
const longWithValue =
  /^--(?:abstract-unix-socket|alt-svc|aws-sigv4|ca\w+|cert(?:-type)?|ciphers|config|connect-t[io]\S*|continue-at|cookie(?:-jar)?|data(?:-\w+)?|dns-\S+|doh-url|dump-header|engine|form(?:-string)?|header|hostpubmd5|http-proxy|interface|json|keepalive-time|key(?:-type)?|limit-rate|local-port|location-trusted-host|max-\S+|netrc-file|noproxy|oauth2-bearer|output(?:-dir)?|parallel-max|pass|pinnedpubkey|preproxy|proto\S*|proxy(?:-(?:user|header|cert|key|pass))?|pubkey|quote|range|rate|referer|request(?:-target)?|resolve|retry(?:-delay|-max-time)?|socks\S*|speed-\S+|stderr|tls\S*|trace(?:-ascii)?|unix-socket|upload-file|url(?:-query)?|user(?:-agent)?|write-out)$/;

const dataOption = /^(?:-d|--json|--data(?:-\w+)?)$/;
const credentialOption =
  /^(?:-u|-b|-U|--user|--cookie|--oauth2-bearer|--proxy-user|--pass|--aws-sigv4)$/;

function addOption(command: CurlCommand, option: string, value: WrittenString): void {
  if (dataOption.test(option)) command.data.push({ option, value });
  else if (option === '-H' || option === '--header') command.headers.push(value);
  else if (option === '--url') command.url ??= value;
  else if (credentialOption.test(option)) command.credentials.push(value);
}

// Splits "-sd{…}" into the switches, the option and the rest, which is its value.
function splitShort(word: string): { option: string; valueAt: number } | undefined {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] ?? '';
    if (shortWithValue.includes(letter)) return { option: `-${letter}`, valueAt: at + 1 };
  }
  return undefined;
}

function interpret({ words, input, end }: Command, from: number): CurlCommand {
  const command: CurlCommand = { from, to: end, headers: [], credentials: [], data: [] };
  if (input) command.input = input;
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as WrittenString;
    const { value } = word;
    const next = words[i + 1];
    if (value.startsWith('--')) {
      const equals = value.indexOf('=');
      const option = equals < 0 ? value : value.slice(0, equals);
      if (!longWithValue.test(option)) continue;
      if (equals > 0) addOption(command, option, word.after(equals + 1));
      else if (next) {
        addOption(command, option, next);
        i += 1;
      }
    } else if (value.startsWith('-') && value.length > 1) {
      const short = splitShort(value);
      if (!short) continue;
      if (short.valueAt < value.length) addOption(command, short.option, word.after(short.valueAt));
      else if (next) {
        addOption(command, short.option, next);
        i += 1;
      }
    } else if (/^https?:|\w\.\w|\$/.test(value)) command.url ??= word;
  }
  return command;
}

// Carets are the escapes of cmd.exe; older versions of Firefox double the quotation marks instead. Within a word of a
// POSIX shell, both are text.
function isWindows(command: string): boolean {
  const [quote] = /\^"|["']/.exec(command) ?? [];
  if (quote !== '"' && quote !== undefined) return quote === '^"';
  const [, continued] = /([\\^])\r?\n/.exec(command) ?? [];
  if (continued !== undefined) return continued === '^';
  // A word in single quotes can hold all of the other signs.
  return !/\s\$?'/.test(command) && /\s\^"|"[[{]\s*""/.test(command);
}

/** The commands of a script, and the here-documents that it writes to files. */
interface CurlScript {
  commands: CurlCommand[];
  files: Map<string, WrittenString>;
}

/** Reads the cURL commands of a text, and what other commands write to files from here-documents. */
export function readCurlScript(text: string): CurlScript {
  const script: CurlScript = { commands: [], files: new Map() };
  let documentEnd = 0;
  for (const { index, 0: before } of text.matchAll(/^[ \t]*(?=cat\b[^\n]*<<)/gm)) {
    // Not inside the here-document of the command before it, which may go on to the end of the text.
    if (index < documentEnd) continue;
    const command = readCommand(text, index + before.length);
    const { input, output } = command;
    documentEnd = command.end;
    if (input && output !== undefined) script.files.set(output, input);
  }
  const starts = [...text.matchAll(new RegExp(curlWord, 'g'))].map(
    ({ index, 0: before }) => index + before.length,
  );
  let end = 0;
  for (const [n, from] of starts.entries()) {
    // Not inside the body of the command before it.
    if (from < end) continue;
    const read = isWindows(text.slice(from, starts[n + 1])) ? readWindowsCommand : readCommand;
    const command = read(text, from);
    end = command.end;
    script.commands.push(interpret(command, from));
  }
  return script;
}

const assignment = /^[ \t]*(?:export[ \t]+|set[ \t]+"?)?(\w+)=["']?([\w./-]+)/gm;

// Reads values such as MODEL_ID="gemini-3.8-flash", which addresses use. The first one counts.
function variablesOf(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(assignment))
    if (!variables.has(name)) variables.set(name, value);
  return variables;
}

const expand = (url: string, variables: Map<string, string>) =>
  url.replace(
    /\$\{(\w+)\}|\$(\w+)|%(\w+)%/g,
    (all, braced?: string, plain?: string, percent?: string) =>
      variables.get(braced ?? plain ?? percent ?? '') ?? all,
  );

const isJson = ({ value }: WrittenString) => /^\s*[[{]/.test(value);

const unreadable = (file: string) =>
  file === '-'
    ? 'The command reads its body from standard input, which is not part of this text. Paste the body itself.'
    : `The command reads its body from the file ${file}, which is not part of this text. Paste the content of the file.`;

/** Returns the body of a command, or why it cannot be read. With `-d @name`, it is in a file. */
function bodyOf(
  { data, input, from, to }: CurlCommand,
  files: CurlScript['files'],
  room: number,
): WrittenString | SkippedRequest {
  const chosen = data.find(({ value }) => isJson(value)) ?? data[0];
  if (!chosen) return { message: 'The command sends no body.', from, to };
  const { option, value } = chosen;
  let body = value;
  if (value.value.startsWith('@') && option !== '--data-raw') {
    const name = value.value.slice(1);
    const file = name === '-' ? input : files.get(name);
    if (!file) return { message: unreadable(name), from: value.from, to: value.to };
    body = file;
  }
  if (body.value.length > room) {
    const message = 'The command sends a file that is checked with the commands before.';
    return { message, from, to };
  }
  if (isJson(body) || body.computed.length === 0) return withComputedStrings(body);
  const message = `The command computes its body when it runs: ${body.value.slice(0, 80)}. Paste the body itself.`;
  return { message, from: value.from, to: value.to };
}

// The bodies of a text have at most so many times its length: each command may send the same file.
const maxRepeats = 16;

/** Returns the requests of the cURL commands in a file, and why others have no body that can be read. */
export function curlRequests(source: Source): Omit<FoundRequests, 'form'> {
  const text = decodeDocument(source.bytes);
  const encoder = new TextEncoder();
  const variables = variablesOf(text);
  const { commands, files } = readCurlScript(text);
  const requests: Request[] = [];
  const notes: FoundRequests['notes'] = [];
  let room = maxRepeats * text.length;
  for (const [index, command] of commands.entries()) {
    const body = bodyOf(command, files, room);
    const address = expand(command.url?.value ?? '', variables);
    const text = body instanceof WrittenString ? body.value : '';
    const { other, ...target } = callOf(address, text, 'The command');
    const { from, to } = command;
    const skipped = other === undefined ? undefined : { message: other, from, to };
    if (!(body instanceof WrittenString)) {
      notes.push(skipped ?? body);
      continue;
    }
    room -= body.value.length;
    requests.push({
      source,
      body: encoder.encode(body.value),
      start: 0,
      quoted: { skipped: 0, read: () => body },
      ...(commands.length > 1 ? { label: `command ${index + 1}` } : {}),
      ...(body.computed.length > 0 ? { computed: body.computed } : {}),
      ...(skipped && { skipped }),
      ...target,
    });
  }
  return { requests, notes };
}
