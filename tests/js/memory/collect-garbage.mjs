// Collects garbage in Node, also what a finalizer has let go.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Collects all garbage. Resolves when the finalizers have run. */
export async function collectGarbage() {
  for (let i = 0; i < 2; i++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
