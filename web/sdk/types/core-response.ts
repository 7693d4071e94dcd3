// Defines what the rooms of the package ask a response of the core besides its public methods. Not exported.
import type { Answer, FinishOptions, ResponseAssembler, StreamEvent } from './response.js';

/** What a complete answer is, without its Content, which stays in the core. */
export type AnswerSummary = Omit<Answer, 'content'>;

/** The end of a response. */
export interface ResponseEnd {
  /** The events that the end completes. */
  events: StreamEvent[];
  /**
   * Returns what the answer is. `response` has no Content.
   *
   * @throws GeminiError like `finish`
   */
  answer(): AnswerSummary;
}

/** A response of the core, as the package itself uses it. */
export interface CoreResponse extends ResponseAssembler {
  /**
   * Ends the response like `end`, and says what its answer is, in one crossing. `push` then takes the bytes of the
   * response that continues the answer.
   */
  conclude(options: FinishOptions): ResponseEnd;
}
