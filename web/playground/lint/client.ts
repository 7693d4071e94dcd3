// Asks the lint worker.

/** The lint worker. */
export class LintClient {}
