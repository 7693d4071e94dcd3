// Converts errors to JSON with a code and a message, without secrets and without the deployment's private texts.
import { GeminiError, HistoryError, StrataError, type Diagnostic } from '../index.js';
import { firstDiagnostics } from '../sdk/internal/first-diagnostics.js';
import { GatewayError } from '../gateway/gateway-error.js';
import { isSecret } from '../sdk/internal/redact.js';
import { callerKeyOf, geminiKeyOf, showsRequests, type Env } from './env.js';
import { HttpError } from '../server/body.js';

/** An error in a response or a `failed` event. */
export interface ErrorBody {
  code: string;
  message: string;
  diagnostics?: Diagnostic[];
  /** The HTTP status of the Gemini API, if it answered. */
  status?: number;
  retryAfterMs?: number;
}

// A `failed` event is stored, and more would not help a reader.
const maxDiagnostics = 20;

/** Replaces texts that callers see only with SHOW_REQUESTS. */
export const hidden = 'Hidden: SHOW_REQUESTS is off';

/** Returns the message, or a replacement for one of the Gemini API, which may quote the request. */
export function upstreamMessage(code: string, message: string, env: Env): string {
  if (showsRequests(env) || !code.startsWith('api.')) return message;
  return 'The Gemini API refused the request or failed. The log of the Worker has its message';
}

/** Returns a diagnostic about the caller's own turns unchanged, and any other without its path and message. */
export function visibleDiagnostic(diagnostic: Diagnostic, env: Env): Diagnostic {
  if (showsRequests(env) || isAboutTurns(diagnostic)) return diagnostic;
  const { code, severity } = diagnostic;
  return { code, severity, path: '', message: hidden };
}

// Templates are private to the deployment, and an error in a template quotes it.
const isAboutTemplate = (code: string): boolean => code.startsWith('template.');

const isAboutTurns = ({ code, path }: Diagnostic): boolean =>
  !isAboutTemplate(code) && (path === '' || /^\/(contents|\d+)(\/|$)/.test(path));

// Logs the original of a message that callers do not see.
function logHidden(error: StrataError, shown: string, env: Env): void {
  if (shown !== error.message) console.error(`${error.code}: ${withoutKeys(error.message, env)}`);
}

function geminiBody(error: GeminiError, env: Env): ErrorBody {
  const { code, status, retryAfterMs } = error;
  const message = upstreamMessage(code, error.message, env);
  logHidden(error, message, env);
  return { code, message, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function strataBody(error: StrataError, env: Env): ErrorBody {
  const { code } = error;
  const shown = firstDiagnostics(error.diagnostics, maxDiagnostics);
  const diagnostics = shown.map((diagnostic) => visibleDiagnostic(diagnostic, env));
  const isHidden = isAboutTemplate(code) || diagnostics.some(({ message }) => message === hidden);
  const message = isHidden && !showsRequests(env) ? hidden : error.message;
  logHidden(error, message, env);
  return { code, message, ...(diagnostics.length > 0 ? { diagnostics } : {}) };
}

/** Returns the error as the caller may see it. The details of an unexpected error are only logged. */
export function errorBody(error: unknown, env: Env): ErrorBody {
  const body = bodyOf(error, env);
  const redacted: ErrorBody = JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'string' ? withoutKeys(value, env) : value,
  );
  return redacted;
}

const refusalBody = ({ code, message, retryAfterMs, diagnostics }: GatewayError): ErrorBody => ({
  code,
  message,
  ...(diagnostics.length > 0 && { diagnostics: firstDiagnostics(diagnostics, maxDiagnostics) }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

function httpBody({ code, message, headers }: HttpError): ErrorBody {
  const seconds = headers['retry-after'];
  return { code, message, ...(seconds !== undefined && { retryAfterMs: Number(seconds) * 1000 }) };
}

function bodyOf(error: unknown, env: Env): ErrorBody {
  if (error instanceof GatewayError) return refusalBody(error);
  if (error instanceof HttpError) return httpBody(error);
  if (error instanceof GeminiError) return geminiBody(error, env);
  if (error instanceof StrataError) return strataBody(error, env);
  console.error(error);
  return { code: 'internal', message: 'Something failed in the Worker' };
}

function withoutKeys(text: string, env: Env): string {
  const keys = [geminiKeyOf(env), callerKeyOf(env)].filter(isSecret);
  return keys.reduce((redacted, key) => redacted.replaceAll(key, '[key]'), text);
}

/** Returns the response for a request that was rejected, or that failed before its first event. */
export function errorResponse(error: unknown, env: Env): Response {
  const defaultStatus = error instanceof HistoryError ? 422 : 500;
  const { status, headers } =
    error instanceof HttpError ? error : { status: defaultStatus, headers: {} };
  return Response.json({ error: errorBody(error, env) }, { status, headers });
}
