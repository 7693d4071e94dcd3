// Why this file exists: what a user of the emulator can set, in one place with its meaning.
import type { Backend } from '../sdk/types/backend.js';
import type { Json } from '../sdk/types/json.js';
import type { Strata } from '../sdk/types/strata.js';

/** A JSON object as parsed. */
export interface JsonObject {
  [key: string]: Json;
}

/**
 * Options of `createEmulator`. Without any, the same requests in the same order give the same bytes.
 *
 * @example
 * const fetch = createEmulator({ delayMs: 20, now: () => new Date().toISOString() });
 * const client = new GeminiClient({ fetch });
 */
export interface EmulatorOptions {
  /** The core whose rules decide what is refused. Default: loaded with `load()` on the first request. */
  strata?: Strata | PromiseLike<Strata>;
  /** Whose rules and texts of refusal hold. Default: `gemini`. */
  backend?: Backend;
  /**
   * The time, RFC 3339: what caches are dated and expire by, and the date where an argument needs one.
   * Default: always 2026-01-01T00:00:00Z, so that answers are the same every day and no cache expires.
   * Give the real time where a client compares `expireTime` with its own clock.
   */
  now?: () => string;
  /** Another seed gives other choices of words, ids and signatures. Default: 0. */
  seed?: number | string;
  /**
   * Which API key is asked for, in `x-goog-api-key` or `?key=`. `false` (default): none, and any is
   * taken. `true`: any that could be one (20 or more of `A-Z a-z 0-9 _ . -`). A string: this one.
   */
  apiKey?: boolean | string;
  /**
   * Refuses signatures that are neither the emulator's own, undamaged, nor a documented dummy, as
   * the API refuses foreign ones. Default: false, so that recorded conversations can be continued.
   */
  checkSignatures?: boolean;
  /** The key is one of the free tier: no cache can be made. Default: false. */
  freeTier?: boolean;
  /** Bytes in each network read of a stream. Default: cut at awkward places, the same ones each time. */
  chunkBytes?: number;
  /** Milliseconds before each network read. Default: 0; about 20 lets a reader see it stream. */
  delayMs?: number;
  /** What goes wrong, and when. */
  faults?: Fault[];
  /**
   * Writes an answer in place of the emulator's own, for requests that were not refused. Nothing
   * returned: the emulator answers itself.
   */
  respond?: (
    request: EmulatedRequest,
  ) => ScriptedAnswer | undefined | PromiseLike<ScriptedAnswer | undefined>;
}

/** Calls counted together: answers of a model, token counts, everything about cachedContents. */
export type FaultGroup = 'generate' | 'countTokens' | 'caches';

/** Something that goes wrong once. */
export interface Fault {
  kind: FaultKind;
  /** Which request of its group, from 1. Default: the one after the fault before it in the list. */
  at?: number;
  /** Default: `generate`; only `http…` and `network` kinds fit the other groups. */
  on?: FaultGroup;
  /** `http429`: what RetryInfo says, e.g. `1s`. Default: `1s`; `''` leaves RetryInfo out. */
  retryDelay?: string;
  /** `http429`: the violated quota; one with `PerDay` is final. Default: a quota per minute. */
  quotaId?: string;
  /** `blocked`: `promptFeedback.blockReason`. Default: `PROHIBITED_CONTENT`. */
  blockReason?: string;
  /** `finish`: the reason after half of the answer. Default: `SAFETY`. */
  finishReason?: string;
  /** `mid-stream-error`: bare JSON (default), a `data:` event, or an `error:` line. All were seen. */
  form?: 'bare' | 'data' | 'line';
}

/**
 * - `http429`, `http500`, `http503`: an error in place of an answer; `network`: `fetch` rejects.
 * - `cut-stream`: the bytes end inside the answer. `mid-stream-error`: a 503 after its first chunk.
 * - `empty`: a candidate without parts. `blocked`: no candidate. `malformed-call`: a call that
 *   could not be read. `max-tokens`, `finish`: half of the answer. `unsigned`: no signatures.
 */
export type FaultKind =
  | 'http429'
  | 'http500'
  | 'http503'
  | 'network'
  | 'cut-stream'
  | 'mid-stream-error'
  | 'empty'
  | 'blocked'
  | 'malformed-call'
  | 'max-tokens'
  | 'finish'
  | 'unsigned';

/** What `respond` is asked about. */
export interface EmulatedRequest {
  /** Without `models/`. */
  model: string;
  stream: boolean;
  /** How many answers were asked for so far, this one included. */
  index: number;
  body: JsonObject;
}

/**
 * A whole answer: parts, or responses as they were recorded (text is sent to the byte), or an error.
 *
 * @example
 * createEmulator({ respond: ({ index }) => (index === 1 ? { chunks: recordedLines } : undefined) });
 */
export type ScriptedAnswer =
  | { parts: JsonObject[]; finishReason?: string; finishMessage?: string }
  | { chunks: (string | JsonObject)[] }
  | { error: { code: number; status: string; message: string; details?: JsonObject[] } };
