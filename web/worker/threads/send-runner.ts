// Runs the sends of a thread one after the other, whoever reads their events, and continues those whose process ended.
import type { Conversation, ConversationEvent, ToolCall } from '../../index.js';
import type { CallerLimits } from '../caller-limits.js';
import { deadlineOf, type Env } from '../env.js';
import { errorBody } from '../error-body.js';
import { countSend, type Keeper } from '../metrics.js';
import { visibleEvent, type ThreadEvent } from '../thread-event.js';
import type { CacheTable } from './caches.js';
import { openCallOf, threadEvent, type CallTable } from './call-table.js';
import type { EventLog } from './event-log.js';
import {
  closedCallText,
  endError,
  pausedByDeployment,
  threadDeleted,
  countOf,
  type Outcome,
  type Running,
  type EndCode,
  type SendRow,
  type SendTable,
} from './send-table.js';
import { isTrap } from '../../sdk/internal/shared-instance.js';
import type { OpenConversation, ThreadConversation } from './thread-conversation.js';
import type { ThreadRecord } from './tables.js';

/** What runs sends. */
interface RunnerParts {
  readonly env: Env;
  readonly keeper: Keeper;
  readonly record: ThreadRecord;
  readonly sends: SendTable;
  readonly calls: CallTable;
  readonly caches: CacheTable;
  readonly log: EventLog;
  readonly conversation: ThreadConversation;
  readonly limits: CallerLimits | undefined;
  /** Takes note that the thread is used. */
  readonly touch: () => void;
  /** Called when the time of the next alarm may have changed. */
  readonly onChange: () => void;
}

// Another instance of the core may have room for what this one had none for.
const attemptsAfterTraps = 2;

