// Stores the signature memory in Durable Objects of Cloudflare, one for each caller.
import { base64, bytesOfBase64 } from '../../sdk/internal/bytes.js';
import { shardOf, type MemoryEntry, type SignatureMemory } from './signature-memory.js';

/** The methods of a Durable Object namespace that are used. */
export interface MemoryNamespace<Id = unknown> {
  idFromName(name: string): Id;
  get(id: Id): { fetch(url: string, init: { method: string; body: string }): Promise<Response> };
}

/** An entry as JSON: its value is base64. */
export type WireEntry = Omit<MemoryEntry, 'value'> & { value: string };

/** The answer of an object to `get`. */
export interface WireValues {
  values: { [key: string]: string };
}

/** Returns the keys, or entries, of each caller. */
function byShard<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const shards = new Map<string, Item[]>();
  for (const item of items) {
    const name = shardOf(keyOf(item));
    const shard = shards.get(name);
    if (shard) shard.push(item);
    else shards.set(name, [item]);
  }
  return [...shards];
}

class DurableObjectMemory<Id> implements SignatureMemory {
  readonly #namespace: MemoryNamespace<Id>;

  constructor(namespace: MemoryNamespace<Id>) {
    this.#namespace = namespace;
  }

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const answers = await Promise.all(
      byShard(keys, (key) => key).map(([shard, own]) => this.#ask(shard, 'get', own)),
    );
    const found = new Map<string, Uint8Array>();
    for (const answer of answers) {
      const { values } = (await answer.json()) as WireValues;
      for (const [key, value] of Object.entries(values)) {
        const bytes = bytesOfBase64(value);
        if (bytes) found.set(key, bytes);
      }
    }
    return found;
  }

  async put(entries: readonly MemoryEntry[]): Promise<void> {
    const wire = entries.map((entry): WireEntry => ({ ...entry, value: base64(entry.value) }));
    await Promise.all(
      byShard(wire, ({ key }) => key).map(([shard, own]) => this.#ask(shard, 'put', own)),
    );
  }

  async #ask(shard: string, method: string, body: readonly unknown[]): Promise<Response> {
    const object = this.#namespace.get(this.#namespace.idFromName(shard));
    const init = { method: 'POST', body: JSON.stringify(body) };
    const response = await object.fetch(`https://memory/${method}`, init);
    if (!response.ok) throw new Error(`The signature memory answered HTTP ${response.status}`);
    return response;
  }
}

/**
 * Creates a memory in Durable Objects of the class `SignatureMemoryObject`, one for each caller.
 *
 * @example
 * const gateway = createGateway({ memory: durableObjectMemory(env.SIGNATURES), secret: env.SECRET });
 */
export const durableObjectMemory = <Id>(namespace: MemoryNamespace<Id>): SignatureMemory =>
  new DurableObjectMemory(namespace);
