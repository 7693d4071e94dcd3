// Why this file exists: what can be said about the guard of the context window.
import * as must from '../../base/options.js';

/** Options of `contextGuard`. */
export interface GuardOptions {
  /** Default: the model's row in the catalogue. */
  contextTokens?: number;
  /** Where the estimate reaches 80 % of that, the API counts (`countTokens`). Default: true. */
  exact?: boolean;
}

export const guardOptions = must.shape<GuardOptions>({
  contextTokens: must.optional(must.nonNegative),
  exact: must.optional(must.boolean),
});
