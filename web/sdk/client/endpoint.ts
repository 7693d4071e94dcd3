// Why this file exists: the addresses of the Gemini API. The key is never part of one.
import { StrataError } from '../base/errors.js';

/** Where the API is, and which version of it. */
export interface Endpoint {
  baseUrl: string;
  apiVersion: string;
}

function noName(name: unknown): StrataError {
  const shown = typeof name === 'string' ? JSON.stringify(name) : typeof name;
  return new StrataError('name.invalid', `${shown} is not a resource name`);
}

// A name with dots for a segment would leave its collection when the URL is resolved.
function encodeSegment(segment: string, name: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw noName(name);
  }
  return encodeURIComponent(segment);
}

/**
 * A resource name, with its collection where the caller left it out.
 *
 * @example
 * resourceName('models', 'gemini-3.8-flash') === 'models/gemini-3.8-flash'
 */
export function resourceName(collection: string, name: string): string {
  if (typeof name !== 'string') throw noName(name);
  return name.includes('/') ? name : `${collection}/${name}`;
}

/** The URL of a path such as `models/gemini-3.8-flash`, with `:verb` and a query where given. */
export function urlOf(endpoint: Endpoint, path: string, suffix = ''): string {
  const encoded = path.split('/').map((segment) => encodeSegment(segment, path));
  const base = endpoint.baseUrl.replace(/\/+$/, '');
  return `${base}/${endpoint.apiVersion}/${encoded.join('/')}${suffix}`;
}
