// Defines the options of `contextGuard`.
import * as must from '../internal/options.js';

/** Options of `contextGuard`. */
export interface GuardOptions {
  /** Maximum number of tokens in a request. Default: the model's row in the catalogue. */
  contextTokens?: number;
  /** Lets the API count (`countTokens`) when the estimate reaches 80% of `contextTokens`. Default: true. */
  exact?: boolean;
}

/** @internal */
export const guardOptions = must.shape<GuardOptions>({
  contextTokens: must.optional(must.nonNegative),
  exact: must.optional(must.boolean),
});
