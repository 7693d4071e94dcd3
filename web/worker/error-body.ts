// Writes errors as JSON that a program can tell apart, without secrets or the deployment's own texts.
import { GeminiError, HistoryError, StrataError, type Diagnostic } from '../index.js';
import { callerKeyOf, showsRequests, type Env } from './env.js';
import { HttpError } from './http-error.js';

/** An error in a response or a `failed` event. */
export interface ErrorBody {
  code: string;
  message: string;
  diagnostics?: Diagnostic[];
  /** The HTTP status of the Gemini API, if it answered. */
  status?: number;
  retryAfterMs?: number;
}

/** Stands in place of what SHOW_REQUESTS would show. */
export const hidden = 'Hidden: SHOW_REQUESTS is off';

/** What the Gemini API says of a request may quote it: its instruction, a tool, the project. */
export function upstreamMessage(code: string, message: string, env: Env): string {
  if (showsRequests(env) || !code.startsWith('api.')) return message;
  return 'The Gemini API refused the request or failed. The log of the Worker has its message';
}

/** A diagnostic of the caller's own turns as it is; of anything else only what it is. */
export function visibleDiagnostic(diagnostic: Diagnostic, env: Env): Diagnostic {
  if (showsRequests(env) || isAboutTurns(diagnostic)) return diagnostic;
  const { code, severity } = diagnostic;
  return { code, severity, path: '', message: hidden };
}

// Templates are the deployment's own, and an error in one quotes it.
const isAboutTemplate = (code: string): boolean => code.startsWith('template.');

const isAboutTurns = ({ code, path }: Diagnostic): boolean =>
  !isAboutTemplate(code) && (path === '' || /^\/(contents|\d+)(\/|$)/.test(path));

// What callers may not see, the deployment must.
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
  const diagnostics = error.diagnostics.map((diagnostic) => visibleDiagnostic(diagnostic, env));
  const isHidden = isAboutTemplate(code) || diagnostics.some(({ message }) => message === hidden);
  const message = isHidden && !showsRequests(env) ? hidden : error.message;
  logHidden(error, message, env);
  return { code, message, ...(diagnostics.length > 0 ? { diagnostics } : {}) };
}

/** The error as its receiver may see it; an unexpected one goes to the log only. */
export function errorBody(error: unknown, env: Env): ErrorBody {
  const body = bodyOf(error, env);
  const redacted: ErrorBody = JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'string' ? withoutKeys(value, env) : value,
  );
  return redacted;
}

function bodyOf(error: unknown, env: Env): ErrorBody {
  if (error instanceof HttpError) return { code: error.code, message: error.message };
  if (error instanceof GeminiError) return geminiBody(error, env);
  if (error instanceof StrataError) return strataBody(error, env);
  console.error(error);
  return { code: 'internal', message: 'Something failed in the Worker' };
}

function withoutKeys(text: string, env: Env): string {
  const keys = [env.GEMINI_API_KEY, callerKeyOf(env)].filter((key) => key);
  return keys.reduce<string>((rest, key) => rest.replaceAll(key ?? '', '[key]'), text);
}

/** The response for a request that was refused or that failed before its first event. */
export function errorResponse(error: unknown, env: Env): Response {
  const refused = error instanceof HistoryError ? 422 : 500;
  const known = error instanceof HttpError ? error : { status: refused, headers: {} };
  const { status, headers } = known;
  return Response.json({ error: errorBody(error, env) }, { status, headers });
}
