// Reads a list of the API page by page.
import * as must from '../../internal/options.js';
import { callOptions, type CallOptions, type Http } from '../http.js';
import type { Json } from '../../types/json.js';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** The number of entries per request, which is also the maximum. Default: 1,000; for files 100. */
  pageSize?: number;
}

const listOptions: must.Shape<ListOptions> = {
  ...callOptions,
  pageSize: must.optional(must.count),
};

/** What a collection is: the field of each page that holds its entries, and how many are asked for by default. */
interface Collection {
  field: string;
  pageSize?: number;
}

/**
 * Iterates over the entries of a collection. The next page is requested when you have read the previous one.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
 * @internal
 */
export async function* listPages<Entry = Json>(
  http: Http,
  collectionUrl: string,
  { field, pageSize: usualSize = 1000 }: Collection,
  options: ListOptions = {},
): AsyncGenerator<Entry, void, void> {
  must.checkOptions(options, listOptions);
  const { pageSize = usualSize, ...call } = options;
  let token = '';
  do {
    const query = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
    const url = `${collectionUrl}?pageSize=${pageSize}${query}`;
    const page = Object(await http.json({ ...call, method: 'GET', url }));
    yield* page[field] ?? [];
    token = page.nextPageToken ?? '';
  } while (token !== '');
}
