// Tries mutants: builds each in the copied tree and runs the suites that can notice it, those of its room first.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, SetupError, step } from '../../setup/run.mjs';
import { hashFiles } from '../../setup/stamp.mjs';
import { buildSuites, configureSuites, listSuites, runSuite, runSuites } from './suites.mjs';
import { nativeFiles, updateTree, withMutant } from './tree.mjs';

const baselinePath = join(root, 'build', 'verify', 'mutants', 'baseline.json');

function readBaseline(hash) {
  if (!existsSync(baselinePath)) return undefined;
  const baseline = JSON.parse(readFileSync(baselinePath, 'utf8'));
  return baseline.hash === hash ? baseline.seconds : undefined;
}

/** An unchanged suite that takes longer than this never ends. */
const longestSuite = 900;

// Without a change every suite passes, and how long it takes sets the time limit for mutants.
async function measureBaseline(suites, hash) {
  const seconds = {};
  for (const suite of suites) {
    const start = performance.now();
    const failure = await runSuite(suite, longestSuite);
    if (failure) throw new SetupError(`${failure}\n\nfails without a mutant`);
    seconds[suite] = (performance.now() - start) / 1000;
  }
  mkdirSync(dirname(baselinePath), { recursive: true });
  writeFileSync(baselinePath, JSON.stringify({ hash, seconds }));
  return seconds;
}

/** Returns false if the suites do not compile with a mutant. */
async function builds(suites) {
  try {
    await buildSuites(suites);
    return true;
  } catch (error) {
    if (/\berror: |undefined (reference|symbol)|Killed/.test(error.message)) return false;
    throw error;
  }
}

/**
 * What a mutant caused: `compiles` is false, or `caught` says which test failed, or it is undefined.
 * @typedef {{ compiles: boolean, caught?: string }} Outcome
 */

class Lab {
  #suites;
  #seconds;

  constructor(suites, seconds) {
    this.#suites = suites;
    this.#seconds = seconds;
  }

  /** Returns the outcome of a mutant. @returns {Promise<Outcome>} */
  try(mutant) {
    return withMutant(mutant, async () => {
      for (const stage of this.#stages(mutant.file)) {
        if (!(await builds(stage))) return { compiles: false };
        const caught = await runSuites(stage, (suite) => this.#limit(suite));
        if (caught !== undefined) return { compiles: true, caught };
      }
      return { compiles: true };
    });
  }

  // The machine may be busy.
  #limit = (suite) => 10 + 10 * this.#seconds[suite];

  // The suite of the room, then all others that link the room, the quickest first.
  #stages(file) {
    const room = file.split('/')[1];
    const own = `tests/${room}_test`;
    const linked = Object.keys(this.#suites).filter((name) => this.#suites[name].includes(room));
    const others = linked.filter((name) => name !== own);
    others.sort((a, b) => this.#seconds[a] - this.#seconds[b]);
    return [linked.filter((name) => name === own), others].filter((stage) => stage.length > 0);
  }
}

/** Copies the tree, builds all suites and runs them once without a mutant. */
export async function openLab() {
  updateTree();
  await step('configure the suites', configureSuites);
  const suites = await listSuites();
  const names = Object.keys(suites);
  await step('build the suites', () => buildSuites(names));
  const hash = hashFiles(nativeFiles());
  const seconds =
    readBaseline(hash) ??
    (await step('run them without a mutant', () => measureBaseline(names, hash)));
  return new Lab(suites, seconds);
}
