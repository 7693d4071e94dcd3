// Reads a list of the API page by page.
import { urlOf, type Endpoint } from './endpoint.js';
import type { CallOptions, Http } from './http.js';
import type { Json } from '../types/json.js';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** The number of entries per request, at most 1,000. Default: 1,000. */
  pageSize?: number;
}

/** Iterates over the entries of a collection. The next page is requested when you have read the previous one. */
export async function* listPages(
  http: Http,
  endpoint: Endpoint,
  collection: string,
  { pageSize = 1000, ...options }: ListOptions = {},
): AsyncGenerator<Json, void, void> {
  let token = '';
  do {
    const query = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
    const url = urlOf(endpoint, collection, `?pageSize=${pageSize}${query}`);
    const page = Object(await http.json({ ...options, method: 'GET', url }));
    yield* page[collection] ?? [];
    token = page.nextPageToken ?? '';
  } while (token !== '');
}
