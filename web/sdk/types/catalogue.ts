// Defines the rows that `load` adds to the catalogue. They have the fields of src/catalogue/catalogue.json.
import type { Backend } from './backend.js';

/** Models of one generation share their rules. */
export type Generation = '2' | '2.5' | '3' | '3.6' | '3.8' | '4';

/** How severe a finding is. Findings with `off` are not reported. */
export type Severity = 'off' | 'info' | 'warning' | 'error';

/** A model to add. Missing fields are those of the row that applied to the id before. */
export interface ModelInput {
  /** The name of the model, or the start of the names of a family. */
  id: string;
  generation?: Generation;
  contextTokens?: number;
  outputTokens?: number;
  /** The minimum size of a CachedContent in tokens. */
  cacheMinimum?: number;
  explicitCache?: boolean;
  /** The default of `AssembleInput.bufferTokens`. */
  bufferTokens?: number;
  /** Whether functionCall and functionResponse may have an `id`. */
  callIds?: boolean;
  /** Whether a step without a signature is rejected. */
  checksSignatures?: boolean;
  /** What the model lacks although others of its generation have it. */
  refuses?: ('jsonMode' | 'logprobs' | 'systemInstruction' | 'audioInput' | 'textAnswers')[];
  thinking?: {
    /** The values of `thinkingLevel`. Default: the model has none. */
    levels?: ('MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH')[];
    /** The lowest and the highest `thinkingBudget`. */
    budget?: [number, number];
    /** Whether a `thinkingBudget` of 0 is accepted. Default: false. */
    off?: boolean;
  };
  /** USD per million tokens; storage per million tokens and hour. */
  price?: { input?: number; cacheRead?: number; storagePerHour?: number };
}

type ByGeneration<Value> = { [generation in Generation]?: Value };

/** A rule to change. */
export interface RuleInput {
  code: string;
  /** One severity, or severities by generation, each for both backends or by backend. */
  severity?:
    | Severity
    | ByGeneration<Severity>
    | { [backend in Backend]?: Severity | ByGeneration<Severity> };
  /** Google's error message, for both backends or by backend. */
  upstream?: string | { [backend in Backend]?: string };
}
