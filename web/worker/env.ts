// Reads the Worker's variables and secrets, and creates the client that they select.
import { longestDelay } from '../sdk/base/abort.js';
import type { MemoryNamespace } from '../gateway.js';
import { createEmulator, GeminiClient } from '../index.js';
import { HttpError } from '../sdk/server/http-error.js';

/** The subset of a Durable Object namespace that the Worker uses. */
interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

/** A rate limiting binding. */
interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The Worker's bindings. All are optional. `wrangler.jsonc` allows variables that are booleans or numbers. */
export interface Env {
  /** A secret. If it is set, the Gemini API answers. */
  GEMINI_API_KEY?: string;
  /** A secret. Callers send it as `authorization: Bearer <key>`. */
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
  /** The class KeptChat, which stores threads. Without it /chat/<name> is unavailable. */
  CHATS?: ObjectNamespace;
  /** A secret: who may call the gateway, as JSON. Default: whoever has CALLER_KEY. */
  GATEWAY_CALLERS?: string;
  /** A secret: encrypts the signature memory and derives its keys. */
  GATEWAY_SECRET?: string;
  /** A secret: opens /metrics. Default: no such route. */
  GATEWAY_ADMIN_KEY?: string;
  /** `repair` (default), `reject` or `observe`. */
  GATEWAY_POLICY?: string;
  /** If `true`, the gateway sends the placeholder where a required signature is not known. Default: `false`. */
  GATEWAY_PLACEHOLDER?: string | boolean;
  /** The class SignatureMemoryObject, which stores signatures. Default: in the isolate. */
  SIGNATURES?: MemoryNamespace;
  /** Limits the gateway's requests of each caller. Default: no limit. */
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

/** Returns the configured upstream: the Gemini API, the emulator, or `undefined`. */
export function upstreamOf(env: Env): 'gemini' | 'emulator' | undefined {
  if (env.GEMINI_API_KEY) return 'gemini';
  return isOn(env.EMULATOR) ? 'emulator' : undefined;
}

const defaultDeadlineMs = 300_000;

/**
 * Returns the milliseconds that one send may take.
 *
 * @throws HttpError with the status 500 if SEND_DEADLINE_MS is invalid
 */
export function deadlineOf({ SEND_DEADLINE_MS: value }: Env): number {
  if (value === undefined || value === '') return defaultDeadlineMs;
  const ms = Number(value);
  if (Number.isInteger(ms) && ms > 0 && ms <= longestDelay) return ms;
  const message = `SEND_DEADLINE_MS must be a whole number from 1 to ${longestDelay}`;
  throw new HttpError(500, 'setting.invalid', message);
}

/**
 * Creates the client for one request. Each request has its own emulator, because a Worker cannot await I/O that
 * another request started.
 */
export function clientOf(env: Env): GeminiClient {
  if (env.GEMINI_API_KEY) return new GeminiClient({ apiKey: env.GEMINI_API_KEY });
  const now = () => new Date().toISOString();
  return new GeminiClient({ fetch: createEmulator({ now, delayMs: 15 }) });
}
