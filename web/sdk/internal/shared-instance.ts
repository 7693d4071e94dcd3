// Shares one instance of a module among callers, because each has a memory of its own, until it traps.
import { StrataError } from './errors.js';

const traps: readonly string[] = ['instance.poisoned', 'instance.out_of_memory'];

/** Returns whether an error says that an instance cannot be used any more. */
export const isTrap = (error: unknown): boolean =>
  error instanceof StrataError && traps.includes(error.code);

function isUsable<Instance>(instance: Instance, use: (instance: Instance) => unknown): boolean {
  try {
    use(instance);
    return true;
  } catch (error) {
    return !isTrap(error);
  }
}

/**
 * Returns a function that returns an instance that can be used. Its callers share the instance, but no promise: in
 * Workers, what a request awaits may never settle once that request has ended.
 *
 * @param use calls into an instance, which throws if that has trapped
 */
export function sharedInstance<Instance>(
  create: () => Promise<Instance>,
  use: (instance: Instance) => unknown,
): () => Promise<Instance> {
  let shared: Instance | undefined;
  return async () => {
    if (shared && isUsable(shared, use)) return shared;
    const created = await create();
    if (!shared || !isUsable(shared, use)) shared = created;
    return shared;
  };
}
