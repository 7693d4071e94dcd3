// Describes the machine of a measurement.
import { cpus, release, type } from 'node:os';

/** Returns the processor, the system and the version of Node, for a line under a table. */
export function machine() {
  const [{ model }] = cpus();
  return `${model} × ${cpus().length}, ${type()} ${release()}, Node ${process.versions.node}`;
}
