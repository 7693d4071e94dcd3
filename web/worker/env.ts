// Why this file exists: what wrangler.jsonc and its secrets can say to the Worker.
import { createEmulator, GeminiClient } from '../index.js';

/** What is used of a binding of Durable Objects. */
interface Objects {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

/** Bindings of the Worker; it works without any of them. */
export interface Env {
  /** A secret. With it the real API answers; without it the emulator does. */
  GEMINI_API_KEY?: string;
  /** Default: gemini-3.8-flash. */
  MODEL?: string;
  /** The page that may call from a browser. Default: any. */
  ALLOWED_ORIGIN?: string;
  /** Where threads are kept: class KeptChat. Without it there is no /chat/<name>. */
  CHATS?: Objects;
}

export const modelOf = (env: Env): string => env.MODEL || 'gemini-3.8-flash';

/**
 * A client for one request. The emulator is made anew each time: work that one request began may not be
 * waited for by another in a Worker.
 */
export function clientOf(env: Env): GeminiClient {
  if (env.GEMINI_API_KEY) return new GeminiClient({ apiKey: env.GEMINI_API_KEY });
  const now = () => new Date().toISOString();
  return new GeminiClient({ fetch: createEmulator({ now, delayMs: 15 }) });
}
