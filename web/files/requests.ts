// Builds a request for a method of the API that the client has no function for, reads lists page by page, and asks
// until something has happened.
import type { ListOptions, WaitOptions } from '../sdk/client/resources.js';
import type { RequestOptions } from '../sdk/client/client.js';
import { StrataError, type GeminiError } from '../sdk/internal/errors.js';
import type { Endpoint } from '../sdk/client/endpoint.js';
import { callOptions, type HttpRequest, type Http } from '../sdk/client/http.js';
import { sleep } from '../sdk/internal/lifetime.js';
import * as must from '../sdk/internal/options.js';
import type { Json } from '../sdk/types/json.js';

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

const waitOptions: must.Shape<WaitOptions> = {
  ...callOptions,
  timeoutMs: must.optional(must.nonNegative),
  initialMs: must.optional(must.nonNegative),
  maxMs: must.optional(must.nonNegative),
};

const factor = 1.5;

/**
 * Calls `ask` less and less often until `isDone` takes its result, and returns that.
 *
 * @throws what `slow` returns once the time is up, what `ask` throws, or the signal's reason
 */
export async function askUntil<Result>(
  ask: (signal: AbortSignal | undefined) => Promise<Result>,
  isDone: (result: Result) => boolean,
  { options, slow }: { options: WaitOptions; slow: (last: Result, ms: number) => GeminiError },
): Promise<Result> {
  must.checkOptions(options, waitOptions);
  const { timeoutMs = 600_000, initialMs = 1000, maxMs = 10_000, signal } = options;
  const deadline = timeoutMs > 0 ? performance.now() + timeoutMs : Infinity;
  for (let delayMs = initialMs; ; delayMs *= factor) {
    const result = await ask(signal);
    if (isDone(result)) return result;
    const wait = Math.min(delayMs, maxMs);
    if (wait >= deadline - performance.now()) throw slow(result, timeoutMs);
    await sleep(wait, signal);
  }
}
