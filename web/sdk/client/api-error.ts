// Why this file exists: an answer that is not 2xx becomes one typed error, whoever wrote it: Google's
// JSON, the same in an array (streams), a proxy's HTML, or nothing.
import { readText } from './body.js';
import { GeminiError } from '../base/errors.js';
import { parseRedacted, type Redact } from '../base/secret.js';
import type { Json } from '../types/json.js';

/** `google.rpc.Status`, as far as it could be read. */
interface Status {
  word?: string | undefined;
  message: string;
  details: Json[];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const durationForm = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)(ms|s))?$/;

/** Milliseconds of a duration as Google writes it, `34.4s`, `500ms` or `1h2m3.5s`; undefined if it is none. */
function durationMs(text: unknown): number | undefined {
  const match = typeof text === 'string' && text !== '' ? durationForm.exec(text) : null;
  if (!match) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0, unit] = match;
  const rest = Number(seconds) * (unit === 'ms' ? 1 : 1000);
  return Math.ceil(Number(hours) * 3_600_000 + Number(minutes) * 60_000 + rest);
}

/** Milliseconds of Retry-After: seconds, or a date, which counts from the one that the answer bears. */
function headerMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const until = / GMT$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(until)) return durationMs(`${text}s`);
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, until - now);
}

/** The delay that an error asks for: RetryInfo, else its message, else the header Retry-After. */
function retryAfterMs(details: Json[], message: string, headers: Headers): number | undefined {
  const infos = details.map(Object).filter((info) => /\.RetryInfo$/.test(info['@type']));
  const told = infos.map((info) => durationMs(info.retryDelay)).find((ms) => ms !== undefined);
  const inMessage = /retry in ([\d.hms]*[hms])/i.exec(message)?.[1];
  return told ?? durationMs(inMessage) ?? headerMs(headers);
}

function readStatus(text: string, redact: Redact): Status | undefined {
  try {
    const parsed = parseRedacted(text, redact);
    const error = Object(Array.isArray(parsed) ? parsed[0] : parsed).error;
    const { status, message, details } = Object(error);
    const said = textOf(error) ?? textOf(message);
    if (said === undefined && textOf(status) === undefined) return undefined;
    const known = Array.isArray(details) ? details : [];
    return { word: textOf(status), message: said ?? '', details: known };
  } catch {
    return undefined;
  }
}

// Proxies answer with pages; their title says all there is to know.
function plainMessage(text: string): string {
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? (/^\s*</.test(text) ? '' : text);
  return title.replace(/\s+/g, ' ').trim().slice(0, 300);
}

// A refusal whose text broke off is still that refusal; an abort is the caller's.
function nothingOf(error: unknown): string {
  if (error instanceof GeminiError) return '';
  throw error;
}

/**
 * Reads a refusal to its end. `code` is `api.` and Google's own word, such as `api.RESOURCE_EXHAUSTED`,
 * or the number where there is no word.
 */
export async function errorOf(response: Response, redact: Redact): Promise<GeminiError> {
  const text = await readText(response).catch(nothingOf);
  const { word, message, details = [] } = readStatus(text, redact) ?? {};
  const said = message || plainMessage(redact(text)) || redact(response.statusText);
  return new GeminiError(
    `api.${word ?? response.status}`,
    said || `The API answered with HTTP ${response.status}`,
    {
      status: response.status,
      rpcStatus: word,
      details,
      retryAfterMs: retryAfterMs(details, said, response.headers),
      requestId: redact(response.headers.get('x-goog-request-id') ?? '') || undefined,
    },
  );
}

/** What `fetch` threw, told without its cause: that may hold the key. */
export function networkError(thrown: unknown, redact: Redact): GeminiError {
  const messages: string[] = [];
  for (let error = thrown; error != null && messages.length < 4; error = Object(error).cause) {
    const { message, code } = Object(error);
    messages.push(textOf(error) || textOf(message) || textOf(code) || typeof error);
  }
  return new GeminiError('network', redact(`No answer: ${messages.join(': ')}`));
}

/** Nothing came for `ms` milliseconds. */
export function timeoutError(ms: number): GeminiError {
  return new GeminiError('timeout', `The API sent nothing for ${ms} ms`);
}
