// Stores the signature memory in a file, in Node, Bun and Deno: a log to which entries are appended.
import { appendFile, chmod, mkdir, rename, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { base64, bytesOfBase64, decodeUtf8 } from '../../sdk/internal/bytes.js';
import { invalidOption, nonEmptyString } from '../../sdk/internal/options.js';
import { readIfExists } from '../../server/file-store.js';
import { EntryTable, storeOptions, type MemoryStoreOptions } from './memory-store.js';
import type { MemoryEntry, SignatureMemory } from './signature-memory.js';

// Only the user of the process may read it.
const fileMode = 0o600;
const folderMode = 0o700;

// A log is written anew when it is twice as long as its entries, and this.
const slackBytes = 1024 * 1024;

/** One line of the log. */
interface LogLine {
  key: string;
  value: string;
  expiresAt: number;
  tag?: string;
}

const encodedLength = (text: string): number => new TextEncoder().encode(text).length;

const lineOf = ({ value, ...entry }: MemoryEntry): string => {
  const { key, ...rest } = entry;
  const line: LogLine = { key, ...rest, value: base64(value) };
  return `${JSON.stringify(line)}\n`;
};

const logStart = new TextEncoder().encode('{"key":"');

/** Returns whether a file begins as a log does, which a crash may have cut off. */
const isLog = (bytes: Uint8Array): boolean =>
  logStart.every((byte, index) => index >= bytes.length || bytes[index] === byte);

// A line that cannot be read is an entry that was lost.
function entryOf(line: string): MemoryEntry | undefined {
  let parsed: Partial<LogLine>;
  try {
    parsed = Object(JSON.parse(line));
  } catch {
    return undefined;
  }
  const { key, expiresAt, tag } = parsed;
  const value = bytesOfBase64(String(parsed.value));
  if (typeof key !== 'string' || typeof expiresAt !== 'number' || !value) return undefined;
  return { key, value, expiresAt, ...(typeof tag === 'string' ? { tag } : {}) };
}

// One at a time: a log may be longer than a string can be.
function* linesIn(bytes: Uint8Array): Iterable<string> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(10, start);
    yield decodeUtf8(bytes.subarray(start, end));
    start = end + 1;
  }
}

/** The entries of a log, which are also held in memory. One process owns the file. */
class FileMemory implements SignatureMemory {
  readonly #path: string;
  readonly #options: Required<MemoryStoreOptions>;
  #table: EntryTable;
  #loaded: Promise<void> | undefined;
  /** The end of the last complete line. */
  #size = 0;
  /** Whether a failed write may have left a part of a line. */
  #isTorn = false;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(path: string, options: Required<MemoryStoreOptions>) {
    this.#path = path;
    this.#options = options;
    this.#table = this.#newTable();
  }

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    await this.#load();
    return this.#table.values(keys);
  }

  put(entries: readonly MemoryEntry[]): Promise<void> {
    const done = this.#lastWrite.then(() => this.#write(entries));
    this.#lastWrite = done.catch(() => {});
    return done;
  }

  #newTable(): EntryTable {
    const { now, ...limits } = this.#options;
    return new EntryTable(limits, now);
  }

  #load(): Promise<void> {
    // If reading fails, the next call tries again.
    this.#loaded ??= this.#read().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #read(): Promise<void> {
    const bytes = await readIfExists(this.#path);
    this.#table = this.#newTable();
    this.#size = 0;
    if (!bytes) return;
    // Another file would be cut or appended to.
    if (!isLog(bytes)) throw invalidOption('/path', 'a log of signatures or a new file');
    await chmod(this.#path, fileMode);
    this.#size = bytes.lastIndexOf(10) + 1;
    if (this.#size < bytes.length) await truncate(this.#path, this.#size);
    for (const line of linesIn(bytes.subarray(0, this.#size))) {
      const entry = entryOf(line);
      if (entry) this.#table.put(entry);
    }
  }

  async #write(entries: readonly MemoryEntry[]): Promise<void> {
    await this.#load();
    const text = entries.map(lineOf).join('');
    if (this.#size === 0) {
      await mkdir(dirname(this.#path), { recursive: true, mode: folderMode });
    }
    if (this.#isTorn) await truncate(this.#path, this.#size);
    this.#isTorn = true;
    await appendFile(this.#path, text, { mode: fileMode });
    this.#isTorn = false;
    this.#size += encodedLength(text);
    for (const entry of entries) this.#table.put(entry);
    if (this.#size > slackBytes + 2 * this.#table.bytes) await this.#compact();
  }

  // Writes a new file and renames it, because a rename is atomic.
  async #compact(): Promise<void> {
    const text = [...this.#table.entries()].map(lineOf).join('');
    const draft = `${this.#path}.new`;
    await writeFile(draft, text, { mode: fileMode });
    await rename(draft, this.#path);
    this.#size = encodedLength(text);
  }
}

/**
 * Creates a memory in a file, which survives a restart. The entries are encrypted with the gateway's `secret`, and the
 * file can be read by the user of the process only. One process owns the file. It is written without waiting for the
 * disk: a power failure may lose the newest signatures.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid path or option
 *
 * @example
 * const memory = createFileMemory('signatures.log');
 */
export function createFileMemory(path: string, options: MemoryStoreOptions = {}): SignatureMemory {
  nonEmptyString(path, '/path');
  return new FileMemory(path, storeOptions(options));
}
