// Defines what a deployment configures, and checks it when the Worker starts.
import type { ConversationOptions, Tool } from '../index.js';
import * as must from '../sdk/internal/options.js';
import { checkLayers, commonOptions, pluginOptions } from '../sdk/chat/check-options.js';
import { HttpError } from '../server/body.js';

/** The options of a conversation that the Worker does not set itself. */
export type SharedOptions = Omit<
  ConversationOptions,
  'model' | 'backend' | 'thread' | 'store' | 'id' | 'now' | 'concurrent'
>;

// The Worker sets these itself.
const ownOptions = {
  ...{ model: 1, backend: 1, thread: 1, store: 1, id: 1, now: 1, concurrent: 1 },
} satisfies Record<Exclude<keyof ConversationOptions, keyof SharedOptions>, 1>;

/** The conversations that callers can have under one name: a model, an instruction, tools, and their limits. */
export interface Configuration extends SharedOptions {
  /** The model. Default: the variable MODEL. */
  model?: string;
  /**
   * Whether a caller may declare tools of its own. A send pauses at a call of one, and continues when the caller has
   * posted the result. Default: false.
   */
  callerTools?: boolean;
  /**
   * Whether results of the deployment's tools are hidden from callers, in events, turns and exports. The model still
   * reads them and may repeat them. Default: false.
   */
  hideToolResults?: boolean;
  /** Milliseconds without use after which a thread is deleted. Default: never. */
  expiresAfterMs?: number;
}

/** What a deployment configures. */
export interface Deployment {
  /** The conversations that callers can have, by name. */
  readonly configurations: { readonly [name: string]: Configuration };
  /** The name of the configuration of threads that name none. */
  readonly default: string;
}

const isOwn = (name: string): boolean => Object.hasOwn(ownOptions, name);

const sharedShape = Object.fromEntries(
  Object.entries({ ...commonOptions, ...pluginOptions }).filter(([name]) => !isOwn(name)),
) as must.Shape<SharedOptions>;

const isDuration: must.Check = (value, path) => {
  if (Number.isSafeInteger(value) && Number(value) > 0) return;
  throw must.invalidOption(path, 'a positive number of milliseconds');
};

const configurationShape: must.Shape<Configuration> = {
  ...sharedShape,
  model: must.optional(must.nonEmptyString),
  callerTools: must.optional(must.boolean),
  hideToolResults: must.optional(must.boolean),
  expiresAfterMs: must.optional(isDuration),
};

/** Returns the names of the functions among tools. Sources tell theirs later. */
export const functionNames = (tools: readonly Tool[] = []): string[] =>
  tools.flatMap((tool) => ('run' in tool && 'name' in tool ? [tool.name] : []));

/** Returns the index of the first function whose name a tool of the configuration has; -1 without one. */
export function takenNameAt(
  functions: readonly { readonly name: string }[],
  { tools }: Configuration,
): number {
  const taken = functionNames(tools);
  return functions.findIndex(({ name }) => taken.includes(name));
}

function checkNames(tools: readonly Tool[] | undefined, path: string): void {
  const names = functionNames(tools);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw must.invalidOption(
      `${path}/tools`,
      `functions with different names; two are ${repeated}`,
    );
}

function checkConfiguration(value: Configuration, path: string): void {
  must.checkOptions(value, configurationShape, path);
  checkLayers(value, path);
  checkNames(value.tools, path);
}

const isConfigurations: must.Check = (value, path) => {
  must.object(value, path);
  const configurations = value as Deployment['configurations'];
  for (const [name, configuration] of Object.entries(configurations)) {
    const place = must.childPath(path, name);
    if (!/^[\w.-]{1,64}$/.test(name))
      throw must.invalidOption(place, 'named with 1 to 64 letters, digits or characters of . _ -');
    checkConfiguration(configuration, place);
  }
};

const deploymentShape: must.Shape<Deployment> = {
  configurations: must.required(isConfigurations),
  default: must.required(must.string),
};

/**
 * Checks and returns a deployment.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option, which keeps the Worker from starting
 */
export function defineDeployment(deployment: Deployment): Deployment {
  must.checkOptions(deployment, deploymentShape);
  const names = Object.keys(deployment.configurations);
  if (names.includes(deployment.default)) return deployment;
  const known =
    names.length > 0 ? `one of ${names.join(', ')}` : 'a name in configurations, which is empty';
  throw must.invalidOption('/default', known);
}

const named = ({ configurations }: Deployment, name: string): Configuration | undefined =>
  Object.hasOwn(configurations, name) ? configurations[name] : undefined;

/**
 * Returns the configuration that a caller names for a new thread, and its name. Default: that of the deployment.
 *
 * @throws HttpError with the status 400 if the deployment has none of this name
 */
export function requestedConfiguration(
  deployment: Deployment,
  name: string = deployment.default,
): { name: string; configuration: Configuration } {
  const configuration = named(deployment, name);
  if (configuration) return { name, configuration };
  // The names are the deployment's own affair: callers may not read them.
  const message =
    '/configuration must be a name in `configurations` of the deployment. Without the field, its `default` is taken.';
  throw new HttpError(400, 'configuration.unknown', message);
}

/**
 * Returns the configuration of a stored thread.
 *
 * @throws HttpError with the status 409 if the deployment has it no longer
 */
export function storedConfiguration(deployment: Deployment, name: string): Configuration {
  const configuration = named(deployment, name);
  if (configuration) return configuration;
  const message =
    'The deployment no longer has the configuration of this thread. You can read, export and delete it, and fork ' +
    'it into another configuration.';
  throw new HttpError(409, 'configuration.removed', message);
}
