// Makes errors of the API's error responses, in the forms of both APIs, and says what the refusal of a Standard key means.
import { readStart } from './response-body.js';
import { GeminiError } from '../internal/errors.js';
import { redactMembers, type Redact } from '../internal/redact.js';
import { decodeDocument } from '../internal/bytes.js';
import type { Json } from '../types/json.js';

const url = 'https://aistudio.google.com/apikey';

/** What a person whose Standard key is refused should know. */
export const standardKeyHint =
  'This is a Standard key (AIza…), which Google stopped in September 2026. Create a new key at ' +
  `${url} and use it instead.`;

/** The same as a detail of Google's error. */
export const keyHelp = {
  '@type': 'type.googleapis.com/google.rpc.Help',
  links: [{ description: standardKeyHint, url }],
};

// The texts since June 2026: Kilo-Org/kilocode#11763 and #12162, NousResearch/hermes-agent#68285 and #114315.
const refusals =
  /Expected OAuth ?2 access token|ACCESS_TOKEN_TYPE_UNSUPPORTED|API_KEY_INVALID|API key (?:not (?:valid|found)|expired)/i;

/** Returns whether an error of the Gemini API refuses the key, by its HTTP status and its message with all details. */
export const isKeyRefusal = (status: number, text: string): boolean =>
  [400, 401, 403].includes(status) && refusals.test(text);

/** The fields of a `google.rpc.Status` that could be read. */
interface Status {
  status?: string | undefined;
  message: string;
  details: Json[];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

const durationForm = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)(ms|s))?$/;

/** Converts a duration such as `34.4s`, `500ms` or `1h2m3.5s` to milliseconds; undefined for any other value. */
function durationMs(text: unknown): number | undefined {
  const match = typeof text === 'string' && text !== '' ? durationForm.exec(text) : null;
  if (!match) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0, unit] = match;
  const rest = Number(seconds) * (unit === 'ms' ? 1 : 1000);
  return Math.ceil(Number(hours) * 3_600_000 + Number(minutes) * 60_000 + rest);
}

/** Returns the milliseconds of Retry-After (RFC 9110): seconds, or a date relative to the response's Date. */
export function retryAfterHeader(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const until = / GMT$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(until)) return durationMs(`${text}s`);
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, until - now);
}

/**
 * Returns the delay that an error asks for: that of `google.rpc.RetryInfo`, else of its message, else of the header
 * Retry-After. Browsers cannot read the header, because the API's CORS rules do not expose it.
 */
export function retryAfterMs(
  details: readonly unknown[],
  message: string,
  headers: Headers,
): number | undefined {
  const infos = details.map(Object).filter((info) => /\.RetryInfo$/.test(info['@type']));
  const retryInfoMs = infos
    .map((info) => durationMs(info.retryDelay))
    .find((ms) => ms !== undefined);
  const inMessage = /retry in ([\d.hms]*[hms])/i.exec(message)?.[1];
  return retryInfoMs ?? durationMs(inMessage) ?? retryAfterHeader(headers);
}

function readStatus(body: string, redact: Redact): Status | undefined {
  try {
    // The fields are found before they are redacted, because a secret may be a word such as `error`.
    const parsed: unknown = JSON.parse(body);
    const { error } = Object(Array.isArray(parsed) ? parsed[0] : parsed);
    const { status, code, message, details } = Object(error);
    const text = textOf(error) ?? textOf(message);
    // The Interactions API has a word as its code, and no status.
    const word = textOf(status) ?? textOf(code);
    if (text === undefined && word === undefined) return undefined;
    const list: Json[] = Array.isArray(details) ? details : [];
    const read = { status: word, message: text ?? '', details: list };
    return redactMembers(read, redact);
  } catch {
    return undefined;
  }
}

// Returns the title of a proxy's HTML page, or the start of any other text.
function plainMessage(text: string): string {
  const title = /<title[^<>]*>([^<]*)</i.exec(text)?.[1] ?? (/^\s*</.test(text) ? '' : text);
  return title.replace(/\s+/g, ' ').trim().slice(0, 300);
}

/** What an error response answers. */
interface Refused {
  url: string;
  /** Whether the request carried a Standard key. */
  holdsStandardKey: boolean;
}

// Returns what Google's text does not say: why the API has no such model, or why it refuses the key.
async function hintAbout(
  { status }: Response,
  text: string,
  { url, holdsStandardKey }: Refused,
): Promise<string | undefined> {
  const isVertex = /\/publishers\/google\//.test(url);
  if (holdsStandardKey && !isVertex && isKeyRefusal(status, text)) return standardKeyHint;
  const [, model, method] = /\/models\/([^/:?]+)(?::(\w+))?/.exec(url) ?? [];
  if (status !== 404 || !model || /embed/i.test(method ?? '')) return undefined;
  try {
    const { modelHint } = await import('../../files/index.js');
    return modelHint(decodeURIComponent(model));
  } catch {
    // A module that cannot be loaded must not hide the error.
    return undefined;
  }
}

/**
 * Reads an error response, at most 1 MiB of it, and returns its error. `code` is `api.` and the API's status, such as
 * `api.RESOURCE_EXHAUSTED`, or the HTTP status if the body has none. What the catalogue knows about a missing model, and
 * why a Standard key is refused, stands behind the API's message.
 */
export async function errorOf(
  response: Response,
  redact: Redact,
  request: Refused,
): Promise<GeminiError> {
  const text = decodeDocument(await readStart(response.body?.getReader()));
  const { status, message, details = [] } = readStatus(text, redact) ?? {};
  const reason =
    message ||
    plainMessage(redact(text)) ||
    redact(response.statusText) ||
    `The API answered with HTTP ${response.status}`;
  const hint = await hintAbout(response, text, request);
  return new GeminiError(
    `api.${status ?? response.status}`,
    hint ? `${reason}${/[.!?]$/.test(reason) ? '' : '.'} ${hint}` : reason,
    {
      status: response.status,
      rpcStatus: status,
      details,
      retryAfterMs: retryAfterMs(details, reason, response.headers),
      requestId: redact(response.headers.get('x-goog-request-id') ?? '') || undefined,
    },
  );
}

/** Converts what `fetch` threw. The cause is not kept, because it may hold the key. */
export function networkError(thrown: unknown, redact: Redact): GeminiError {
  const messages: string[] = [];
  for (let error = thrown; error != null && messages.length < 4; error = Object(error).cause) {
    const { message, code } = Object(error);
    messages.push(textOf(error) || textOf(message) || textOf(code) || typeof error);
  }
  return new GeminiError('network', redact(`No response: ${messages.join(': ')}`));
}

/** Returns the error of an answer that is longer than `bytes`. */
export function tooLongError(bytes: number): GeminiError {
  const message = `The answer is longer than ${bytes} bytes. Raise \`maxAnswerBytes\` of GeminiClient if it may be`;
  return new GeminiError('answer.too_long', message);
}

/** Returns the error for `ms` milliseconds without data. */
export function timeoutError(ms: number): GeminiError {
  return new GeminiError('timeout', `The API sent nothing for ${ms} ms`);
}
