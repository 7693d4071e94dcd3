// Builds a request for a method of the API that the client has no function for.
import { StrataError } from '../../internal/errors.js';
import type { Endpoint } from '../endpoint.js';
import type { CallOptions, HttpRequest } from '../http.js';
import * as must from '../../internal/options.js';
import type { JsonInput } from '../../types/json.js';

/** A request to any method of the API. */
export interface RequestOptions extends CallOptions {
  /** Default: `GET`, with a body `POST`. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path below the API's version, such as `models/gemini-embedding-001:embedContent`, without a slash at its
   * start. On Vertex AI it is below the project and location, unless it begins with `projects/`, or is a GET of
   * `publishers/…`.
   */
  path: string;
  /** The parameters of the URL. Undefined ones are left out. Never put a key there. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON as a value, text or bytes. */
  body?: JsonInput;
}

const requestOptions: must.Shape<RequestOptions> = {
  method: must.optional(must.oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  path: must.string,
  query: must.optional(must.object),
  body: must.unchecked,
  signal: must.signal,
  onRetry: must.optional(must.func),
};

// A path that could lead to another host or out of the API's version when the URL is resolved, or that has a query.
const misleading = /[\\?#%\s\p{Cc}\p{Cs}]|^[a-z][a-z0-9+.-]*:\/\/|(?:^|\/)(?:\.{1,2})?(?:\/|$)/iu;

function queryOf(query: RequestOptions['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = String(parameters);
  return text === '' ? '' : `?${text}`;
}

function invalidPath(path: string): StrataError {
  const message = `${JSON.stringify(path)} is not a path below the API's version. Pass a path such as "models/gemini-embedding-001:embedContent", and its parameters as query.`;
  return new StrataError('name.invalid', message);
}

/**
 * Returns the request with the bytes of its body.
 *
 * @internal
 * @throws StrataError `name.invalid`, `field.unknown` or `field.invalid`
 */
export function requestOf(
  endpoint: Endpoint,
  options: RequestOptions,
  body: Uint8Array | undefined,
): HttpRequest {
  must.checkOptions(options, requestOptions);
  const { path, query, signal, onRetry } = options;
  const method = options.method ?? (body ? 'POST' : 'GET');
  if (misleading.test(path)) throw invalidPath(path);
  // Vertex AI serves the descriptions of Google's models outside of projects.
  const isPublic = method === 'GET' && path.startsWith('publishers/');
  const full = isPublic ? path : endpoint.below(path);
  const encoded = full
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('%3A', ':'));
  const url = `${endpoint.root}/${endpoint.apiVersion}/${encoded.join('/')}${queryOf(query)}`;
  return { method, url, body, signal, onRetry };
}
