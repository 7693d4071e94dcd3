// Defines threads: append-only logs of Contents.
import './platform.js'; // Disposable
import type { AssembleInput, Assembled } from './assemble.js';
import type { CachePreview, Manifest } from './manifest.js';
import type {
  BudgetOptions,
  HistoryBudget,
  HistoryCut,
  MaskOptions,
  OutputEdit,
  ShortenOptions,
} from './compaction.js';
import type { Report } from './diagnostic.js';
import type { ContentInput } from './gemini/contents.js';
import type { Step } from './gemini/steps.js';
import type { JsonInput, JsonOf } from './json.js';
import type { ModelTokenLimits, ServiceOptions } from './model.js';
import type { ResponseAssembler } from './response.js';
import type { Timeline, TimelineOptions } from './timeline.js';
import type { ToolCall } from './tool.js';
import type { Spent } from './usage.js';

/** Options of `Strata.thread`. */
export interface ThreadOptions extends ServiceOptions {
  /** The model that receives the requests; rules and token estimates depend on it. */
  model: string;
  /** Token limits that replace those of the model's row, such as `await client.models.get(model)`. */
  limits?: ModelTokenLimits;
  /**
   * What `append` does with an invalid Content. `reject` (default): throws `HistoryError`. `repair`: repairs the
   * open step first, and throws if that fails. `warn`: appends it and reports the findings.
   */
  policy?: 'reject' | 'repair' | 'warn';
  /**
   * `strict`: a tool result must be followed by the model's answer. `api`: also allows what the API tolerates,
   * such as a user's text right after tool results. Checked by `assemble`, and with `policy: 'repair'` also by
   * `append`. Default: `strict` for a new thread, `api` for a list of Contents, and for a saved thread what it
   * was saved with (`strict` if it was saved before this was recorded).
   */
  sequencing?: 'strict' | 'api';
  /** A saved thread, a list of Contents, or a list of steps of the Interactions API. Histories of other clients: `Checker.import`. */
  from?: JsonInput;
  /** The form of `from`. Default: detected. */
  format?: 'strata' | 'gemini';
}

/** Information about a turn that is saved with it but never sent. */
export interface TurnMeta {
  /** When the turn was created, RFC 3339. Appended, it becomes the thread's time. */
  at?: string;
  /** The model that wrote the turn. A signature is only valid for this model's family and `backend`. */
  model?: string;
  /** The service that the model ran on, a `Backend`. */
  backend?: string;
  /** The API's token count, which replaces the estimate. */
  tokens?: number;
  /** The manifest of the request that produced the turn. */
  manifest?: Manifest;
  /** What the conversation had used when the turn was added: `Conversation.usage` and `cost`. */
  spent?: Spent;
}

