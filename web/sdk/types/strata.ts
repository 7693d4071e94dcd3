// Why this file exists: the public shapes, in Gemini's own words, in one place.
import type { ArgumentSources, BuiltArguments } from './prompt-arguments.js';
import type { PromptInput } from './prompt-input.js';
import type { CompiledPrompt, ManifestSection } from './compiled-prompt.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * JSON as a value, as JSON text, or as UTF-8 bytes. Text and bytes are kept as they are, to the
 * byte; a value is written with `JSON.stringify`, bytes inside it as base64. What JSON has no form for (a Map,
 * a Promise, a BigInt) is `json.invalid`. A lone surrogate in text becomes U+FFFD.
 */
export type JsonInput = object | string | Uint8Array;

/** Which service answers: the Gemini API (`generativelanguage`) or Vertex AI. They differ in rules and texts. */
export type Backend = 'gemini' | 'vertex';

/** One finding about a body, a history or a template. */
export interface Diagnostic {
  /** The thing and what is wrong with it, e.g. `response.count`; docs/diagnostics.md lists them all. */
  code: string;
  /** `error`: the API refuses it. `warning`: it may. `info`: worth knowing. */
  severity: 'error' | 'warning' | 'info';
  /** JSON Pointer into the body, e.g. `/contents/2/parts/0`; `''` is the whole body. */
  path: string;
  message: string;
  /** What Google's API answers, where its text is known. */
  upstream?: string;
  /** What repair does about an error, where it can. */
  fix?: string;
  /** Repair has done what `fix` says: this is a note. `path` is the place in the body as it was given. */
  mended?: true;
}

/** What was found. `ok` means: no finding is an error. */
export interface Report {
  ok: boolean;
  diagnostics: Diagnostic[];
}

/** What `lint` must know besides the body. */
export interface LintOptions {
  /** The model the body is meant for; rules and severities depend on it. An unknown `gemini-*` is judged like the newest. */
  model: string;
  /** Default: `gemini`. */
  backend?: Backend;
  /** What is known of the CachedContent that the body names. */
  cache?: { model: string; tokens?: number };
  /** Where the history's signatures come from, when that is not this model and backend. `backend`: a Backend. */
  signaturesFrom?: { model?: string; backend?: string };
}

/** What `repair` may do besides. */
export interface RepairOptions extends LintOptions {
  /**
   * Puts the documented placeholder on the first call of each unsigned step of the current turn. It passes
   * the API's check, at a cost in quality; a real signature is never replaced.
   */
  dummySignatures?: boolean;
}

/** The mended body, what was mended (`mended: true`), and what is still wrong with it. */
export interface Repaired extends Report {
  /** The given bytes where nothing was an error, otherwise with the mends in them. */
  body: Uint8Array;
}

/** How a template is compiled. The defaults are Jinja2's own. */
export interface TemplateOptions {
  /** What reading an undefined name does: Jinja2's own four kinds. */
  undefined?: 'default' | 'strict' | 'chainable' | 'debug';
  /** `html`: stock Jinja2. `plain`: like `json.dumps(value, ensure_ascii=False)`. `hf`: the signature of `transformers`. */
  tojson?: 'html' | 'plain' | 'hf';
  dialect?: 'jinja2' | 'pongo2';
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  keepTrailingNewline?: boolean;
  autoescape?: boolean;
  /** Sources for `include`, `import` and `extends`, by name. */
  templates?: { [name: string]: string };
  /** Host filters. They get and return JSON values, must not call back into the same instance. */
  filters?: { [name: string]: (value: Json, ...args: Json[]) => Json };
  /** Host functions, under the same terms. */
  functions?: { [name: string]: (...args: Json[]) => Json };
  /** Per render: bytes of output, units of work, depth of calls. */
  limits?: { output?: number; fuel?: number; depth?: number };
}

/** A compiled template. Rendering throws `TemplateError`; only `assemble` falls back (unless strict). */
export interface Template extends Disposable {
  /** What it and the templates that it includes by name read from their context, sorted. */
  readonly variables: string[];
  /** `now` (RFC 3339) is what `strftime_now` tells; without it that function is an error. */
  render(context: JsonInput, options?: { now?: string }): string;
}

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

/** Which results of tools are masked. Tokens. */
export interface MaskOptions {
  /** The newest results up to here stay. Default: 50,000. */
  protect?: number;
  /** Less than this is not worth it. Default: 30,000. */
  least?: number;
  /** Names of tools whose results stay. */
  exempt?: string[];
}

