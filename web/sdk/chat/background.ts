// Runs requests in the background at Google: begins, waits, and cancels what an abort ends.
import { Watch } from '../internal/lifetime.js';
import { GeminiError } from '../internal/errors.js';
import { messageOf } from '../internal/messages.js';
import type { CallOptions } from '../client/http.js';
import { sendAgain } from '../client/send-again.js';
import { observed } from '../client/sent-request.js';
import type { RequestEvent } from '../types/conversation-event.js';
import type { GeminiClient } from '../client/client.js';
import type { ConversationThread } from './conversation-thread.js';
import type { EventChannel } from './event-channel.js';
import { backgroundNote } from './background-note.js';
import { keepInteraction, keptInteraction } from './kept-interactions.js';

/** What a run in the background needs of its send. */
interface RunContext {
  readonly client: GeminiClient;
  readonly live: ConversationThread;
  readonly events: EventChannel;
  readonly watch: Watch;
}

// How long an abort waits for Google to cancel, in milliseconds.
const cancelGraceMs = 5000;

/**
 * Returns the interaction that runs at Google for the last turn, from before a restart or a failed send. Forgets one that
 * runs for another turn.
 */
export async function runningInteraction(live: ConversationThread): Promise<string | undefined> {
  if (live.backgroundId === undefined) return undefined;
  const kept = await keptInteraction(live, backgroundNote);
  if (!kept) live.forget(backgroundNote);
  return kept?.id;
}

/**
 * Returns the response with the answer to a request once it is there. Begins the interaction unless it runs already as
 * `running`. An abort cancels it.
 *
 * @throws GeminiError if a request fails; the signal's reason
 */
export async function answerInBackground(
  context: RunContext,
  request: RequestEvent,
  running: string | undefined,
): Promise<Response> {
  const { client, live, watch, events } = context;
  const call = {
    signal: watch.signal,
    onRetry: observed({ signal: watch, emit: events.emit }, request).onRetry,
  };
  const id = running ?? (await begin(context, request));
  try {
    if (running === undefined) {
      await keepInteraction(live, backgroundNote, id);
      await live.journal.syncNotes();
    }
    await events.put([{ type: 'background', id, status: 'in_progress' }]);
    await client.interactions.wait(id, { ...call, timeoutMs: 0 });
    return await client.interactions.answer(id, call);
  } catch (error) {
    if (watch.aborted) await cancel(context, id);
    else if (sendAgain.withoutState(error, 1) !== undefined) live.forget(backgroundNote);
    throw error;
  }
}

// Google may begin an interaction although nobody waits for its id any more: it is cancelled when the id comes.
async function begin(context: RunContext, request: RequestEvent): Promise<string> {
  const { client, watch, events } = context;
  const { onRetry, ...options } = observed({ signal: watch, emit: events.emit }, request);
  const call: CallOptions = {
    ...options,
    signal: undefined,
    onRetry(error, delayMs, attempt) {
      if (watch.aborted) throw watch.reason;
      onRetry?.(error, delayMs, attempt);
    },
  };
  const created = client.interactions.create(request.body, call);
  try {
    const { id } = await watch.wait(created);
    if (id) return id;
  } catch (error) {
    if (watch.aborted)
      void created.then(({ id }) => (id ? cancel(context, id) : undefined)).catch(() => {});
    throw error;
  }
  throw new GeminiError(
    'answer.invalid',
    'The API answered a request with background: true without an id, so its answer cannot be asked for',
  );
}

// What could not be cancelled is kept for the next send.
async function cancel({ client, live, events }: RunContext, id: string): Promise<void> {
  const late = () => new GeminiError('timeout', `No response within ${cancelGraceMs} ms`);
  const watch = new Watch(undefined, cancelGraceMs, late);
  try {
    const { status } = await watch.waitLast(
      client.interactions.cancel(id, { signal: watch.signal }),
    );
    if (status === 'cancelled') live.forget(backgroundNote);
    events.emit({ type: 'background', id, status });
  } catch (error) {
    events.emit({
      type: 'background',
      id,
      status: 'in_progress',
      error: client.redact(messageOf(error)),
    });
  }
}
