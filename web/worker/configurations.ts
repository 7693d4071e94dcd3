// Finds the configurations of this deployment by name.
import deployment from './deployment.js';
import { HttpError } from '../sdk/server/http-error.js';
import type { Configuration } from './define-deployment.js';

function named(name: string): Configuration | undefined {
  const { configurations } = deployment;
  return Object.hasOwn(configurations, name) ? configurations[name] : undefined;
}

/**
 * Returns the configuration that a caller names for a new thread, and its name. Default: that of the deployment.
 *
 * @throws HttpError with the status 400 if the deployment has none of this name
 */
export function requestedConfiguration(name: string = deployment.default): {
  name: string;
  configuration: Configuration;
} {
  const configuration = named(name);
  if (configuration) return { name, configuration };
  const message = '/configuration must be the name of a configuration of this deployment.';
  throw new HttpError(400, 'configuration.unknown', message);
}

/**
 * Returns the configuration of a stored thread.
 *
 * @throws HttpError with the status 409 if the deployment has it no longer
 */
export function storedConfiguration(name: string): Configuration {
  const configuration = named(name);
  if (configuration) return configuration;
  const message =
    'The deployment no longer has the configuration of this thread. You can read, export and delete it, and fork ' +
    'it into another configuration.';
  throw new HttpError(409, 'configuration.removed', message);
}
