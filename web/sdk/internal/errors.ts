// Defines the errors that the package throws.
import { kindOf, type GeminiErrorKind } from './error-kind.js';
import type { ErrorCode } from '../types/codes.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { BlockReason, FinishReason } from '../types/gemini/response.js';
import type { Json } from '../types/json.js';
import { hide, hideUnset, shortenStack } from './printed-error.js';
import type { TemplateErrorKind } from '../types/template.js';

/**
 * The base of all errors. `code` is the code of a rule or an error in docs/diagnostics.md, or `api.` followed by
 * the API's status, such as `api.RESOURCE_EXHAUSTED`.
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

/**
 * Returns the error for something that the smaller core does not have. `path` is a JSON Pointer into the options.
 *
 * @internal
 */
export const unavailable = (path: string, what: string): StrataError =>
  new StrataError(
    'feature.unavailable',
    `${path}: prompt-strata/lite does not support ${what}. Import from 'prompt-strata' instead.`,
  );

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
  /** The `google.rpc.Code` name: `RESOURCE_EXHAUSTED`, `INVALID_ARGUMENT`… */
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