/** Which results of tools are shortened. */
export interface ShortenOptions {
  /** Tokens of the newest results that stay whole. Default: 50,000. */
  budget?: number;
  /** About how many characters stay of each other one, a fifth of them its beginning. Default: 40,000. */
  characters?: number;
  /** Said in front of what stays. */
  prefix: string;
  exempt?: string[];
}

/** A turn with other results in it. */
export interface OutputEdit {
  turn: number;
  /** JSON. */
  content: string;
  /** What was taken out: each functionResponse's `response` as it came, and the name that it goes by. */
  outputs: { part: number; name: string; tokens: number; kept: string; response: string }[];
}

/** Where an old history ends. */
export interface HistoryCut {
  /** Turns in front of the cut; 0 where there is no place for one. */
  turns: number;
  /** The turn whose answer goes on behind the cut; -1 where the cut is in front of one. */
  opening: number;
  /** A name for those turns: the same bytes have the same one. */
  kept: string;
}

/** Of which the history is a part. Tokens. */
export interface BudgetOptions {
  contextTokens: number;
  /** Kept free for the answer. */
  reserve: number;
  /** Of the summary that stays in front. Default: 0. */
  summaryTokens?: number;
}

/** What a history may have: compressed from 80 % of its budget on, to 10 % of it. */
export interface HistoryBudget extends HistoryCut {
  budget: number;
  threshold: number;
  target: number;
  /** Says what is left out. */
  diagnostic: Diagnostic;
}

/** What a model's row of the catalogue says. */
export interface ModelLimits {
  contextTokens: number;
  outputTokens: number;
  cacheMinimum: number;
  explicitCache: boolean;
  bufferTokens: number;
}

/** What `cachedContents.create` would be asked to hold at the newest place where a history may be cut. */
export interface CachePreview {
  /** Turns that would leave the buffer. */
  turns: number;
  /** Estimated tokens of the cache. */
  tokens: number;
  /** Estimated tokens of the whole request, were it sent without a cache. */
  promptTokens: number;
  /** The cache that `input.cache` names holds what this request leaves out. */
  usable: boolean;
}

/** What the cache planner is asked: one request, and what came of the one before. Times are seconds from any start. */
export interface CacheRequest {
  model: string;
  now: number;
  /** Of the whole request, were it sent without a cache. */
  promptTokens: number;
  /** Of a cache that was made now. */
  cacheableTokens: number;
  /** The cache that lives and fits this request. */
  cache?: { tokens: number; ends: number } | undefined;
  /** Default: the model's row. */
  minimumTokens?: number | undefined;
  /** The last request's `usageMetadata`; `explicitTokens` are those of the cache that it named, 0 without one. */
  last?: { promptTokens: number; cachedTokens: number; explicitTokens: number } | undefined;
  /** Of the last plan for this conversation and model. */
  state?: CachePlan['state'] | undefined;
}

/** What the planner says. Costs are tokens times USD a million; docs/caching.md tells how they are weighed. */
export interface CachePlan {
  decision: Manifest['cache']['decision'];
  /** How long a cache that is made or extended is to live from now on. */
  ttlSeconds: number;
  minimumTokens: number;
  /** What a new cache would cost more than this request costs without it. */
  extraCost: number;
  /** What it would save each further request. */
  savingPerRequest: number;
  /** How many further requests are expected while it lives. */
  expectedRequests: number;
  /** What was paid too much for repeated tokens since the last cache was made. */
  overpaid: number;
  /** To be given back with the next request. */
  state: { [name: string]: number };
}

/** A text layer: a template (source, compiled, or the default) with its variables, or finished text. */
export interface LayerInput {
  /** Default: the package's own template for the layer. */
  template?: string | Template;
  variables?: { [key: string]: Json };
  /** Sent as it is, instead of a template; `''` leaves the layer out. */
  text?: string;
}

