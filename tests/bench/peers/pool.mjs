// Runs each trial of a client in a process of its own, and has them work in turns, never two at a time: so none slows
// another's engine or memory down, and changes in machine speed affect all of them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SetupError } from '../../../scripts/setup/run.mjs';

/** The folder of these files below the folder in which the clients are installed. */
export const filesIn = (folder) => join(folder, 'tests', 'bench', 'peers');

class ClientProcess {
  #child;
  #name;
  #errors = '';

  constructor(folder, { client, name }) {
    this.#name = name;
    // Clients may print what they like.
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'];
    const file = join(filesIn(folder), 'process.mjs');
    this.#child = fork(file, [client], { cwd: folder, stdio });
    this.#child.stderr.on('data', (data) => (this.#errors += data));
    this.#child.on('exit', (code) => this.#child.emit('message', { error: `exit code ${code}` }));
  }

  async reply() {
    const [{ result, error }] = await once(this.#child, 'message');
    if (error) throw new SetupError(`${this.#name}: ${error}\n${this.#errors.slice(-2000)}`);
    return result;
  }

  async ask(command, options) {
    const reply = this.reply();
    this.#child.send({ command, ...options });
    return reply;
  }

  stop() {
    this.#child.removeAllListeners('exit');
    this.#child.kill();
  }
}

/**
 * Starts a process for each trial, passes `use` the processes by the keys of the trials, and stops them.
 * @param {string} folder
 * @param {{ [key: string]: { client: string, name: string } }} trials
 * @param {(processes: { [key: string]: ClientProcess }) => Promise<object>} use
 */
export async function withProcesses(folder, trials, use) {
  const all = Object.entries(trials).map(([key, trial]) => [key, new ClientProcess(folder, trial)]);
  try {
    await Promise.all(all.map(([, process]) => process.reply()));
    return await use(Object.fromEntries(all));
  } finally {
    for (const [, process] of all) process.stop();
  }
}

/** Has all processes measure in turns; returns the samples of each. */
export async function measureInTurns(processes, { rounds, count }) {
  const all = Object.entries(processes);
  const samples = Object.fromEntries(all.map(([key]) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < all.length; i++) {
      const [key, process] = all[(round + i) % all.length];
      samples[key].push(...(await process.ask('measure', { count })));
    }
  }
  return samples;
}
