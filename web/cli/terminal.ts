// Reads the input and the environment of the command, and colors its output.
import process from 'node:process';
import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from './arguments.js';
import { joinBytes } from '../sdk/internal/bytes.js';
import { messageOf } from '../sdk/internal/messages.js';
import type { Source } from '../requests/request.js';
import type { RunningServer } from '../server/serve.js';

/** Colors a text. */
type Paint = (text: string) => string;
/** The styles of a report. */
export type Colors = { [name in 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green']: Paint };

const codes = { bold: 1, dim: 2, red: 31, yellow: 33, cyan: 36, green: 32 };

// https://no-color.org and https://force-color.org: any nonempty value counts, except FORCE_COLOR=0.
function isColored(isTerminal: boolean | undefined): boolean {
  const { NO_COLOR: never, FORCE_COLOR: always, TERM } = process.env;
  if (never) return false;
  return always ? always !== '0' : isTerminal === true && TERM !== 'dumb';
}

/** Returns the styles for an output. They return the text unchanged if the output has no colors. */
export function colorsFor(output: { readonly isTTY?: boolean }): Colors {
  const colored = isColored(output.isTTY);
  const paint =
    (code: number): Paint =>
    (text) =>
      colored ? `\x1b[${code}m${text}\x1b[0m` : text;
  return {
    bold: paint(codes.bold),
    dim: paint(codes.dim),
    red: paint(codes.red),
    yellow: paint(codes.yellow),
    cyan: paint(codes.cyan),
    green: paint(codes.green),
  };
}

/** Returns why a file cannot be read: Node's message is "ENOENT: no such file or directory, open 'x'". */
export function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return /^[A-Z]+: ([^,]*)/.exec(message)?.[1] ?? message;
}

// Does not read descriptor 0 synchronously: that fails with EAGAIN while a pipe is empty.
async function readStandardInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY) {
    throw new UsageError('No file is given and standard input is a terminal. See --help.');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return joinBytes(chunks);
}

/**
 * Reads a file, or standard input if `file` is "-".
 *
 * @throws UsageError if it cannot be read
 */
export async function readSource(file: string): Promise<Source> {
  if (file === '-') return { name: '<stdin>', bytes: await readStandardInput() };
  try {
    return { name: file, bytes: readFileSync(file) };
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${reasonOf(error)}.`);
  }
}

/**
 * Writes a file.
 *
 * @throws UsageError if it cannot be written
 */
export function writeOutput(file: string, data: string | Uint8Array): void {
  try {
    writeFileSync(file, data);
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${reasonOf(error)}.`);
  }
}

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
