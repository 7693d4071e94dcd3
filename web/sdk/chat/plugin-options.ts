// Defines and checks the options of the built-in plugins, so that a conversation refuses invalid ones when it is made.
import * as must from '../internal/options.js';
import type { MaskOptions } from '../types/compaction.js';

/** What is recorded about a CachedContent. */
export interface CacheEntry {
  /** `cachedContents/…` */
  name: string;
  model: string;
  /** Number of the thread's turns that it holds. */
  turns: number;
  /** Fingerprint of everything that it holds. */
  key: string;
  /** Tokens, as counted by the API. */
  tokens: number;
  /** When it may end, in milliseconds since 1970 by the conversation's clock. */
  expires: number;
}

/**
 * Stores small JSON texts about caches. A lost text only means that a cache is created again, so every
 * failure of a registry is treated as "not found".
 */
export interface CacheRegistry {
  /** @throws any error of the storage; it counts as "not found" */
  get(key: string): Promise<string | undefined> | string | undefined;
  /**
   * The value may be dropped after `ttlSeconds`.
   *
   * @throws any error of the storage; it counts as "not found"
   */
  put(key: string, value: string, ttlSeconds: number): Promise<void> | void;
  /** @throws any error of the storage; it counts as "not found" */
  delete(key: string): Promise<void> | void;
}

/** @internal */
export const maskOptions = must.shape<MaskOptions>({
  protect: must.optional(must.nonNegative),
  least: must.optional(must.nonNegative),
  exempt: must.optional(must.arrayOf(must.string)),
});

/** Options of `compression`. */
export interface CompressionOptions {
  /**
   * `snapshot` (default): compresses above `threshold` of the model's context. If no summary can be made, the
   * thread stays unchanged. `budget`: compresses above 80% of the context minus `reserve`, to a summary of
   * about 10% of that. If no summary can be made, the oldest turns are removed.
   */
  form?: 'snapshot' | 'budget';
  /** Share of the context above which a history is summarized. Default: 0.5. */
  threshold?: number;
  /** Share of the history, by length, that stays unchanged, less than 1. With 0, only the current turn, or its newest step, stays. Default: 0.3. */
  keep?: number;
  /** Size of the model's context in tokens. Default: the model's row in the catalogue. */
  contextTokens?: number;
  /** Tokens reserved for the answer (`budget`). Default: 16,000, but at most a quarter of `contextTokens`. */
  reserve?: number;
  /** The model that writes the summary. Default: the conversation's model. */
  model?: string;
  /** Sends a second request that checks whether the summary is complete. Default: true for `snapshot`. */
  check?: boolean;
}

const eachOption = must.shape<CompressionOptions>({
  form: must.optional(must.oneOf('snapshot', 'budget')),
  threshold: must.optional(must.share),
  keep: must.optional(must.share),
  contextTokens: must.optional(must.nonNegative),
  reserve: must.optional(must.nonNegative),
  model: must.optional(must.string),
  check: must.optional(must.boolean),
});

/** @internal */
export const compressionOptions: must.Check = (value, path) => {
  eachOption(value, path);
  const { keep, contextTokens = Infinity, reserve = 0 } = Object(value) as CompressionOptions;
  if (keep === 1) throw must.invalidOption(`${path}/keep`, 'less than 1');
  if (reserve > 0 && reserve >= contextTokens) {
    throw must.invalidOption(`${path}/reserve`, 'less than contextTokens');
  }
};

/** Options of `contextGuard`. */
export interface GuardOptions {
  /** Maximum number of tokens in a request. Default: the model's row in the catalogue. */
  contextTokens?: number;
  /** Lets the API count (`countTokens`) when the estimate reaches 80% of `contextTokens`. Default: true. */
  exact?: boolean;
}

/** @internal */
export const guardOptions = must.shape<GuardOptions>({
  contextTokens: must.optional(must.nonNegative),
  exact: must.optional(must.boolean),
});

/** Options of `caching`. */
export interface CachingOptions {
  /** Where live caches are recorded, for all conversations that share it. Default: the conversation's store. */
  registry?: CacheRegistry;
  /**
   * Names this conversation in the registry, so that its cache and the planner's state are found after a
   * restart. Default: the conversation's store has them; without a store, only caches with the same fingerprint are
   * found.
   */
  session?: string;
  /**
   * Milliseconds that a send waits for a cache to be created before the request is sent without it, and for one to be
   * extended or deleted. Default: 30,000.
   */
  createTimeoutMs?: number;
}

/** @internal */
export const cachingOptions = must.shape<CachingOptions>({
  registry: must.optional(must.objectWith('get', 'put', 'delete')),
  session: must.optional(must.string),
  createTimeoutMs: must.optional(must.nonNegative),
});

/** What counts as a loop, and what happens then. */
export interface LoopDetectionOptions {
  /** Repetitions of one call, or of one cycle of calls, that count as a loop. Default: 5. */
  calls?: number;
  /** Length of the longest cycle of calls that is detected. Default: 5. */
  cycle?: number;
  /** Repetitions of the same 50 characters, close together, that count as a loop. Default: 10. */
  texts?: number;
  /**
   * What happens when an answer repeats text. `event` (default): emits a `loop` event of kind `text` and
   * keeps the whole answer. `end`: cancels the stream, discards the answer, and ends the send with
   * `answer.loop` if another attempt (`answerRetry`) repeats text as well. Repeated calls always end the
   * send.
   */
  onText?: 'event' | 'end';
}

/** @internal */
export const loopOptions = must.shape<LoopDetectionOptions>({
  calls: must.optional(must.nonNegative),
  cycle: must.optional(must.nonNegative),
  texts: must.optional(must.nonNegative),
  onText: must.optional(must.oneOf('event', 'end')),
});

/** How the conversation continues without a new user message. */
export interface ContinueOptions {
  /** The text that is sent in the user's place. Default: `Please continue.` */
  text?: string;
  /** Maximum number of answers in one send. Default: 100. */
  maxTurns?: number;
  /** The model that decides who speaks next. Default: the conversation's model. */
  model?: string;
}

/** @internal */
export const continueOptions = must.shape<ContinueOptions>({
  text: must.optional(must.string),
  maxTurns: must.optional(must.nonNegative),
  model: must.optional(must.string),
});
