// Defines the errors that the package throws, their kinds, and what a runtime prints of them.
import type { ErrorCode } from '../types/codes.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { BlockReason, FinishReason } from '../types/gemini/response.js';
import type { Json } from '../types/json.js';
import type { TemplateErrorKind } from '../types/template.js';

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
  // The words of the Interactions API: https://ai.google.dev/gemini-api/docs/api-errors.
  [
    'blocked',
    /^api\.(?:safety|recitation|language|prohibited_content|spii|blocklist|image_\w+|(?:content_)?blocked) /,
  ],
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

interface V8Error {
  captureStackTrace?(error: object, above: unknown): void;
  stackTraceLimit?: number;
}

// With source maps, the code is in web/.
const isOwnFrame = (line: string) => /[/\\]prompt-strata[/\\](dist|web)[/\\]/.test(line);

// Leaves the last of the leading frames of this package: the function that the caller called.
function withoutOwnFrames(frames: string[]): string[] {
  const first = frames.findIndex((frame) => !isOwnFrame(frame));
  return first < 0 ? frames : frames.slice(Math.max(0, first - 1));
}

/** Returns the lines of a stack after the message; none if the runtime writes stacks in another form. */
function framesOf({ stack, message }: Error): string[] {
  if (typeof stack !== 'string') return [];
  const end = stack.indexOf('\n', stack.indexOf(message) + message.length);
  return end < 0 ? [] : stack.slice(end + 1).split('\n');
}

function setFrames(error: Error, frames: readonly string[]): void {
  // A class sets its name after its base class has run.
  const get = () => [`${error.name}: ${error.message}`, ...frames].join('\n');
  const set = (value: unknown) =>
    Object.defineProperty(error, 'stack', { value, writable: true, configurable: true });
  Object.defineProperty(error, 'stack', { get, set, configurable: true });
}

/**
 * Removes the frames inside of this package from the stack of a new error, where the runtime allows it. In a bundle,
 * they cannot be told from the caller's.
 */
function shortenStack(error: Error, above: unknown): void {
  const v8 = Error as ErrorConstructor & V8Error;
  const limit = v8.stackTraceLimit;
  if (!v8.captureStackTrace || !limit) return;
  // The caller's frame is not among the first ten, if it is far away.
  Reflect.set(v8, 'stackTraceLimit', Math.max(limit, 50));
  v8.captureStackTrace(error, above);
  Reflect.set(v8, 'stackTraceLimit', limit);
  const frames = framesOf(error);
  if (frames.length > 0) setFrames(error, withoutOwnFrames(frames).slice(0, limit));
}

/**
 * Gives an error that was thrown while nobody waited for it the frames of the call that led to it. `call` is an error
 * that was created in that call.
 */
export function showCaller(error: Error, call: Error): void {
  const calling = framesOf(call);
  const isAnonymous = framesOf(error).every(isOwnFrame);
  if (isAnonymous && !calling.every(isOwnFrame)) setFrames(error, withoutOwnFrames(calling));
}

/** Makes properties invisible to console.log and JSON.stringify. They can be read as before. */
export function hide<Value extends object>(value: Value, ...names: (keyof Value)[]): void {
  for (const name of names) Object.defineProperty(value, name, { enumerable: false });
}

const isUnset = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length);

/** Hides the properties that hold nothing. */
export function hideUnset<Value extends object>(value: Value): void {
  const names = Object.keys(value) as (keyof Value)[];
  hide(value, ...names.filter((name) => isUnset(value[name])));
}

/**
 * The base of all errors. `code` is the code of a rule or an error in docs/diagnostics.md, or `api.` followed by
 * the API's status, such as `api.RESOURCE_EXHAUSTED` or, on the Interactions API, `api.invalid_request`.
 */
export class StrataError extends Error {
  override name = 'StrataError';
  readonly code: ErrorCode;
  readonly diagnostics: Diagnostic[];

  constructor(code: ErrorCode, message: string, diagnostics: Diagnostic[] = [], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.diagnostics = diagnostics;
    hide(this, 'diagnostics');
    shortenStack(this, new.target);
  }
}

