// Renders the cases of one seed with both engines and collects what differs.
import { compare } from './compare.mjs';
import { caseLine, generateCase } from './generate.mjs';
import { characterOf, shrink } from './shrink.mjs';

// Enough for both programs to have work at all times.
const atOnce = 100;

/** What both engines make of a case. */
export async function renderWithBoth(one, { oracle, engine }) {
  const line = caseLine(one);
  const [python, own] = await Promise.all([oracle.ask(line), engine.ask(line)]);
  return { one, python, engine: own, verdict: compare(python, own) };
}

/**
 * All cases of a seed, in their order.
 * @param {number} seed @param {number[]} indexes
 */
export async function runSeed(seed, indexes, engines) {
  const counts = { rendered: 0, errors: 0, equal: 0, different: 0, address: 0, limit: 0, slow: 0 };
  const differences = [];
  for (let from = 0; from < indexes.length; from += atOnce) {
    const cases = indexes.slice(from, from + atOnce).map((index) => generateCase(seed, index));
    for (const result of await Promise.all(cases.map((one) => renderWithBoth(one, engines)))) {
      ++counts[result.verdict];
      ++counts[result.python.err ? 'errors' : 'rendered'];
      if (result.verdict === 'different') differences.push(result);
    }
  }
  return { counts, differences };
}

/** The same difference with a smaller template, and without the further templates that it can do without. */
export async function shrinkDifference(difference, engines) {
  const character = characterOf(difference.python, difference.engine);
  let best = difference;
  const keeps = async (one) => {
    const result = await renderWithBoth(one, engines);
    const isSame = result.verdict === 'different';
    if (!isSame || characterOf(result.python, result.engine) !== character) return false;
    best = result;
    return true;
  };
  for (const name of Object.keys(best.one.templates)) {
    const others = Object.entries(best.one.templates).filter(([other]) => other !== name);
    await keeps({ ...best.one, templates: Object.fromEntries(others) });
  }
  for (const name of Object.keys(best.one.templates)) {
    const withText = (text) => ({
      ...best.one,
      templates: { ...best.one.templates, [name]: text },
    });
    await shrink(best.one.templates[name], (text) => keeps(withText(text)));
  }
  await shrink(best.one.template, (template) => keeps({ ...best.one, template }));
  return best;
}
