// Generates the case of a seed and an index: a template, the templates it can include, a context, and options.
import { randomContext } from './context.mjs';
import { damaged } from './faults.mjs';
import { include, inheritance, randomFiles } from './files.mjs';
import { Random } from './random.mjs';
import { statements } from './statements.mjs';
import { Writer } from './writer.mjs';

function randomOptions(random) {
  const options = {
    tojson: random.pick(['html', 'html', 'plain', 'hf']),
    undefined: random.weighted([
      [6, 'default'],
      [1, 'strict'],
      [1, 'chainable'],
      [1, 'debug'],
    ]),
  };
  for (const name of ['trim_blocks', 'lstrip_blocks', 'keep_trailing_newline']) {
    if (random.chance(0.4)) options[name] = true;
  }
  if (random.chance(0.2)) options.autoescape = true;
  // Always enabled in the engine, but optional in Python (docs/templates-deviations.md).
  options.extensions = ['do', 'loopcontrols', 'generation'];
  options.globals = ['raise_exception', 'strftime_now'];
  return options;
}

function randomTemplates(g) {
  const templates = g.random.chance(0.35) ? randomFiles(g) : {};
  if (templates['tools.j2']) g.include = () => include(g);
  if (g.random.chance(0.1)) {
    const { files, template } = inheritance(g);
    return { template, templates: { ...templates, ...files } };
  }
  // About one template in eight contains a fault.
  if (g.random.chance(0.12)) g.statementsToFault = g.random.between(0, 6);
  return { template: statements(g, 0, 6), templates };
}

/**
 * Returns the case of a seed and an index, which determine it completely.
 * @returns {{ name: string, template: string, templates: Record<string, string>, options: object, context: string }}
 *   `context` is JSON text
 */
export function generateCase(seed, index) {
  const random = new Random(`prompt-strata/${seed}/${index}`);
  const options = randomOptions(random);
  const g = new Writer(random, options);
  const { template, templates } = randomTemplates(g);
  return {
    name: `${seed}/${index}`,
    template: random.chance(0.06) ? damaged(random, template) : template,
    templates,
    options,
    context: randomContext(random),
  };
}

/** Returns a case as one line of JSON, the input of both engines. */
export function caseLine({ context, ...others }) {
  return `${JSON.stringify(others).slice(0, -1)},"context":${context}}`;
}
