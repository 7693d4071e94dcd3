// Decides when the object of a thread wakes by itself: to watch over a send, to expire, or to finish a deletion.
import type { DurableStorage } from '../../stores/index.js';
import type { SendRow } from './send-table.js';
import type { SqlDatabase } from '../sql.js';

/** `ctx.storage` of a Durable Object, as threads use it. */
export interface ThreadStorage extends SqlDatabase, DurableStorage {
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
}

/** While a send runs, the object wakes this often, so that another process continues it. */
const watchdogMs = 30_000;

/** Returns when an object is to wake: while the first of its sends runs, soon; else when the thread expires, if it does. */
export function wakeTime(
  head: SendRow | undefined,
  expiresAt: number | undefined,
  now: number,
): number | undefined {
  if (!head || (head.state === 'waiting' && !head.endCode)) return expiresAt;
  return Math.min(now + watchdogMs, head.deadlineAt ?? Infinity);
}

/** The alarm of one object. Times that come no earlier than the one that is set cost nothing. */
export class Alarm {
  readonly #storage: ThreadStorage;
  #time: number | undefined;

  constructor(storage: ThreadStorage) {
    this.#storage = storage;
  }

  /** Sets the alarm, unless it comes early enough already and `time` is not much later. */
  async set(time: number | undefined): Promise<void> {
    const known = this.#time;
    if (time === undefined) return this.clear();
    if (known !== undefined && known <= time && time - known < watchdogMs) return;
    this.#time = time;
    await this.#storage.setAlarm(time);
  }

  /** Takes note that the alarm has rung. */
  rang(): void {
    this.#time = undefined;
  }

  /** Removes the alarm. */
  async clear(): Promise<void> {
    this.#time = undefined;
    await this.#storage.deleteAlarm();
  }
}
