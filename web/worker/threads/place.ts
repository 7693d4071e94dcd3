// Takes a place among the sends of a caller that run, for a send that is about to run.
import type { LiveThread } from './live-thread.js';
import { claimMarginMs } from './send-runner.js';

/**
 * Runs `work`, which starts a send, in a place for it. The place is left if no send runs then.
 *
 * @throws HttpError with the status 429 if the caller has no place left, with the status 404 if the thread was deleted
 *   meanwhile; what `work` throws
 */
export async function inPlace<Result>(
  live: LiveThread,
  leftMs: number,
  work: () => Result,
): Promise<Result> {
  const { limits, record } = live;
  const { id } = record.identity;
  await limits.claim(id, leftMs + claimMarginMs);
  try {
    live.checkExists();
    return work();
  } finally {
    if (!record.exists || !live.isRunning)
      await limits.release(id).catch((error: unknown) => console.error(error));
  }
}
