// Reads files and standard input, and writes files. Errors name the file.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { UsageError } from './arguments.js';
import { joinBytes } from '../sdk/internal/bytes.js';
import { messageOf } from '../sdk/internal/messages.js';
import type { Source } from '../requests/request.js';

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
