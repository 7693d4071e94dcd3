// Defines the Durable Object class of threads, with this deployment.
import deployment from './deployment.js';
import type { Env } from './env.js';
import { StoredThread, type ThreadState } from './threads/thread-object.js';

/**
 * The Durable Object of one thread. Deployments name this class in their migrations (wrangler.jsonc), so it cannot be
 * renamed without a migration.
 */
export class ThreadObject extends StoredThread {
  constructor(state: ThreadState, env: Env) {
    super(state, env, deployment);
  }
}
