// Reads what wrangler.jsonc and its secrets say to the Worker.
import { createEmulator, GeminiClient } from '../index.js';
import { HttpError } from './http-error.js';

/** The subset of a Durable Object binding that the Worker uses. */
interface Objects {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

/** Bindings of the Worker. Each may be missing; `wrangler.jsonc` also allows booleans and numbers. */
export interface Env {
  /** A secret. With it the Gemini API answers. */
  GEMINI_API_KEY?: string;
  /** A secret. Callers send it as `authorization: Bearer <key>`. */
  CALLER_KEY?: string;
  /** `true`: without GEMINI_API_KEY the emulator answers. Default: nobody does. */
  EMULATOR?: string | boolean;
  /** Default: gemini-3.8-flash. */
  MODEL?: string;
  /** Origins of other sites whose pages may call, separated by commas. Default: none. */
  ALLOWED_ORIGINS?: string;
  /** `true`: callers see whole requests, with the instruction and the tools. Default: only their sizes. */
  SHOW_REQUESTS?: string | boolean;
  /** Milliseconds that one send may take. Default: 300000. */
  SEND_DEADLINE_MS?: string | number;
  /** The class KeptChat, which stores threads. Without it /chat/<name> is unavailable. */
  CHATS?: Objects;
}

const isOn = (value: string | boolean | undefined): boolean => String(value) === 'true';

export const modelOf = (env: Env): string => env.MODEL || 'gemini-3.8-flash';

export const showsRequests = (env: Env): boolean => isOn(env.SHOW_REQUESTS);

/** The key that callers must send. A line feed at the end of a secret is not part of it. */
export const callerKeyOf = (env: Env): string => env.CALLER_KEY?.trim() ?? '';

/** Who answers: the Gemini API, the emulator, or nobody. */
export function upstreamOf(env: Env): 'gemini' | 'emulator' | undefined {
  if (env.GEMINI_API_KEY) return 'gemini';
  return isOn(env.EMULATOR) ? 'emulator' : undefined;
}

const fiveMinutes = 300_000;
// setTimeout fires at once for more.
const longestDelay = 2 ** 31 - 1;

/** Milliseconds that one send may take. */
export function deadlineOf({ SEND_DEADLINE_MS: value }: Env): number {
  if (value === undefined || value === '') return fiveMinutes;
  const ms = Number(value);
  if (Number.isInteger(ms) && ms > 0 && ms <= longestDelay) return ms;
  const message = `SEND_DEADLINE_MS must be a whole number from 1 to ${longestDelay}`;
  throw new HttpError(500, 'setting.invalid', message);
}

/**
 * Creates the client for one request. Each request gets its own emulator, because a Worker must not wait
 * for I/O that another request started.
 */
export function clientOf(env: Env): GeminiClient {
  if (env.GEMINI_API_KEY) return new GeminiClient({ apiKey: env.GEMINI_API_KEY });
  const now = () => new Date().toISOString();
  return new GeminiClient({ fetch: createEmulator({ now, delayMs: 15 }) });
}