/** Runs the sends of one thread. */
export class SendRunner {
  readonly #parts: RunnerParts;
  #last: Promise<unknown> = Promise.resolve();
  #isAwake = false;
  #isDeleted = false;
  #running: Running | undefined;
  /** Called when a send has ended. Several requests may wait for the same one. */
  readonly #endings = new Map<number, (() => void)[]>();
  /** Sends that continue in this process after their results came. */
  readonly #continued = new Set<number>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Runs what can run. */
  wake(): void {
    if (this.#isAwake || !this.#next()) return;
    this.#isAwake = true;
    const work = this.inOrder(() => this.#run());
    this.#parts.keeper.waitUntil?.(work);
  }

  /** Runs `work` when nothing else of the thread runs. */
  inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Takes note that results came for all calls for which a send waits, and prepares its events. */
  resume({ number, attempt, leftMs }: SendRow): void {
    const { sends, log } = this.#parts;
    sends.begin(number, attempt, Date.now() + leftMs);
    log.begin(number, attempt);
    this.#continued.add(number);
    this.wake();
  }

  /** Ends sends. Settles when those have ended for which no other send must end first. */
  async end(numbers: readonly number[], code: EndCode): Promise<void> {
    for (const number of numbers) this.#end(number, code);
    const { active } = this.#parts.sends;
    const others = active.findIndex(({ endCode }) => endCode === undefined);
    const first = others < 0 ? active : active.slice(0, others);
    const last = first.at(-1);
    const ended = last && new Promise<void>((resolve) => this.#onEnd(last.number, resolve));
    this.wake();
    await ended;
  }

  /** Aborts everything for a deletion. Settles when nothing runs and nothing will. */
  async stop(): Promise<void> {
    this.#isDeleted = true;
    this.#running?.controller.abort(threadDeleted());
    await this.inOrder(async () => {});
  }

  #end(number: number, code: EndCode): void {
    this.#parts.sends.endWith(number, code);
    if (this.#running?.number !== number) return;
    this.#running.controller.abort(endError(code, deadlineOf(this.#parts.env)));
  }

  #onEnd(number: number, resolve: () => void): void {
    this.#endings.set(number, [...(this.#endings.get(number) ?? []), resolve]);
  }

  #tellEnd(number: number): void {
    for (const resolve of this.#endings.get(number) ?? []) resolve();
    this.#endings.delete(number);
  }

  #next(): SendRow | undefined {
    if (this.#isDeleted) return undefined;
    const { sends, calls } = this.#parts;
    const { head } = sends;
    const waits = head?.state === 'waiting' && !head.endCode && calls.open.length > 0;
    return waits ? undefined : head;
  }

  async #run(): Promise<void> {
    try {
      for (let row = this.#next(); row; row = this.#next()) await this.#runSend(row);
    } catch (error) {
      // The storage failed. The alarm tries again.
      console.error(error);
    } finally {
      this.#isAwake = false;
      for (const number of [...this.#endings.keys()]) this.#tellEnd(number);
      this.#parts.onChange();
      const { limits, record } = this.#parts;
      if (!this.#isDeleted && !this.#next()) void limits?.release(record.identity.id);
    }
  }

  async #runSend(row: SendRow): Promise<void> {
    const { number } = row;
    for (let traps = 1; ; traps++) {
      const running = this.#start(this.#parts.sends.get(number) ?? row);
      const outcome = await this.#attempt(running);
      this.#running = undefined;
      if (this.#isDeleted) return;
      const isEnded = this.#parts.sends.get(number)?.endCode !== undefined;
      const isTrapped = outcome.type === 'failed' && isTrap(outcome.error) && !isEnded;
      if (isTrapped && traps <= attemptsAfterTraps) continue;
      await this.#finish(running, outcome);
      return;
    }
  }

  // Begins an attempt. One that was running before belongs to a process, or an instance of the core, that has ended.
  #start(row: SendRow): Running {
    const { sends, log, limits, record, onChange } = this.#parts;
    const { number, state, leftMs } = row;
    const isNew = state === 'queued';
    const isLost = state === 'running' && !this.#continued.delete(number);
    const attempt = row.attempt + (isNew || isLost ? 1 : 0);
    const deadlineAt = row.deadlineAt ?? Date.now() + leftMs;
    sends.begin(number, attempt, deadlineAt);
    log.begin(number, attempt);
    if (isNew) this.#push({ type: 'sent', send: number, thread: record.identity.id });
    if (isLost) this.#push({ type: 'resumed', attempt });
    if (deadlineAt <= Date.now()) sends.endWith(number, 'deadline');
    void limits?.extend(record.identity.id, deadlineAt - Date.now());
    onChange();
    const controller = new AbortController();
    return (this.#running = { number, controller, startedAt: Date.now(), usage: [] });
  }

  async #attempt(running: Running): Promise<Outcome> {
    const { sends, conversation, env } = this.#parts;
    const { number, controller } = running;
    const { deadlineAt = 0, endCode } = sends.get(number) ?? {};
    const timer = setTimeout(() => this.#end(number, 'deadline'), deadlineAt - Date.now());
    try {
      if (endCode) throw endError(endCode, deadlineOf(env));
      conversation.checkConfiguration();
      const type = await conversation.use((open) => this.#send(open, running), false);
      return { type };
    } catch (error) {
      const { signal } = controller;
      return { type: 'failed', error: signal.aborted ? signal.reason : error };
    } finally {
      clearTimeout(timer);
    }
  }

  // Sends what is missing, again if all results have come before the calls paused.
  async #send(
    { conversation }: OpenConversation,
    running: Running,
  ): Promise<'completed' | 'waiting'> {
    const { calls } = this.#parts;
    this.#settleCalls(conversation);
    this.#place(conversation, running.number);
    for (;;) {
      const row = this.#parts.sends.get(running.number);
      const { firstTurn = 0, isAccepted = false } = row ?? {};
      const isIn = isAccepted || conversation.thread.length > firstTurn;
      if (isIn && !conversation.unanswered) return this.#repeatDone(conversation);
      const { signal } = running.controller;
      const events = isIn
        ? conversation.continueSend(firstTurn, { signal })
        : conversation.send(this.#parts.sends.message(running.number), { signal });
      const paused = await this.#pump(conversation, events, running);
      if (paused.length === 0) return 'completed';
      const { open } = calls;
      if (open.length > 0) {
        this.#push({ type: 'waiting', calls: open });
        return 'waiting';
      }
      const unanswerable = paused.filter(({ name }) => !this.#isCallers(name));
      if (unanswerable.length > 0) throw pausedByDeployment(unanswerable);
    }
  }

  // The thread holds the responses of calls that the table still has, if the process ended in between.
  #settleCalls({ thread }: Conversation): void {
    if (thread.tail.openCalls.length === 0) this.#parts.calls.closeAll();
  }

  // Open calls are answered before the message, so it comes one turn later.
  #place({ thread }: Conversation, number: number): void {
    const { sends } = this.#parts;
    if (sends.get(number)?.firstTurn !== undefined) return;
    const follows = sends.message(number) !== '' && thread.tail.openCalls.length > 0;
    sends.place(number, thread.length + Number(follows));
  }

  // The process ended after the last answer was stored. Only its text is known.
  #repeatDone({ thread }: Conversation): 'completed' {
    const { text = '' } = thread.tail;
    this.#push({ type: 'done', text, finishReason: 'STOP', usage: { requests: 0 } });
    return 'completed';
  }

  /** Returns the calls that stayed open. */
  async #pump(
    conversation: Conversation,
    events: AsyncIterable<ConversationEvent>,
    { number, usage }: Running,
  ): Promise<readonly ToolCall[]> {
    const { ids } = this.#parts.conversation;
    ids.start(number);
    let paused: readonly ToolCall[] = [];
    try {
      for await (const event of events) {
        if (event.type === 'usage') usage.push(event);
        if (event.type === 'waiting') paused = event.calls;
        else this.#take(event, conversation, number);
      }
    } catch (error) {
      // A message cannot follow open calls. It is sent when they have results.
      if (paused.length === 0 || Object(error).code !== 'conversation.waiting') throw error;
    }
    return paused;
  }

  #take(
    event: Exclude<ConversationEvent, { type: 'waiting' }>,
    { thread }: Conversation,
    number: number,
  ): void {
    const { calls, caches, conversation } = this.#parts;
    const { ids } = conversation;
    if (event.type === 'turn') {
      this.#accept(number, event.index);
      if (thread.tail.openCalls.length === 0) calls.closeAll();
    }
    if (event.type === 'toolCall') {
      ids.announce(event.call, thread.length - 1);
      if (this.#isCallers(event.call.name)) calls.announce(number, openCallOf(event, ids));
    }
    if (event.type === 'cache') caches.see(event);
    this.#push(threadEvent(event, ids, this.#isCallers));
  }

  #accept(number: number, index: number): void {
    const { sends } = this.#parts;
    const row = sends.get(number);
    if (!row || row.isAccepted) return;
    if (index >= (row.firstTurn ?? 0) || sends.message(number) === '') sends.accept(number);
  }

  readonly #isCallers = (name: string): boolean => this.#parts.conversation.isCallers(name);

  #push(event: ThreadEvent): void {
    // A send that a deletion ends writes nothing more.
    if (this.#isDeleted) return;
    this.#parts.log.push(visibleEvent(event, this.#parts.conversation.visibility));
  }

  async #finish(running: Running, outcome: Outcome): Promise<void> {
    const { sends, env, conversation } = this.#parts;
    const { number } = running;
    // The time to its expiry begins when a send ends, however long it ran.
    this.#parts.touch();
    if (outcome.type === 'waiting') {
      const { deadlineAt = 0 } = sends.get(number) ?? {};
      sends.pause(number, Math.max(1, deadlineAt - Date.now()));
      return this.#count(running, outcome);
    }
    const turns = await conversation
      .use((open) => this.#settledTurns(open, number, outcome))
      .catch((error: unknown) => void console.error(error));
    if (this.#isDeleted) return;
    if (outcome.type === 'failed') {
      this.#push({ type: 'failed', error: errorBody(outcome.error, env) });
    }
    this.#push({ type: 'stored', turns: turns ?? sends.get(number)?.firstTurn ?? 0 });
    sends.end(number, Date.now());
    this.#tellEnd(number);
    this.#count(running, outcome);
  }

  // Returns the number of turns. After a failure no call is open, so that a message can follow.
  async #settledTurns(
    { conversation }: OpenConversation,
    number: number,
    outcome: Outcome,
  ): Promise<number> {
    const { thread } = conversation;
    const row = this.#parts.sends.get(number);
    const hasBegun = row?.firstTurn !== undefined;
    if (outcome.type === 'failed' && hasBegun && thread.tail.openCalls.length > 0) {
      await conversation.closeCalls(row.endCode && closedCallText[row.endCode]);
      const index = conversation.thread.length - 1;
      this.#push({ type: 'turn', index, content: conversation.thread.content(index, 'content') });
    }
    this.#settleCalls(conversation);
    return conversation.thread.length;
  }

  #count(running: Running, outcome: Outcome): void {
    const { env, keeper, sends } = this.#parts;
    const endCode = sends.get(running.number)?.endCode;
    countSend(env, keeper, countOf(running, outcome, endCode));
  }
}
