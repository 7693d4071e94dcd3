// Defines the options of the emulator.
import type { Backend } from '../sdk/types/model.js';
import type { FinishReason, GenerateContentResponse } from '../sdk/types/gemini/response.js';
import type { GenerateContentRequest } from '../sdk/types/gemini/request.js';
import type { Part } from '../sdk/types/gemini/contents.js';
import type { Json } from '../sdk/types/json.js';
import type { Fetch, FetchHandler } from '../sdk/types/platform.js';
import type { Checker } from '../check/checker.js';

/** A parsed JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/**
 * Options of `createEmulator`. With the defaults, the same requests in the same order get the same bytes.
 *
 * @example
 * const fetch = createEmulator({ delayMs: 20, now: () => new Date().toISOString() });
 * const client = new GeminiClient({ fetch });
 */
export interface EmulatorOptions {
  /** The core whose rules decide which requests are rejected. Default: `loadChecker()` on the first request. */
  checker?: Checker | PromiseLike<Checker>;
  /** The service whose rules and error texts apply. Default: the one that the path of a request belongs to. */
  backend?: Backend;
  /**
   * Returns the time in RFC 3339 format. It dates and expires caches, decides which models and rules hold, and
   * is the default for date arguments. Default: always 2026-01-01T00:00:00Z, so that answers are reproducible
   * and no cache expires, with the models and rules of the package's release date. Return the real time if a
   * client compares `expireTime` with its own clock.
   */
  now?: () => string;
  /** Selects texts, IDs and signatures. Default: 0. */
  seed?: number | string;
  /**
   * The API key that is required, in `x-goog-api-key` or `?key=`. `false` (default): none is required,
   * any is accepted. `true`: any well-formed key (20 or more of `A-Z a-z 0-9 _ . -`). A string: this key. On paths
   * of Vertex AI, an access token in `authorization` as well.
   */
  apiKey?: boolean | string;
  /**
   * Rejects signatures that are neither unchanged emulated ones nor documented placeholders, as the API
   * rejects foreign ones. Default: false, so that recorded conversations can be continued.
   */
  checkSignatures?: boolean;
  /**
   * What happens to fields of a request that the package does not know. `reject` (default): an error with the API's
   * message. `accept`: they are ignored, for fields of the API that are newer than the package.
   */
  unknownFields?: 'reject' | 'accept';
  /** Whether the key belongs to the free tier, which cannot create caches. Default: false. */
  freeTier?: boolean;
  /** The bytes per network read of a stream. Default: split where decoders fail, always at the same positions. */
  chunkBytes?: number;
  /** The delay before each network read, in milliseconds. Default: 0; about 20 makes streaming visible. */
  delayMs?: number;
  /** The faults to inject. */
  faults?: Fault[];
  /**
   * `true`: all requests are listed in `requests` of the emulator, in the order in which they were answered. A
   * function is called with each instead. Keys, tokens and cookies are replaced by `[secret]`. Default: false.
   */
  record?: boolean | ((request: RecordedRequest) => void);
  /**
   * Returns the answer to a valid request. If it returns undefined, the emulator composes the answer.
   */
  respond?: (
    request: EmulatedRequest,
  ) => ScriptedAnswer | undefined | PromiseLike<ScriptedAnswer | undefined>;
}

/**
 * A `fetch` that answers like the Gemini API, and a handler for servers.
 *
 * @example
 * const emulator = createEmulator({ record: true });
 * await new GeminiClient({ fetch: emulator }).models.list();
 * console.log(emulator.requests[0].path); // /v1beta/models?pageSize=1000
 */
export type Emulator = Fetch &
  FetchHandler & {
    /** What the emulator was asked, with the option `record: true`. Empty the array as you like. */
    readonly requests: RecordedRequest[];
  };

/** One request that the emulator answered. */
export interface RecordedRequest {
  method: string;
  /** The path with the query. */
  path: string;
  /** The names are in lower case. */
  headers: Record<string, string>;
  /** The parsed JSON, or the text of another body; missing if it is empty. */
  body?: Json;
  /** The status of the answer; 0 if the request failed without one. */
  status: number;
}

/** Requests that are counted together: generation on either API, token counts, all cachedContents methods, and all of files. */
export type FaultGroup = 'generate' | 'countTokens' | 'caches' | 'files';

/** A fault that is injected once. */
export interface Fault {
  kind: FaultKind;
  /** The number of the request in its group, from 1. Default: the one after the previous fault of the group. */
  at?: number;
  /**
   * The group of requests. Default: `generate`. Other groups support only the `http…` and `network` kinds, and `files`
   * its own.
   */
  on?: FaultGroup;
  /** `http429`: the delay in RetryInfo. Default: `1s`; `''` omits RetryInfo. */
  retryDelay?: string;
  /** `http429`: the violated quota. One with `PerDay` is not retried. Default: a quota per minute. */
  quotaId?: string;
  /** `blocked`: `promptFeedback.blockReason`. Default: `PROHIBITED_CONTENT`. */
  blockReason?: string;
  /** `finish`: the finishReason after half of the answer. Default: `SAFETY`. */
  finishReason?: string;
  /** `mid-stream-error`: bare JSON (default), a `data:` event, or an `error:` line. All three occur in practice. The Interactions API has an event of its own. */
  form?: 'bare' | 'data' | 'line';
}

/**
 * The kinds of faults:
 * - `http429`, `http500`, `http503`: an error response. `network`: `fetch` rejects.
 * - `cut-stream`: the body ends inside the last chunk. `mid-stream-error`: a 503 error after the first chunk.
 * - `empty`: a candidate without Parts. `blocked`: no candidate. `malformed-call`: the finishReason
 *   `MALFORMED_FUNCTION_CALL`. `max-tokens`, `finish`: half of the answer. `unsigned`: no signatures.
 * - In the group `files`: `cut-upload`: half of the chunk arrives, then `fetch` rejects. `processing-failed`: the file
 *   of the upload that this request completes ends as `FAILED`.
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
  | 'unsigned'
  | 'cut-upload'
  | 'processing-failed';

/** The argument of `respond`. */
export interface EmulatedRequest {
  /** The model without `models/`. */
  model: string;
  stream: boolean;
  /** The number of this generation request, from 1. In a batch: its position there. */
  index: number;
  /** A request of the Interactions API is converted, with its whole history. */
  body: GenerateContentRequest;
}

/**
 * A complete answer: Parts, recorded responses (strings are sent unchanged), or an error. The Interactions API answers
 * with what they are converted to.
 *
 * @example
 * createEmulator({ respond: ({ index }) => (index === 1 ? { chunks: recordedLines } : undefined) });
 */
export type ScriptedAnswer =
  | { parts: readonly Part[]; finishReason?: FinishReason; finishMessage?: string }
  | { chunks: readonly (string | GenerateContentResponse)[] }
  | { error: { code: number; status: string; message: string; details?: JsonObject[] } };
