// Why this file exists: what is read comes from files or from standard input, and a failure names which.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { UsageError } from './arguments.js';
import { joinBytes } from '../sdk/base/bytes.js';
import { messageOf } from '../sdk/base/error-message.js';
import type { Source } from './source.js';

// Node says "ENOENT: no such file or directory, open 'x'": the middle is for people.
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return /^[A-Z]+: ([^,]*)/.exec(message)?.[1] ?? message;
}

// Not by descriptor 0: reading that fails where a pipe has nothing to give yet.
async function readStandardInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY) {
    throw new UsageError('No file is named, and standard input is a terminal: see --help.');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return joinBytes(chunks);
}

/**
 * Reads a file, or standard input where it is named "-".
 *
 * @throws UsageError
 */
export async function readSource(file: string): Promise<Source> {
  if (file === '-') return { name: '<stdin>', bytes: await readStandardInput() };
  try {
    return { name: file, bytes: readFileSync(file) };
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${reasonOf(error)}.`);
  }
}

/**
 * Writes a file.
 *
 * @throws UsageError
 */
export function writeOutput(file: string, data: string | Uint8Array): void {
  try {
    writeFileSync(file, data);
  } catch (error) {
    throw new UsageError(`${file} can't be written: ${reasonOf(error)}.`);
  }
}
