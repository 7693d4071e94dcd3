// Defines the errors of the gateway in the forms of Google's two APIs and of OpenAI, and reads Google's refusals.
import { GeminiError, StrataError } from '../sdk/internal/errors.js';
import { firstDiagnostics } from '../sdk/internal/first-diagnostics.js';
import { messageOf } from '../sdk/internal/messages.js';
import { HttpError } from '../server/body.js';
import { errorWord } from '../server/error-words.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { Json } from '../sdk/types/json.js';
import { readerOf } from '../sdk/client/http.js';
import { readStart, type ReadLimits } from '../sdk/client/response-body.js';
import { parseDocument } from '../sdk/internal/bytes.js';

// https://cloud.google.com/apis/design/errors: the status of each HTTP code that the gateway answers with.
const rpcStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

// https://platform.openai.com/docs/guides/error-codes: the `type` of each HTTP status.
const openAiTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

const openAiTypeOf = (status: number): string =>
  openAiTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');

/** The form in which a client expects errors. */
export type ErrorForm = 'google' | 'openai' | 'interactions';

// More would not help a reader.
const maxDiagnostics = 20;

// The longest delay of a timer in JavaScript, 24 days: many clients would retry at once after a longer one.
const maxRetrySeconds = 2_147_483;

const retrySeconds = (ms: number): number =>
  Math.min(maxRetrySeconds, Math.max(1, Math.ceil(ms / 1000)));

const rpc = 'type.googleapis.com/google.rpc.';

/** Converts a JSON Pointer to Google's notation: `/contents/2/parts/0` to `contents[2].parts[0]`. */
const fieldOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');

/** Returns diagnostics as `details` of an error of Google: as its BadRequest, and with all that is known. */
export function diagnosticDetails(diagnostics: readonly Diagnostic[]): object[] {
  const shown = firstDiagnostics(diagnostics, maxDiagnostics);
  if (shown.length === 0) return [];
  const fieldViolations = shown.map(({ code, path, message, more }) => ({
    field: fieldOf(path),
    description: `${code}: ${message}${more ? ` And ${more} more of this kind.` : ''}`,
  }));
  return [
    { '@type': `${rpc}BadRequest`, fieldViolations },
    { '@type': 'prompt-strata/Diagnostics', diagnostics: shown },
  ];
}

const json = (value: object, status: number, headers: Record<string, string>): Response =>
  new Response(`${JSON.stringify(value, null, 2)}\n`, {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=UTF-8' },
  });

/** Returns an error as one of Google's APIs writes it. */
export function errorObject(
  form: 'google' | 'interactions',
  status: number,
  message: string,
  details: Json[] = [],
): Record<string, Json> {
  const known = details.length > 0 && { details };
  if (form === 'interactions') return { code: errorWord(status), message, ...known };
  return { code: status, message, status: rpcStatuses[status] ?? 'UNKNOWN', ...known };
}

/** A request that the gateway refuses, or that it could not serve. */
export class GatewayError extends HttpError {
  override name = 'GatewayError';
  readonly diagnostics: readonly Diagnostic[];
  /** What else a client of OpenAI's form gets. */
  readonly details: readonly object[];
  /** Milliseconds after which the same request may succeed. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      headers?: Record<string, string>;
      diagnostics?: readonly Diagnostic[];
      details?: readonly object[];
      retryAfterMs?: number;
    } = {},
  ) {
    const { headers = {}, diagnostics = [], details = [], retryAfterMs } = more;
    const retry = retryAfterMs !== undefined && {
      'retry-after': String(retrySeconds(retryAfterMs)),
    };
    super(status, code, message, { ...headers, ...retry });
    this.diagnostics = diagnostics;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }

  /** Returns the response in the form that the client expects. */
  toResponse(form: ErrorForm): Response {
    if (form === 'openai') return this.toOpenAi();
    return form === 'interactions' ? this.toInteractions() : this.toGoogle();
  }

  /** Returns the response as Google's APIs answer. */
  toGoogle(): Response {
    const { status: code, message } = this;
    const details = this.#googleDetails();
    const status = rpcStatuses[code] ?? 'UNKNOWN';
    return json({ error: { code, message, status, details } }, code, this.headers);
  }

