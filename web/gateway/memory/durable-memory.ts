// Keeps the signature memory in Durable Objects: the client and the object.
import { base64, bytesOfBase64, joinBytes } from '../../sdk/internal/bytes.js';
import {
  shardOf,
  combined,
  fits,
  sizeOf,
  type MemoryEntry,
  type SignatureMemory,
  type StoredEntry,
} from './signature-memory.js';
import { batchesOf, chunksOf, padded } from '../../stores/durable-object.js';
import { storeOptions, type MemoryStoreOptions } from './memory-store.js';

/** The methods of a Durable Object namespace that are used. */
export interface MemoryNamespace<Id = unknown> {
  idFromName(name: string): Id;
  get(id: Id): { fetch(url: string, init: { method: string; body: string }): Promise<Response> };
}

/** An entry as JSON: its value is base64. */
type WireEntry = Omit<MemoryEntry, 'value'> & { value: string };

/** The answer of an object to `get`. */
interface WireValues {
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

/** The methods of a Durable Object's transaction that are used. */
export interface MemoryObjectTransaction {
  get<Value>(keys: string[]): Promise<Map<string, Value>>;
  list<Value>(options: {
    prefix: string;
    end?: string;
    limit?: number;
  }): Promise<Map<string, Value>>;
  put(entries: Record<string, unknown>): Promise<void>;
  delete(keys: string[]): Promise<number>;
}

/** The methods of a Durable Object's `ctx.storage` that are used. */
export interface MemoryObjectStorage extends MemoryObjectTransaction {
  transaction<Result>(work: (storage: MemoryObjectTransaction) => Promise<Result>): Promise<Result>;
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
}

/** What is stored about an entry. A long value is in chunks of their own. */
interface Head {
  expiresAt: number;
  tag?: string;
  size: number;
  chunks: number;
  value?: Uint8Array;
}

interface Totals {
  entries: number;
  bytes: number;
}

// Keys: entry/<key>, chunk/<key>/<number>, end/<time>/<key> in the order in which the entries end, and totals.
const headKey = (key: string) => `entry/${key}`;
const chunkKeys = (key: string, { chunks }: Head) =>
  Array.from({ length: chunks }, (_, i) => `chunk/${key}/${padded(i)}`);
const ends = 'end/';
const endTime = (time: number) => `${ends}${String(time).padStart(16, '0')}/`;
const endKey = (key: string, { expiresAt }: { expiresAt: number }) => endTime(expiresAt) + key;
const keyOfEnd = (name: string) => name.slice(endTime(0).length);
const totalsKey = 'totals';

// The most keys that one call takes.
const page = 128;

// What ends in the same minute is removed together.
const alarmDelayMs = 60_000;

const totalsOf = async (storage: MemoryObjectTransaction): Promise<Totals> =>
  (await storage.get<Totals>([totalsKey])).get(totalsKey) ?? { entries: 0, bytes: 0 };

/** Returns the values of the keys that exist. */
async function getAll<Value>(storage: MemoryObjectTransaction, keys: string[]) {
  const batches = await Promise.all(batchesOf(keys).map((batch) => storage.get<Value>(batch)));
  return new Map(batches.flatMap((batch) => [...batch]));
}

async function entryOf(
  storage: MemoryObjectTransaction,
  key: string,
  head: Head,
): Promise<StoredEntry> {
  const { expiresAt, tag } = head;
  const chunks = await getAll<Uint8Array>(storage, chunkKeys(key, head));
  const value = head.value ?? joinBytes([...chunks.values()]);
  return { value, expiresAt, ...(tag === undefined ? {} : { tag }) };
}

/** Writes an entry whose key has none. */
async function add(storage: MemoryObjectTransaction, key: string, entry: StoredEntry) {
  const { value, ...rest } = entry;
  const chunks = chunksOf(value);
  const size = sizeOf(key, entry);
  const [only, second] = chunks;
  const head: Head =
    second === undefined && only
      ? { ...rest, size, chunks: 0, value: only }
      : { ...rest, size, chunks: chunks.length };
  const long = chunkKeys(key, head).map((name, i) => [name, chunks[i]] as const);
  const written = [[headKey(key), head] as const, [endKey(key, head), size] as const, ...long];
  for (const batch of batchesOf<readonly [string, unknown]>(written)) {
    await storage.put(Object.fromEntries(batch));
  }
  return size;
}

/** Deletes everything of an entry. */
async function remove(storage: MemoryObjectTransaction, key: string, head: Head): Promise<void> {
  const names = [headKey(key), endKey(key, head), ...chunkKeys(key, head)];
  for (const batch of batchesOf(names)) await storage.delete(batch);
}

/**
 * The Durable Object of `durableObjectMemory`: the signatures of one caller. Export it from the Worker's main module, and
 * name it in the migrations. What ends first is forgotten first when it is full, and an alarm removes what has ended.
 *
 * @example
 * export { SignatureMemoryObject } from 'prompt-strata/gateway';
 */
export class SignatureMemoryObject {
  readonly #storage: MemoryObjectStorage;
  readonly #options: Required<MemoryStoreOptions>;

