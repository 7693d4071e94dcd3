// Lists the operations of a thread.
import { unknownThread, operationOf, threadCallOf, type ThreadCall } from '../thread-call.js';
import { abort, rewind, events, exported, turns, type Operation } from './operation.js';
import { isCreated, fork, createThread } from './create-thread.js';
import { messages, results } from './post-message.js';
import { HttpError } from '../../server/body.js';
import type { Deployment } from '../define-deployment.js';
import type { Env } from '../env.js';
import { errorBody, errorResponse } from '../error-body.js';
import type { Keeper } from '../metrics.js';
import type { ThreadStorage } from './alarms.js';
import { deleteCaches } from './caches.js';
import { LiveThread } from './live-thread.js';
import { threadDeleted } from './send-table.js';

type Operate = (operation: Operation) => Promise<Response>;

/** The operations by name. `create` and `delete` are those of the object. */
export const operations: { readonly [name: string]: Operate } = {
  state: ({ live }) => live.stateResponse(),
  created: async ({ live, call }) => {
    if (!isCreated(live, call)) throw unknownThread();
    return live.stateResponse();
  },
  ...{ turns, messages, events, results, abort, fork, rewind },
  export: exported,
};

/** The state of a Durable Object, as threads use it. */
export interface ThreadState extends Keeper {
  readonly storage: ThreadStorage;
}

// A cache that cannot be deleted ends by itself.
const deletionAttempts = 3;
const deletionRetryMs = 30_000;

/**
 * The object of one thread. It answers operations (`https://thread/<operation>`) that the Worker has checked. Whatever
 * wakes it, a request or its alarm, continues sends whose process ended.
 */
export class StoredThread {
  readonly #state: ThreadState;
  readonly #env: Env;
  readonly #deployment: Deployment;
  #live: LiveThread | undefined;
  #creation: Promise<void> | undefined;
  #deletion: Promise<void> | undefined;

  constructor(state: ThreadState, env: Env, deployment: Deployment) {
    this.#state = state;
    this.#env = env;
    this.#deployment = deployment;
  }

  /** Answers an operation. */
  async fetch(request: Request): Promise<Response> {
    try {
      const response = await this.#answer(request);
      this.#live?.wake();
      return response;
    } catch (error) {
      return errorResponse(this.#isDeleted(request) ? unknownThread() : error, this.#env);
    }
  }

  /** Continues what a process has left, ends what is overdue, and deletes the thread when it expires. */
  async alarm(): Promise<void> {
    const live = this.#open();
    live.alarm.rang();
    if (live.record.isDeleting) return this.#delete(live);
    if (!live.record.exists) return;
    if ((live.expiresAt ?? Infinity) <= Date.now() && !live.isRunning) return this.#delete(live);
    live.wake();
    live.schedule();
  }

  // What fails after a deletion fails because of it.
  #isDeleted(request: Request): boolean {
    return operationOf(request) !== 'create' && !this.#open().record.exists;
  }

  #open(): LiveThread {
    const { storage } = this.#state;
    const parts = { keeper: this.#state, storage, env: this.#env, deployment: this.#deployment };
    return (this.#live ??= new LiveThread(parts));
  }

  async #answer(request: Request): Promise<Response> {
    const operation = operationOf(request);
    const call = threadCallOf(request);
    const body = await request.text();
    // Another request with the same key creates the thread.
    while (this.#creation) await this.#creation.catch(() => {});
    if (operation === 'create') return this.#create(call, body);
    const live = this.#open();
    live.checkExists();
    if (operation === 'delete') {
      await this.#delete(live);
      return new Response(null, { status: 204 });
    }
    const run = operations[operation];
    if (!run) throw new HttpError(404, 'route.unknown', 'There is no such operation.');
    live.touch();
    return run({ live, request, call, body });
  }

  async #create(call: ThreadCall, body: string): Promise<Response> {
    if (this.#open().record.isDeleting) {
      const message = 'The thread is being deleted. Please retry.';
      throw new HttpError(503, 'thread.unavailable', message, { 'retry-after': '1' });
    }
    // The answer to an earlier request may have been lost.
    if (!isCreated(this.#open(), call)) {
      this.#creation = this.#createOnce(call, body).finally(() => (this.#creation = undefined));
      await this.#creation;
    }
    const live = this.#open();
    live.schedule();
    return live.stateResponse();
  }

  async #createOnce(call: ThreadCall, body: string): Promise<void> {
    try {
      if (this.#open().record.exists) await this.#clear();
      await createThread(this.#open(), call, body);
    } catch (error) {
      await this.#clear();
      throw error;
    }
  }

  // Wins over everything that runs. Another process continues a deletion that has begun.
  #delete(live: LiveThread): Promise<void> {
    this.#deletion ??= this.#deleteOnce(live).finally(() => (this.#deletion = undefined));
    return this.#deletion;
  }

  async #deleteOnce(live: LiveThread): Promise<void> {
    live.record.beginDeletion();
    live.watchers.end({ type: 'failed', error: errorBody(threadDeleted(), this.#env) });
    await this.#state.storage.setAlarm(Date.now() + deletionRetryMs);
    await live.stop();
    const areDeleted = await deleteCaches(live.caches, this.#env);
    if (areDeleted || live.record.deletions >= deletionAttempts) await this.#clear();
    else live.clearTexts();
  }

  async #clear(): Promise<void> {
    this.#live = undefined;
    await this.#state.storage.deleteAll();
    // Last, so that another process finishes a deletion that this one does not.
    await this.#state.storage.deleteAlarm();
  }
}
