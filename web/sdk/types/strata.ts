// One instance of the core.
import type { CachePlan, CacheRequest } from './cache-plan.js';
import type { CompiledPrompt } from './compiled-prompt.js';
import type { Report, Span } from './diagnostic.js';
import type { JsonInput } from './json.js';
import type { LintOptions, RepairOptions, Repaired } from './lint.js';
import type { ModelLimits } from './model.js';
import type { ArgumentSources, BuiltArguments } from './prompt-arguments.js';
import type { PromptInput } from './prompt-input.js';
import type { ResponseAssembler, ResponseOptions } from './response.js';
import type { Template, TemplateOptions } from './template.js';
import type { Thread, ThreadOptions } from './thread.js';
import type { Calibration, EstimateOptions } from './tokens.js';

/** One instance of the core. Its handles die with it when it traps (`instance.poisoned`). */
export interface Strata {
  readonly version: string;
  /** Checks any generateContent request body, from any client. Never throws on bad input. */
  lint(body: JsonInput, options: LintOptions): Report;
  /**
   * Mends what is an error for this model and backend and can be mended without guessing; docs/repair.md
   * says what and in which order. What can't be mended stays an error, and `ok` is told of the mended body.
   */
  repair(body: JsonInput, options: RepairOptions): Repaired;
  /**
   * Where the values that JSON Pointers name stand in a text; `undefined` where a pointer leads nowhere. In a
   * text that is no JSON every place is where reading stopped.
   */
  locate(text: string | Uint8Array, pointers: readonly string[]): (Span | undefined)[];
  /** Compiles a Jinja2 template once. Throws `TemplateError` with line and column. */
  template(source: string, options?: TemplateOptions): Template;
  /** Opens a thread, empty or from a saved one. Throws `HistoryError` when `from` can't be read or sent. */
  thread(options: ThreadOptions): Thread;
  /** Takes bytes of streamGenerateContent (SSE or JSON array) or generateContent, in any cuts. */
  response(options?: ResponseOptions): ResponseAssembler;
  /** Limits of a model; those of the newest for an unknown name. */
  modelLimits(model: string): ModelLimits;
  /** Whether a request should make, replace, keep or do without a CachedContent. Nothing is remembered but in `state`. */
  planCache(request: CacheRequest): CachePlan;
  /**
   * Puts a prompt together from ordered, named sections: docs/prompts.md. Throws `StrataError` for an option
   * that is none and, with `strict`, `TemplateError`.
   */
  compile(input: PromptInput): CompiledPrompt;
  /** The halves of a full text, which `compile` or Pioneer made; null where it has no boundary. */
  splitPrompt(full: string): { stable: string; dynamic: string } | null;
  /**
   * What templates read: system, assistant, conversation, session, message, args, and arguments at root level.
   * Throws `StrataError` for a source that is none.
   */
  promptArguments(sources: ArgumentSources): BuiltArguments;
  /** SHA-256 of text or bytes, hexadecimal: whether a text is the one that a manifest tells of. */
  fingerprint(text: string | Uint8Array): string;
  /** A string is plain text here; an object or bytes are a Content or an array of them. */
  estimateTokens(content: string | object | Uint8Array, options?: EstimateOptions): number;
  /** What an API's count of `content` teaches: to be given to further estimates for this model, and to the next `calibrate`. */
  calibrate(
    content: string | object | Uint8Array,
    tokens: number,
    options?: EstimateOptions,
  ): Calibration;
}
