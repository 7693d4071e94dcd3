// Runs the emulator, or records and replays the real API, until the process is told to end.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { loadChecker, type Checker } from '../check/index.js';
import { createEmulator, createReplay, type RecordedRequest } from '../emulator/index.js';
import type { FetchHandler } from '../gateway/index.js';
import { withoutSecrets } from '../requests/remove-secrets.js';
import { StrataError } from '../sdk/internal/errors.js';
import { messageOf } from '../sdk/internal/messages.js';
import { folderRecordings } from '../server/index.js';
import { serve, type RunningServer } from '../server/serve.js';
import { UsageError } from './arguments.js';
import type { EmulatorTask } from './commands.js';
import { colorsFor, untilInterrupted, variable } from './terminal.js';

function append(file: string, text: string): void {
  try {
    appendFileSync(file, withoutSecrets(text));
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${messageOf(error)}`);
  }
}

function lineOf({
  method,
  path,
  status,
}: Pick<RecordedRequest, 'method' | 'path' | 'status'>): string {
  const { red, dim } = colorsFor(process.stdout);
  const shown = status >= 400 || status === 0 ? red(String(status)) : String(status);
  return withoutSecrets(`${shown} ${method} ${path}\n`).replace(/\?.*/, (query) => dim(query));
}

function aboutReplay({ record, replayFolder }: EmulatorTask): string | undefined {
  if (record)
    return `Each request is sent to ${record.baseUrl} with your key, and its answer is recorded in ${record.folder}.\n`;
  return replayFolder && `Answers come from the recordings in ${replayFolder}. Nothing is sent.\n`;
}

function printEmulator({ url }: RunningServer, task: EmulatorTask): void {
  const { backend, quiet } = task;
  process.stdout.write(`${url}\n`);
  if (quiet) return;
  const rules = backend === undefined ? 'the service that each path belongs to' : backend;
  const about =
    aboutReplay(task) ??
    `The emulator of the Gemini API answers here by the rules of ${rules}. It is not Gemini.\n`;
  process.stdout.write(
    `${about}Use the address above as the base URL of your client, with any key. Ctrl+C ends it.\n`,
  );
}

/** Returns what sends a request to another address with the key. */
function upstreamOf({ keyEnv, baseUrl }: NonNullable<EmulatorTask['record']>) {
  const key = variable(keyEnv, '--key-env');
  return async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    searchParams.delete('key');
    const query = searchParams.size > 0 ? `?${searchParams}` : '';
    const body = await request.arrayBuffer();
    const type = request.headers.get('content-type') ?? 'application/json';
    return fetch(baseUrl.replace(/\/$/, '') + pathname + query, {
      method: request.method,
      headers: { 'content-type': type, 'x-goog-api-key': key },
      ...(body.byteLength > 0 && { body }),
    });
  };
}

function replayOf({ record, replayFolder, quiet }: EmulatorTask): FetchHandler | undefined {
  const folder = record?.folder ?? replayFolder;
  if (folder === undefined) return undefined;
  const recordings = folderRecordings(folder);
  const answer = createReplay(
    record ? { recordings, upstream: upstreamOf(record) } : { recordings },
  );
  return async (request) => {
    const response = await answer(request);
    const { pathname, search } = new URL(request.url);
    const line = { method: request.method, path: pathname + search, status: response.status };
    if (!quiet) process.stdout.write(lineOf(line));
    return response;
  };
}

function emulatorOf(task: EmulatorTask, checker: Checker): FetchHandler {
  const { backend, seed, apiKey, delayMs: delay, now, requestsFile, quiet } = task;
  if (requestsFile !== undefined) append(requestsFile, '');
  const record = (request: RecordedRequest) => {
    if (!quiet) process.stdout.write(lineOf(request));
    if (requestsFile !== undefined) append(requestsFile, `${JSON.stringify(request)}\n`);
  };
  return createEmulator({
    checker,
    ...(backend && { backend }),
    ...(seed !== undefined && { seed }),
    ...(apiKey !== undefined && { apiKey }),
    delayMs: delay,
    now: now === undefined ? () => new Date().toISOString() : () => now,
    record,
  });
}

/** Answers whether the server runs, as the gateway does; anything else is for the handler. */
function withHealth(handler: FetchHandler): FetchHandler {
  return async (request) =>
    request.method === 'GET' && new URL(request.url).pathname === '/health'
      ? Response.json({ status: 'ok' })
      : handler(request);
}

async function startEmulator(task: EmulatorTask): Promise<RunningServer> {
  const { port, host } = task;
  const handler = replayOf(task) ?? emulatorOf(task, await loadChecker());
  try {
    return await serve(withHealth(handler), { port, host });
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
  const server = await startEmulator(task);
  return untilInterrupted(server, () => printEmulator(server, task));
}
