// Stores conversations in the storage of a Durable Object, which survives its isolate.
import { joinBytes, decodeUtf8 } from '../sdk/internal/bytes.js';
import { encodedName, checkLines, type ConversationStore } from '../sdk/chat/store.js';

/** The methods of a Durable Object's transaction that are used. */
export interface ObjectTransaction {
  list<Value>(options: {
    prefix?: string;
    start?: string;
    limit?: number;
  }): Promise<Map<string, Value>>;
  put(entries: Record<string, unknown>): Promise<void>;
  delete(keys: string[]): Promise<number>;
}

/** The methods of a Durable Object's `ctx.storage` that are used. */
export interface ObjectStorage extends ObjectTransaction {
  transaction<Result>(work: (storage: ObjectTransaction) => Promise<Result>): Promise<Result>;
}

// Durable Objects accept 128 keys per call and, with the key-value backend, 128 KiB per value:
// https://developers.cloudflare.com/durable-objects/platform/limits/
const keysPerCall = 128;
const bytesPerValue = 96 * 1024;

// With the key-value backend, a key has at most 2,048 bytes.
const encoded = (text: string) => encodedName(text, 950);
// Keys: conversation/line/number/chunk and conversation/kept/name/chunk.
const linesOf = (id: string) => `${encoded(id)}/line/`;
const bytesOf = (id: string, name: string) => `${encoded(id)}/kept/${encoded(name)}/`;

/** Pads a number so that keys sort numerically. */
export const padded = (number: number) => String(number).padStart(8, '0');

/** Splits items into batches that one call takes. */
export function batchesOf<Item>(items: Item[]): Item[][] {
  const count = Math.ceil(items.length / keysPerCall);
  return Array.from({ length: count }, (_, i) =>
    items.slice(i * keysPerCall, (i + 1) * keysPerCall),
  );
}

/** Splits bytes into values that one key takes. */
export function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / bytesPerValue));
  return Array.from({ length: count }, (_, i) =>
    bytes.slice(i * bytesPerValue, (i + 1) * bytesPerValue),
  );
}

/**
 * A store in a Durable Object: one entry per line, long lines in several chunks.
 *
 * @example
 * const store = new DurableObjectStore(ctx.storage);
 */
export class DurableObjectStore implements ConversationStore {
  readonly #storage: ObjectStorage;

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
  }

  async read(id: string): Promise<string[]> {
    const entries = await this.#storage.list<Uint8Array>({ prefix: linesOf(id) });
    const lines: Uint8Array[][] = [];
    for (const [key, chunk] of entries) {
      const [line] = key.slice(linesOf(id).length).split('/');
      (lines[Number(line)] ??= []).push(chunk);
    }
    return lines.map((chunks) => decodeUtf8(joinBytes(chunks)));
  }

  async write(id: string, at: number, lines: string[], expected?: number): Promise<void> {
    const encoder = new TextEncoder();
    const entries = lines.flatMap((line, index) =>
      chunksOf(encoder.encode(line)).map(
        (chunk, part) => [`${linesOf(id)}${padded(at + index)}/${padded(part)}`, chunk] as const,
      ),
    );
    await this.#storage.transaction(async (storage) => {
      const old = await storage.list({ prefix: linesOf(id) });
      const firstChunks = [...old.keys()].filter((key) => key.endsWith(`/${padded(0)}`));
      checkLines(firstChunks.length, expected);
      const first = `${linesOf(id)}${padded(at)}`;
      const stale = [...old.keys()].filter((key) => key >= first);
      for (const keys of batchesOf(stale)) await storage.delete(keys);
      for (const group of batchesOf(entries)) await storage.put(Object.fromEntries(group));
    });
  }

  async store(id: string, name: string, bytes: Uint8Array): Promise<void> {
    const entries = chunksOf(bytes).map(
      (chunk, part) => [`${bytesOf(id, name)}${padded(part)}`, chunk] as const,
    );
    await this.#storage.transaction(async (storage) => {
      const old = await storage.list({ prefix: bytesOf(id, name) });
      for (const keys of batchesOf([...old.keys()])) await storage.delete(keys);
      for (const group of batchesOf(entries)) await storage.put(Object.fromEntries(group));
    });
  }

  async readStored(id: string, name: string): Promise<Uint8Array | undefined> {
    const chunks = await this.#storage.list<Uint8Array>({ prefix: bytesOf(id, name) });
    return chunks.size > 0 ? joinBytes([...chunks.values()]) : undefined;
  }

  async list(): Promise<string[]> {
    const ids: string[] = [];
    for (let start = ''; ;) {
      const [key] = (await this.#storage.list({ start, limit: 1 })).keys();
      if (key === undefined) return ids;
      const [first = '', kind] = key.split('/');
      if (kind === 'line') ids.push(decodeURIComponent(first));
      // Whoever else stores here may have keys of the same start, and those without a slash.
      const lines = `${first}/line/`;
      if (kind === undefined) start = `${key}\0`;
      else start = key < lines ? lines : `${first}0`;
    }
  }

  async delete(id: string): Promise<void> {
    await this.#storage.transaction(async (storage) => {
      const all = await storage.list({ prefix: `${encoded(id)}/` });
      for (const keys of batchesOf([...all.keys()])) await storage.delete(keys);
    });
  }
}
