// Holds the entries of a memory in a table with limits on their number and size, and an end for each.
import {
  combined,
  fits,
  shardOf,
  sizeOf,
  defaultLimits,
  type MemoryEntry,
  type MemoryLimits,
  type StoredEntry,
  type SignatureMemory,
} from './signature-memory.js';
import { checkOptions, count, func, optional, withDefaults } from '../../sdk/internal/options.js';

/** The entries of one caller, the least recently used first. */
interface Shard {
  entries: Map<string, StoredEntry>;
  bytes: number;
}

const sweepIntervalMs = 60_000;

/**
 * A table of entries. When it is full, the caller with most bytes loses the entry that was used least recently: nobody
 * can crowd out those who hold less.
 */
export class EntryTable {
  readonly #limits: Required<MemoryLimits>;
  readonly #now: () => number;
  readonly #shards = new Map<string, Shard>();
  #count = 0;
  #bytes = 0;
  #nextSweep = 0;

  constructor(limits: Required<MemoryLimits>, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** The size of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the values of those keys that have one. */
  values(keys: readonly string[]): Map<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    // The keys of one request are of one caller, and most of them have no entry.
    let name = '';
    let shard: Shard | undefined;
    for (const key of keys) {
      if (name === '' || !key.startsWith(name)) {
        name = shardOf(key);
        shard = this.#shards.get(name);
      }
      const entry = shard && this.#use(key, shard);
      if (entry) found.set(key, entry.value);
    }
    return found;
  }

  /** Stores an entry and forgets others that no longer have room. */
  put({ key, ...entry }: MemoryEntry): void {
    this.#sweep();
    const stored = combined(this.#takeLive(key), entry);
    if (stored.expiresAt <= this.#now() || !fits(key, stored, this.#limits)) return;
    this.#add(key, { ...stored, value: stored.value.slice() });
    const { maxEntries, maxBytes } = this.#limits;
    while (this.#count > maxEntries || this.#bytes > maxBytes) this.#forgetOne();
  }

  /** Returns all entries, in an order in which a new table can take them. */
  *entries(): Iterable<MemoryEntry> {
    for (const { entries } of this.#shards.values()) {
      for (const [key, entry] of entries) yield { key, ...entry };
    }
  }

  // Moves the entry to the end of its caller's, because a Map keeps the order of insertion.
  #use(key: string, { entries }: Shard): StoredEntry | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt <= this.#now()) return void this.#take(key);
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  // Removes an entry, and returns it unless it has ended.
  #takeLive(key: string): StoredEntry | undefined {
    const entry = this.#take(key);
    return entry && entry.expiresAt > this.#now() ? entry : undefined;
  }

  #add(key: string, entry: StoredEntry): void {
    const name = shardOf(key);
    const shard = this.#shards.get(name) ?? { entries: new Map<string, StoredEntry>(), bytes: 0 };
    this.#shards.set(name, shard);
    shard.entries.set(key, entry);
    this.#resize(shard, 1, sizeOf(key, entry));
  }

  #take(key: string): StoredEntry | undefined {
    const name = shardOf(key);
    const shard = this.#shards.get(name);
    const entry = shard?.entries.get(key);
    if (!shard || !entry) return undefined;
    shard.entries.delete(key);
    this.#resize(shard, -1, -sizeOf(key, entry));
    if (shard.entries.size === 0) this.#shards.delete(name);
    return entry;
  }

  #resize(shard: Shard, count: number, bytes: number): void {
    shard.bytes += bytes;
    this.#bytes += bytes;
    this.#count += count;
  }

  #forgetOne(): void {
    let largest: Shard | undefined;
    for (const shard of this.#shards.values()) {
      if (!largest || shard.bytes > largest.bytes) largest = shard;
    }
    const [oldest] = largest?.entries.keys() ?? [];
    if (oldest !== undefined) this.#take(oldest);
  }

  // Forgets what has ended and is never asked for again.
  #sweep(): void {
    const now = this.#now();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + sweepIntervalMs;
    const ended = [...this.entries()].filter(({ expiresAt }) => expiresAt <= now);
    for (const { key } of ended) this.#take(key);
  }
}

/** Options of `createMemoryStore` and `createFileMemory`. */
export interface MemoryStoreOptions extends MemoryLimits {
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
}

/**
 * Returns the options with their defaults.
 *
 * @throws StrataError `field.unknown` or `field.invalid`
 */
export function storeOptions(options: MemoryStoreOptions): Required<MemoryStoreOptions> {
  checkOptions<MemoryStoreOptions>(options, {
    maxEntries: optional(count),
    maxBytes: optional(count),
    now: optional(func),
  });
  return withDefaults({ ...defaultLimits, now: Date.now }, options);
}

/**
 * Creates a memory that ends with the process. It is the default of the gateway.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
 *
 * @example
 * const memory = createMemoryStore({ maxBytes: 16 * 1024 * 1024 });
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): SignatureMemory {
  const { now, ...limits } = storeOptions(options);
  const table = new EntryTable(limits, now);
  return {
    inProcess: true,
    get: async (keys) => table.values(keys),
    put: async (entries) => {
      for (const entry of entries) table.put(entry);
    },
  };
}
