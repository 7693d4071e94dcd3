// Runs the programs of the fuzz targets: to search, to repeat an input, and to minimize a corpus.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SetupError, root, run } from '../../../scripts/setup/run.mjs';
import { dictionaryOf } from './dictionary.mjs';
import { programOf, storedFolders, targets } from './targets.mjs';

// Freed memory is kept for a while to find its use; by default 256 MB of it.
const env = {
  ASAN_OPTIONS: 'quarantine_size_mb=32',
  UBSAN_OPTIONS: 'print_stacktrace=1',
  // Numbers have a point.
  LC_ALL: 'C',
};
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

// The shell measures the time of the processor: beside other work, an hour of the clock searches less.
const timed = `TIMEFORMAT='processor seconds: %U %S'; time "$0" "$@"`;

// Returns the output, also that of a program that found something, and the seconds of the processor.
async function runProgram(program, args) {
  const end = await run('bash', ['-c', timed, program, ...args], { env }).then(
    (output) => ({ output, failed: false }),
    (error) => {
      if (!(error instanceof SetupError)) throw error;
      return { output: error.message, failed: true };
    },
  );
  const [, user = '0', system = '0'] = /processor seconds: (\S+) (\S+)/.exec(end.output) ?? [];
  return { ...end, seconds: Number((Number(user) + Number(system)).toFixed(1)) };
}

// Returns the file that the program wrote last before it failed: inputs that only take long are written before.
const failingInput = (output) => [...output.matchAll(/Test unit written to (.+)/g)].at(-1)?.[1];

// A timeout is one of the clock, which a busy machine exceeds: such an input has to fail once more.
async function failsAgain(program, finding) {
  if (!basename(finding).startsWith('timeout-')) return true;
  const { failed } = await runProgram(program, [...limits, finding]);
  if (!failed) rmSync(finding);
  return failed;
}

/**
 * Searches for `seconds` of the clock, starting with the stored inputs and the corpus in `folder`, to which it adds
 * what reaches new code. Returns what it did: `seconds` are those of the processor, `finding` is the file of an input
 * that failed.
 * @param {string} name
 * @param {{ seconds: number, folder: string, program?: string }} options
 */
export async function search(name, { seconds, folder, program = programOf(name) }) {
  const { corpus, findings } = places(folder);
  for (const each of [corpus, findings]) mkdirSync(each, { recursive: true });
  const { failed, ...result } = await runProgram(program, [
    ...limits,
    `-max_total_time=${seconds}`,
    `-dict=${writeDictionary(name, folder)}`,
    `-artifact_prefix=${findings}/`,
    '-print_final_stats=1',
    corpus,
    ...storedFolders(name),
  ]);
  const { output } = result;
  const executions = Number(/stat::number_of_executed_units: (\d+)/.exec(output)?.[1] ?? 0);
  const finding = failed ? failingInput(output) : undefined;
  if (failed && !finding) throw new SetupError(output);
  const isFinding = finding !== undefined && (await failsAgain(program, finding));
  return { ...result, executions, finding: isFinding ? finding : undefined };
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
    const { output, failed } = await runProgram(programOf(name), [...limits, finding]);
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
