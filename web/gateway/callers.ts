// Decides who may call: by the keys that callers send, and by who pays the upstream.
import { equalBytes, fromHex, hmacSha256, sha256, toHex } from '../sdk/internal/digest.js';
import * as must from '../sdk/internal/options.js';
import { GatewayError } from './gateway-error.js';

/** A caller that may call. Several entries may have one `id`: the keys of one caller. */
export interface ListedCaller {
  /** Names the caller in logs and in the signature memory, which a new key does not change. */
  id: string;
  /** The SHA-256 of its key, hexadecimal. */
  keyHash: string;
}

/** Who may call: listed callers, or anyone. */
export type Callers = 'anyone' | readonly ListedCaller[];

/** The caller of one request. */
export interface Caller {
  id: string;
  /** Its own Google key, where the caller pays. */
  upstreamKey?: string;
  /** Its own access token of Google, where the caller pays. */
  upstreamToken?: string;
  /** Whether signatures are remembered for it. */
  memory: boolean;
}

/** What decides about callers. */
interface CallerOptions {
  /** Whether the gateway has a key or a token for the upstream. */
  paysUpstream: boolean;
  callers: Callers | undefined;
  /** The key of the ids of callers that send their own Google key. Default: random. */
  secret: string | Uint8Array | undefined;
}

// The ids of callers in process, of everyone, and of callers with a Google key of their own: whoever shares an id
// shares its memory.
const ownIds = /^(?:process|anyone|key:.*)$/;

// An id stands in logs and in keys of the memory.
const isId: must.Check = (value, path) => {
  if (typeof value !== 'string' || !/^[\w.@:+-]{1,100}$/.test(value))
    throw must.invalidOption(path, '1 to 100 letters, digits or characters of . _ @ : + -');
  if (ownIds.test(value))
    throw must.invalidOption(
      path,
      "another id: the gateway itself uses 'process', 'anyone' and 'key:…'",
    );
};

const isKeyHash: must.Check = (value, path) => {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value))
    throw must.invalidOption(path, 'the SHA-256 of a key, 64 hexadecimal digits');
};

const caller = must.required(must.shape<ListedCaller>({ id: isId, keyHash: isKeyHash }));

// Of two callers with one key, the second would use the memory and the limits of the first.
function checkOwners(callers: readonly ListedCaller[], path: string): void {
  const owners = new Map<string, string>();
  callers.forEach(({ id, keyHash }, index) => {
    const hash = keyHash.toLowerCase();
    const owner = owners.get(hash) ?? id;
    if (owner !== id)
      throw must.invalidOption(`${path}/${index}/keyHash`, `that of one caller; ${owner} has it`);
    owners.set(hash, id);
  });
}

/** Accepts undefined, 'anyone', or an array of callers. */
export const isCallers: must.Check = must.optional((value, path) => {
  if (value === 'anyone') return;
  if (!Array.isArray(value))
    throw must.invalidOption(path, "'anyone' or an array of { id, keyHash }");
  must.arrayOf(caller)(value, path);
  checkOwners(value, path);
});

const unauthorized = (code: string, message: string): GatewayError =>
  new GatewayError(401, code, message, { headers: { 'www-authenticate': 'Bearer' } });

const carriers = '"authorization: Bearer <key>", "x-goog-api-key: <key>" or "?key=<key>"';

// Beyond the longest access token of Google.
const maxKeyLength = 4096;

/** A key as it was sent. `isToken`: an access token of Google, which travels as `authorization: Bearer`. */
interface SentKey {
  key: string;
  isToken: boolean;
}

function bearerOf(authorization: string | null): string[] {
  // Firebase sends tokens of its own scheme beside its key.
  if (authorization === null || !/^bearer(\s|$)/i.test(authorization)) return [];
  return [authorization.slice('bearer'.length).trim()];
}

/**
 * Returns the key of a request, or undefined without one.
 *
 * @throws GatewayError 401 if it is malformed, or if two differ: it would be undefined whose key counts
 */
export function sentKey({ headers, url }: Request): SentKey | undefined {
  const bearer = bearerOf(headers.get('authorization'));
  const header = headers.get('x-goog-api-key');
  const sent = [...bearer, ...(header === null ? [] : [header])];
  sent.push(...new URL(url).searchParams.getAll('key'));
  const [key, ...others] = sent;
  if (key === undefined) return undefined;
  if (others.some((other) => other !== key))
    throw unauthorized('caller.key_ambiguous', 'The request has two different keys. Send one.');
  if (!/^[\x21-\x7e]+$/.test(key) || key.includes(',') || key.length > maxKeyLength)
    throw unauthorized('caller.key_invalid', 'The key is empty or has characters that no key has.');
  // API keys travel in any carrier, access tokens only in this one.
  return { key, isToken: bearer.length > 0 && /^(?:ya29\.|eyJ)/.test(key) };
}

/** Checks the keys of callers. */
export class CallerKeys {
  readonly #paysUpstream: boolean;
  readonly #anyone: boolean;
  readonly #listed: { id: string; hash: Uint8Array }[] | undefined;
  readonly #secret: string | Uint8Array;

  constructor({ paysUpstream, callers, secret }: CallerOptions) {
    this.#paysUpstream = paysUpstream;
    this.#anyone = callers === 'anyone';
    if (Array.isArray(callers))
      this.#listed = callers.map(({ id, keyHash }) => ({ id, hash: fromHex(keyHash) }));
    this.#secret = secret || crypto.getRandomValues(new Uint8Array(32));
  }

  /** @throws GatewayError with the status 401 or 503 */
  async authenticate(request: Request): Promise<Caller> {
    if (this.#listed) return this.#listedCaller(request, this.#listed);
    if (!this.#paysUpstream) return this.#payingCaller(request);
    if (this.#anyone) return { id: 'anyone', memory: false };
    throw unauthorized(
      'caller.unconfigured',
      'The gateway has a key for Gemini but no callers, so nobody may call. List them in "callers", each with the ' +
        "SHA-256 of its key, or pass 'anyone' if everyone who reaches the gateway may spend its key.",
    );
  }

  async #listedCaller(
    request: Request,
    listed: readonly { id: string; hash: Uint8Array }[],
  ): Promise<Caller> {
    if (!this.#paysUpstream)
      throw new GatewayError(
        503,
        'upstream.unconfigured',
        'The gateway lists callers but has no key for Gemini, and their keys never travel there. Pass "apiKey", or ' +
          'remove "callers" so that each caller spends its own Gemini key.',
      );
    const sent = sentKey(request);
    if (!sent) throw unauthorized('caller.key_missing', `Send the key of a caller as ${carriers}.`);
    const hash = await sha256(sent.key);
    // Compares with all, so that the time taken does not say which one fits.
    const found = listed.filter((each) => equalBytes(each.hash, hash));
    if (found[0]) return { id: found[0].id, memory: true };
    throw unauthorized('caller.key_wrong', 'No caller has this key.');
  }

  async #payingCaller(request: Request): Promise<Caller> {
    const sent = sentKey(request);
    if (!sent) {
      // Nothing is spent: the upstream decides what it answers without a key.
      if (this.#anyone) return { id: 'anyone', memory: false };
      throw unauthorized('caller.key_missing', `Send your Gemini API key as ${carriers}.`);
    }
    const { key, isToken } = sent;
    const mac = await hmacSha256(this.#secret, `caller key\0${key}`);
    const id = `key:${toHex(mac.subarray(0, 16))}`;
    return { id, memory: true, ...(isToken ? { upstreamToken: key } : { upstreamKey: key }) };
  }
}
