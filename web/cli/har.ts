// Why this file exists: a HAR file holds everything that a browser sent. Only what went to the Gemini API is
// looked at, and of its addresses only model and service: keys stand in them, and in headers.
import type { Backend, Span, Strata } from '../index.js';
import { decodeDocument } from '../sdk/base/utf8.js';
import type { Request } from './request.js';
import type { Source } from './source.js';

// Any of it may be missing or something else: extensions of browsers write HAR files too.
type Entry = {
  request?: { method?: unknown; url?: unknown; postData?: { text?: unknown } | null } | null;
} | null;

interface Called {
  method: string;
  model?: string;
  backend: Backend;
}

// …/models/gemini-3.8-flash:streamGenerateContent?alt=sse, …/v1beta/cachedContents
const generating =
  /\/models\/([^/:?#]+):(generateContent|streamGenerateContent|countTokens)(?=$|[?#])/;
const caching = /\/cachedContents(?=$|[?#])/;

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What an address of the Gemini API calls; nothing for any other. */
function calledBy(url: string): Called | undefined {
  const backend = /^https:\/\/[^/]*aiplatform\.googleapis\.com\//.test(url) ? 'vertex' : 'gemini';
  const [, model, method] = generating.exec(url) ?? [];
  if (model !== undefined && method !== undefined) {
    return { method, model: decoded(model), backend };
  }
  return caching.test(url) ? { method: 'cachedContents', backend } : undefined;
}

function entriesOf(bytes: Uint8Array): Entry[] | undefined {
  const text = decodeDocument(bytes);
  if (!/"entries"/.test(text)) return undefined;
  try {
    const { log } = JSON.parse(text) as { log?: { entries?: unknown } };
    return Array.isArray(log?.entries) ? (log.entries as Entry[]) : undefined;
  } catch {
    return undefined;
  }
}

// No bytes: reading stopped there, and where the text stands is not known.
const startOf = (span?: Span) => (span && span.end > span.start ? span.start : 0);

const pathOf = (index: number) => `/log/entries/${index}/request/postData/text`;

function bodyOf(text: string, method: string): { text: string; model?: string } {
  if (method === 'generateContent' || method === 'streamGenerateContent') return { text };
  try {
    const { model, generateContentRequest: inner } = JSON.parse(text);
    const named = [inner?.model, model].find((name) => typeof name === 'string');
    const about = named === undefined ? {} : { model: String(named) };
    return inner ? { text: JSON.stringify(inner), ...about } : { text, ...about };
  } catch {
    return { text };
  }
}

/** The recorded requests to the Gemini API that have a body; `undefined` for what is no HAR file. */
export function harRequests(strata: Strata, source: Source): Request[] | undefined {
  const entries = entriesOf(source.bytes);
  if (!entries) return undefined;
  const found = entries.flatMap((entry, index) => {
    const { method, url, postData } = entry?.request ?? {};
    const called = method === 'POST' ? calledBy(String(url)) : undefined;
    const text = postData?.text;
    return called && typeof text === 'string' ? [{ called, text, index }] : [];
  });
  const places = strata.locate(
    source.bytes,
    found.map(({ index }) => pathOf(index)),
  );
  return found.map(({ called: { method, ...about }, text, index }, i) => {
    const { text: body, ...told } = bodyOf(text, method);
    return {
      source,
      body: new TextEncoder().encode(body),
      start: startOf(places[i]),
      quoted: true,
      label: `entry ${index + 1}, ${method}`,
      kind: method === 'cachedContents' ? 'cache' : 'generate',
      ...told,
      ...about,
    };
  });
}
