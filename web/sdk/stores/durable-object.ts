// Why this file exists: at the edge a thread lives in a Durable Object, whose storage is the only place
// that survives its isolate.
import { joinBytes } from '../base/bytes.js';
import { decodeUtf8 } from '../base/utf8.js';
import type { ConversationStore } from './store.js';

/** What is used of a Durable Object's `ctx.storage`. */
export interface ObjectStorage {
  get<Value>(key: string): Promise<Value | undefined>;
  list<Value>(options: { prefix: string }): Promise<Map<string, Value>>;
  put(entries: Record<string, unknown>): Promise<void>;
  delete(keys: string[]): Promise<number>;
  transaction<Result>(work: (storage: ObjectStorage) => Promise<Result>): Promise<Result>;
}

// Durable Objects take so many keys in one call, and 128 KiB a value in their older storage.
const keysPerCall = 128;
const bytesPerValue = 96 * 1024;

// Keys: conversation/line/number/piece and conversation/kept/name/piece.
const linesOf = (id: string) => `${encodeURIComponent(id)}/line/`;
const bytesOf = (id: string, name: string) =>
  `${encodeURIComponent(id)}/kept/${encodeURIComponent(name)}/`;

/** So that keys sort as their numbers do. */
const padded = (number: number) => String(number).padStart(8, '0');

function groupsOf<Item>(items: Item[]): Item[][] {
  const count = Math.ceil(items.length / keysPerCall);
  return Array.from({ length: count }, (_, i) =>
    items.slice(i * keysPerCall, (i + 1) * keysPerCall),
  );
}

function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / bytesPerValue));
  return Array.from({ length: count }, (_, i) =>
    bytes.slice(i * bytesPerValue, (i + 1) * bytesPerValue),
  );
}

/**
 * Keeps conversations in the storage of a Durable Object: one entry a line, long ones in pieces.
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
    for (const [key, piece] of entries) {
      const [line] = key.slice(linesOf(id).length).split('/');
      (lines[Number(line)] ??= []).push(piece);
    }
    return lines.map((pieces) => decodeUtf8(joinBytes(pieces)));
  }

  async write(id: string, at: number, lines: string[]): Promise<void> {
    const encoder = new TextEncoder();
    const entries = lines.flatMap((line, index) =>
      piecesOf(encoder.encode(line)).map(
        (piece, part) => [`${linesOf(id)}${padded(at + index)}/${padded(part)}`, piece] as const,
      ),
    );
    await this.#storage.transaction(async (storage) => {
      const old = await storage.list({ prefix: linesOf(id) });
      const first = `${linesOf(id)}${padded(at)}`;
      const gone = [...old.keys()].filter((key) => key >= first);
      for (const keys of groupsOf(gone)) await storage.delete(keys);
      for (const group of groupsOf(entries)) await storage.put(Object.fromEntries(group));
    });
  }

  async store(id: string, name: string, bytes: Uint8Array): Promise<void> {
    const entries = piecesOf(bytes).map(
      (piece, part) => [`${bytesOf(id, name)}${padded(part)}`, piece] as const,
    );
    await this.#storage.transaction(async (storage) => {
      const old = await storage.list({ prefix: bytesOf(id, name) });
      for (const keys of groupsOf([...old.keys()])) await storage.delete(keys);
      for (const group of groupsOf(entries)) await storage.put(Object.fromEntries(group));
    });
  }

  async readStored(id: string, name: string): Promise<Uint8Array | undefined> {
    const pieces = await this.#storage.list<Uint8Array>({ prefix: bytesOf(id, name) });
    return pieces.size > 0 ? joinBytes([...pieces.values()]) : undefined;
  }

  async delete(id: string): Promise<void> {
    await this.#storage.transaction(async (storage) => {
      const all = await storage.list({ prefix: `${encodeURIComponent(id)}/` });
      for (const keys of groupsOf([...all.keys()])) await storage.delete(keys);
    });
  }
}
