// Starts a server of the installed package's command as a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { consumer } from './consumer.mjs';

const command = join(consumer, 'node_modules', '.bin', 'prompt-strata');

/**
 * Starts the command and waits for its first line, the address. `output` returns what it has printed, `stop` interrupts
 * it as Ctrl+C does and returns its exit status.
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to the environment
 */
export async function startCommand(args, env = {}) {
  const child = spawn(command, args, {
    ...{ stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  });
  const ended = once(child, 'close');
  let text = '';
  const printed = new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      if (text.includes('\n')) resolve();
    });
    child.once('exit', (status) => reject(new Error(`The command ended with ${status}.`)));
  });
  await printed;
  // A test that fails before `stop` must not leave the process behind.
  child.unref();
  child.stdout.unref();
  process.once('exit', () => child.kill());
  return {
    url: text.split('\n')[0],
    output: () => text,
    async stop() {
      child.ref();
      child.stdout.ref();
      child.kill('SIGINT');
      const [status] = await ended;
      return status;
    },
  };
}

/** Starts the emulator on a free port. */
export const startEmulator = (...options) => startCommand(['emulator', '--port', '0', ...options]);
