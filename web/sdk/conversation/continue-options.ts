// The options of `continue`: whether a conversation resumes the model's turn without being asked.
import * as must from '../base/options.js';

/** When the conversation goes on by itself. */
export interface ContinueOptions {
  /** What is then said for the user. Default: `Please continue.` */
  text?: string;
  /** Answers of the model in one send, at most. Default: 100. */
  maxTurns?: number;
  /** The model that is asked. Default: that of the conversation. */
  model?: string;
}

export const continueOptions = must.shape<ContinueOptions>({
  text: must.optional(must.string),
  maxTurns: must.optional(must.nonNegative),
  model: must.optional(must.string),
});
