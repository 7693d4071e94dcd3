// Defines the options of Vertex AI and chooses the endpoint that the options of a client name.
import type { TokenSource } from './access.js';
import { Endpoint } from './endpoint.js';
import * as must from '../internal/options.js';

/**
 * Where a client finds Gemini on Vertex AI.
 *
 * @example
 * import { GoogleAuth } from 'google-auth-library';
 *
 * const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' });
 * const token = async () => (await auth.getAccessToken()) ?? '';
 * const client = new GeminiClient({ vertexai: { project: 'my-project', location: 'us', token } });
 */
export interface VertexOptions {
  /** The project's id or number. */
  project: string;
  /** `global` (default), `us`, `eu`, or a region such as `europe-west4`. It decides about the host. */
  location?: string;
  /**
   * An access token, or a function that returns one. The function is called for each request and each retry, so let
   * it keep a token until that expires, as Google's auth libraries do. Without it, pass `apiKey` or let a proxy
   * add the header.
   */
  token?: TokenSource;
}

// Both become part of a host or a path.
const matching =
  (pattern: RegExp, expected: string): must.Check =>
  (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw must.invalidOption(path, expected);
  };

const isToken: must.Check = (value, path) => {
  if (typeof value !== 'function') must.nonEmptyString(value, path);
};

/**
 * Accepts undefined, or the options of Vertex AI.
 *
 * @internal
 */
export const vertexOptions = must.shape<VertexOptions>({
  project: matching(/^\w[\w.:-]*$/, 'a project id; for express mode, pass vertexai: true'),
  location: must.optional(matching(/^[a-z]+(?:-[a-z0-9]+)*$/, "'global', 'us', 'eu' or a region")),
  token: must.optional(isToken),
});

/**
 * The options of a client that decide about its endpoint.
 *
 * @internal
 */
interface EndpointOptions {
  vertexai?: VertexOptions | boolean;
  apiKey?: string | undefined;
  baseUrl?: string;
  apiVersion?: string;
}

/**
 * Returns Vertex AI's host for a location:
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/resources/locations
 *
 * @internal
 */
export function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  const isMultiRegion = location === 'us' || location === 'eu';
  return isMultiRegion
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}

/**
 * Returns the endpoint that the options of a client name. Google's own SDKs call the same versions.
 *
 * @internal
 */
export function endpointOf({ vertexai, apiKey, ...options }: EndpointOptions): Endpoint {
  if (!vertexai) {
    const { baseUrl = 'https://generativelanguage.googleapis.com', apiVersion = 'v1beta' } =
      options;
    return new Endpoint(baseUrl, apiVersion, 'gemini');
  }
  const { project, location = 'global', token }: Partial<VertexOptions> = Object(vertexai);
  if (token && apiKey)
    throw must.invalidOption('/vertexai/token', 'left out where apiKey is given');
  const { baseUrl = `https://${vertexHost(location)}`, apiVersion = 'v1beta1' } = options;
  const parent = project && `projects/${project}/locations/${location}/`;
  return new Endpoint(baseUrl, apiVersion, 'vertex', parent);
}
