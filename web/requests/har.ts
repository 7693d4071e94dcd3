// Reads the Gemini API requests in a HAR file. Only body, model and service are read, because URLs and headers
// may contain API keys.
import type { Checker, Span } from '../check/index.js';
import { apiCallOf } from './address.js';
import { bytesOfBase64, decodeDocument } from '../sdk/internal/bytes.js';
import { isObject } from '../sdk/internal/json.js';
import { describeBody, parsedBody, type Description } from './other-apis.js';
import { readJsonString, type WrittenString } from './written-string.js';
import type { Request, Source } from './request.js';

// Any field may be missing or have another type: browser extensions write HAR files too.
type Entry = {
  request?: { method?: unknown; url?: unknown; postData?: { text?: unknown } | null } | null;
  response?: { status?: unknown; content?: { text?: unknown; encoding?: unknown } | null } | null;
} | null;

function entriesOf(text: string): Entry[] | undefined {
  if (!/"entries"/.test(text)) return undefined;
  try {
    const { log } = JSON.parse(text) as { log?: { entries?: unknown } };
    return Array.isArray(log?.entries) ? (log.entries as Entry[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the status of an entry's answer, and its text if that is an error. */
function answerOf(entry: Entry | undefined): Pick<Request, 'answer'> {
  const { status, content } = entry?.response ?? {};
  // Without an answer, browsers write 0.
  if (typeof status !== 'number' || status === 0) return {};
  const written = status >= 400 && typeof content?.text === 'string' ? content.text : '';
  if (content?.encoding !== 'base64') return { answer: { status, text: written } };
  return { answer: { status, text: decodeDocument(bytesOfBase64(written) ?? new Uint8Array()) } };
}

const units = { positions: 'utf16' } as const;

interface FoundBody extends Description {
  text: string;
  skipped: number;
}

// Returns the generation request in a body, and what the body says about it.
function bodyOf(checker: Checker, text: string): FoundBody {
  const value = parsedBody(text);
  const inner = isObject(value) ? value['generateContentRequest'] : undefined;
  if (!isObject(inner)) return { text, skipped: 0, ...describeBody(value) };
  const [{ start, end } = { start: 0, end: text.length }] = checker.locate(
    text,
    ['/generateContentRequest'],
    units,
  );
  const described = { ...describeBody(value), ...describeBody(inner) };
  return { text: text.slice(start, end), skipped: start, ...described };
}

/** Returns a reader of these strings in a document, by their index. The document is read once. */
function stringReader(
  checker: Checker,
  pointers: readonly string[],
): (document: string, index: number) => WrittenString {
  let places: Span[] | undefined;
  return (document, index) => {
    places ??= checker.locate(document, pointers, units);
    return readJsonString(document, places[index]?.start ?? 0);
  };
}

/**
 * Returns the recorded Gemini API requests that have a body; undefined if the source, whose text this is, is not a HAR
 * file.
 */
export function harRequests(checker: Checker, source: Source, text: string): Request[] | undefined {
  const entries = entriesOf(text);
  if (!entries) return undefined;
  const found = entries.flatMap((entry, index) => {
    const { method, url, postData } = entry?.request ?? {};
    const call = method === 'POST' ? apiCallOf(String(url)) : undefined;
    const posted = postData?.text;
    return call && typeof posted === 'string' ? [{ call, posted, index }] : [];
  });
  const pointers = found.map(({ index }) => `/log/entries/${index}/request/postData/text`);
  const readString = stringReader(checker, pointers);
  return found.map(({ call: { method, ...target }, posted, index }, at) => {
    const { text: body, skipped, ...described } = bodyOf(checker, posted);
    return {
      source,
      body: new TextEncoder().encode(body),
      start: 0,
      quoted: { skipped, read: (document) => readString(document, at) },
      label: `entry ${index + 1}, ${method}`,
      ...described,
      ...target,
      kind: method === 'cachedContents' ? 'cache' : 'generate',
      ...answerOf(entries[index]),
    };
  });
}
