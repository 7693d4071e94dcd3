// Checks the options of the masking plugin, so that a conversation refuses invalid ones when it is made.
import * as must from '../internal/options.js';
import type { MaskOptions } from '../types/compaction.js';

/** The check of `ConversationOptions.masking` if it is an object. */
export const maskOptions = must.shape<MaskOptions>({
  protect: must.optional(must.nonNegative),
  least: must.optional(must.nonNegative),
  exempt: must.optional(must.arrayOf(must.string)),
});
