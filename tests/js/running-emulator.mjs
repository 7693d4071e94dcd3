// Starts `prompt-strata emulator` of the installed package as a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { consumer } from './consumer.mjs';

const command = join(consumer, 'node_modules', '.bin', 'prompt-strata');

/**
 * Starts the command on a free port. `output` returns what it has printed, `stop` interrupts it as Ctrl+C does and
 * returns its exit status.
 */
export async function startEmulator(...options) {
  const args = ['emulator', '--port', '0', ...options];
  const process = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(process, 'exit');
  let text = '';
  const printed = new Promise((resolve, reject) => {
    process.stdout.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      if (text.includes('\n')) resolve();
    });
    process.once('exit', (status) => reject(new Error(`The emulator ended with ${status}.`)));
  });
  await printed;
  return {
    url: text.split('\n')[0],
    output: () => text,
    async stop() {
      process.kill('SIGINT');
      const [status] = await ended;
      return status;
    },
  };
}
