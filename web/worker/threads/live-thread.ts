// Puts together the parts of a thread while its object is in memory.
import { CallerLimits } from '../caller-limits.js';
import type { Deployment } from '../define-deployment.js';
import type { Env } from '../env.js';
import type { Keeper } from '../metrics.js';
import { unknownThread } from '../thread-call.js';
import { Alarm, wakeTime, type ThreadStorage } from './alarms.js';
import { CacheTable } from './caches.js';
import { CallTable } from './call-table.js';
import { eventIdText, EventLog } from './event-log.js';
import { SendRunner } from './send-runner.js';
import { SendTable } from './send-table.js';
import { TextTable } from '../sql.js';
import { ThreadConversation } from './thread-conversation.js';
import { ThreadRecord } from './tables.js';
import { Watchers } from './watchers.js';

/** What an object gives its thread. */
interface LiveParts {
  readonly keeper: Keeper;
  readonly storage: ThreadStorage;
  readonly env: Env;
  readonly deployment: Deployment;
}

/** A thread in memory. */
export class LiveThread {
  readonly env: Env;
  readonly deployment: Deployment;
  readonly storage: ThreadStorage;
  readonly record: ThreadRecord;
  readonly texts: TextTable;
  readonly sends: SendTable;
  readonly calls: CallTable;
  readonly caches: CacheTable;
  readonly alarm: Alarm;
  readonly conversation: ThreadConversation;
  readonly #keeper: Keeper;
  #events: { log: EventLog; watchers: Watchers } | undefined;
  #runner: SendRunner | undefined;
  #limits: CallerLimits | undefined;

  constructor({ keeper, storage, env, deployment }: LiveParts) {
    this.#keeper = keeper;
    this.env = env;
    this.deployment = deployment;
    this.storage = storage;
    this.record = new ThreadRecord(storage);
    this.texts = new TextTable(storage);
    this.sends = new SendTable(storage, this.texts);
    this.calls = new CallTable(storage, this.texts);
    this.caches = new CacheTable(storage);
    this.alarm = new Alarm(storage);
    this.conversation = new ThreadConversation(this);
  }

  /** The events. The tables must exist. */
  get log(): EventLog {
    return this.#streams.log;
  }

  /** Who reads the events. The tables must exist. */
  get watchers(): Watchers {
    return this.#streams.watchers;
  }

  /** The limits of the caller. @throws HttpError with the status 501 if no Durable Object is bound */
  get limits(): CallerLimits {
    return (this.#limits ??= new CallerLimits(this.env, this.record.identity.caller));
  }

  /** Runs the sends. The tables must exist. */
  get runner(): SendRunner {
    return (this.#runner ??= this.#createRunner());
  }

  /** When the thread is deleted unless it is used before; undefined if its configuration sets no time. */
  get expiresAt(): number | undefined {
    const ms = this.conversation.configuration?.expiresAfterMs;
    return ms === undefined ? undefined : this.record.usedAt + ms;
  }

  /** Whether a send runs, or could. */
  get isRunning(): boolean {
    const { head } = this.sends;
    return head !== undefined && head.state !== 'waiting';
  }

  /** Whether a send waits for results of the caller. */
  get isWaiting(): boolean {
    const { head } = this.sends;
    return head?.state === 'waiting' && head.endCode === undefined;
  }

  /** Throws if the thread was deleted meanwhile. @throws HttpError with the status 404 */
  checkExists(): void {
    if (!this.record.exists) throw unknownThread();
  }

  /** Takes note that the thread is used. */
  touch(): void {
    const ms = this.conversation.configuration?.expiresAfterMs;
    if (ms !== undefined) this.record.touch(Date.now(), ms);
  }

  /** Continues sends that nobody runs. */
  wake(): void {
    if (this.record.exists) this.runner.wake();
  }

  /** Sets the alarm. */
  schedule(): void {
    if (!this.record.exists) return;
    const time = wakeTime(this.sends.head, this.expiresAt, Date.now());
    void this.alarm.set(time).catch((error: unknown) => console.error(error));
  }

  /** Ends everything that runs. */
  async stop(): Promise<void> {
    await this.runner.stop();
    // No event is written after the thread was cleared.
    this.log.flush();
    this.conversation.close();
    await this.#limits?.release(this.record.identity.id);
  }

  /** Deletes what a thread says. Its caches are still to be deleted. */
  clearTexts(): void {
    const tables = ['turn_pieces', 'stored_pieces', 'events', 'sends', 'calls', 'texts'];
    for (const table of tables) this.storage.sql.exec(`DELETE FROM ${table}`);
  }

  /** Returns what `GET /threads/{id}` answers. */
  async stateResponse(): Promise<Response> {
    const turns = await this.conversation.use(({ conversation }) => conversation.thread.length);
    const { identity, createdAt } = this.record;
    const { head, last } = this.sends;
    const { expiresAt } = this;
    return Response.json({
      id: identity.id,
      configuration: identity.configuration,
      turns,
      state: !head ? 'idle' : head.state === 'waiting' ? 'waiting' : 'running',
      openCalls: this.calls.open,
      ...(last > 0 && { lastSend: last, lastEvent: eventIdText(this.log.last) }),
      createdAt: new Date(createdAt).toISOString(),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    });
  }

  get #streams() {
    if (this.#events) return this.#events;
    const log = new EventLog(this.storage);
    const { head } = this.sends;
    // Its process ended. Readers wait for the next attempt, even where the last event is `waiting`.
    if (head?.state === 'running') log.begin(head.number, head.attempt);
    return (this.#events = { log, watchers: new Watchers(log) });
  }

  #createRunner(): SendRunner {
    const { env, record, sends, calls, caches, log, conversation } = this;
    const limits = env.CALLERS ? this.limits : undefined;
    const touch = () => this.touch();
    const onChange = () => this.schedule();
    const keeper = this.#keeper;
    const parts = { env, keeper, record, sends, calls, caches, log, conversation };
    return new SendRunner({ ...parts, limits, touch, onChange });
  }
}
