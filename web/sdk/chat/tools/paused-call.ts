// Defines what a tool throws to leave its call open, because its result comes later.

/**
 * Thrown by `run` of a tool whose result comes later: a person answers, or another process. The call stays open, the
 * results of the other calls are kept, and the send ends with the event `waiting`. The next send runs the call again.
 *
 * @example
 * async run({ question }) {
 *   const answer = await database.answerOf(question);
 *   if (answer === undefined) throw new PausedCall();
 *   return answer;
 * }
 */
export class PausedCall extends Error {
  constructor(message = 'The result of this call comes later') {
    super(message);
    this.name = 'PausedCall';
  }
}

/** Returns whether a thrown value is a PausedCall. A revoked proxy may be thrown, too. */
export function isPausedCall(thrown: unknown): thrown is PausedCall {
  try {
    return thrown instanceof PausedCall;
  } catch {
    return false;
  }
}
