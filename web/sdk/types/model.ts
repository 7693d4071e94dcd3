// Declares what is known about a model and its service, and the rows that `load` adds to the catalogue.
import type { RuleCode } from './codes.js';

/** The service that answers: the Gemini API (`generativelanguage`) or Vertex AI. They differ in rules and error messages. */
export type Backend = 'gemini' | 'vertex';

/** Where and when a model is used. */
export interface ServiceOptions {
  /** Default: `gemini`. */
  backend?: Backend;
  /** The time, RFC 3339, that decides which rows of the catalogue hold. Default: the release date of the package; docs/models.md. */
  now?: string;
}

/** Prices in USD per million tokens; storage per million tokens and hour. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead: number;
  storagePerHour: number;
}

/** The limits of a model, from its row in the catalogue. Sizes are in tokens. */
export interface ModelLimits {
  /** The model that serves the name: another one for an alias, or since Google routes the name. */
  servedBy: string;
  /** Whether the service no longer serves the model. */
  retired: boolean;
  /** The day from which it does not, such as `2026-06-01`. Missing for a model that is served. */
  retiredOn?: string;
  /** The name that the services have, if this one is none of theirs and has a typing error. */
  didYouMean?: string;
  /** What serves the model. Only models of `generateContent` answer a client or a Conversation. */
  api: 'generateContent' | 'live' | 'interactions' | 'embedContent';
  /** What the model writes. */
  output: 'text' | 'image' | 'speech' | 'embedding';
  contextTokens: number;
  outputTokens: number;
  /** The minimum size of a CachedContent; 0 without explicit caching. */
  cacheMinimum: number;
  /** Whether the model supports CachedContents. */
  explicitCache: boolean;
  /** The minimum size of a prefix that the service caches by itself; 0 if it does not, or if it is unknown. */
  implicitCacheMinimum: number;
  /** The default of `AssembleInput.bufferTokens`. */
  bufferTokens: number;
  /** The values of `thinkingLevel` that the model takes. */
  thinkingLevels: ThinkingLevel[];
  /** The level of a request without one. Missing if unknown. */
  defaultThinkingLevel?: ThinkingLevel;
  /** Missing if unknown. */
  price?: ModelPrice;
}

/** A value of `thinkingConfig.thinkingLevel`. */
export type ThinkingLevel = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH' | 'XHIGH';

/** Token limits that replace those of the catalogue. The result of `GeminiClient.models.get` fits; its other fields are ignored. */
export interface ModelTokenLimits {
  inputTokenLimit?: number;
  outputTokenLimit?: number;
}

/** Models of one generation share their rules. */
export type Generation = '2' | '2.5' | '3' | '3.6' | '3.8' | '4';

/** How severe a finding is. Findings with `off` are not reported. */
export type Severity = 'off' | 'info' | 'warning' | 'error';

/** A model to add. It holds at all times. Missing fields are those of the rows that applied to the id before. */
export interface ModelInput {
  /** The name of the model, or the start of the names of a family. */
  id: string;
  generation?: Generation;
  contextTokens?: number;
  outputTokens?: number;
  /** The minimum size of a CachedContent in tokens. */
  cacheMinimum?: number;
  explicitCache?: boolean;
  /** The minimum size of a prefix that the service caches by itself. */
  implicitCacheMinimum?: number;
  /** What the model writes. */
  output?: ModelLimits['output'];
  /** What serves the model. */
  api?: ModelLimits['api'];
  /** The default of `AssembleInput.bufferTokens`. */
  bufferTokens?: number;
  /** Whether functionCall and functionResponse may have an `id`. */
  callIds?: boolean;
  /** Whether a step without a signature is rejected. */
  checksSignatures?: boolean;
  /** What the model lacks although others of its generation have it. */
  refuses?: (
    | 'jsonMode'
    | 'logprobs'
    | 'systemInstruction'
    | 'audioInput'
    | 'functions'
    | 'googleSearch'
    | 'urlContext'
    | 'codeExecution'
    | 'multiTurn'
  )[];
  thinking?: {
    /** The values of `thinkingLevel`. Default: the model has none. */
    levels?: ThinkingLevel[];
    /** The level of a request without one; `OFF`: the model then does not think. Default: not known. */
    default?: ThinkingLevel | 'OFF';
    /** The lowest and the highest `thinkingBudget`; false: the model takes none. */
    budget?: [number, number] | false;
    /** Whether a `thinkingBudget` of 0 is accepted. Default: false. */
    off?: boolean;
  };
  /** USD per million tokens; storage per million tokens and hour. */
  price?: Partial<ModelPrice>;
}

/** A value for each generation. A generation that is left out has the value of the one before it. */
export type ByGeneration<Value> = { [generation in Generation]?: Value };

/** A rule to change. */
export interface RuleInput {
  code: RuleCode;
  /** One severity, or severities by generation, each for both backends or by backend. */
  severity?:
    | Severity
    | ByGeneration<Severity>
    | { [backend in Backend]?: Severity | ByGeneration<Severity> };
  /** Google's error message, for both backends or by backend. */
  upstream?: string | { [backend in Backend]?: string };
}
