// Reads the Worker's variables and secrets, and creates the client that they select.
import { longestDelay } from '../sdk/internal/lifetime.js';
import type { MemoryNamespace } from '../gateway/index.js';
import { GeminiClient } from '../index.js';
import { createEmulator } from '../emulator/index.js';
import { HttpError } from '../server/body.js';

/** Answers requests: a Durable Object, or static files. */
export interface Fetcher {
  fetch(request: Request): Promise<Response>;
}

/** The subset of a Durable Object namespace that the Worker uses. */
export interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): Fetcher;
}

/** A rate limiting binding. */
interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The Worker's bindings. All are optional. `wrangler.jsonc` allows variables that are booleans or numbers. */
export interface Env {
  /** A secret. If it is set, the Gemini API answers. */
  GEMINI_API_KEY?: string;
  /** A secret: the key of the only caller. Callers send it as `authorization: Bearer <key>`. */
  CALLER_KEY?: string;
  /** If `true`, the emulator answers when GEMINI_API_KEY is not set. Default: `false`. */
  EMULATOR?: string | boolean;
  /** The model. Default: gemini-3.8-flash. */
  MODEL?: string;
  /** Other origins whose pages may call the Worker, separated by commas. Default: none. */
  ALLOWED_ORIGINS?: string;
  /** If `true`, callers see whole requests, with the instruction and the tools. Default: only their sizes. */
  SHOW_REQUESTS?: string | boolean;
  /** Milliseconds that one send may take. Default: 300000. */
  SEND_DEADLINE_MS?: string | number;
  /** New threads of one caller a day. Default: 1000. */
  MAX_THREADS?: string | number;
  /** Threads of one caller in which a send runs at once. Default: 64. */
  MAX_RUNNING_SENDS?: string | number;
  /** The class ThreadObject, which runs and stores threads. Without it there are none. */
  THREADS?: ObjectNamespace;
  /** The class CallerObject, which counts what each caller uses. Without it there are no threads. */
  CALLERS?: ObjectNamespace;
  /** The class MetricsObject, which sums the counts of all isolates. Without it, `/metrics` is that of one isolate. */
  METRICS?: ObjectNamespace;
  /** The static files of the page at `/`. Default: `/` is a text. */
  ASSETS?: Fetcher;
  /** A secret: who may call, as JSON. Default: whoever has CALLER_KEY. */
  GATEWAY_CALLERS?: string;
  /** A secret: encrypts the signature memory and derives its keys. */
  GATEWAY_SECRET?: string;
  /** A secret: opens /metrics and /dashboard. Default: no such routes. */
  GATEWAY_ADMIN_KEY?: string;
  /** `repair` (default), `reject` or `observe`. */
  GATEWAY_POLICY?: string;
  /** The API that answers all clients of the gateway: `generateContent` or `interactions`. */
  GATEWAY_UPSTREAM_WIRE?: string;
  /** If `true`, the gateway sends the placeholder where a required signature is not known. Default: `false`. */
  GATEWAY_PLACEHOLDER?: string | boolean;
  /** The class SignatureMemoryObject, which stores signatures. Default: in the isolate. */
  SIGNATURES?: MemoryNamespace;
  /** Limits the requests of each caller. Default: no limit. */
  RATE_LIMITER?: RateLimitBinding;
}

/** Returns the words of a variable that commas separate. */
export const listOf = (value = ''): string[] =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const isOn = (value: string | boolean | undefined): boolean => String(value) === 'true';

export const modelOf = (env: Env): string => env.MODEL || 'gemini-3.8-flash';

export const showsRequests = (env: Env): boolean => isOn(env.SHOW_REQUESTS);

/** Returns the key that callers must send, trimmed, because a stored secret may end with a line feed. */
export const callerKeyOf = (env: Env): string => env.CALLER_KEY?.trim() ?? '';

/** Returns the key of the Gemini API, trimmed like that of callers; '' without one. */
export const geminiKeyOf = (env: Env): string => env.GEMINI_API_KEY?.trim() ?? '';

/** Returns the configured upstream: the Gemini API, the emulator, or `undefined`. */
export function upstreamOf(env: Env): 'gemini' | 'emulator' | undefined {
  if (geminiKeyOf(env)) return 'gemini';
  return isOn(env.EMULATOR) ? 'emulator' : undefined;
}

/** Returns a variable that is a whole number from 1 on, or its default. */
function numberOf(env: Env, name: NumberName, standard: number, most: number): number {
  const value = env[name];
  if (value === undefined || value === '') return standard;
  const number = Number(value);
  if (Number.isInteger(number) && number > 0 && number <= most) return number;
  throw new HttpError(500, 'setting.invalid', `${name} must be a whole number from 1 to ${most}.`);
}

type NumberName = 'SEND_DEADLINE_MS' | 'MAX_THREADS' | 'MAX_RUNNING_SENDS';

const defaultDeadlineMs = 300_000;
const maxLimit = 1_000_000;

/**
 * Returns the milliseconds that one send may run.
 *
 * @throws HttpError with the status 500 if SEND_DEADLINE_MS is invalid
 */
export const deadlineOf = (env: Env): number =>
  numberOf(env, 'SEND_DEADLINE_MS', defaultDeadlineMs, longestDelay);

/**
 * Returns how many threads one caller may create a day.
 *
 * @throws HttpError with the status 500 if MAX_THREADS is invalid
 */
export const maxThreadsOf = (env: Env): number => numberOf(env, 'MAX_THREADS', 1000, maxLimit);

/**
 * Returns in how many threads of one caller a send may run at once.
 *
 * @throws HttpError with the status 500 if MAX_RUNNING_SENDS is invalid
 */
export const maxRunningSendsOf = (env: Env): number =>
  numberOf(env, 'MAX_RUNNING_SENDS', 64, maxLimit);

/**
 * Creates the client for one request. Each request has its own emulator, because a Worker cannot await I/O that
 * another request started.
 */
export function clientOf(env: Env): GeminiClient {
  const apiKey = geminiKeyOf(env);
  if (apiKey) return new GeminiClient({ apiKey });
  const now = () => new Date().toISOString();
  return new GeminiClient({ fetch: createEmulator({ now, delayMs: 15 }) });
}
