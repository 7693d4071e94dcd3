// Threads: append-only logs of Contents.
import type { AssembleInput, Assembled } from './assemble.js';
import type { Backend } from './backend.js';
import type { CachePreview } from './cache-plan.js';
import type {
  BudgetOptions,
  HistoryBudget,
  HistoryCut,
  MaskOptions,
  OutputEdit,
  ShortenOptions,
} from './compaction.js';
import type { Diagnostic, Report } from './diagnostic.js';
import type { JsonInput } from './json.js';
import type { Manifest } from './manifest.js';

/** How a thread is opened. */
export interface ThreadOptions {
  model: string;
  /** Default: `gemini`. */
  backend?: Backend;
  /**
   * `reject` (default): `append` throws `HistoryError` and the thread stays as it was. `repair`: mends the open
   * step first, and throws for what can't be mended. `warn`: findings are only reported.
   */
  policy?: 'reject' | 'repair' | 'warn';
  /** `strict` (default): a tool result is followed by the model's answer. `api`: what the API itself tolerates. Judged by `assemble`, with `policy: 'repair'` by `append` too. */
  sequencing?: 'strict' | 'api';
  /** A saved thread, or a history that another client kept; docs/import.md says what becomes of it. */
  from?: JsonInput;
  /** Default: told by looking at `from`. */
  format?: 'strata' | 'gemini' | 'raw_response' | 'openai' | 'ai-sdk';
  /** Which model and service made the signatures of `from`, where it does not say so itself. Default: those of the thread. */
  signaturesFrom?: { model?: string; backend?: string };
  /**
   * What becomes of signatures that come from elsewhere. `keep` (default): they stay, and are findings.
   * `strip`: they are removed. `dummy`: they are removed, and unsigned calls of the current turn get the
   * placeholder that Google documents, at a cost in quality.
   */
  signatures?: 'keep' | 'strip' | 'dummy';
}

/** What is known about a turn besides its bytes. Saved with it, never sent. */
export interface TurnMeta {
  /** RFC 3339. */
  at?: string;
  /** The model that wrote it, and the service it ran on, a Backend: a signature is only good there. */
  model?: string;
  backend?: string;
  /** What the API counted, in place of the estimate. */
  tokens?: number;
  /** Of the request that produced it. */
  manifest?: Manifest;
}

/** What came of a history besides the turns. */
export interface Imported {
  /** The system messages in front of it. A thread holds turns: give this to `assemble` as `static.text`. */
  readonly systemText: string;
  /** What was changed or left out; the paths point into what was given. `report()` tells it too. */
  readonly diagnostics: Diagnostic[];
}

/** One conversation: an append-only log of Contents, each checked as it comes. */
export interface Thread extends Disposable {
  /** Turns. */
  readonly length: number;
  /** Estimated tokens of all turns, or what the API counted where `TurnMeta.tokens` told it. */
  readonly tokens: number;
  /** What was found in `ThreadOptions.from`. */
  readonly imported: Imported;
  /** Adds one Content. Throws `HistoryError` under the policies `reject` and `repair`. Mends are diagnostics. */
  append(content: JsonInput, meta?: TurnMeta): Report;
  /** The bytes as they came. */
  content(index: number): Uint8Array;
  /** Drops everything behind the first `length` turns. */
  rewind(length: number): void;
  /** A thread that shares the first `length` turns (default: all) and goes its own way. */
  fork(length?: number): Thread;
  /** A thread with Contents in the place of turns; all others keep their bytes, and this thread all of its own. Judge its `report`. */
  rewrite(replacements: readonly Replacement[]): Thread;
  /** Old results of tools as previews: the edits, for `rewrite`, and what to keep. None where it is not worth it. */
  maskOutputs(options?: MaskOptions): OutputEdit[];
  /** The same for results over a budget, each with its middle left out. */
  shortenOutputs(options: ShortenOptions): OutputEdit[];
  /** How many of the oldest turns a summary may replace, of which `fraction` is to be summed up. */
  compressionCut(fraction: number): HistoryCut;
  /** What this history may have, and how many turns would be left out of it. */
  historyBudget(options: BudgetOptions): HistoryBudget;
  /** What its import told, and what stands against it as it is, request rules (a trigger, an open call) aside. */
  report(): Report;
  /** The request. The thread is not changed. Not ok: the diagnostics say why, and `body` is empty. */
  assemble(input: AssembleInput): Assembled;
  /** The body of `cachedContents.create` for what `assemble` would promote. */
  cacheBody(input: AssembleInput): { body: Uint8Array; turns: number; key: string };
  /** What a cache would hold if it were made now, and whether the given one fits. */
  cachePreview(input: AssembleInput): CachePreview;
  /** NDJSON, one turn a line, from turn `from` on (default: all); `thread({ from })` reads it back exactly. */
  save(from?: number): Uint8Array;
}

/** Turns `from` to `to` (not included), and what comes in their place. */
export interface Replacement {
  from: number;
  to: number;
  contents: JsonInput[];
}