/** Options of `Thread.append`, `Thread.appendAnswer` and `Thread.check`. */
export interface AppendOptions {
  /**
   * Gives functionCalls that lack their signature the placeholder that Google documents, if the Content would be
   * rejected otherwise. It may reduce the quality of answers. Default: false.
   *
   * @see https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  placeholder?: boolean;
}

/** The end of a thread. */
export interface ThreadTail {
  /** What the last turn is: `tool` if it holds functionResponses only, `empty` if there is no turn. */
  kind: 'empty' | 'user' | 'model' | 'tool';
  /** Whether a user turn or functionResponses wait for the model, or functionCalls for their responses. */
  awaitsAnswer: boolean;
  /** The functionCalls of the last turn, which have no responses yet. */
  openCalls: ToolCall[];
  /** The text of the last turn, without thoughts; absent if there is none. */
  text?: string;
}

/**
 * One conversation: an append-only log of Contents. Each Content is validated when it is appended, and its
 * bytes never change.
 *
 * A thread's time decides which rows of the catalogue hold. It is the last time that it was given: `now` of
 * ThreadOptions, `at` of an appended turn, or `now` of an assembled request; without one, the release date.
 *
 * Every method throws ReferenceError after the thread was disposed, and StrataError `instance.out_of_memory` or
 * `instance.poisoned` after its instance ran out of memory or trapped for another reason. Then `length`,
 * `content`, `save` and `timeline` still work: they are about the turns that the last completed call left.
 *
 * @example
 * using thread = strata.thread({ model: 'gemini-3.8-flash' });
 * thread.append({ role: 'user', parts: [{ text: 'Hello' }] });
 */
export interface Thread extends Disposable {
  /** The number of turns. */
  readonly length: number;
  /** The estimated tokens of all turns. `TurnMeta.tokens` replaces the estimate of a turn. */
  readonly tokens: number;
  /** The end of the thread: what the last turn is and what must follow it. */
  readonly tail: ThreadTail;
  /**
   * Validates and appends one Content, or a list of steps of the Interactions API: a turn for what each side said, all
   * or none. The report holds the repairs and the findings about the new turns. A turn keeps its steps byte for byte
   * until its Content is changed, and `convert.*` findings name what a Content does not have.
   *
   * @throws HistoryError if the Content is not JSON, or invalid under the thread's policy; the thread is
   *   unchanged
   * @throws StrataError `field.unknown` or `field.invalid` for `meta`, `json.invalid` for a value that JSON
   *   cannot represent
   */
  append(
    content: JsonOf<ContentInput | readonly Step[]>,
    meta?: TurnMeta,
    options?: AppendOptions,
  ): Report;
  /**
   * Moves a complete answer into the thread, like `append(response.finish().content, …)`, but without a copy outside of
   * WebAssembly. `finish` may be called before, to learn what the answer is. Afterwards the response can only be
   * disposed. After an error, nothing has changed: the response still has the answer, for example for `content()`, for
   * its next bytes, or for another attempt.
   *
   * @throws StrataError `answer.unfinished` if the answer has no finishReason yet, and the response has not ended;
   *   `field.invalid` if the response is not one of the instance that has the thread; for `meta` and options like `append`
   * @throws GeminiError if the answer was cut off, blocked or an error, holds nothing but empty texts, or ended in `CONTINUATION`
   * @throws HistoryError if the answer is invalid under the thread's policy
   * @throws ReferenceError if the thread or the response was disposed, or the answer was appended before
   *
   * @example
   * const response = strata.response();
   * for await (const bytes of stream) response.push(bytes);
   * thread.appendAnswer(response, { model });
   */
  appendAnswer(response: ResponseAssembler, meta?: TurnMeta, options?: AppendOptions): Report;
  /**
   * Judges a Content, or a list of steps, as what comes next: returns what `append` would report. The thread is not
   * changed. A Content that is not JSON is a diagnostic.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for `meta`, an option, or steps that are no turns
   *
   * @example
   * const { ok, diagnostics } = thread.check(content);
   */
  check(
    content: JsonOf<ContentInput | readonly Step[]>,
    meta?: TurnMeta,
    options?: AppendOptions,
  ): Report;
  /**
   * Returns a copy of the bytes of one turn, as they were appended: a Content, or an array of steps. `as: 'content'`
   * returns the Content of either.
   *
   * @throws RangeError if there is no such turn
   */
  content(index: number, as?: 'content'): Uint8Array;
  /**
   * Returns what each turn is: its kind, tokens, calls with their responses and signatures, and whether a request that
   * ends there would be accepted.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   *
   * @example
   * const unanswered = thread.timeline().turns.flatMap(({ calls }) => calls.filter(({ response }) => !response));
   */
  timeline(options?: TimelineOptions): Timeline;
  /**
   * Drops all turns after the first `length`.
   *
   * @throws RangeError if the thread has fewer turns
   */
  rewind(length: number): void;
  /**
   * Returns a new thread with the first `length` turns (default: all). Both share the bytes of these turns.
   *
   * @throws RangeError if the thread has fewer turns
   */
  fork(length?: number): Thread;
  /**
   * Returns a new thread in which ranges of turns are replaced. All other turns, and this thread, keep their
   * bytes. Invalid Contents are not rejected; check the new thread's `report`.
   *
   * @throws HistoryError for ranges that overlap, are out of order or do not exist, or a Content that is not
   *   JSON
   */
  rewrite(replacements: readonly Replacement[]): Thread;
  /**
   * Returns the edits that replace old tool results with previews, or none if too little would be saved. Store
   * the `outputs`, then pass the edits to `rewrite`.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  maskOutputs(options?: MaskOptions): OutputEdit[];
  /**
   * Returns the edits that shorten tool results over a budget in their middle, for `rewrite`.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  shortenOutputs(options: ShortenOptions): OutputEdit[];
  /**
   * Returns the first split point that has at least `fraction` (between 0 and 1) of the history before it, or
   * else the last one. A summary can replace the turns before it.
   *
   * @throws StrataError `field.invalid` for a fraction that is not a number
   */
  compressionCut(fraction: number): HistoryCut;
  /**
   * Returns the budget of the history, and the first split point after which the turns fit it.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  historyBudget(options: BudgetOptions): HistoryBudget;
  /**
   * Returns the findings of the history. Rules for whole requests (a missing trigger, an open
   * call) are not applied.
   *
   * @throws ReferenceError after the thread was disposed
   */
  report(): Report;
  /**
   * Assembles a request. The thread is not changed. If the request is invalid, `ok` is false, `body` is empty,
   * and the diagnostics say why.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an option, `json.invalid` for a value that JSON
   *   cannot represent
   * @throws HistoryError for a field or trigger whose text is not JSON
   * @throws TemplateError with `strict`, if a template fails
   */
  assemble(input: AssembleInput): Assembled;
  /**
   * Returns the body of `cachedContents.create` for the static layer and the turns before the split point. Add
   * `ttl` or `expireTime`, and pass `turns` and `key` to `assemble` as `cache`.
   *
   * @throws StrataError, HistoryError and TemplateError like `assemble`
   *
   * @see https://ai.google.dev/gemini-api/docs/generate-content/caching
   */
  cacheBody(input: AssembleInput): { body: Uint8Array; turns: number; key: string };
  /**
   * Returns what a cache created now would hold, and whether `input.cache` fits.
   *
   * @throws StrataError, HistoryError and TemplateError like `assemble`
   */
  cachePreview(input: AssembleInput): CachePreview;
  /**
   * Returns the turns from index `from` on (default: 0) as NDJSON, one line per turn. `thread({ from })` reads
   * them back exactly.
   *
   * @throws RangeError if the thread has fewer turns
   */
  save(from?: number): Uint8Array;
}

/** Replaces the turns `[from, to)` with `contents`. */
export interface Replacement {
  from: number;
  to: number;
  contents: readonly JsonOf<ContentInput>[];
}
