// Runs the programs of the fuzz targets: to search, to repeat an input, and to minimize a corpus.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root, run } from '../setup/run.mjs';
import { dictionaryOf } from './dictionary.mjs';
import { programOf, storedFolders, targets } from './targets.mjs';

// Freed memory is kept for a while to find its use; by default 256 MB of it.
const env = { ASAN_OPTIONS: 'quarantine_size_mb=32', UBSAN_OPTIONS: 'print_stacktrace=1' };
const limits = ['-timeout=25', '-rss_limit_mb=2560', '-max_len=4096'];

/** Returns the folder of the corpus and that of the findings of a target in `folder`. */
const places = (folder) => ({ corpus: join(folder, 'corpus'), findings: join(folder, 'findings') });

/** Returns the files of a folder of `places`, sorted. */
function filesIn(folder) {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** Returns how many inputs the corpus of a target has. */
export const corpusSize = (folder) => filesIn(places(folder).corpus).length;

function writeDictionary(name, folder) {
  const path = join(folder, 'words.dict');
  writeFileSync(path, dictionaryOf(targets[name]));
  return path;
}

// Returns the output, also that of a program that found something.
async function outputOf(name, args) {
  try {
    return { output: await run(programOf(name), args, { env }), failed: false };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { output: error.message, failed: true };
  }
}

/**
 * Searches for `seconds`, starting with the stored inputs and the corpus in `folder`, to which it adds what reaches
 * new code. Returns what it did; `finding` is the file of an input that failed.
 * @param {string} name
 * @param {{ seconds: number, folder: string }} options
 */
export async function search(name, { seconds, folder }) {
  const { corpus, findings } = places(folder);
  for (const each of [corpus, findings]) mkdirSync(each, { recursive: true });
  const start = performance.now();
  const { output, failed } = await outputOf(name, [
    ...limits,
    `-max_total_time=${seconds}`,
    `-dict=${writeDictionary(name, folder)}`,
    `-artifact_prefix=${findings}/`,
    '-print_final_stats=1',
    corpus,
    ...storedFolders(name),
  ]);
  const spent = Number(((performance.now() - start) / 1000).toFixed(1));
  const executions = Number(/stat::number_of_executed_units: (\d+)/.exec(output)?.[1] ?? 0);
  // The last one: inputs that take long are written before, and are no failure.
  const finding = failed
    ? [...output.matchAll(/Test unit written to (.+)/g)].at(-1)?.[1]
    : undefined;
  if (failed && !finding) throw new SetupError(output);
  return { seconds: spent, executions, finding, output };
}

/** Returns what a finding says to the user: the file, how to repeat it, and the first lines of the failure. */
export function describeFinding(name, { finding, output }) {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => /does not hold|ERROR|runtime error|Sanitizer/.test(line));
  const program = programOf(name).slice(root.length + 1);
  return [
    `${name}: ${finding}`,
    `  repeat it with: ${program} ${finding}`,
    ...lines.slice(Math.max(first, 0), Math.max(first, 0) + 25).map((line) => `    ${line}`),
  ].join('\n');
}

/** Runs all findings in `folder` again. Returns those that still fail, in the form of `search`. */
export async function repeatFindings(name, folder) {
  const { findings } = places(folder);
  const failing = [];
  for (const file of filesIn(findings).filter((each) => !each.startsWith('slow-unit'))) {
    const finding = join(findings, file);
    const { output, failed } = await outputOf(name, [...limits, finding]);
    if (failed) failing.push({ finding, output });
  }
  return failing;
}

/** Removes the inputs of a corpus that reach nothing that others do not reach. */
export async function minimize(name, folder) {
  const { corpus } = places(folder);
  const smaller = `${corpus}-smaller`;
  rmSync(smaller, { recursive: true, force: true });
  mkdirSync(smaller);
  await run(programOf(name), [...limits, '-merge=1', smaller, corpus], { env });
  rmSync(corpus, { recursive: true });
  renameSync(smaller, corpus);
}
