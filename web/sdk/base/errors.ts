// Why this file exists: everything the shell throws is a StrataError that says what and where.
import type { Diagnostic } from '../types/diagnostic.js';
import type { Json } from '../types/json.js';

/**
 * Base of all errors. `code` is one of docs/diagnostics.md: of a rule, or of errors.json, which has all others
 * that this package throws; or `api.` and a word or status of the API's.
 */
export class StrataError extends Error {
  override name = 'StrataError';
  readonly code: string;
  readonly diagnostics: Diagnostic[];

  constructor(code: string, message: string, diagnostics: Diagnostic[] = [], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** A template that can't be compiled or rendered. Lines and columns count from 1. */
export class TemplateError extends StrataError {
  override name = 'TemplateError';
  /** The template it happened in: the main one is ''. */
  readonly template: string;
  readonly line: number;
  readonly column: number;
  /** UTF-16 offset into the template's source, as editors count. */
  readonly offset: number;
  /** The line, and a mark under the place. */
  readonly excerpt: string;
  /** What kind of error: syntax, undefined, not_found, runtime, zero_division, security, recursion, raised, limit. */
  readonly kind: string;

  constructor(
    code: string,
    message: string,
    at: {
      template: string;
      line: number;
      column: number;
      offset: number;
      excerpt: string;
      kind: string;
    },
  ) {
    super(code, message);
    this.template = at.template;
    this.line = at.line;
    this.column = at.column;
    this.offset = at.offset;
    this.excerpt = at.excerpt;
    this.kind = at.kind;
  }
}

/** A Content or a history that would be refused. The thread is as it was before. */
export class HistoryError extends StrataError {
  override name = 'HistoryError';
}

/** A CachedContent that can't be made or used. */
export class CacheError extends StrataError {
  override name = 'CacheError';
}

/** What `GeminiError` knows of an answer. */
export interface GeminiErrorDetails {
  /** HTTP status, or the error's own code in mid-stream; 0 where no answer came. */
  status?: number;
  /** Google's word for it: `RESOURCE_EXHAUSTED`, `INVALID_ARGUMENT`… */
  rpcStatus?: string | undefined;
  /** `google.rpc` details as sent: QuotaFailure, RetryInfo, BadRequest… */
  details?: Json[];
  /** From RetryInfo, or from the message where it says so. */
  retryAfterMs?: number | undefined;
  /** Of `x-goog-request-id` or the response id, to give to support. */
  requestId?: string | undefined;
  /** Content bytes received before it broke off: composed like a whole answer, not for the thread. */
  partial?: Uint8Array | null;
  finishReason?: string;
  blockReason?: string;
}

/** An answer that is an error, was blocked, or broke off; or no answer at all. */
export class GeminiError extends StrataError {
  override name = 'GeminiError';
  readonly status: number;
  readonly rpcStatus: string | undefined;
  readonly details: Json[];
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly partial: Uint8Array | null;
  readonly finishReason: string | undefined;
  readonly blockReason: string | undefined;

  constructor(code: string, message: string, known: GeminiErrorDetails = {}, cause?: unknown) {
    super(code, message, [], cause);
    this.status = known.status ?? 0;
    this.rpcStatus = known.rpcStatus;
    this.details = known.details ?? [];
    this.retryAfterMs = known.retryAfterMs;
    this.requestId = known.requestId;
    this.partial = known.partial ?? null;
    this.finishReason = known.finishReason;
    this.blockReason = known.blockReason;
  }
}