/** What one request is made of, besides the thread. */
export interface AssembleInput {
  /** RFC 3339. The core has no clock: the dynamic layer and `strftime_now` tell this. */
  now: string;
  /** Its stable half joins layer 1, its dynamic half opens layer 2; without `static` layer 1 is nothing else. */
  compiled?: CompiledPrompt;
  /** Layer 1. `role: 'user'` sends it as the first Content instead of `systemInstruction`. */
  static?: LayerInput & { role?: 'system' | 'user' };
  /** Layer 2, one JSON text. `before-current-turn` puts it behind the old history, so that history can share the stable prefix. */
  dynamic?: LayerInput & { placement?: 'after-static' | 'before-current-turn' };
  /** Layer 4: the instruction as plain text, or a whole Content. */
  trigger?: string | object | Uint8Array;
  tools?: JsonInput;
  toolConfig?: JsonInput;
  generationConfig?: JsonInput;
  safetySettings?: JsonInput;
  /** A live CachedContent; `turns` and `key` are what `cacheBody` gave when it was created. */
  cache?: { name: string; model: string; turns: number; key: string } | null;
  /** How history older than the buffer goes to layer 1: as quoted text (default), or as Contents of a CachedContent. */
  cachedHistory?: 'text' | 'contents';
  /** Tokens of recent turns at which older ones move to layer 1. Default: the model's row. Negative: never. */
  bufferTokens?: number;
  /** A failing template throws `TemplateError` instead of falling back to its source. */
  strict?: boolean;
  /** The manifest of the last request that was sent, for `stablePrefixBytes`. */
  previous?: Manifest;
}

/** The request body, and what it is made of. */
export interface Assembled extends Report {
  body: Uint8Array;
  manifest: Manifest;
}

export type LayerName = 'static' | 'dynamic' | 'buffered' | 'trigger';

/** What one request was made of; never the text itself. `prompt-strata/schemas/manifest.json` describes it. */
export interface Manifest {
  /** Of this document. */
  version: string;
  /** The package version that made it. */
  compiler: string;
  model: string;
  profile?: string;
  /** Of the compiled prompt, with `static` and `dynamic` for what the layers have of their own. */
  sections: ManifestSection[];
  /** SHA-256, hexadecimal, of layer 1, layer 2, and the whole body's pieces. */
  fingerprints: { stable: string; dynamic: string; full: string };
  layers: {
    layer: LayerName;
    bytes: number;
    tokens: number;
    fingerprint: string;
    cached: boolean;
  }[];
  /** The body, front to back: which bytes are what. Of history, `from` and `to` are its turns. */
  pieces: { name: string; bytes: number; fingerprint: string; from?: number; to?: number }[];
  /** Bytes at the start of the body that equal the previous request's; 0 without `previous`. */
  stablePrefixBytes: number;
  cache: {
    decision:
      | 'hit'
      | 'create'
      | 'extend'
      | 'roll'
      | 'inline'
      | 'below_minimum'
      | 'not_worth'
      | 'unsupported';
    key: string;
    /** In words and numbers. */
    reason: string;
    /** Where the planner decided: what it weighed. */
    plan?: Omit<CachePlan, 'state'> & { cacheableTokens: number; cachedTokens: number };
  };
  diagnostics: Diagnostic[];
}

/** How an answer is read. */
export interface ResponseOptions {
  /** Takes secrets out of what an error in the answer says: `(text) => client.redact(text)`. */
  redact?: (text: string) => string;
}

/** Puts one answer together from network bytes, in any cuts. */
export interface ResponseAssembler extends Disposable {
  push(bytes: Uint8Array): StreamEvent[];
  /** One Content, parts and signatures as they came. Throws `GeminiError`, with what was received in `partial`, if the answer was cut, blocked or refused. */
  finish(): Answer;
}

/** A whole answer. `content` is null where the API sent none. */
export interface Answer {
  content: Uint8Array | null;
  finishReason: string;
  usage: { [key: string]: Json };
  /** All fields of the response, the last word of each where several chunks told it. */
  response: Json;
}

/** An error as the API wrote it; `retryAfterMs` is the RetryInfo's delay. */
export interface ApiError {
  code: number;
  status: string;
  message: string;
  retryAfterMs?: number;
}

/** What `push` gives: small, in the order of the bytes. */
export type StreamEvent =
  | { type: 'text' | 'thought'; text: string }
  | { type: 'functionCall'; name: string; id?: string; args: Json }
  | { type: 'part'; part: Json }
  | { type: 'usage'; usage: { [key: string]: Json } }
  | { type: 'metadata'; metadata: { [key: string]: Json } }
  | { type: 'error'; error: ApiError };

/** Byte offsets into a text, the end excluded. */
export interface Span {
  start: number;
  end: number;
}

/** How many tokens a model counts for each that is estimated: in words, and in JSON. `seen` counts are behind it. */
export interface Calibration {
  text: number;
  data: number;
  seen: number;
}

/** What an estimate goes by. */
export interface EstimateOptions {
  /** Media are counted as this model does; without one, by flat guesses. */
  model?: string;
  calibration?: Calibration | undefined;
}

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
