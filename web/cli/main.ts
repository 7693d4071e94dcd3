#!/usr/bin/env node
// Implements the command line: `npx prompt-strata lint`, `probe`, `emulator`, `serve` and `mcp`.
import process from 'node:process';
import { loadChecker } from '../check/index.js';
import { readArguments, UsageError } from './arguments.js';
import type { Task } from './commands.js';
import { checkRequests, hasRemaining, type Checked } from './lint.js';
import { colorsFor, readSource, writeOutput } from './terminal.js';
import { emulator } from './emulator.js';
import { serveGateway } from './serve.js';
import { githubReport, jsonReport, repairedFile, sarifReport, textReport } from './output.js';
import { probe } from './probe/probe.js';
import { NoRequestsError } from '../requests/request.js';
import { readRequests } from '../requests/requests.js';
import { withoutSecrets } from '../requests/remove-secrets.js';
import { messageOf } from '../sdk/internal/messages.js';

function reportOf(checked: Checked[], task: Task, output: { readonly isTTY?: boolean }): string {
  if (task.format === 'json') return jsonReport(checked);
  if (task.format === 'sarif') return sarifReport(checked);
  if (task.format === 'github') return githubReport(checked);
  return textReport(checked, colorsFor(output), task);
}

/** Writes to the file of `--output`, else to standard output. */
function write(data: string | Uint8Array, { output }: Task): void {
  if (output === undefined) process.stdout.write(data);
  else writeOutput(output, data);
}

// What each value of --fail-on counts.
const failing = { error: ['error'], warning: ['error', 'warning'], never: [] } as const;

async function lint(task: Task): Promise<number> {
  const checker = await loadChecker();
  const checked: Checked[] = [];
  for (const file of task.files) {
    const requests = readRequests(checker, await readSource(file), (message) =>
      process.stderr.write(withoutSecrets(`${message}\n`)),
    );
    checked.push(...checkRequests(checker, requests, task));
  }
  if (task.repair) {
    const repaired = repairedFile(checked);
    process.stderr.write(withoutSecrets(reportOf(checked, task, process.stderr)));
    write(repaired, task);
  } else {
    const output = task.output === undefined ? process.stdout : {};
    write(withoutSecrets(reportOf(checked, task, output)), task);
  }
  return hasRemaining(checked, failing[task.failOn]) ? 1 : 0;
}

async function run(): Promise<number> {
  const command = readArguments(process.argv.slice(2));
  if (command.command === 'print') {
    process.stdout.write(command.text);
    return 0;
  }
  if (command.command === 'emulator') return emulator(command);
  if (command.command === 'serve') return serveGateway(command);
  if (command.command === 'mcp') return (await import('./mcp/server.js')).serveMcp();
  return command.command === 'lint' ? lint(command) : probe(command);
}

/** Reports a failure with status 2. Status 1 is reserved for errors in the requests. */
function fail(message: string): void {
  process.stderr.write(withoutSecrets(`prompt-strata: ${message}\n`));
  process.exitCode = 2;
}

// EPIPE: the reader closed the pipe, as in `prompt-strata lint … | head`.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') return;
  fail(`Cannot write to standard output: ${error.message}`);
});

try {
  const status = await run();
  process.exitCode ??= status;
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof NoRequestsError;
  fail(error instanceof Error && !isExpected ? `${error.stack}` : messageOf(error));
}
