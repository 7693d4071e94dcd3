// Renders the cases of one seed with both engines and collects the differences.
import { compare } from './compare.mjs';
import { caseLine, generateCase } from './generate.mjs';
import { characterOf, shrink } from './shrink.mjs';

// Large enough to keep both programs busy.
const batchSize = 100;

/** Renders a case with both engines and compares the results. */
export async function renderWithBoth(one, { oracle, engine }) {
  const line = caseLine(one);
  const [python, own] = await Promise.all([oracle.ask(line), engine.ask(line)]);
  return { one, python, engine: own, verdict: compare(python, own) };
}

/**
 * Renders the cases of a seed in order and returns counts and differences.
 * @param {number} seed @param {number[]} indexes
 * @param {typeof generateCase} generate
 */
export async function runSeed(seed, indexes, engines, generate = generateCase) {
  const counts = { rendered: 0, errors: 0, equal: 0, different: 0, address: 0, limit: 0, slow: 0 };
  const differences = [];
  for (let from = 0; from < indexes.length; from += batchSize) {
    const cases = indexes.slice(from, from + batchSize).map((index) => generate(seed, index));
    for (const result of await Promise.all(cases.map((one) => renderWithBoth(one, engines)))) {
      ++counts[result.verdict];
      ++counts[result.python.err ? 'errors' : 'rendered'];
      if (result.verdict === 'different') differences.push(result);
    }
  }
  return { counts, differences };
}

/** Returns the same difference with smaller templates, and without templates that are not needed for it. */
export async function shrinkDifference(difference, engines) {
  const character = characterOf(difference.python, difference.engine);
  let best = difference;
  const reproduces = async (one) => {
    const result = await renderWithBoth(one, engines);
    const isSame = result.verdict === 'different';
    if (!isSame || characterOf(result.python, result.engine) !== character) return false;
    best = result;
    return true;
  };
  for (const name of Object.keys(best.one.templates)) {
    const others = Object.entries(best.one.templates).filter(([other]) => other !== name);
    await reproduces({ ...best.one, templates: Object.fromEntries(others) });
  }
  for (const name of Object.keys(best.one.templates)) {
    const withText = (text) => ({
      ...best.one,
      templates: { ...best.one.templates, [name]: text },
    });
    await shrink(best.one.templates[name], (text) => reproduces(withText(text)));
  }
  await shrink(best.one.template, (template) => reproduces({ ...best.one, template }));
  return best;
}
