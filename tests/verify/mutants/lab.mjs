// Tries mutants: builds each in the copied tree and runs the suites that can notice it, those of its room first.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, step } from '../../../scripts/setup/run.mjs';
import { hashFiles } from '../../../scripts/setup/stamp.mjs';
import { buildSuites, configureSuites, listSuites, measureSuite, runSuites } from './suites.mjs';
import { nativeFiles, updateTree, withMutant } from './tree.mjs';

const baselinePath = join(root, 'build', 'verify', 'mutants', 'baseline.json');

// What is known about suites without a mutant is only true for the same sources.
function readBaseline(hash) {
  if (!existsSync(baselinePath)) return {};
  const baseline = JSON.parse(readFileSync(baselinePath, 'utf8'));
  return baseline.hash === hash ? baseline.seconds : {};
}

function writeBaseline(hash, seconds) {
  mkdirSync(dirname(baselinePath), { recursive: true });
  writeFileSync(baselinePath, JSON.stringify({ hash, seconds }));
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
  #hash;
  #seconds;

  constructor(suites, hash) {
    this.#suites = suites;
    this.#hash = hash;
    this.#seconds = readBaseline(hash);
  }

  /** Returns the outcome of a mutant. @returns {Promise<Outcome>} */
  async try(mutant) {
    for (const stage of this.#stages(mutant.file)) {
      await this.#prepare(stage);
      const outcome = await withMutant(mutant, () => this.#run(stage));
      if (!outcome.compiles || outcome.caught !== undefined) return outcome;
    }
    return { compiles: true };
  }

  // Without a mutant every suite passes. How long it takes then sets the limit for mutants.
  async #prepare(suites) {
    const unknown = suites.filter((suite) => this.#seconds[suite] === undefined);
    if (unknown.length === 0) return;
    await step(`build ${unknown.length} suites`, () => buildSuites(unknown));
    for (const suite of unknown) {
      this.#seconds[suite] = await measureSuite(suite);
      writeBaseline(this.#hash, this.#seconds);
    }
  }

  async #run(suites) {
    if (!(await builds(suites))) return { compiles: false };
    const limit = (suite) => 2 + 5 * this.#seconds[suite];
    return { compiles: true, caught: await runSuites(suites, limit) };
  }

  // The suite of the room, then all others that link the room.
  #stages(file) {
    const room = file.split('/')[1];
    const own = `tests/${room}_test`;
    const linked = Object.keys(this.#suites).filter((name) => this.#suites[name].includes(room));
    const stages = [linked.filter((name) => name === own), linked.filter((name) => name !== own)];
    return stages.filter((stage) => stage.length > 0);
  }
}

/** Copies the tree and configures the suites. A suite is built when a mutant first needs it. */
export async function openLab() {
  updateTree();
  await step('configure the suites', configureSuites);
  return new Lab(await listSuites(), hashFiles(nativeFiles()));
}
