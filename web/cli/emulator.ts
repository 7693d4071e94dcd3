// Runs `prompt-strata emulator`: serves the emulator, prints each request, and ends on Ctrl+C.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { createEmulator, load, type RecordedRequest } from '../index.js';
import { messageOf } from '../sdk/internal/messages.js';
import { StrataError } from '../sdk/internal/errors.js';
import { serve, type RunningServer } from '../server/serve.js';
import { UsageError, type EmulatorTask } from './arguments.js';
import { colorsFor } from './colors.js';
import { untilInterrupted } from './environment.js';
import { withoutSecrets } from '../requests/remove-secrets.js';

function append(file: string, text: string): void {
  try {
    appendFileSync(file, withoutSecrets(text));
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${messageOf(error)}`);
  }
}

function lineOf({ method, path, status }: RecordedRequest): string {
  const { red, dim } = colorsFor(process.stdout);
  const shown = status >= 400 || status === 0 ? red(String(status)) : String(status);
  return withoutSecrets(`${shown} ${method} ${path}\n`).replace(/\?.*/, (query) => dim(query));
}

function printStart({ url }: RunningServer, { backend, quiet }: EmulatorTask): void {
  process.stdout.write(`${url}\n`);
  if (quiet) return;
  const rules = backend === undefined ? 'the service that each path belongs to' : backend;
  process.stdout.write(
    `The emulator of the Gemini API answers here by the rules of ${rules}. It is not Gemini.\n` +
      'Use the address above as the base URL of your client, with any key. Ctrl+C ends it.\n',
  );
}

async function start(task: EmulatorTask): Promise<RunningServer> {
  const { backend, seed, apiKey, delayMs: delay, now, port, host, recordFile, quiet } = task;
  if (recordFile !== undefined) append(recordFile, '');
  const strata = await load();
  const record = (request: RecordedRequest) => {
    if (!quiet) process.stdout.write(lineOf(request));
    if (recordFile !== undefined) append(recordFile, `${JSON.stringify(request)}\n`);
  };
  const emulator = createEmulator({
    strata,
    ...(backend && { backend }),
    ...(seed !== undefined && { seed }),
    ...(apiKey !== undefined && { apiKey }),
    delayMs: delay,
    now: now === undefined ? () => new Date().toISOString() : () => now,
    record,
  });
  try {
    return await serve(emulator, { port, host });
  } catch (error) {
    throw error instanceof StrataError ? new UsageError(error.message) : error;
  }
}

/**
 * Serves the emulator until the process is interrupted, and returns the exit status.
 *
 * @throws UsageError if the port is in use or not allowed
 */
export async function emulator(task: EmulatorTask): Promise<number> {
  const server = await start(task);
  return untilInterrupted(server, () => printStart(server, task));
}
