// Knows the addresses of the API: of Gemini and of Vertex AI.
import type { TokenSource } from './access.js';
import * as must from '../internal/options.js';
import { StrataError } from '../internal/errors.js';
import type { Backend } from '../types/model.js';

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

function invalidName(name: unknown): StrataError {
  const value = typeof name === 'string' ? JSON.stringify(name) : typeof name;
  return new StrataError(
    'name.invalid',
    `${value} is not a resource name. Pass a name such as "gemini-3.8-flash" or "cachedContents/abc".`,
  );
}

// A segment of dots would lead out of its collection when the URL is resolved. No URL can have half a character.
function encodeSegment(segment: string, name: string): string {
  if (/^\.{0,2}$|\p{Cs}/u.test(segment)) throw invalidName(name);
  return encodeURIComponent(segment);
}

/**
 * Where the API is, and how it names things.
 *
 * @internal
 */
export class Endpoint {
  readonly baseUrl: string;
  readonly apiVersion: string;
  readonly backend: Backend;
  readonly #parent: string;

  /** `parent`: on Vertex AI the project and location before each resource, with a slash at the end. */
  constructor(baseUrl: string, apiVersion: string, backend: Backend, parent = '') {
    this.baseUrl = baseUrl;
    this.apiVersion = apiVersion;
    this.backend = backend;
    this.#parent = parent;
  }

  /** Whether this is Vertex AI without a project. */
  get isExpress(): boolean {
    return this.backend === 'vertex' && this.#parent === '';
  }

  /** The base URL without a slash at its end. */
  get root(): string {
    return this.baseUrl.replace(/\/+$/, '');
  }

  /**
   * Returns a resource name, with its collection if `name` lacks it. On Vertex AI, models belong to their publisher.
   *
   * @throws StrataError `name.invalid` if `name` is not a string
   *
   * @example
   * gemini.resource('models', 'gemini-3.8-flash') === 'models/gemini-3.8-flash'
   * vertex.resource('models', 'gemini-3.8-flash') === 'publishers/google/models/gemini-3.8-flash'
   */
  resource(collection: string, name: string): string {
    if (typeof name !== 'string') throw invalidName(name);
    const path = name.includes('/') ? name : `${collection}/${name}`;
    return this.backend === 'vertex'
      ? path.replace(/^models\//, 'publishers/google/models/')
      : path;
  }

  /** Returns a path below the project and location, unless it names a project itself. */
  below(path: string): string {
    return path.startsWith('projects/') ? path : this.#parent + path;
  }

  /**
   * Returns the URL of a path such as `models/gemini-3.8-flash`, followed by `suffix`: a `:verb`, a query, or both.
   *
   * @throws StrataError `name.invalid` for an empty segment, or one of dots
   */
  url(path: string, suffix = ''): string {
    const encoded = path.split('/').map((segment) => encodeSegment(segment, path));
    return `${this.root}/${this.apiVersion}/${encoded.join('/')}${suffix}`;
  }
}
