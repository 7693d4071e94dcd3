// Shares one instance of the core among the threads of an isolate, because each instance has a memory of its own.
import { load, StrataError, type Strata } from '../../index.js';

const traps: readonly string[] = ['instance.poisoned', 'instance.out_of_memory'];

/** Returns whether an error says that the instance of the core cannot be used any more. */
export const isTrap = (error: unknown): boolean =>
  error instanceof StrataError && traps.includes(error.code);

let shared: Strata | undefined;

// A trap in one thread ends the instance for all of them.
function isUsable(core: Strata): boolean {
  try {
    return core.modelLimits('') !== undefined;
  } catch (error) {
    return !isTrap(error);
  }
}

/** Returns an instance of the core that can be used. Objects share the instance, but no promise. */
export async function sharedCore(): Promise<Strata> {
  if (shared && isUsable(shared)) return shared;
  const loaded = await load();
  if (!shared || !isUsable(shared)) shared = loaded;
  return shared;
}
