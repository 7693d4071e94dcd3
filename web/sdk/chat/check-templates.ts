// Compiles the templates of a conversation's options before its first request: one that does not compile, or a variable
// that is misspelled, is a mistake of the program and would only change what the model reads.
import { withDisposable } from '../internal/lifetime.js';
import { TemplateError } from '../internal/errors.js';
import { isObject } from '../internal/json.js';
import { nearestName } from '../internal/messages.js';
import { childPath, optionError } from '../internal/options.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { Template, TemplateOptions } from '../types/template.js';
import type { Templates } from '../types/templates.js';
import type { DynamicVariables, StaticVariables } from '../types/template-variables.js';
import type { ConversationOptions } from './options.js';

const staticNames: Record<keyof StaticVariables, 1> = {
  description: 1,
  main_instruction: 1,
  constraints: 1,
  memory: 1,
  session_goal: 1,
  procedure: 1,
  roles: 1,
  environment: 1,
  multi_step_reasoning_active: 1,
};
const dynamicNames: Record<keyof DynamicVariables, 1> = {
  file_references: 1,
  artifacts: 1,
  todos: 1,
  environment: 1,
};

/** Returns the variables of a template's source. */
function variablesOf(
  templates: Templates,
  source: string,
  path: string,
  options?: TemplateOptions,
): string[] {
  try {
    return withDisposable(templates.template(source, options), ({ variables }) => variables);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const place = `${path}, line ${error.line}, column ${error.column}`;
    throw new TemplateError(error.code, `${place}: ${error.message}`, error);
  }
}

/**
 * Refuses a variable that the template does not read, if it is near one that it reads and that is not given. Templates
 * of the caller's may share an object of variables, of which each reads some.
 */
function checkVariables(
  given: object,
  names: readonly string[],
  path: string,
  isOwn: boolean,
): void {
  const open = names.filter((name) => !Object.hasOwn(given, name));
  for (const name of Object.keys(given).filter((key) => !names.includes(key))) {
    const meant = nearestName(name, open);
    if (!meant && isOwn) continue;
    const advice = meant ? `Did you mean ${meant}?` : `Variables: ${names.join(', ')}`;
    const pointer = childPath(`${path}/variables`, name);
    const message = `${pointer} is not a variable of the template. ${advice}`;
    throw optionError('field.unknown', pointer, message);
  }
}

function checkLayer(
  templates: Templates,
  layer: unknown,
  path: string,
  names: Record<string, 1>,
  checksVariables: boolean,
): void {
  if (!isObject(layer)) return;
  const { template, variables } = layer as { template?: string | Template; variables?: unknown };
  const known =
    typeof template === 'string'
      ? variablesOf(templates, template, `${path}/template`)
      : (template?.variables ?? Object.keys(names));
  if (checksVariables && isObject(variables))
    checkVariables(variables, known, path, template !== undefined);
}

/**
 * Checks the templates of the options, and the names of their variables. What a function returns is checked when it is
 * sent.
 *
 * @throws TemplateError for a template that does not compile; StrataError `field.unknown` for a misspelled variable
 */
export function checkTemplates(templates: Templates, options: ConversationOptions): void {
  const { static: staticLayer, dynamic, prompt } = options;
  // Arguments are variables, too.
  const complete = options.arguments === undefined;
  checkLayer(templates, staticLayer, '/static', staticNames, complete);
  checkLayer(templates, dynamic, '/dynamic', dynamicNames, complete);
  const { sections }: PromptInput = typeof prompt === 'object' ? prompt : {};
  if (!Array.isArray(sections)) return;
  for (const [index, { template, dialect }] of sections.entries()) {
    if (typeof template !== 'string') continue;
    const path = `/prompt/sections/${index}/template`;
    variablesOf(templates, template, path, dialect && { dialect });
  }
}
