// Splits a list into pages, as the API's list methods do.
import { invalidArgument } from './errors.js';

/** One page of a list, with the token of the next one. */
export interface Page<Entry> {
  entries: Entry[];
  /** Empty on the last page. */
  next: { nextPageToken?: string };
}

/**
 * Returns the page that `pageToken` and `pageSize` of the query ask for.
 *
 * @throws Failure for a token that no list returned
 */
export function pageOf<Entry>(
  all: Entry[],
  query: URLSearchParams,
  limits: { default: number; max: number },
): Page<Entry> {
  const requested = Number(query.get('pageSize') ?? 0) || limits.default;
  const from = Number(query.get('pageToken') ?? 0);
  if (!Number.isInteger(from) || from < 0) throw invalidArgument('Invalid page token.');
  const end = from + Math.min(Math.max(1, Math.floor(requested)), limits.max);
  const next = end < all.length ? { nextPageToken: String(end) } : {};
  return { entries: all.slice(from, end), next };
}
