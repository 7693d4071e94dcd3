// Defines the error of a thread that a Worker keeps, and reads it from the Worker's responses and events.
import { retryAfterHeader } from '../sdk/client/api-error.js';
import { readStart } from '../sdk/client/response-body.js';
import { GeminiError, hideUnset, type GeminiErrorDetails } from '../sdk/internal/errors.js';
import { redactValue, type Redact } from '../sdk/internal/redact.js';
import { decodeDocument } from '../sdk/internal/bytes.js';
import type { ErrorCode } from '../sdk/types/codes.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { RemoteFailure } from './remote-state.js';

/** The details of a `RemoteError`. */
export interface RemoteErrorDetails extends GeminiErrorDetails {
  diagnostics?: Diagnostic[] | undefined;
}

/**
 * The Worker refused a request, or a send failed there. `code` is the Worker's: one of its own, such as `thread.busy`,
 * or that of the error with which the send failed. `kind` tells rate limits, missing threads, refused keys and failing
 * servers apart, as for any GeminiError.
 */
export class RemoteError extends GeminiError {
  override name = 'RemoteError';
  /** What is wrong with the message or the history, if the Worker says so. */
  override readonly diagnostics: Diagnostic[];

  constructor(code: ErrorCode, message: string, details: RemoteErrorDetails = {}) {
    const { diagnostics = [], ...others } = details;
    super(code, message, others);
    this.diagnostics = diagnostics;
    hideUnset(this);
  }
}

/** The error of a connection that ended before the last event of a send. */
export const connectionLost = (): RemoteError =>
  new RemoteError('network', 'The connection ended before the last event of the send');

/** The error of a response that is not the Worker's. */
export const notUnderstood = (what: string): RemoteError =>
  new RemoteError('answer.invalid', `${what}. Check \`url\`, and any proxy before the Worker`);

/** The error of a page whose preflight was refused (CORS). */
export const originRefused = (page: string, server: string): RemoteError =>
  new RemoteError(
    'origin.not_allowed',
    `${server} refuses pages of ${page} (CORS). List ${page} in ALLOWED_ORIGINS of the Worker, or check \`url\``,
  );

const isFailure = (value: unknown): value is RemoteFailure =>
  typeof Object(value).code === 'string' && typeof Object(value).message === 'string';

/** Returns the error of a `failed` event. */
export function errorOfFailure({
  code,
  message,
  status,
  retryAfterMs,
  diagnostics,
}: RemoteFailure): RemoteError {
  // A Worker that is newer than this package may send other codes.
  const known = code as ErrorCode;
  return new RemoteError(known, message, { status: status ?? 0, retryAfterMs, diagnostics });
}

/** Reads a response that is not 2xx, at most 1 MiB of it, and returns its error. */
export async function errorOfResponse(response: Response, redact: Redact): Promise<RemoteError> {
  const { status, headers } = response;
  const failure = failureIn(decodeDocument(await readStart(response.body?.getReader())));
  const retryAfterMs = failure?.retryAfterMs ?? retryAfterHeader(headers);
  if (failure) {
    // Programs compare the code, which a short key may be a part of.
    const redacted = { ...redactValue(failure, redact), code: failure.code };
    return errorOfFailure({ ...redacted, status, retryAfterMs });
  }
  const message = `The server at \`url\` answered with HTTP ${status}, not as a Worker with threads`;
  return new RemoteError(`api.${status}`, message, { status, retryAfterMs });
}

function failureIn(text: string): RemoteFailure | undefined {
  try {
    const { error } = Object(JSON.parse(text));
    return isFailure(error) ? error : undefined;
  } catch {
    return undefined;
  }
}
