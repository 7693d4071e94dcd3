// Runs programs and reports progress: one line per step with its duration, and the output of failed programs.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, where all commands run. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The number of concurrent compiler jobs: STRATA_JOBS, or all processors. */
export const jobs = Number(process.env.STRATA_JOBS) || availableParallelism();

/** An error for the user. Only its message is printed. */
export class SetupError extends Error {}

// Debian's Emscripten may install Debian's Node. Child processes use the Node of this process.
const environment = {
  ...process.env,
  PATH: dirname(process.execPath) + delimiter + (process.env.PATH ?? ''),
  EM_NODE_JS: process.execPath,
};

/**
 * Runs a program and returns its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, show?: boolean, ask?: boolean, timeout?: number }} [options]
 *   `show` prints the output instead of collecting it, `ask` also lets the program ask the user, `timeout` ends it
 *   after milliseconds
 * @throws SetupError with the output, if the program fails
 */
export function run(
  command,
  args,
  { cwd = root, env = {}, ask = false, show = ask, timeout } = {},
) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...environment, ...env },
      timeout,
      stdio: [ask ? 'inherit' : 'ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (data) => (output += data));
    child.stderr?.on('data', (data) => (output += data));
    child.on('error', (error) => reject(new SetupError(`${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const end = signal === null ? `exit code ${code}` : `signal ${signal}`;
      const line = [command, ...args].join(' ');
      reject(new SetupError(`${output.trimEnd()}\n\n${line.slice(0, 200)}: ${end}`.trimStart()));
    });
  });
}

const title = (name) => `  ${name} `.padEnd(42, '.');
const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** Returns the line of a step that began at `start` and is over, with what is to be said of its end. */
export const lineOf = (name, start, end = '') => `${title(name)} ${secondsSince(start)}${end}`;

// The name of the step whose line is begun. Of steps that run at once, the others have whole lines when they end.
let begun;

/**
 * Runs `work` and prints a line with its name and duration, followed by the `note` in its result.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 */
export async function step(name, work) {
  const start = performance.now();
  const write = (text) => process.stdout.write(text);
  const isLive = process.stdout.isTTY;
  // Makes room where the line of another step is begun.
  const room = () => (begun === undefined ? '' : isLive ? '\r' : '\n');
  write(room() + title(name));
  begun = name;
  const tick = () => {
    begun ??= name;
    if (begun === name) write(`\r${lineOf(name, start)}`);
  };
  const clock = isLive ? setInterval(tick, 1000) : undefined;
  const finish = (end) => {
    const isBegun = begun === name && !isLive;
    write(isBegun ? ` ${secondsSince(start)}${end}\n` : `${room()}${lineOf(name, start, end)}\n`);
    begun = undefined;
  };
  try {
    const result = await work();
    finish(result?.note ? `  ${result.note}` : '');
    return result;
  } catch (error) {
    finish('  FAILED');
    throw error;
  } finally {
    clearInterval(clock);
  }
}

/** Applies `work` to every item, `count` at a time. */
export async function inParallel(items, work, count = jobs) {
  const queue = [...items];
  const worker = async () => {
    while (queue.length > 0) await work(queue.shift());
  };
  await Promise.all(Array.from({ length: count }, worker));
}

/** Runs the main function of a command. On a SetupError, prints its message and exits with 1. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}
