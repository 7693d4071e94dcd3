// Defines the interface of one instance of the module check.
import type { Span } from '../sdk/types/diagnostic.js';
import type { ImportOptions, Imported } from '../sdk/types/import.js';
import type { JsonInput } from '../sdk/types/json.js';
import type {
  BodyTimelineOptions,
  ConvertedBody,
  ConvertOptions,
  LintOptions,
  LintReport,
  LocateOptions,
  RepairOptions,
  Repaired,
} from './lint.js';
import type { ModelLimits, ServiceOptions } from '../sdk/types/model.js';
import type { ResponseAssembler, ResponseOptions } from '../sdk/types/response.js';
import type { FittedSchema, SchemaOptions } from '../sdk/types/schema.js';
import type { Countable } from '../sdk/types/strata.js';
import type { Timeline } from '../sdk/types/timeline.js';
import type { EstimateOptions } from '../sdk/types/usage.js';

/**
 * One instance of what judges, repairs and converts requests that others wrote, as `loadChecker` returns it.
 *
 * Every method throws StrataError `field.unknown` or `field.invalid` for invalid options, and
 * `instance.out_of_memory` or `instance.poisoned` after a WebAssembly trap.
 */
export interface Checker {
  /** The version of the package. */
  readonly version: string;
  /**
   * Validates a request body from any client: of generateContent, of the Interactions API, and those of countTokens and
   * of cachedContents.create. Its fields say which it is. An invalid or unreadable body is a diagnostic,
   * never an exception.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   *
   * @example
   * const { ok, diagnostics } = checker.lint(body, { model: 'gemini-3.8-flash' });
   */
  lint(body: JsonInput, options: LintOptions): LintReport;
  /**
   * Repairs the errors of a body that can be repaired without guessing. docs/repair.md lists the repairs and
   * their order. `ok` is about the repaired body: other errors remain.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  repair(body: JsonInput, options: RepairOptions): Repaired;
  /**
   * Converts a request from one API of Gemini to the other: history with its signatures, tools, settings and schemas. A
   * list of Contents or steps, or a stored answer, becomes a list of steps or Contents. What differs is a diagnostic:
   * `convert.lost` and `convert.refused` name what the other API does not have. docs/interactions.md has the rules.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   *
   * @example
   * const { body } = checker.convert(request, { to: 'interactions', model: 'gemini-3.8-flash' });
   */
  convert(document: JsonInput, options: ConvertOptions): ConvertedBody;
  /**
   * Returns what each Content of a body is, and whether the API takes a request that ends there: `Thread.timeline` of a
   * history that no thread may take. Rules about other fields than `contents` do not count. The steps of an Interactions
   * body are turns, too, judged as the Contents that they become. A body that cannot be read has no turns; `lint` says why.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   *
   * @example
   * const { firstRefused } = checker.timeline(body, { model: 'gemini-3.8-flash' });
   */
  timeline(body: JsonInput, options: BodyTimelineOptions): Timeline;
  /**
   * Returns the range of the value that each JSON Pointer (RFC 6901) names, or of the nearest object or array that
   * lacks it: in bytes or, with `positions: 'utf16'`, in UTF-16 units. If the text is not JSON, every range is empty and at the place of the error.
   *
   * @throws StrataError `field.invalid` for a text that is neither a string nor bytes
   */
  locate(text: string | Uint8Array, pointers: readonly string[], options?: LocateOptions): Span[];
  /**
   * Converts the history of another client to Contents: messages of OpenAI, the AI SDK or LangChain, turns with raw
   * responses, or what google-genai for Python has dumped; see docs/import.md.
   *
   * @throws HistoryError if the history cannot be read
   *
   * @example
   * const { contents, systemText } = checker.import(messages);
   * strata.thread({ model, from: contents });
   */
  import(history: JsonInput, options?: ImportOptions): Imported;
  /**
   * Returns the form of a JSON Schema that a model takes: the same values, written with the keywords that Gemini
   * documents. Use it as `parametersJsonSchema` of a function or as `responseJsonSchema`. What has no such form is
   * kept and reported. Convert the schema of a validator library first, e.g. with `z.toJSONSchema(schema)`.
   *
   * @throws HistoryError for text that is not JSON
   *
   * @example
   * const { schema } = checker.schema({ const: 'on' }, { model: 'gemini-3.8-flash' });
   * // { enum: ['on'] }
   */
  schema(jsonSchema: JsonInput, options: SchemaOptions): FittedSchema;
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
   * checker.modelLimits('gemini-2.5-pro', { now: '2026-12-01T00:00:00Z' }).servedBy === 'gemini-3.8-flash';
   */
  modelLimits(model: string, options?: ServiceOptions): ModelLimits;
  /**
   * Estimates tokens without a network request. A string is plain text; an object or bytes are a Content or an
   * array of Contents.
   *
   * @throws HistoryError for bytes that are not JSON
   */
  estimateTokens(content: Countable, options?: EstimateOptions): number;
}
