// Derives what the signature memory needs from the secret of the deployment: the secrets and the caller's part of keys,
// and encryption keys.
import { hmacSha256 } from '../../sdk/internal/digest.js';
import { base64Url } from '../../sdk/internal/bytes.js';
import { StrataError } from '../../sdk/internal/errors.js';
import { invalidOption } from '../../sdk/internal/options.js';
import type { Backend } from '../../sdk/types/model.js';
import type { SignatureMemory } from './signature-memory.js';

/** What belongs to one caller. */
export interface CallerSecrets {
  /** How all keys of the caller begin. */
  shard: string;
  /** The secret of what one caller's parts and signatures are recognized by. */
  secret: Uint8Array;
  /** Encrypts the values of the caller. */
  valueKey: CryptoKey;
}

/** What signatures are valid for: one caller's requests to one service and one family of models. */
export interface Scope {
  caller: string;
  service: Backend;
  family: string;
}

const encoder = new TextEncoder();

// JSON keeps the texts apart, whatever they contain.
const labelOf = (...texts: string[]): Uint8Array<ArrayBuffer> =>
  encoder.encode(JSON.stringify(['prompt-strata signature memory', ...texts]));

/** Keeps the newest results of a function of a text. */
class NewestResults<Result> {
  readonly #limit: number;
  readonly #results = new Map<string, Promise<Result>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(name: string, compute: () => Promise<Result>): Promise<Result> {
    const result = this.#results.get(name) ?? compute();
    this.#results.delete(name);
    this.#results.set(name, result);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= this.#limit) break;
      this.#results.delete(oldest);
    }
    return result;
  }
}

const rememberedCallers = 1_000;
const rememberedScopes = 4_000;

/** Derives secrets from the secret of a deployment. Two deployments with one secret share what a store holds. */
export class MemorySecrets {
  readonly #root: Promise<CryptoKey>;
  readonly #hmacKey: Promise<Uint8Array>;
  readonly #callers = new NewestResults<CallerSecrets>(rememberedCallers);
  readonly #scopes = new NewestResults<Uint8Array>(rememberedScopes);

  constructor(secret: Uint8Array<ArrayBuffer>) {
    this.#root = crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits', 'deriveKey']);
    this.#hmacKey = this.#root.then(async (root) => {
      const bits = await crypto.subtle.deriveBits(hkdf('hmac'), root, 256);
      return new Uint8Array(bits);
    });
    // Whoever uses them gets the error.
    this.#hmacKey.catch(() => {});
  }

  /** Returns what belongs to a caller. */
  ofCaller(caller: string): Promise<CallerSecrets> {
    return this.#callers.get(caller, async () => {
      const [shard, secret, valueKey] = await Promise.all([
        this.#hmac('shard', caller),
        this.#hmac('caller', caller),
        this.#valueKey(caller),
      ]);
      return { shard: `${base64Url(shard.subarray(0, 16))}/`, secret, valueKey };
    });
  }

  /** Returns the secret of the places in a caller's histories. */
  ofScope({ caller, service, family }: Scope): Promise<Uint8Array> {
    const name = JSON.stringify([caller, service, family]);
    return this.#scopes.get(name, () => this.#hmac('scope', caller, service, family));
  }

  async #hmac(...texts: string[]): Promise<Uint8Array> {
    return hmacSha256(await this.#hmacKey, labelOf(...texts));
  }

  async #valueKey(caller: string): Promise<CryptoKey> {
    const aes = { name: 'AES-GCM', length: 256 };
    return crypto.subtle.deriveKey(hkdf('value', caller), await this.#root, aes, false, [
      'encrypt',
      'decrypt',
    ]);
  }
}

const hkdf = (...texts: string[]) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(0),
  info: labelOf(...texts),
});

/**
 * Creates the secrets of a memory. Without `secret` they are random: what they derive ends with the process, so that
 * only a memory in the process can be used.
 *
 * @throws StrataError `memory.secret_missing`, or `field.invalid` for an empty secret
 */
export function createMemorySecrets(
  secret: string | undefined,
  memory: SignatureMemory,
): MemorySecrets {
  if (secret === '') throw invalidOption('/secret', 'a non-empty string');
  if (secret !== undefined) return new MemorySecrets(encoder.encode(secret));
  if (memory.inProcess) return new MemorySecrets(crypto.getRandomValues(new Uint8Array(32)));
  throw new StrataError(
    'memory.secret_missing',
    'This memory outlives the process, so its entries need a secret that does, too: pass `secret`, for example the ' +
      'output of `openssl rand -base64 32`. Without one, only createMemoryStore() can be used.',
  );
}
