// Builds URLs of the Gemini API. The API key is never part of a URL.
import { StrataError } from '../base/errors.js';

/** The base URL and the version of the API. */
export interface Endpoint {
  baseUrl: string;
  apiVersion: string;
}

function invalidName(name: unknown): StrataError {
  const value = typeof name === 'string' ? JSON.stringify(name) : typeof name;
  return new StrataError(
    'name.invalid',
    `${value} is not a resource name. Pass a name such as "gemini-3.8-flash" or "cachedContents/abc".`,
  );
}

// A segment of dots would lead out of its collection when the URL is resolved.
function encodeSegment(segment: string, name: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw invalidName(name);
  }
  return encodeURIComponent(segment);
}

/**
 * Returns a resource name, with its collection if `name` lacks it.
 *
 * @throws StrataError `name.invalid` if `name` is not a string
 *
 * @example
 * resourceName('models', 'gemini-3.8-flash') === 'models/gemini-3.8-flash'
 */
export function resourceName(collection: string, name: string): string {
  if (typeof name !== 'string') throw invalidName(name);
  return name.includes('/') ? name : `${collection}/${name}`;
}

/**
 * Returns the URL of a path such as `models/gemini-3.8-flash`, followed by `suffix`: a `:verb`, a query, or both.
 *
 * @throws StrataError `name.invalid` for an empty segment, or one of dots
 */
export function urlOf(endpoint: Endpoint, path: string, suffix = ''): string {
  const encoded = path.split('/').map((segment) => encodeSegment(segment, path));
  const base = endpoint.baseUrl.replace(/\/+$/, '');
  return `${base}/${endpoint.apiVersion}/${encoded.join('/')}${suffix}`;
}