/** A template cannot be compiled or rendered. Lines and columns count from 1. */
export class TemplateError extends StrataError {
  override name = 'TemplateError';
  /** The name of the template with the error; '' is the main template. */
  readonly template: string;
  readonly line: number;
  readonly column: number;
  /** The offset in the template's source, in UTF-16 units. */
  readonly offset: number;
  /** The line of the source, with a mark under the error. */
  readonly excerpt: string;
  readonly kind: TemplateErrorKind;

  constructor(
    code: ErrorCode,
    message: string,
    at: {
      template: string;
      line: number;
      column: number;
      offset: number;
      excerpt: string;
      kind: TemplateErrorKind;
    },
  ) {
    super(code, message);
    this.template = at.template;
    this.line = at.line;
    this.column = at.column;
    this.offset = at.offset;
    this.excerpt = at.excerpt;
    this.kind = at.kind;
    hide(this, 'offset', 'excerpt', 'kind');
    hideUnset(this);
  }
}

/** The API would reject this Content, history or request. The thread is unchanged. */
export class HistoryError extends StrataError {
  override name = 'HistoryError';
}

/** An answer of `Conversation.object` does not match its schema, also when asked again. The thread has all turns. */
export class ObjectError extends StrataError {
  override name = 'ObjectError';
  /** The last answer. */
  readonly text: string;

  /** `diagnostics` are the validator's words, with paths into the answer. */
  constructor(code: ErrorCode, message: string, text: string, diagnostics: Diagnostic[]) {
    super(code, message, diagnostics);
    this.text = text;
  }
}

/** A CachedContent cannot be created or used. */
export class CacheError extends StrataError {
  override name = 'CacheError';
}

/** The details of a `GeminiError`. */
export interface GeminiErrorDetails {
  /** The HTTP status, or the code of an error within a stream; 0 if there was no response. */
  status?: number;
  /** The `google.rpc.Code` name: `RESOURCE_EXHAUSTED`, `INVALID_ARGUMENT`…; on the Interactions API its word, such as `invalid_request`. */
  rpcStatus?: string | undefined;
  /** The `google.rpc` details, unchanged: QuotaFailure, RetryInfo, BadRequest… */
  details?: Json[];
  /** The delay in RetryInfo, in the error message, or in the header Retry-After. */
  retryAfterMs?: number | undefined;
  /** The header `x-goog-request-id` or the field `responseId`, for support requests. */
  requestId?: string | undefined;
  /** The Content received before the answer failed, JSON. Do not append it to a thread. */
  partial?: Uint8Array | null;
  finishReason?: FinishReason;
  blockReason?: BlockReason;
}

/**
 * The API answered with an error, blocked the prompt, cut the answer off, or did not answer. `kind` tells rate
 * limits, missing things, refused keys and failing servers apart.
 *
 * @example
 * if (error instanceof GeminiError && error.kind === 'rateLimit') await wait(error.retryAfterMs);
 */
export class GeminiError extends StrataError {
  override name = 'GeminiError';
  readonly kind: GeminiErrorKind;
  readonly status: number;
  readonly rpcStatus: string | undefined;
  readonly details: Json[];
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly partial: Uint8Array | null;
  readonly finishReason: FinishReason | undefined;
  readonly blockReason: BlockReason | undefined;

  constructor(code: ErrorCode, message: string, details: GeminiErrorDetails = {}, cause?: unknown) {
    super(code, message, [], cause);
    this.status = details.status ?? 0;
    this.rpcStatus = details.rpcStatus;
    this.details = details.details ?? [];
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId;
    this.partial = details.partial ?? null;
    this.finishReason = details.finishReason;
    this.blockReason = details.blockReason;
    this.kind = kindOf(this);
    hideUnset(this);
    // `code` says it, too.
    hide(this, 'rpcStatus');
  }
}

/** Returns the `responseId` of a response, or undefined if it has none. */
export function requestIdOf(response: unknown): string | undefined {
  const { responseId } = Object(response);
  return typeof responseId === 'string' ? responseId : undefined;
}
