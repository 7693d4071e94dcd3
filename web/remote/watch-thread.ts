// Watches all sends of a thread.
import { Watch } from '../sdk/internal/lifetime.js';
import type { RetryListener } from '../sdk/client/send-again.js';
import { EventChannel } from '../sdk/chat/event-channel.js';
import type { RemoteEvent } from '../sdk/types/remote-event.js';
import { EventFeed } from './event-feed.js';
import type { WatchOptions } from './options.js';
import { errorOfFailure } from './remote-error.js';
import type { ThreadRequests } from './thread-requests.js';

/** Returns the events of a thread as they happen. `check` throws if the options are invalid. */
export function watchThread(
  requests: ThreadRequests,
  onRetry: RetryListener | undefined,
  options: WatchOptions,
  check: () => void,
): EventChannel<RemoteEvent> {
  let watch: Watch | undefined;
  const run = async (channel: EventChannel<RemoteEvent>) => {
    check();
    watch = new Watch(options.signal, 0, Error);
    const { signal } = watch;
    try {
      if (signal.aborted) throw signal.reason;
      const open = (last: string | undefined) => requests.events(last, false, signal);
      const parts = { open, retry: requests.worker.retry, onRetry, signal };
      for await (const event of new EventFeed(parts, options.after).events()) {
        // No other event can follow.
        if (event.type === 'failed' && event.error.code === 'thread.deleted')
          throw errorOfFailure(event.error);
        await channel.put([event]);
      }
    } finally {
      watch.release();
    }
  };
  return new EventChannel<RemoteEvent>(run, () => watch?.abort(), new Error());
}
