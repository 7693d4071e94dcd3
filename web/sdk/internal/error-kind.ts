// Sorts the errors of the API into a few kinds, so that a program can react to them without a list of codes.

/**
 * What a `GeminiError` is about; docs/client.md says what to do about each.
 *
 * - `rateLimit`: a rate limit or a quota is used up, or the prepaid credits are (HTTP 429, 402).
 * - `auth`: the key or token is missing, invalid, or may not do this (401, 403, and 400 for an invalid key).
 * - `notFound`: no such model, cache, file or method, or it has expired (404, and 403 for a missing cache or file).
 * - `invalid`: the API refuses the request as it is (any other 4xx, except 408 and 499).
 * - `server`: the API failed or is overloaded (5xx, 499).
 * - `network`: no response. `timeout`: none in time.
 * - `blocked`: a filter stopped the prompt or the answer. `answer`: the answer cannot be used for another reason.
 */
export type GeminiErrorKind =
  | 'rateLimit'
  | 'auth'
  | 'notFound'
  | 'invalid'
  | 'server'
  | 'network'
  | 'timeout'
  | 'blocked'
  | 'answer';

/**
 * What the kind of an error depends on.
 *
 * @internal
 */
interface KnownAboutError {
  code: string;
  message: string;
  status: number;
  rpcStatus: string | undefined;
}

// The first row whose pattern fits the code, the HTTP status, the API's status and the message.
const kinds: [GeminiErrorKind, RegExp][] = [
  ['network', /^network /],
  ['timeout', /^(?:timeout|file\.slow|\S+ 408) /],
  ['blocked', /^answer\.(?:blocked|safety|recitation) /],
  ['answer', /^answer\./],
  ['rateLimit', /^\S+ (?:402|429|\d+ RESOURCE_EXHAUSTED) /],
  // The API answers 403 for a cache or a file that it does not have, because it may belong to someone else.
  ['notFound', /^\S+ (?:404|\d+ NOT_FOUND|403 .*(?:not found|may not exist))/i],
  [
    'auth',
    /^\S+ (?:40[13]|\d+ (?:UNAUTHENTICATED|PERMISSION_DENIED)|400 .*api key (?:not|expired))/i,
  ],
  ['invalid', /^\S+ (?:4(?!99)\d\d|\d+ (?:INVALID_ARGUMENT|FAILED_PRECONDITION)) /],
];

/**
 * Returns the kind of an error.
 *
 * @internal
 */
export function kindOf({ code, message, status, rpcStatus }: KnownAboutError): GeminiErrorKind {
  const text = `${code} ${status} ${rpcStatus} ${message}`;
  return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'server';
}
