// Runs random conversations with faults, and reports a failure with its seed and the steps of the shortest run.
import { shrink } from '../../fuzz/shrink.mjs';
import { Choices } from './choices.mjs';
import { handles } from './handles.mjs';
import { RemoteTalk } from './remote-talk.mjs';
import { Talk } from './talk.mjs';
import { Violation, World } from './world.mjs';

const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const shownSteps = 60;
/** Runs before the first one, which load all modules: loading takes real time. */
const firstRuns = 40;

/** Loads what all runs share. */
export async function prepareRuns(strata) {
  const core = await strata.load();
  const server = await strata.check.loadChecker();
  const parts = { strata, core, server, runs: 0 };
  const upstream = (url, init) => parts.upstream(url, init);
  parts.gateway = strata.gateway.createGateway({ upstream });
  // The handles of the gateway's instance belong to requests of several runs.
  handles.only([core].map((each) => () => each.response()[dispose]()));
  for (let i = 0; i < firstRuns; i++) await runOnce(parts, `first ${i}`);
  return parts;
}

/** Runs one conversation. Returns what failed, if anything, with the choices and the steps. */
async function runOnce(parts, from) {
  const choices = new Choices(from);
  const world = new World(choices);
  const onRejection = (reason) => world.fail('an unhandled rejection', reason);
  process.on('unhandledRejection', onRejection);
  world.install();
  const before = handles.live;
  parts.runs++;
  try {
    const Kind = choices.unlikely(0.15) ? RemoteTalk : Talk;
    await new Kind(world, choices, parts).run();
    await world.drain();
    const left = handles.live - before;
    world.check(left === 0, () => `${left} handles of WebAssembly objects were not freed`);
    world.throwFailure();
    return { choices: choices.made, log: world.log, counts: world.counts };
  } catch (error) {
    return { error, choices: choices.made, log: world.log };
  } finally {
    world.uninstall();
    process.off('unhandledRejection', onRejection);
  }
}

const characterOf = ({ message }) => message.replace(/\d+|".*/gs, '…').slice(0, 60);

const asText = (choices) => choices.map((choice) => String.fromCodePoint(0x4e00 + choice)).join('');
const asChoices = (text) => [...text].map((character) => character.codePointAt(0) - 0x4e00);

/** Returns the shortest run that was found to fail in the same way. */
async function shortestOf(parts, failed, attempts) {
  const wanted = characterOf(failed.error);
  let best = failed;
  await shrink(
    asText(failed.choices),
    async (text) => {
      const result = await runOnce(parts, asChoices(text));
      const fails = result.error !== undefined && characterOf(result.error) === wanted;
      if (fails && result.log.length <= best.log.length) best = result;
      return fails;
    },
    attempts,
  );
  return best;
}

function report(seed, { error, log }) {
  const steps = log.slice(-shownSteps).map((line) => `  ${line.slice(0, 200)}`);
  const skipped = log.length > shownSteps ? [`  (${log.length - shownSteps} steps before)`] : [];
  const message = [`seed ${seed}: ${error.message}`, 'Steps:', ...skipped, ...steps].join('\n');
  return new Violation(message, { cause: error.cause ?? error });
}

/**
 * Runs the conversation of a seed. Returns how often things happened.
 *
 * @throws Violation with the steps, after at most `attempts` runs to find a shorter one
 */
export async function runSeed(parts, seed, { attempts = 0 } = {}) {
  const result = await runOnce(parts, String(seed));
  if (!result.error) return { ...result.counts, steps: result.log.length };
  const shortest = attempts > 0 ? await shortestOf(parts, result, attempts) : result;
  throw report(seed, shortest);
}
