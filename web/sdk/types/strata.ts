// Defines the interface of one instance of the core.
import type { CachePlan, CacheRequest, ManifestDiff, Manifest } from './manifest.js';
import type { CompiledPrompt, PromptManifest } from './compiled-prompt.js';
import type { Report, Span } from './diagnostic.js';
import type { ContentInput } from './gemini/contents.js';
import type { JsonInput } from './json.js';
import type { LintOptions, LocateOptions, RepairOptions, Repaired } from './lint.js';
import type { ModelLimits, ServiceOptions } from './model.js';
import type { ArgumentSources, BuiltArguments } from './prompt-arguments.js';
import type { PromptInput } from './prompt-input.js';
import type { ResponseAssembler, ResponseOptions } from './response.js';
import type { FittedSchema, SchemaOptions } from './schema.js';
import type { Template, TemplateOptions } from './template.js';
import type { Thread, ThreadOptions } from './thread.js';
import type { BodyTimelineOptions, Timeline } from './timeline.js';
import type { Calibration, EstimateOptions } from './usage.js';

/** What tokens are estimated for: plain text, a Content, Contents, or the bytes of either as JSON. */
export type Countable = string | ContentInput | readonly ContentInput[] | Uint8Array;

/**
 * One instance of the core, as `load` returns it.
 *
 * Every method throws StrataError `field.unknown` or `field.invalid` for invalid options, and
 * `instance.out_of_memory` or `instance.poisoned` after a WebAssembly trap, which also ends all threads, templates
 * and responses of the instance. Threads can still be saved.
 */
export interface Strata {
  /** The version of the package. */
  readonly version: string;
  /**
   * Validates a generateContent request body from any client, and the bodies of countTokens and of
   * cachedContents.create, which are known by their fields. An invalid or unreadable body is a diagnostic,
   * never an exception.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   *
   * @example
   * const { ok, diagnostics } = strata.lint(body, { model: 'gemini-3.8-flash' });
   */
  lint(body: JsonInput, options: LintOptions): Report;
  /**
   * Repairs the errors of a body that can be repaired without guessing. docs/repair.md lists the repairs and
   * their order. `ok` is about the repaired body: other errors remain.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  repair(body: JsonInput, options: RepairOptions): Repaired;
  /**
   * Returns what each Content of a body is, and whether the API takes a request that ends there: `Thread.timeline` of a
   * history that no thread may take. Rules about other fields than `contents` do not count. A body that cannot be read
   * has no turns; `lint` says why.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   *
   * @example
   * const { firstRefused } = strata.timeline(body, { model: 'gemini-3.8-flash' });
   */
  timeline(body: JsonInput, options: BodyTimelineOptions): Timeline;
  /**
   * Returns the form of a JSON Schema that a model takes: the same values, written with the keywords that Gemini
   * documents. Use it as `parametersJsonSchema` of a function or as `responseJsonSchema`. What has no such form is
   * kept and reported. Convert the schema of a validator library first, e.g. with `z.toJSONSchema(schema)`.
   *
   * @throws HistoryError for text that is not JSON
   *
   * @example
   * const { schema } = strata.schema({ const: 'on' }, { model: 'gemini-3.8-flash' });
   * // { enum: ['on'] }
   */
  schema(jsonSchema: JsonInput, options: SchemaOptions): FittedSchema;
  /**
   * Returns the range of the value that each JSON Pointer (RFC 6901) names, or of the nearest object or array that
   * lacks it: in bytes or, with `positions: 'utf16'`, in UTF-16 units. If the text is not JSON, every range is empty and at the place of the error.
   *
   * @throws StrataError `field.invalid` for a text that is neither a string nor bytes
   */
  locate(text: string | Uint8Array, pointers: readonly string[], options?: LocateOptions): Span[];
  /**
   * Compiles a Jinja2 template.
   *
   * @throws TemplateError with line and column
   */
  template(source: string, options?: TemplateOptions): Template;
  /**
   * Opens a thread: an empty one, or one with the turns of `from`.
   *
   * @throws HistoryError if `from` cannot be read or, unless the policy is `warn`, has errors
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  thread(options: ThreadOptions): Thread;
  /**
   * Returns an assembler for one answer of generateContent (JSON) or streamGenerateContent (server-sent events or
   * a JSON array).
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  response(options?: ResponseOptions): ResponseAssembler;
  /**
   * Returns what is known about a model at a service and a time. An unknown name has the limits of the newest
   * model.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   *
   * @example
   * strata.modelLimits('gemini-2.5-pro', { now: '2026-12-01T00:00:00Z' }).servedBy === 'gemini-3.8-flash';
   */
  modelLimits(model: string, options?: ServiceOptions): ModelLimits;
  /**
   * Decides whether a request creates, extends, replaces, uses or skips a CachedContent. All memory of earlier
   * requests is in `state`.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid request
   */
  planCache(request: CacheRequest): CachePlan;
  /**
   * Compiles a prompt from named sections into a stable and a dynamic half; see docs/prompts.md. The prompt stays
   * in the instance: `assemble` needs no copy of its texts, and they are read when you read them. Dispose it to free
   * its memory before it is garbage-collected.
   *
   * @throws TemplateError with `strict`, if a template fails
   */
  compile(input: PromptInput): CompiledPrompt & Disposable;
  /**
   * Splits `CompiledPrompt.full`, or a prompt of https://github.com/pioneerdotai/pioneer, at its boundary. Returns
   * null if there is no boundary.
   *
   * @throws StrataError `field.invalid` for a prompt that is not a string
   */
  splitPrompt(full: string): { stable: string; dynamic: string } | null;
  /**
   * Builds the variables that templates read: `system`, `assistant`, `conversation`, `session`, `message`,
   * `args`, and the arguments again at root level.
   *
   * @throws StrataError `field.invalid` for an invalid source, `json.invalid` for a value that JSON cannot
   *   represent
   */
  promptArguments(sources: ArgumentSources): BuiltArguments;
  /**
   * Returns which sections changed from `a` to `b`, and how much of the stable prefix that loses. Both are
   * manifests of `compile` or both of `assemble`.
   *
   * @throws StrataError `manifest.version` for a document of another version
   */
  diffManifests(a: Manifest | PromptManifest, b: Manifest | PromptManifest): ManifestDiff;
  /**
   * Returns the SHA-256 of text or bytes, hexadecimal: the `fingerprint` of manifests.
   *
   * @throws StrataError `field.invalid` for what is neither text nor bytes
   */
  fingerprint(text: string | Uint8Array): string;
  /**
   * Estimates tokens without a network request. A string is plain text; an object or bytes are a Content or an
   * array of Contents.
   *
   * @throws HistoryError for bytes that are not JSON
   */
  estimateTokens(content: Countable, options?: EstimateOptions): number;
  /**
   * Learns from `tokens`, the API's count of `content`. Pass the result to later estimates for this model and
   * to the next `calibrate`.
   *
   * @throws HistoryError for bytes that are not JSON, StrataError `field.invalid` for an invalid count or option
   *
   * @example
   * calibration = strata.calibrate(answer, usage.candidatesTokenCount, { model, calibration });
   */
  calibrate(content: Countable, tokens: number, options?: EstimateOptions): Calibration;
}
