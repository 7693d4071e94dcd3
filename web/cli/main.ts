#!/usr/bin/env node
// Why this file exists: `npx prompt-strata lint`: what the package knows, for a shell and for CI.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { load } from '../index.js';
import { readArguments, usage, UsageError, type Task } from './arguments.js';
import { checkRequests, type Checked } from './check.js';
import { coloursFor } from './colours.js';
import { mendedFile } from './repaired.js';
import { readRequests } from './requests.js';
import { sarifReport } from './sarif.js';
import type { Source } from './source.js';
import { textReport } from './text.js';
import { version } from '../sdk/version.js';

function readSource(file: string): Source {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file);
    return { name: file === '-' ? '<stdin>' : file, bytes };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function jsonReport(checked: Checked[]): string {
  const ok = checked.every((one) => one.ok);
  const findings = checked.flatMap((one) => one.findings);
  return JSON.stringify({ ok, requests: checked.length, findings }, null, 2) + '\n';
}

function reportOf(checked: Checked[], task: Task, output: { readonly isTTY?: boolean }): string {
  if (task.format === 'json') return jsonReport(checked);
  if (task.format === 'sarif') return sarifReport(checked);
  return textReport(checked, coloursFor(output));
}

/** To the file that was named, else to standard output. */
function write(data: string | Uint8Array, { output }: Task): void {
  if (output === undefined) {
    process.stdout.write(data);
    return;
  }
  try {
    writeFileSync(output, data);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function lint(task: Task): Promise<number> {
  const strata = await load();
  const checked = task.files.flatMap((file) =>
    checkRequests(strata, readRequests(strata, readSource(file)), task),
  );
  if (task.repair) {
    const mended = mendedFile(checked);
    process.stderr.write(reportOf(checked, task, process.stderr));
    write(mended, task);
  } else {
    write(reportOf(checked, task, task.output === undefined ? process.stdout : {}), task);
  }
  return checked.every(({ ok }) => ok) ? 0 : 1;
}

async function run(): Promise<number> {
  const command = readArguments(process.argv.slice(2));
  if (command !== 'help' && command !== 'version') return lint(command);
  process.stdout.write(command === 'help' ? usage : `${version}\n`);
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`prompt-strata: ${error.message}\n`);
  process.exitCode = 2;
}
