// Checks templates and settings of a conversation's options when it is created: one that does not compile, a variable or
// a field that is misspelled is a mistake of the program, and would only show in what the model reads.
import { withDisposable } from '../internal/lifetime.js';
import { TemplateError } from '../internal/errors.js';
import { isObject } from '../internal/json.js';
import { nearestName } from '../internal/messages.js';
import { childPath, optionError } from '../internal/options.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { Strata } from '../types/strata.js';
import type { Template, TemplateOptions } from '../types/template.js';
import type { DynamicVariables, StaticVariables } from '../types/template-variables.js';
import { clockOf } from './conversation-thread.js';
import { refusal } from './stages.js';
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
  strata: Strata,
  source: string,
  path: string,
  options?: TemplateOptions,
): string[] {
  try {
    return withDisposable(strata.template(source, options), ({ variables }) => variables);
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
  strata: Strata,
  layer: unknown,
  path: string,
  names: Record<string, 1>,
  checksVariables: boolean,
): void {
  if (!isObject(layer)) return;
  const { template, variables } = layer as { template?: string | Template; variables?: unknown };
  const known =
    typeof template === 'string'
      ? variablesOf(strata, template, `${path}/template`)
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
export function checkTemplates(strata: Strata, options: ConversationOptions): void {
  const { static: staticLayer, dynamic, prompt } = options;
  // Arguments are variables, too.
  const complete = options.arguments === undefined;
  checkLayer(strata, staticLayer, '/static', staticNames, complete);
  checkLayer(strata, dynamic, '/dynamic', dynamicNames, complete);
  const { sections }: PromptInput = typeof prompt === 'object' ? prompt : {};
  if (!Array.isArray(sections)) return;
  for (const [index, { template, dialect }] of sections.entries()) {
    if (typeof template !== 'string') continue;
    const path = `/prompt/sections/${index}/template`;
    variablesOf(strata, template, path, dialect && { dialect });
  }
}

/**
 * Checks the settings that each request of a conversation has, before the first one.
 *
 * @throws StrataError for a setting that the API would refuse
 * @internal
 */
export function checkSettings(strata: Strata, options: ConversationOptions): void {
  const { model, backend, generationConfig, safetySettings } = options;
  if ((generationConfig ?? safetySettings) === undefined) return;
  const settings = { generationConfig, safetySettings };
  const found = withDisposable(strata.thread({ model, backend }), (thread) => {
    return thread.assemble({
      ...settings,
      now: clockOf(options)(),
      trigger: '-',
    });
  });
  const fault = found.diagnostics.find(
    ({ severity, path }) => severity === 'error' && isSetting(path),
  );
  if (fault) throw refusal(fault, found.diagnostics);
}

const isSetting = (path: string) => /^\/(generationConfig|safetySettings)\b/.test(path);
