// Reads secrets from environment variables, and keeps a server until the process is interrupted.
import process from 'node:process';
import type { RunningServer } from '../server/serve.js';
import { UsageError } from './arguments.js';

/**
 * Returns the value of the environment variable that an option names.
 *
 * @throws UsageError if it is not set
 */
export function variable(name: string, option: string): string {
  // Whoever passes the key itself must not find it in a log.
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new UsageError(`${option} takes the name of an environment variable, not a key.`);
  }
  const value = process.env[name];
  if (!value) throw new UsageError(`The environment variable ${name} is not set.`);
  return value;
}

// Resolves when the user presses Ctrl+C, or the process is asked to end.
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** Prints how to use a server, closes it when the process is interrupted, and returns the exit status. */
export async function untilInterrupted(server: RunningServer, print: () => void): Promise<number> {
  const ended = interrupted();
  print();
  await ended;
  await server.close();
  return 0;
}
