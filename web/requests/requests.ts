// Finds the requests in a file: a single body, an array of Contents or steps, JSON Lines with or without a wrapper, a HAR
// file, cURL commands, or a script.
import type { Checker, Diagnostic } from '../check/index.js';
import { joinBytes, decodeDocument } from '../sdk/internal/bytes.js';
import { isObject, textOf } from '../sdk/internal/json.js';
import { curlRequests, isCurl } from './curl.js';
import { harRequests } from './har.js';
import { isPowerShellText, powerShellRequests } from './powershell.js';
import { pythonRequests, scriptRequests } from './scripts.js';
import { NoRequestsError, type FoundRequests, type Request, type Source } from './request.js';
import { describeBody, otherApiOf, parsedBody } from './other-apis.js';
import { firstBehind } from './written-string.js';

const encoder = new TextEncoder();

const after = encoder.encode('}');

// Makes a body of a list, for the API that it is for. The model of steps is the one that the options name.
function wrapList(source: Source, bytes: Uint8Array, start: number, list: unknown[]): Request {
  const api = otherApiOf(list);
  const ofOthers = api === 'interactions' ? '"model":"","input"' : '"messages"';
  const before = encoder.encode(`{${api === undefined ? '"contents"' : ofOthers}:`);
  const body = joinBytes([before, bytes, after]);
  const wrapped = { before: before.length, after: after.length };
  const described = { ...(api && { api }), kind: 'generate' as const };
  return { source, body, start: start - before.length, wrapped, ...described };
}

/** Returns a JSON Pointer into the body as one into what the file has of it. */
export const pathInFile = ({ wrapped }: Request, path: string): string =>
  wrapped ? path.replace(/^\/(?:contents|messages|input)(?=\/|$)/, '') : path;

/** Returns an original or repaired body of this request in the form that the file uses. */
export function unwrapped({ wrapped }: Request, body: Uint8Array): Uint8Array {
  return wrapped ? body.subarray(wrapped.before, body.length - wrapped.after) : body;
}

// The fields in which batch files and logs wrap a request.
const wrapperFields = ['request', 'body', 'generateContentRequest'];

/** Reads one JSON text: a body, an array of Contents or steps, or a wrapped body. */
function requestOf(
  checker: Checker,
  source: Source,
  bytes: Uint8Array,
  start: number,
  value = parsedBody(decodeDocument(bytes)),
): Request {
  if (Array.isArray(value)) return wrapList(source, bytes, start, value);
  const whole = { source, body: bytes, start, ...describeBody(value) };
  if (!isObject(value) || 'contents' in value) return whole;
  const wrapper = wrapperFields.find((name) => isObject(value[name]));
  const [span] = wrapper === undefined ? [] : checker.locate(bytes, [`/${wrapper}`]);
  // An empty span means that the core stopped reading there: lint the whole text, which reports the reason.
  if (wrapper === undefined || !span || span.start === span.end) return whole;
  const inner = bytes.subarray(span.start, span.end);
  const model = textOf(value['model']);
  return { ...(model && { model }), ...requestOf(checker, source, inner, start + span.start) };
}

function* linesOf(bytes: Uint8Array): Generator<{ start: number; bytes: Uint8Array }> {
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte > 32)) yield { start, bytes: line };
    start = end + 1;
  }
}

// Whether the file is JSON Lines: by its name, or because its first line is a complete object and more follow.
function isJsonLines({ name, bytes }: Source): boolean {
  if (/\.(jsonl|ndjson)$/i.test(name)) return true;
  const lines = linesOf(bytes);
  const { value: first } = lines.next();
  return !lines.next().done && isObject(first && parsedBody(decodeDocument(first.bytes)));
}

// A script begins otherwise than JSON.
function scriptRequestsOf(source: Source): FoundRequests | undefined {
  const first = source.bytes.find((byte) => byte > 32);
  if (first === undefined || first === 0x7b || first === 0x5b) return undefined;
  const text = decodeDocument(source.bytes);
  if (isPowerShellText(text)) return { form: 'powershell', ...powerShellRequests(source, text) };
  return scriptRequests(source, text);
}

/** Returns the requests of a file. There are none if it is empty, or a HAR file or commands without any. */
export function findRequests(checker: Checker, source: Source): FoundRequests {
  const { bytes } = source;
  if (isCurl(bytes)) return { form: 'curl', ...curlRequests(source) };
  const script = scriptRequestsOf(source);
  if (script) return script;
  if (isJsonLines(source)) {
    const requests = [...linesOf(bytes)].map(({ start, bytes: line }, index) => ({
      ...requestOf(checker, source, line, start),
      label: `request ${index + 1}`,
    }));
    return { form: 'jsonl', requests, notes: [] };
  }
  const text = decodeDocument(bytes);
  const recorded = harRequests(checker, source, text);
  if (recorded) return { form: 'har', requests: recorded, notes: [] };
  const value = parsedBody(text);
  const python = value === undefined ? pythonRequests(source, text) : undefined;
  if (python) return python;
  const request = requestOf(checker, source, bytes, 0, value);
  return { form: request.wrapped ? 'contents' : 'body', requests: [request], notes: [] };
}

/**
 * Returns the requests of a file, in order. `onSkipped` gets why others are left out.
 *
 * @throws NoRequestsError if there are none
 */
export function readRequests(
  checker: Checker,
  source: Source,
  onSkipped: (message: string) => void = () => {},
): Request[] {
  const { form, requests: all, notes: others } = findRequests(checker, source);
  const requests = all.filter(({ skipped }) => skipped === undefined);
  const notes = [...others, ...all.flatMap(({ skipped }) => skipped ?? [])];
  const { name } = source;
  if (requests.length > 0) {
    for (const { message } of notes) onSkipped(`${name}: ${message}`);
    return requests;
  }
  if (form === 'har') {
    throw new NoRequestsError(`${name} is a HAR file without Gemini API requests.`);
  }
  const [note] = notes;
  throw new NoRequestsError(note ? `${name}: ${note.message}` : `${name} contains no requests.`);
}

// The fields that a cachedContents.create body has in addition to those of a request.
const cacheFields = /^\/(ttl|expireTime|expire_time|displayName|display_name)$/;

function appliesToCache({ code, path }: Diagnostic): boolean {
  return !(code === 'field.unknown' && cacheFields.test(path)) && code !== 'contents.empty';
}

// Findings about a name or about the text itself, which do not depend on the value.
const notAboutValues = /^json\.|\.unknown/;

/** Returns whether a shell computes the value that a finding is about, so that nothing is known about it. */
function aboutComputed({ computed = [], body }: Request): (found: Diagnostic) => boolean {
  if (computed.length === 0) return () => false;
  const text = decodeDocument(body);
  return ({ code, range: [from, to] = [0, 0] }) => {
    const isScalar = text[from] !== '{' && text[from] !== '[';
    if (!isScalar || notAboutValues.test(code)) return false;
    const next = computed[firstBehind(computed, from)];
    return next !== undefined && next.from < to;
  };
}

/** Returns the findings of `lint` that apply to this request. Their positions are in UTF-16 units. */
export function applicable(diagnostics: readonly Diagnostic[], request: Request): Diagnostic[] {
  const isComputed = aboutComputed(request);
  return diagnostics.filter(
    (found) => (request.kind !== 'cache' || appliesToCache(found)) && !isComputed(found),
  );
}