  /** @throws StrataError `field.unknown` or `field.invalid` for an invalid option */
  constructor(
    state: { storage: MemoryObjectStorage },
    _env?: unknown,
    options: MemoryStoreOptions = {},
  ) {
    this.#storage = state.storage;
    this.#options = storeOptions(options);
  }

  /**
   * Answers `durableObjectMemory`.
   *
   * @throws any error of the storage, which the caller gets as HTTP 500
   */
  async fetch(request: { url: string; json(): Promise<unknown> }): Promise<Response> {
    const body = await request.json();
    if (request.url.endsWith('/get')) return Response.json(await this.#get(body as string[]));
    await this.#put(body as WireEntry[]);
    return new Response(null, { status: 204 });
  }

  /**
   * Removes what has ended.
   *
   * @throws any error of the storage; the alarm is then repeated
   */
  async alarm(): Promise<void> {
    let removed: number;
    do {
      removed = await this.#storage.transaction((storage) => this.#removeEnded(storage));
    } while (removed === page);
    await this.#setAlarm();
  }

  async #get(keys: string[]): Promise<WireValues> {
    const heads = await getAll<Head>(this.#storage, keys.map(headKey));
    const values: WireValues['values'] = {};
    for (const key of keys) {
      const head = heads.get(headKey(key));
      if (!head || head.expiresAt <= this.#options.now()) continue;
      values[key] = base64((await entryOf(this.#storage, key, head)).value);
    }
    return { values };
  }

  async #put(entries: WireEntry[]): Promise<void> {
    await this.#storage.transaction(async (storage) => {
      const totals = await totalsOf(storage);
      for (const { value, ...rest } of entries) {
        const bytes = bytesOfBase64(value) ?? new Uint8Array(0);
        await this.#putOne(storage, { ...rest, value: bytes }, totals);
      }
      while (this.#isFull(totals) && (await this.#removeFirst(storage, totals)) > 0);
      await storage.put({ [totalsKey]: totals });
    });
    await this.#setAlarm();
  }

  async #putOne(
    storage: MemoryObjectTransaction,
    { key, ...entry }: MemoryEntry,
    totals: Totals,
  ): Promise<void> {
    const head = (await storage.get<Head>([headKey(key)])).get(headKey(key));
    const isKept = head && head.expiresAt > this.#options.now();
    const stored = combined(isKept ? await entryOf(storage, key, head) : undefined, entry);
    if (head) {
      await remove(storage, key, head);
      totals.entries -= 1;
      totals.bytes -= head.size;
    }
    if (!fits(key, stored, this.#options)) return;
    totals.entries += 1;
    totals.bytes += await add(storage, key, stored);
  }

  #isFull({ entries, bytes }: Totals): boolean {
    return entries > this.#options.maxEntries || bytes > this.#options.maxBytes;
  }

  // Removes what ends first, and returns the number of entries.
  async #removeFirst(storage: MemoryObjectTransaction, totals: Totals, end?: string) {
    const range = end === undefined ? { limit: 1 } : { limit: page, end };
    const first = await storage.list({ prefix: ends, ...range });
    const keys = [...first.keys()].map(keyOfEnd);
    for (const key of keys) {
      const head = (await storage.get<Head>([headKey(key)])).get(headKey(key));
      if (!head) continue;
      await remove(storage, key, head);
      totals.entries -= 1;
      totals.bytes -= head.size;
    }
    return keys.length;
  }

  async #removeEnded(storage: MemoryObjectTransaction): Promise<number> {
    const totals = await totalsOf(storage);
    const removed = await this.#removeFirst(storage, totals, endTime(this.#options.now() + 1));
    await storage.put({ [totalsKey]: totals });
    return removed;
  }

  // Sets the alarm to the first end, if there is one.
  async #setAlarm(): Promise<void> {
    if ((await this.#storage.getAlarm()) !== null) return;
    const [first] = (await this.#storage.list({ prefix: ends, limit: 1 })).keys();
    if (first === undefined) return;
    await this.#storage.setAlarm(
      Number(first.slice(ends.length, -1 - keyOfEnd(first).length)) + alarmDelayMs,
    );
  }
}
