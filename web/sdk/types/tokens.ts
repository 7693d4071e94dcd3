// Token estimates and what they learn from the API's counts.

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
