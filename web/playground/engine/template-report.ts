// Judges one template: its errors and undefined names, at their places.
import { TemplateError, type TemplateOptions, type Templates } from '../../templates/index.js';
import { withDisposable } from '../../sdk/internal/lifetime.js';
import type { TemplateId, TemplateProblem, TemplateReport } from './prompt-result.js';
import { namesIn } from './template-names.js';
import type { Variables } from './prompt-sources.js';

// Layers and sections are rendered with these options.
const options: TemplateOptions = { trimBlocks: true, lstripBlocks: true, tojson: 'plain' };

/** The variables that `assemble` adds itself. */
export const ownVariables: { [id in TemplateId]?: string } = {
  static: 'cached_history',
  dynamic: 'current_datetime',
};

// Returns the rest of the word at `offset`, or one character.
function endOf(source: string, offset: number): number {
  const [word = ''] = /^\w+/.exec(source.slice(offset)) ?? [];
  return Math.min(source.length, offset + Math.max(1, word.length));
}

function problemOf(error: unknown, source: string): TemplateProblem {
  if (!(error instanceof TemplateError)) throw error;
  const from = Math.min(error.offset, Math.max(0, source.length - 1));
  return { from, to: endOf(source, from), severity: 'error', message: error.message };
}

function hintFor(name: string): string {
  if (name === 'current_datetime')
    return `'${name}' is not defined here. Only the dynamic template knows the time.`;
  return `'${name}' is not defined, so it renders as an empty text. Add it to the variables.`;
}

function undefinedNames(source: string, names: Set<string>): TemplateProblem[] {
  return namesIn(source)
    .filter(({ name }) => names.has(name))
    .map(({ name, from, to }) => ({ from, to, severity: 'warning', message: hintFor(name) }));
}

/** Judges a template with these variables. Rendering it may be an error, too. */
export function templateReport(
  templates: Templates,
  {
    id,
    source,
    variables,
    now,
  }: { id: TemplateId; source: string; variables: Variables; now: string },
): TemplateReport {
  const own = ownVariables[id];
  const context = own === 'current_datetime' ? { [own]: now, ...variables } : variables;
  const names: string[] = [];
  const problems: TemplateProblem[] = [];
  try {
    withDisposable(templates.template(source, options), (template) => {
      names.push(...template.variables);
      const unknown = names.filter((name) => !Object.hasOwn(variables, name) && name !== own);
      problems.push(...undefinedNames(source, new Set(unknown)));
      template.render(context, { now });
    });
  } catch (error) {
    const problem = problemOf(error, source);
    // An error at the same place says more.
    const others = problems.filter(({ from }) => from !== problem.from);
    return { id, variables: names, problems: [...others, problem] };
  }
  return { id, variables: names, problems };
}
