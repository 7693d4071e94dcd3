// Builds the native suites of the copied tree with little optimization, and runs them until one fails.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inParallel, jobs, root, run, SetupError } from '../../../scripts/setup/run.mjs';
import { sharedPath } from '../../support/shared-folder.mjs';
import { treeFolder } from './tree.mjs';

/** The folder of the build. */
export const buildFolder = join(root, 'build', 'verify', 'mutants', 'build');

/** A mutant that needs more than this many kilobytes of address space is caught. */
const memoryLimit = 4 * 1024 * 1024;
const outputLimit = 64 * 1024 * 1024;

const inPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

// Linking is most of the time for a mutant, so the fastest linker is used that is installed.
function linkerOptions() {
  const fast = ['mold', 'ld.lld'].find(inPath);
  return fast ? [`-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=${fast.replace('ld.', '')}`] : [];
}

// A warning about a mutant is no error. The checks of the standard library end a test that reads outside of a text.
const compilerFlags = '-w -O1 -D_GLIBCXX_ASSERTIONS';

/** Creates or updates the build files. */
export async function configureSuites() {
  mkdirSync(buildFolder, { recursive: true });
  const cache = inPath('ccache') ? ['-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'] : [];
  const options = [
    '-DCMAKE_BUILD_TYPE=None',
    `-DCMAKE_CXX_FLAGS=${compilerFlags}`,
    ...linkerOptions(),
  ];
  await run('cmake', ['-G', 'Ninja', '-S', treeFolder, '-B', buildFolder, ...options, ...cache]);
}

/** Builds suites. @throws SetupError with the output of the compiler */
export const buildSuites = (suites) =>
  run('ninja', ['-C', buildFolder, '-j', String(jobs), ...suites]);

/** Returns all suites, as ninja's names of the executables, each with the rooms that are linked into it. */
export async function listSuites() {
  const targets = await run('ninja', ['-C', buildFolder, '-t', 'targets', 'all']);
  const names = Array.from(
    targets.matchAll(/^(tests\/\w+_test): CXX_EXECUTABLE/gm),
    ([, name]) => name,
  );
  const suites = {};
  for (const name of names) {
    const inputs = await run('ninja', ['-C', buildFolder, '-t', 'inputs', name]);
    suites[name] = Array.from(inputs.matchAll(/^libstrata_(\w+)\.a$/gm), ([, room]) => room);
  }
  return suites;
}

const reading = {
  failed: /^\[ {2}FAILED {2}\] ([\w/.]+)/m,
  lastStarted: /^\[ RUN {6}\] ([\w/.]+)(?![^]*\[ RUN)/m,
};

function testIn(output) {
  return reading.failed.exec(output)?.[1] ?? reading.lastStarted.exec(output)?.[1] ?? '';
}

const nameOf = (suite) => suite.replace('tests/', '');

function whyEnded(error) {
  if (error.signal === 'SIGXCPU') return ' after the time limit';
  if (error.killed) return ' after too much output';
  return error.signal ? ` (${error.signal})` : '';
}

// Runs a shell script in which $0 is the executable. The callback is that of execFile.
function runScript(script, suite, options, done) {
  const environment = { env: { ...process.env, STRATA_SHARED: sharedPath() } };
  const limits = { maxBuffer: outputLimit, killSignal: 'SIGKILL' };
  const all = { cwd: treeFolder, ...environment, ...limits, ...options };
  execFile('sh', ['-c', script, join(buildFolder, suite)], all, done);
}

/**
 * Runs a suite without a mutant, and returns the seconds of processor time that it needs.
 * @throws SetupError if a test fails
 */
export function measureSuite(suite) {
  return new Promise((resolve, reject) => {
    runScript('"$0" && times >&2', suite, {}, (error, output, times) => {
      const failed = `${nameOf(suite)} fails without a mutant: ${testIn(output)}`;
      if (error) return reject(new SetupError(failed));
      const [, minutes, seconds] = /(\d+)m([\d.]+)s \S+\s*$/.exec(times);
      resolve(60 * Number(minutes) + Number(seconds));
    });
  });
}

/**
 * Runs a suite until a test fails.
 * @param {string} suite
 * @param {number} seconds of processor time after which it is stopped
 * @param {AbortSignal} [signal]
 * @returns {Promise<string | undefined>} what caught the mutant, or undefined if the suite passed
 */
function runSuite(suite, seconds, signal) {
  const limits = `ulimit -v ${memoryLimit}; ulimit -S -t ${Math.ceil(seconds)}`;
  return new Promise((resolve) => {
    runScript(`${limits}; exec "$0" --gtest_fail_fast`, suite, { signal }, (error, output) => {
      if (!error || error.name === 'AbortError') return resolve(undefined);
      resolve(`${nameOf(suite)}: ${testIn(output)}${whyEnded(error)}`);
    });
  });
}

/** Runs suites side by side. Returns what caught the mutant first, or undefined if all passed. */
export async function runSuites(suites, secondsOf) {
  const stop = new AbortController();
  let caught;
  await inParallel(suites, async (suite) => {
    if (caught !== undefined) return;
    const result = await runSuite(suite, secondsOf(suite), stop.signal);
    if (result === undefined) return;
    caught ??= result;
    stop.abort();
  });
  return caught;
}
