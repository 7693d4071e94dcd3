// Why this file exists: what every answer of the Worker shares: who may read it, and errors as JSON that
// a program can tell apart.
import { GeminiError, HistoryError, StrataError, type Diagnostic } from '../index.js';
import type { Env } from './env.js';

/** Bytes that a request may have: a long conversation with its manifests, not a film. */
export const bodyLimit = 4 * 1024 * 1024;

/** A request that the Worker refuses. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** An error as it travels. */
export interface ErrorBody {
  code: string;
  message: string;
  diagnostics?: Diagnostic[];
  /** What the API answered, where it did. */
  status?: number;
  retryAfterMs?: number;
}

/** Tells an error; what was not meant to be told is only logged. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof HttpError) return { code: error.code, message: error.message };
  if (error instanceof GeminiError) {
    const { code, message, status, retryAfterMs } = error;
    return { code, message, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  if (error instanceof StrataError) {
    const { code, message, diagnostics } = error;
    return { code, message, ...(diagnostics.length > 0 ? { diagnostics } : {}) };
  }
  console.error(error);
  return { code: 'internal', message: 'Something failed in the Worker' };
}

export function errorResponse(error: unknown): Response {
  const refused = error instanceof HistoryError ? 422 : 500;
  const isBusy = error instanceof StrataError && error.code === 'conversation.busy';
  const known = error instanceof HttpError ? error.status : refused;
  const status = isBusy ? 409 : known;
  return Response.json({ error: errorBody(error) }, { status });
}

/** The body as text; refused as soon as it is longer than `bodyLimit`. */
export async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > bodyLimit) {
      throw new HttpError(413, 'size.too_large', `The body is longer than ${bodyLimit} bytes`);
    }
    chunks.push(chunk);
  }
  return decoded(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

// Refused rather than stored with replacement characters in place of what was meant.
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, 'json.invalid_utf8', 'The body is not UTF-8');
  }
}

/** The same answer, readable from the page that may. */
export function withCors(response: Response, env: Env): Response {
  const allowed = new Response(response.body, response);
  allowed.headers.set('access-control-allow-origin', env.ALLOWED_ORIGIN || '*');
  allowed.headers.set('vary', 'origin');
  return allowed;
}

/** What a browser asks before it sends JSON. */
export function preflight(): Response {
  const headers = {
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers': 'content-type, accept',
    'access-control-max-age': '86400',
  };
  return new Response(null, { status: 204, headers });
}
