// Defines the interface of one instance of the module talk.
import type { CachePlan, CacheRequest } from './manifest.js';
import type { ContentInput } from './gemini/contents.js';
import type { JsonInput } from './json.js';
import type { ModelLimits, ServiceOptions } from './model.js';
import type { ResponseAssembler, ResponseOptions } from './response.js';
import type { FittedSchema, SchemaOptions } from './schema.js';
import type { Thread, ThreadOptions } from './thread.js';
import type { Calibration, EstimateOptions } from './usage.js';

/** What tokens are estimated for: plain text, a Content, Contents, or the bytes of either as JSON. */
export type Countable = string | ContentInput | readonly ContentInput[] | Uint8Array;

/**
 * One instance of the core, as `load` returns it.
 *
 * Every method throws StrataError `field.unknown` or `field.invalid` for invalid options, and
 * `instance.out_of_memory` or `instance.poisoned` after a WebAssembly trap, which also ends all threads and responses
 * of the instance. Threads can still be saved.
 */
export interface Strata {
  /** The version of the package. */
  readonly version: string;
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
