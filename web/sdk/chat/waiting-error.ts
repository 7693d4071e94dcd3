// Defines the error of a send that has no answer yet, because tools left calls open.
import { StrataError } from '../internal/errors.js';

const advice = "Provide their results, and resume with send('')";

/** The error of a method that returns an answer. */
export const noAnswerYet = (): StrataError =>
  new StrataError(
    'conversation.waiting',
    `Tools left calls open, so there is no answer yet. ${advice}`,
  );

/** The error of a send whose message follows open calls. */
export const messageNotAdded = (): StrataError =>
  new StrataError(
    'conversation.waiting',
    `Calls are open, so the message was not added. ${advice}`,
  );
