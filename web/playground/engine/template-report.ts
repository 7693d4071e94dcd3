// Judges one template: its errors, and names that nothing defines, at their places.
import type { Json } from '../../index.js';
import type { TemplateOptions, Templates } from '../../templates/index.js';
import { isObject } from '../../sdk/internal/json.js';
import type { TemplateId, TemplateProblem, TemplateReport } from './prompt-result.js';
import { filters, localsIn, referencesIn, tests, type Reference } from './template-names.js';
import type { Variables } from './chat-settings.js';

// Layers and sections are rendered with these options.
const options: TemplateOptions = { trimBlocks: true, lstripBlocks: true, tojson: 'plain' };

// Returns the rest of the word at `offset`, or one character.
function endOf(source: string, offset: number): number {
  const [word = ''] = /^\w+/.exec(source.slice(offset)) ?? [];
  return Math.min(source.length, offset + Math.max(1, word.length));
}

function problemOf(error: unknown, source: string): TemplateProblem {
  // Only errors of templates have a place.
  const { offset, message } = Object(error);
  if (typeof offset !== 'number') throw error;
  const from = Math.min(offset, Math.max(0, source.length - 1));
  return { from, to: endOf(source, from), severity: 'error', message };
}

// Returns the one of `names` that differs from `word` least: in one letter, or in two that changed places.
function similar(word: string, names: readonly string[]): string | undefined {
  const without = (text: string) =>
    [...text].map((_, at) => text.slice(0, at) + text.slice(at + 1));
  const sorted = (text: string) => [...text].sort().join('');
  const shorter = new Set([word, ...without(word)]);
  return names.find(
    (name) =>
      sorted(name) === sorted(word) || [name, ...without(name)].some((one) => shorter.has(one)),
  );
}

function hint(word: string, what: string, names: readonly string[]): string {
  const near = similar(word, names);
  return near === undefined ? what : `${what} Did you mean '${near}'?`;
}

/** What the names of a template stand for. */
class Scope {
  readonly #variables: Variables;
  /** The names that the template reads from its variables. */
  readonly #read: Set<string>;
  readonly #locals: ReturnType<typeof localsIn>;

  constructor(source: string, variables: Variables, read: readonly string[]) {
    this.#variables = variables;
    this.#read = new Set(read);
    this.#locals = localsIn(source);
  }

  /** Returns the problem of a reference, if nothing defines it. */
  problemOf({ kind, path, from, to, isGuarded, isCalled }: Reference): TemplateProblem[] {
    const warn = (message: string, more: Partial<TemplateProblem> = {}) => [
      { from, to, severity: 'warning' as const, message, ...more },
    ];
    const [name = ''] = path;
    if (kind !== 'name') {
      const known = kind === 'filter' ? filters : tests;
      if (known.includes(name)) return [];
      return warn(hint(name, `There is no ${kind} '${name}'.`, known));
    }
    if (this.#read.has(name) && !Object.hasOwn(this.#variables, name))
      return isGuarded && path.length === 1 ? [] : warn(this.#undefined(name), { missing: name });
    const missing = isGuarded
      ? undefined
      : this.#missingMember(isCalled ? path.slice(0, -1) : path);
    return missing === undefined ? [] : warn(missing);
  }

  #undefined(name: string): string {
    if (name === 'current_datetime')
      return `'${name}' is not defined here. Only the dynamic template knows the time.`;
    const what = `'${name}' is not defined, so it renders as an empty text.`;
    return hint(name, what, Object.keys(this.#variables));
  }

  // Says which name of a path its object does not have.
  #missingMember([name = '', ...members]: string[]): string | undefined {
    let value = this.#valueOf(name);
    let parent = name;
    for (const member of members) {
      if (!isObject(value)) return undefined;
      if (!Object.hasOwn(value, member)) {
        const what = `'${parent}' has no member '${member}', so it renders as an empty text.`;
        return hint(member, what, Object.keys(value));
      }
      value = value[member];
      parent = member;
    }
    return undefined;
  }

  // Returns the value of a name; for that of a loop, all members of its items. Undefined if it is not known.
  #valueOf(name: string): Json | undefined {
    const { loops, others } = this.#locals;
    const path = loops.get(name);
    if (path === undefined) return others.has(name) ? undefined : this.#variables[name];
    if (path.split('.')[0] === name) return undefined;
    const [first = '', ...members] = path.split('.');
    let items = this.#valueOf(first);
    for (const member of members) items = isObject(items) ? items[member] : undefined;
    if (!Array.isArray(items) || !items.every(isObject)) return undefined;
    return Object.assign({}, ...items) as Json;
  }
}

interface JudgedTemplate {
  id: TemplateId;
  source: string;
  variables: Variables;
  now: string;
}

/** Judges a template with these variables. Rendering it may be an error, too. */
export function templateReport(templates: Templates, judged: JudgedTemplate): TemplateReport {
  const { id, source, variables, now } = judged;
  // `assemble` adds these itself.
  const own: Variables = id === 'static' ? { cached_history: '' } : { current_datetime: now };
  const context = { ...own, ...variables };
  const report: TemplateReport = { id, source, variables: [], problems: [] };
  let error: TemplateProblem[] = [];
  try {
    using template = templates.template(source, options);
    report.variables = template.variables.filter((name) => !(name in own));
    template.render(context, { now });
  } catch (thrown) {
    error = [problemOf(thrown, source)];
  }
  const scope = new Scope(source, context, report.variables);
  const warnings = referencesIn(source).flatMap((reference) => scope.problemOf(reference));
  // An error at the same place says more.
  report.problems = [...warnings.filter(({ from }) => from !== error[0]?.from), ...error];
  return report;
}
