// Describes the machine of a measurement.
import { cpus, release, type } from 'node:os';

/** Returns the processor, the system and the version of Node, for a line under a table. */
export function machine() {
  const [{ model }] = cpus();
  return `${model} × ${cpus().length}, ${type()} ${release()}, Node ${process.versions.node}`;
}

/** Returns today's date and the machine, for figures that were just measured. */
export const measuredHere = () => `${new Date().toISOString().slice(0, 10)}, ${machine()}`;
