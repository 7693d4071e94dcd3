// Reads a list of the API page by page.
import type { CallOptions, Http } from '../http.js';
import type { Json } from '../../types/json.js';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** The number of entries per request, which is also the maximum. Default: 1,000; for files 100. */
  pageSize?: number;
}

/**
 * Iterates over the entries of a collection. The next page is requested when you have read the previous one.
 *
 * @param field the field of each page that holds the entries
 * @internal
 */
export async function* listPages<Entry = Json>(
  http: Http,
  collectionUrl: string,
  field: string,
  { pageSize = 1000, ...options }: ListOptions = {},
): AsyncGenerator<Entry, void, void> {
  let token = '';
  do {
    const query = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
    const url = `${collectionUrl}?pageSize=${pageSize}${query}`;
    const page = Object(await http.json({ ...options, method: 'GET', url }));
    yield* page[field] ?? [];
    token = page.nextPageToken ?? '';
  } while (token !== '');
}
