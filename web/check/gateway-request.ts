// Implements `GatewayRequest`: the body of one request, which stays in the core until the handle is disposed.
import { optionsPart, type FramePart } from '../sdk/internal/json-input.js';
import { optionError } from '../sdk/internal/options.js';
import { Handle } from '../sdk/core/handle.js';
import type { Instance, Reply } from '../sdk/core/instance.js';
import type { RawCheckModule, RawGatewayRequest } from './raw.js';
import type { Report } from '../sdk/types/diagnostic.js';
import type {
  GatewayRequest,
  Prepared,
  PrepareOptions,
  SignatureLookup,
  SignatureSecrets,
  SignatureSite,
} from './gateway-core.js';

// As many as the core can count.
const mostValues = 2 ** 32 - 1;

// Of a key, in characters.
const keyLength = 22;

/** Returns the keys of a text that has them one after the other. */
function keysIn(text: string): string[] {
  const keys: string[] = [];
  for (let at = 0; at < text.length; at += keyLength) keys.push(text.slice(at, at + keyLength));
  return keys;
}

/** Returns the frame parts of secrets. Keys of an empty secret could be computed by anyone. */
export function secretParts({ scope, caller }: SignatureSecrets): FramePart[] {
  if (scope.length === 0 || caller.length === 0)
    throw optionError('field.invalid', '', 'A secret of signature keys must not be empty');
  return [scope, caller];
}

/** Implements `GatewayRequest`. */
export class WasmGatewayRequest
  extends Handle<RawGatewayRequest, RawCheckModule>
  implements GatewayRequest
{
  readonly #body: Uint8Array;
  readonly #maxValues: number;

  constructor(instance: Instance<RawCheckModule>, body: Uint8Array, maxValues: number) {
    super(instance, undefined, 'request');
    this.#body = body;
    this.#maxValues = Math.min(maxValues, mostValues);
  }

  lookup(secrets: SignatureSecrets): SignatureLookup {
    const parts = secretParts(secrets);
    const { document } = this.#call<{ chain: string; keys: string }>(parts, (raw) => raw.lookup());
    return { chain: document.chain, keys: keysIn(document.keys) };
  }

  sites(): SignatureSite[] {
    return this.#call<{ sites: SignatureSite[] }>([], (raw) => raw.sites()).document.sites;
  }

  chain(secrets: SignatureSecrets): string {
    const parts = secretParts(secrets);
    return this.#call<{ chain: string }>(parts, (raw) => raw.chain()).document.chain;
  }

  prepare(options: PrepareOptions): Prepared {
    const parts = [optionsPart(options)];
    const { document, bytes } = this.#call<Report>(parts, (raw) => raw.prepare());
    return bytes.length === 0 ? document : { ...document, body: bytes };
  }

  // The body goes along with the first call.
  #call<Document>(
    parts: readonly FramePart[],
    use: (raw: RawGatewayRequest) => void,
  ): Reply<Document> {
    const { held, instance } = this;
    if (held) return instance.call([undefined, ...parts], () => use(held));
    return instance.call([this.#body, ...parts], () => {
      const raw = new instance.module.GatewayRequest(instance.core, this.#maxValues);
      this.hold(raw);
      use(raw);
    });
  }
}
