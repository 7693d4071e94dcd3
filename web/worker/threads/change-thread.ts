// Aborts sends, and removes turns from the end of a thread.
import { HttpError } from '../../server/body.js';
import { idempotencyKeyOf, parseAbort, parseRewind } from '../requests.js';
import type { LiveThread } from './live-thread.js';
import type { Operation } from './operation.js';

/** Ends sends that have not ended: all, or one. A send that waits for results has its calls answered with an error. */
export async function abort({ live, request, body }: Operation): Promise<Response> {
  const { send } = parseAbort(body);
  const key = idempotencyKeyOf(request);
  const keyed = key === undefined ? undefined : (live.sends.withKey(key)?.number ?? 0);
  const numbers = live.sends.active
    .filter(({ endCode }) => endCode === undefined)
    .map(({ number }) => number)
    .filter((number) => (send ?? number) === number && (keyed ?? number) === number);
  if (numbers.length > 0) await live.runner.end(numbers, 'aborted');
  return Response.json({ aborted: numbers.length });
}

function checkIdle({ sends }: LiveThread): void {
  if (!sends.head) return;
  const message = 'A send of this thread runs or waits. Abort it, or wait for its end.';
  throw new HttpError(409, 'thread.running', message);
}

/** Keeps only the first turns. */
export async function rewind({ live, body }: Operation): Promise<Response> {
  const { turns } = parseRewind(body);
  checkIdle(live);
  await live.runner.inOrder(async () => {
    live.checkExists();
    checkIdle(live);
    await live.conversation.use(({ conversation }) => {
      checkLength(turns, conversation.thread.length);
      return conversation.rewind(turns);
    });
    live.calls.closeAll();
  });
  return live.stateResponse();
}

/** @throws HttpError if a thread has fewer turns */
export function checkLength(turns: number, length: number): void {
  if (turns <= length) return;
  const message = `/turns must be at most ${length}, the number of turns of this thread.`;
  throw new HttpError(400, 'turns.invalid', message);
}
