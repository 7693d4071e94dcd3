// Says what is counted about an attempt at a send.
import { StrataError, type UsageEvent } from '../../index.js';
import { HttpError } from '../../server/body.js';
import type { SendCount } from '../metrics.js';
import type { EndCode } from './send-table.js';

/** How an attempt at a send ended. */
export type Outcome = { type: 'completed' | 'waiting' } | { type: 'failed'; error: unknown };

/** The send that runs. */
export interface Running {
  readonly number: number;
  readonly controller: AbortController;
  readonly startedAt: number;
  /** The `usage` events since the last count. */
  readonly usage: UsageEvent[];
}

const codeOf = (error: unknown): string =>
  error instanceof StrataError || error instanceof HttpError ? error.code : 'internal';

/** Returns the count of a send that has ended or waits. */
export function countOf(
  { startedAt, usage }: Running,
  outcome: Outcome,
  endCode: EndCode | undefined,
): SendCount {
  const isAborted = outcome.type === 'failed' && endCode === 'aborted';
  return {
    outcome: isAborted ? 'aborted' : outcome.type,
    ...(outcome.type === 'failed' && { code: codeOf(outcome.error) }),
    seconds: (Date.now() - startedAt) / 1000,
    usage: usage.splice(0),
  };
}
