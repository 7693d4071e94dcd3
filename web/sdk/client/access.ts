// Adds the caller's headers and an access token to each request, and keeps their values out of errors.
import { promiseTry } from '../internal/lifetime.js';
import * as must from '../internal/options.js';
import { checkKey, type Secrets } from '../internal/redact.js';

/** Header names and their values. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** Headers, or a function that returns them for each request. */
export type HeaderSource = HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>);

/** An access token, or a function that returns one for each request. */
export type TokenSource = string | (() => string | Promise<string>);

/**
 * What a client's requests carry besides the API key.
 *
 * @internal
 */
export interface AccessOptions {
  apiKey: string | undefined;
  headers: HeaderSource | undefined;
  token: TokenSource | undefined;
}

// Values that are no secrets and that a message may need.
const harmless =
  /^(?:accept(?:-.*)?|user-agent|referer|origin|x-goog-(?:api-client|user-project|request-params)|x-server-timeout)$/;

/** Checks headers, and returns them with names in lower case. */
function checked(given: HeaderRecord, { apiKey, token }: AccessOptions): Record<string, string> {
  must.recordOf(must.string)(given, '/headers');
  const headers = Object.fromEntries(headersOf(given));
  // Two values of a header cannot both be meant.
  const taken = { 'content-type': true, 'x-goog-api-key': apiKey, authorization: token };
  const twice = Object.entries(taken).find(([name, owner]) => owner && name in headers)?.[0];
  if (twice) throw must.invalidOption(`/headers/${twice}`, 'left out: the client sets it');
  return headers;
}

// The platform's own message would quote the value.
function headersOf(given: HeaderRecord): Headers {
  try {
    return new Headers(given);
  } catch {
    throw must.invalidOption('/headers', 'names and values that HTTP can carry');
  }
}

/** Remembers what servers could repeat of a header's value: the whole of it, and its longer words. */
function remember(secrets: Secrets, value: string): void {
  for (const text of [value, ...value.split(/[\s;,=]+/)]) secrets.add(text);
}

/**
 * The headers and the token of one client.
 *
 * @internal
 */
export class Access {
  readonly #options: AccessOptions;
  readonly #secrets: Secrets;

  /** @throws StrataError `field.invalid` or `key.invalid` */
  constructor(options: AccessOptions, secrets: Secrets) {
    this.#options = options;
    this.#secrets = secrets;
    const { headers, token } = options;
    if (headers && typeof headers !== 'function') this.#prepared(headers);
    if (typeof token === 'string') this.#bearer(token);
  }

  /** Returns the headers for one request. What a function of the caller throws is thrown unchanged. */
  async headers(): Promise<Record<string, string>> {
    const { headers: source, token } = this.#options;
    const given = typeof source === 'function' ? await promiseTry(source) : (source ?? {});
    const headers = this.#prepared(given);
    if (token === undefined) return headers;
    const text = typeof token === 'function' ? await promiseTry(token) : token;
    return { ...headers, authorization: this.#bearer(text) };
  }

  #prepared(given: HeaderRecord): Record<string, string> {
    const headers = checked(given, this.#options);
    for (const [name, value] of Object.entries(headers)) {
      if (!harmless.test(name)) remember(this.#secrets, value);
    }
    return headers;
  }

  #bearer(token: string): string {
    must.nonEmptyString(token, '/vertexai/token');
    checkKey(token, 'access token');
    this.#secrets.add(token);
    return `Bearer ${token}`;
  }
}
