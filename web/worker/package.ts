// The entry prompt-strata/worker: threads for a Worker of your own, without a clone of this one.
import { withCors } from './access.js';
import { threadAnswer } from './answers.js';
import { CallerObject as Callers } from './caller-limits.js';
import {
  defineDeployment,
  type Configuration,
  type Deployment,
  type SharedOptions,
} from './define-deployment.js';
import type { Env } from './env.js';
import type { Keeper } from './metrics.js';
import { isThreadPath } from './routes.js';
import { StoredThread, type ThreadState } from './threads/thread-object.js';

export type { Configuration, Deployment, SharedOptions };

/** A class of Durable Objects, as Cloudflare makes them. */
export type ObjectClass = new (
  state: object,
  env: object,
) => { fetch(request: Request): Promise<Response> };

/** Threads with the conversations of one deployment. */
export interface WorkerThreads {
  /** The class of the binding THREADS. Export it under the name that your migrations have. */
  ThreadObject: ObjectClass;
  /** Answers requests of `/threads`; undefined for any other path, which is yours. */
  fetch(
    request: Request,
    env: object,
    context: { waitUntil?(work: Promise<unknown>): void },
  ): Promise<Response> | undefined;
}

/**
 * Returns what a Worker needs to keep threads: the class of its Durable Object, and what answers requests. The bindings and
 * variables are those of the Worker of this project: docs/worker.md.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option of a configuration
 *
 * @example
 * const threads = createThreads({
 *   configurations: { support: { systemInstruction: 'Help our customers.', caching: true } },
 *   default: 'support',
 * });
 * export const { ThreadObject } = threads;
 * export default { fetch: (request, env, context) => threads.fetch(request, env, context) ?? page(request) };
 */
export function createThreads(given: Deployment): WorkerThreads {
  const deployment = defineDeployment(given);
  class ThreadObject extends StoredThread {
    constructor(state: object, env: object) {
      super(state as ThreadState, env, deployment);
    }
  }
  const answer = async (request: Request, env: Env, keeper: Keeper) =>
    withCors(await threadAnswer(request, env, keeper, deployment), request, env);
  return {
    ThreadObject,
    fetch: (request, env, context) =>
      isThreadPath(new URL(request.url).pathname) ? answer(request, env, context) : undefined,
  };
}

const standard = /* @__PURE__ */ createThreads({
  configurations: { assistant: { callerTools: true } },
  default: 'assistant',
});

/** The class of threads with the model of the variable MODEL and the tools that callers declare. */
export const ThreadObject: ObjectClass = /* @__PURE__ */ (() => standard.ThreadObject)();

/** Answers requests of `/threads` for the class `ThreadObject`; undefined for any other path. */
export const handleThreads: WorkerThreads['fetch'] = (request, env, context) =>
  standard.fetch(request, env, context);

/** The class of the binding CALLERS, which counts what each caller uses. */
export const CallerObject: ObjectClass = Callers as unknown as ObjectClass;
