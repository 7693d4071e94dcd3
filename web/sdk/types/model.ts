// Defines what is known about a model.
import type { Backend } from './backend.js';

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
