// Why this file exists: what can be said about compression, apart from what it does.
import * as must from '../../base/options.js';

/** Options of `compression`. */
export interface CompressionOptions {
  /**
   * `snapshot` (default): from `threshold` of the model's context on, and a summary that can't be made
   * leaves the thread as it is. `budget`: from 80 % of the context less `reserve` on, to a summary of at
   * most 10 % of that, and the oldest turns are left out where no summary can be made.
   */
  form?: 'snapshot' | 'budget';
  /** The part of the context from which on a history is summed up. Default: 0.5. */
  threshold?: number;
  /** The part of the history, by its length, that stays as it is. Default: 0.3. */
  keep?: number;
  /** Default: the model's row in the catalogue. */
  contextTokens?: number;
  /** Tokens kept free for the answer (`budget`). Default: 16,000. */
  reserve?: number;
  /** Who sums up. Default: the conversation's model. */
  model?: string;
  /** A second request looks whether the summary left something out. Default: true for `snapshot`. */
  check?: boolean;
}

export const compressionOptions = must.shape<CompressionOptions>({
  form: must.optional(must.oneOf('snapshot', 'budget')),
  threshold: must.optional(must.nonNegative),
  keep: must.optional(must.nonNegative),
  contextTokens: must.optional(must.nonNegative),
  reserve: must.optional(must.nonNegative),
  model: must.optional(must.string),
  check: must.optional(must.boolean),
});
