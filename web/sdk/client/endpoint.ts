// Builds URLs of the Gemini API and of Vertex AI. The API key is never part of a URL.
import { StrataError } from '../internal/errors.js';
import type { Backend } from '../types/model.js';

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