  /** Returns the response as the Interactions API answers, with the details that generateContent has. */
  toInteractions(): Response {
    const { status, message } = this;
    // A blocked prompt has its own word, as in a stream.
    const code = this.code === 'answer.blocked' ? 'content_blocked' : errorWord(status);
    const error = { code, message, details: this.#googleDetails() };
    return json({ error }, status, this.headers);
  }

  /** Returns the response as OpenAI's API answers. */
  toOpenAi(): Response {
    const { status, code, message, diagnostics, details } = this;
    const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
    const param = first ? fieldOf(first.path) || null : null;
    const known = { message, type: openAiTypeOf(status), param, code };
    const error = details.length === 0 ? known : { ...known, details };
    return json({ error }, status, this.headers);
  }

  #googleDetails(): object[] {
    return [
      { '@type': `${rpc}ErrorInfo`, reason: this.code, domain: 'prompt-strata' },
      ...this.#retryInfo(),
      ...diagnosticDetails(this.diagnostics),
    ];
  }

  #retryInfo(): object[] {
    const { retryAfterMs } = this;
    if (retryAfterMs === undefined) return [];
    const retryDelay = `${retrySeconds(retryAfterMs)}s`;
    return [{ '@type': `${rpc}RetryInfo`, retryDelay }];
  }
}

/**
 * Returns any thrown value as a GatewayError. What nobody expected becomes a 500 without its message, which may quote
 * the request.
 */
export function gatewayErrorOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof HttpError) {
    const { status, code, message, headers } = error;
    return new GatewayError(status, code, message, { headers });
  }
  if (error instanceof StrataError && !(error instanceof GeminiError)) {
    const { code, diagnostics } = error;
    // A segment of dots, which no URL can carry.
    if (code === 'name.invalid') return new GatewayError(404, code, messageOf(error));
    const isRequest = diagnostics.length > 0;
    if (isRequest) return new GatewayError(400, code, messageOf(error), { diagnostics });
  }
  return new GatewayError(500, 'internal', 'Something failed in the gateway.');
}

/** Milliseconds in which a refusal must have arrived. Each byte of it starts `timeoutMs` anew. */
export const maxRefusalMs = 10_000;

/** Returns the beginning of a body, at most 1 MiB, and what arrives in time. The rest is not read. */
export const readBounded = (response: Response, limits?: ReadLimits): Promise<Uint8Array> =>
  readStart(readerOf(response), { ms: maxRefusalMs, ...limits });

interface ErrorObject {
  error: { message?: unknown; details?: unknown; [name: string]: unknown };
}

const isErrorObject = (value: unknown): value is ErrorObject =>
  typeof (Object(value) as Partial<ErrorObject>).error === 'object' &&
  (Object(value) as Partial<ErrorObject>).error !== null;

/** Returns the error that a refusal holds; undefined for anything else. */
export function errorIn(bytes: Uint8Array): ErrorObject['error'] | undefined {
  const value = parseDocument(bytes);
  const object: unknown = Array.isArray(value) ? value[0] : value;
  return isErrorObject(object) ? object.error : undefined;
}

/**
 * Returns a refusal with diagnostics in its details. Status, text and other details stay; a body that is no error of
 * Google is returned as it is.
 */
export function withDiagnosis(bytes: Uint8Array, diagnostics: readonly Diagnostic[]): Uint8Array {
  return withDetails(bytes, diagnosticDetails(diagnostics));
}

/** Returns a refusal with further details. A body that is no error of Google is returned as it is. */
export function withDetails(bytes: Uint8Array, further: readonly object[]): Uint8Array {
  if (further.length === 0) return bytes;
  const value = parseDocument(bytes);
  const object: unknown = Array.isArray(value) ? value[0] : value;
  if (!isErrorObject(object)) return bytes;
  const { details } = object.error;
  const given: unknown[] = Array.isArray(details) ? details : [];
  // The emulator says the same in its own details.
  const texts = new Set(given.map((detail) => JSON.stringify(detail)));
  const added = further.filter((detail) => !texts.has(JSON.stringify(detail)));
  object.error.details = [...given, ...added];
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
