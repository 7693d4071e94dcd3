// Defines the data of a probe: examples, predictions, outcomes and results.

/** A body: JSON text, or bytes that are not UTF-8. */
export type ProbeBody = string | { base64: string };

/** The example of a rule as it is sent: a request that should be refused, and the same one fixed. */
export interface ProbeExample {
  code: string;
  /** The model for which the rule refuses it. */
  model: string;
  failing: ProbeBody;
  fixed: ProbeBody;
}

/** Whether the API takes a request. */
export type Taken = 'accepted' | 'refused';

/** What the rules expect of the API. */
export interface Prediction {
  taken: Taken;
  /** The code of the error for which it is refused. */
  code?: string;
  /** Google's words that the catalogue has for this error. */
  upstream?: string;
}

/** What the API did. `undecided`: it neither took nor refused the request. */
export type Outcome =
  | { taken: 'accepted'; inputTokens: number; outputTokens: number; emulated: boolean }
  | { taken: 'refused'; status: number; message: string }
  | { taken: 'undecided'; status: number; message: string };

/** One request. Rules whose examples have the same body share it. */
export interface ProbeRequest {
  model: string;
  source: ProbeBody;
  body: Uint8Array;
  predicted: Prediction;
  /** Unset until it is answered. */
  outcome?: Outcome;
}

/** One rule for one model. */
export interface RuleProbe {
  code: string;
  model: string;
  failing: ProbeRequest;
  fixed: ProbeRequest;
}

/** Whether the API did what the rules expect. */
export type Verdict = 'agrees' | 'differs' | 'undecided';
