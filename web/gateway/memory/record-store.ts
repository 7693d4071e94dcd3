// Reads and writes the records of one caller: encrypted, and with an end.
import { base64Url, hmacSha256 } from '../../sdk/internal/bytes.js';
import type { NamedRecord } from './records.js';
import { open, seal } from './sealed-value.js';
import type { CallerSecrets } from './secrets.js';
import type { MemoryEntry, SignatureMemory } from './signature-memory.js';

/** The records of one caller, as they are in a store. */
export class RecordStore {
  readonly #store: SignatureMemory;
  readonly #caller: CallerSecrets;
  readonly #now: () => number;
  readonly #values = new Map<string, Uint8Array>();

  constructor(store: SignatureMemory, caller: CallerSecrets, now: () => number) {
    this.#store = store;
    this.#caller = caller;
    this.#now = now;
  }

  /** Whether any record was loaded. */
  get hasAny(): boolean {
    return this.#values.size > 0;
  }

  /** Reads the values of records, all at once, because each access to a store may cross a network. */
  async load(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const keys = names.map((name) => this.#caller.shard + name);
    for (const [key, value] of await this.#store.get(keys)) this.#values.set(key, value);
  }

  /**
   * Returns a record that was loaded and has not ended. Undefined also if it is ambiguous, or was not written by this
   * memory for this caller under this name.
   */
  async open<Named extends { until: number }>(name: string): Promise<Named | undefined> {
    const key = this.#caller.shard + name;
    const value = this.#values.get(key);
    if (!value?.length) return undefined;
    const text = await open(this.#caller.valueKey, key, value);
    if (text === undefined) return undefined;
    const record = JSON.parse(text) as Named;
    return record.until > this.#now() ? record : undefined;
  }

  /** Writes records. */
  async put(records: readonly NamedRecord[]): Promise<void> {
    await this.#store.put(await Promise.all(records.map((each) => this.#seal(each))));
  }

  async #seal({ name, record, tag }: NamedRecord): Promise<MemoryEntry> {
    const key = this.#caller.shard + name;
    const value = await seal(this.#caller.valueKey, key, JSON.stringify(record));
    const entry = { key, value, expiresAt: record.until };
    return tag === undefined ? entry : { ...entry, tag: await this.#hidden(tag) };
  }

  async #hidden(tag: string): Promise<string> {
    const code = await hmacSha256(this.#caller.secret, `tag ${tag}`);
    return base64Url(code.subarray(0, 16));
  }
}
