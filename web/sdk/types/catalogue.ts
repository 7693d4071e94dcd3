// Defines the rows that `load` adds to the catalogue. They have fields of src/catalogue's JSON files.
import type { Backend } from './backend.js';
import type { RuleCode } from './codes.js';
import type { ModelLimits, ModelPrice, ThinkingLevel } from './model.js';

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
