// Says what is counted about an attempt at a send.
import { StrataError } from '../../index.js';
import { HttpError } from '../../sdk/server/http-error.js';
import type { SendCount } from '../metrics.js';
import type { UsageMeter } from '../usage-meter.js';
import type { EndCode } from './send-table.js';

/** How an attempt at a send ended. */
export type Outcome = { type: 'completed' | 'waiting' } | { type: 'failed'; error: unknown };

/** The send that runs. */
export interface Running {
  readonly number: number;
  readonly controller: AbortController;
  readonly startedAt: number;
  readonly usage: UsageMeter;
}

const codeOf = (error: unknown): string =>
  error instanceof StrataError || error instanceof HttpError ? error.code : 'internal';

/** Returns the count of a send that has ended or waits. */
export function countOf(
  { startedAt, usage }: Running,
  outcome: Outcome,
  endCode: EndCode | undefined,
  model: string,
): Omit<SendCount, 'strata'> {
  const isAborted = outcome.type === 'failed' && endCode === 'aborted';
  return {
    model,
    outcome: isAborted ? 'aborted' : outcome.type,
    ...(outcome.type === 'failed' && { code: codeOf(outcome.error) }),
    seconds: (Date.now() - startedAt) / 1000,
    usage: usage.take(),
  };
}
