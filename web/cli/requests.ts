// Why this file exists: requests come alone, as bare Contents, as lines with or without a wrapper, or as the
// traffic that a browser recorded. All become the same thing here: a body, and where it stands in its file.
import type { Strata } from '../index.js';
import { joinBytes } from '../sdk/base/bytes.js';
import { decodeDocument } from '../sdk/base/utf8.js';
import { UsageError } from './arguments.js';
import { harRequests } from './har.js';
import type { Request } from './request.js';
import type { Source } from './source.js';

type Fields = { [name: string]: unknown };

const encoder = new TextEncoder();
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const modelOf = (fields: Fields): Pick<Request, 'model'> => {
  const { model } = fields;
  return typeof model === 'string' && model !== '' ? { model } : {};
};

/** What a body says about itself: only those of caches have a lifetime. */
function aboutBody(fields: Fields): Pick<Request, 'model' | 'kind'> {
  const isCache = 'ttl' in fields || 'expireTime' in fields || 'expire_time' in fields;
  return { ...modelOf(fields), kind: isCache ? 'cache' : 'generate' };
}

const before = encoder.encode('{"contents":');
const after = encoder.encode('}');

function wrapContents(source: Source, bytes: Uint8Array, start: number): Request {
  const body = joinBytes([before, bytes, after]);
  const wrapped = { before: before.length, after: after.length };
  return { source, body, start: start - before.length, wrapped, kind: 'generate' };
}

/** A body of this request, given or repaired, as it stands in the file. */
export function unwrapped({ wrapped }: Request, body: Uint8Array): Uint8Array {
  return wrapped ? body.subarray(wrapped.before, body.length - wrapped.after) : body;
}

// Where a request stands inside what is written around it.
const holders = ['request', 'body', 'generateContentRequest'];

/** One JSON text: a body, contents, or a body with something around it. */
function requestOf(strata: Strata, source: Source, bytes: Uint8Array, start: number): Request {
  const value = parse(decodeDocument(bytes));
  if (Array.isArray(value)) return wrapContents(source, bytes, start);
  if (!isObject(value) || 'contents' in value) {
    return { source, body: bytes, start, ...aboutBody(isObject(value) ? value : {}) };
  }
  const holder = holders.find((name) => isObject(value[name]));
  const [span] = holder === undefined ? [] : strata.locate(bytes, [`/${holder}`]);
  // Without bytes it is where the core stopped reading: the whole text says best what is wrong.
  if (holder === undefined || !span || span.start === span.end) {
    return { source, body: bytes, start, ...aboutBody(value) };
  }
  const inner = bytes.subarray(span.start, span.end);
  return { ...modelOf(value), ...requestOf(strata, source, inner, start + span.start) };
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

// Lines, not one text: the name says so, or the first is JSON of its own, and more follow.
function isJsonLines({ name, bytes }: Source): boolean {
  if (/\.(jsonl|ndjson)$/i.test(name)) return true;
  const lines = linesOf(bytes);
  const { value: first } = lines.next();
  return isObject(first && parse(decodeDocument(first.bytes))) && !lines.next().done;
}

/**
 * The requests of a file, in its order.
 *
 * @throws UsageError for a file that holds none
 */
export function readRequests(strata: Strata, source: Source): Request[] {
  const { bytes } = source;
  if (isJsonLines(source)) {
    const lines = [...linesOf(bytes)];
    if (lines.length === 0) throw new UsageError(`${source.name} holds no requests.`);
    return lines.map(({ start, bytes: line }, index) => ({
      ...requestOf(strata, source, line, start),
      label: `request ${index + 1}`,
    }));
  }
  const recorded = harRequests(strata, source);
  if (recorded?.length === 0) {
    throw new UsageError(`${source.name} is a HAR file without requests to the Gemini API.`);
  }
  return recorded ?? [requestOf(strata, source, bytes, 0)];
}
