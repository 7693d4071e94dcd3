// Defines token estimates and how they are calibrated from the API's counts.
import type { ServiceOptions } from './model.js';

/** Correction factors for token estimates. Pass it on unchanged. */
export interface Calibration {
  /** Counted tokens per estimated token of text. */
  text: number;
  /** Counted tokens per estimated token of calls, results and other JSON. */
  data: number;
  /** The number of counts that the factors were learned from. */
  seen: number;
}

/** Options of a token estimate. */
export interface EstimateOptions extends ServiceOptions {
  /** Counts media as this model does. Default: a flat count per kind of media. */
  model?: string;
  calibration?: Calibration | undefined;
}
