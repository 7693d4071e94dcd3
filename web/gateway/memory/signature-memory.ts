// Defines the storage interface of the signature memory, small enough for a map, a file, a database or a Durable
// Object.

/** One value under one key. Keys and tags are keyed hashes, and values are encrypted: a store learns nothing from them. */
export interface MemoryEntry {
  /** The caller's part of the key, a slash, and the part of the entry. All of one caller's keys begin alike. */
  key: string;
  value: Uint8Array;
  /** When the entry ends, in milliseconds since 1970. */
  expiresAt: number;
  /**
   * Identifies the candidate. If the key has an entry with another tag, the key becomes ambiguous: its value is
   * empty until it ends.
   */
  tag?: string;
}

/**
 * Stores the signatures of upstream answers. An entry without a tag replaces an earlier one of its key. A store may
 * forget entries early, but must not return one after its end.
 *
 * @example
 * const gateway = createGateway({ memory: createFileMemory('signatures.log'), secret: process.env.SECRET });
 */
export interface SignatureMemory {
  /** True if the entries end with the process. Any other memory needs the option `secret`. */
  readonly inProcess?: boolean;
  /**
   * Returns the values of those keys that have one. The value of an ambiguous key is empty. A key may be there twice.
   *
   * @throws any error of the storage; the request is then sent on without restored signatures
   */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Stores entries. Resolves when a `get` that starts afterwards finds them.
   *
   * @throws any error of the storage; the signatures of the answer are then not remembered
   */
  put(entries: readonly MemoryEntry[]): Promise<void>;
}

/** How much a memory holds. What was used least recently is forgotten first. */
export interface MemoryLimits {
  /** Default: 60,000, about 20,000 signatures. */
  maxEntries?: number;
  /** Default: 64 MiB. An entry of more than an eighth is not stored. */
  maxBytes?: number;
}

export const defaultLimits: Required<MemoryLimits> = {
  maxEntries: 60_000,
  maxBytes: 64 * 1024 * 1024,
};

/** Returns the caller's part of a key. */
export const shardOf = (key: string): string => key.slice(0, key.indexOf('/') + 1);

/** What is stored under a key. */
export type StoredEntry = Omit<MemoryEntry, 'key'>;

const nothing = new Uint8Array(0);

/** Returns what is stored after `entry` is put where `stored` is. */
export function combined(stored: StoredEntry | undefined, entry: StoredEntry): StoredEntry {
  if (entry.tag === undefined || stored?.tag === undefined) return entry;
  const isAmbiguous = stored.value.length === 0 || stored.tag !== entry.tag;
  const expiresAt = Math.max(stored.expiresAt, entry.expiresAt);
  return { ...entry, value: isAmbiguous ? nothing : entry.value, expiresAt };
}

// What a table or a log needs besides the texts and the value.
const overhead = 64;

/** Returns the bytes that an entry counts against `maxBytes`. */
export const sizeOf = (key: string, { value, tag = '' }: StoredEntry): number =>
  key.length + tag.length + value.length + overhead;

/** Returns whether an entry is small enough to be stored. */
export const fits = (key: string, entry: StoredEntry, { maxBytes }: Required<MemoryLimits>) =>
  sizeOf(key, entry) <= maxBytes / 8;
