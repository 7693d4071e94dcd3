// Defines the options of `continue`: the conversation resumes the model's turn without a new user message.
import * as must from '../internal/options.js';

/** How the conversation continues without a new user message. */
export interface ContinueOptions {
  /** The text that is sent in the user's place. Default: `Please continue.` */
  text?: string;
  /** Maximum number of answers in one send. Default: 100. */
  maxTurns?: number;
  /** The model that decides who speaks next. Default: the conversation's model. */
  model?: string;
}

/** @internal */
export const continueOptions = must.shape<ContinueOptions>({
  text: must.optional(must.string),
  maxTurns: must.optional(must.nonNegative),
  model: must.optional(must.string),
});
