#!/usr/bin/env node
// Why this file exists: `npx prompt-strata lint`: what the package knows, for a shell and for CI.
import process from 'node:process';
import { load } from '../index.js';
import { readArguments, usage, UsageError, type Task } from './arguments.js';
import { checkRequests, type Checked } from './check.js';
import { coloursFor } from './colours.js';
import { readSource, writeOutput } from './input.js';
import { jsonReport } from './json.js';
import { repairedFile } from './repaired.js';
import { readRequests } from './requests.js';
import { sarifReport } from './sarif.js';
import { withoutSecrets } from './secrets.js';
import { textReport } from './text.js';
import { messageOf } from '../sdk/base/error-message.js';
import { version } from '../sdk/base/version.js';

function reportOf(checked: Checked[], task: Task, output: { readonly isTTY?: boolean }): string {
  if (task.format === 'json') return jsonReport(checked);
  if (task.format === 'sarif') return sarifReport(checked);
  return textReport(checked, coloursFor(output));
}

/** To the file that was named, else to standard output. */
function write(data: string | Uint8Array, { output }: Task): void {
  if (output === undefined) process.stdout.write(data);
  else writeOutput(output, data);
}

async function lint(task: Task): Promise<number> {
  const strata = await load();
  const checked: Checked[] = [];
  for (const file of task.files) {
    const requests = readRequests(strata, await readSource(file));
    checked.push(...checkRequests(strata, requests, task));
  }
  if (task.repair) {
    const repaired = repairedFile(checked);
    process.stderr.write(withoutSecrets(reportOf(checked, task, process.stderr)));
    write(repaired, task);
  } else {
    const output = task.output === undefined ? process.stdout : {};
    write(withoutSecrets(reportOf(checked, task, output)), task);
  }
  return checked.every(({ ok }) => ok) ? 0 : 1;
}

async function run(): Promise<number> {
  const command = readArguments(process.argv.slice(2));
  if (command !== 'help' && command !== 'version') return lint(command);
  process.stdout.write(command === 'help' ? usage : `${version}\n`);
  return 0;
}

/** 1 says that requests are wrong; a fault of this program, or of its surroundings, must not say so. */
function fail(words: string): void {
  process.stderr.write(withoutSecrets(`prompt-strata: ${words}\n`));
  process.exitCode = 2;
}

// `prompt-strata lint … | head` reads no further.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') return;
  fail(`standard output can't be written: ${error.message}`);
});

try {
  const status = await run();
  process.exitCode ??= status;
} catch (error) {
  const known = error instanceof UsageError;
  fail(error instanceof Error && !known ? `${error.stack}` : messageOf(error));
}
