// Stores each conversation as a readable file, in Node, Bun and Deno. No other module imports Node's modules.
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { resolve } from 'node:path';
import { joinBytes, decodeDocument } from '../sdk/internal/bytes.js';
import * as must from '../sdk/internal/options.js';
import { encodedName, checkLines, type ConversationStore } from '../sdk/chat/store.js';

const encoder = new TextEncoder();
// File systems take 255 bytes; `.ndjson` and the ending of a draft follow.
const maxName = 230;
const ending = '.ndjson';
// Encodes dots as well, so that no name can leave the folder.
const encodeDots = (text: string) => encodeURIComponent(text).replaceAll('.', '%2E');
const fileName = (text: string) => encodedName(text, maxName, encodeDots);

/** Returns the id of a conversation's file; undefined for files that no store wrote. */
function idOf(name: string): string | undefined {
  if (!name.endsWith(ending)) return undefined;
  try {
    return decodeURIComponent(name.slice(0, -ending.length));
  } catch {
    return undefined;
  }
}

const lineSize = (line: string) => encoder.encode(line).length + 1;
// The UTF-8 byte order mark, which some editors write at the start of a file.
const byteOrderMark = [0xef, 0xbb, 0xbf];
const markSize = (bytes: Uint8Array) =>
  byteOrderMark.every((byte, i) => bytes[i] === byte) ? 3 : 0;

/** The last work on each file of this process. */
const lastWork = new Map<string, Promise<unknown>>();

// Begins when all earlier work on the file has ended: two writers, each with a store of its own, must not both find that
// nobody has written.
function inTurn<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const path = resolve(file);
  const turn = (lastWork.get(path) ?? Promise.resolve()).then(work, work);
  lastWork.set(path, turn);
  const forget = () => {
    if (lastWork.get(path) === turn) lastWork.delete(path);
  };
  turn.then(forget, forget);
  return turn;
}

/** Returns the bytes of a file; undefined if it does not exist. */
export async function readIfExists(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the names of the files in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (Object(error).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Stores each conversation as `<folder>/<id>.ndjson`, and its stored bytes as files in `<folder>/<id>/`. New
 * lines are appended. A line that a crash truncated is removed when the file is read; a draft (`….new`) that one left,
 * when the conversation is deleted.
 *
 * @example
 * const store = new FileStore('conversations');
 */
export class FileStore implements ConversationStore {
  readonly #folder: string;
  /** The byte offset at which each line of a file ends. */
  readonly #ends = new Map<string, number[]>();
  #drafts = 0;

  /** @throws StrataError `field.invalid` unless `folder` is a path; of a URL, pass `fileURLToPath(url)` */
  constructor(folder: string) {
    must.nonEmptyString(folder, '/folder');
    this.#folder = folder;
  }

  async read(id: string): Promise<string[]> {
    return inTurn(this.#file(id), () => this.#read(id));
  }

  async write(id: string, at: number, lines: string[], expected?: number): Promise<void> {
    return inTurn(this.#file(id), () => this.#write(id, at, lines, expected));
  }

  async #read(id: string): Promise<string[]> {
    const bytes = (await readIfExists(this.#file(id))) ?? new Uint8Array(0);
    const complete = bytes.lastIndexOf(10) + 1;
    if (complete < bytes.length) await truncate(this.#file(id), complete);
    const lines = decodeDocument(bytes.subarray(0, complete)).split('\n').slice(0, -1);
    this.#ends.set(id, this.#endsOf(lines, markSize(bytes)));
    return lines;
  }

  async #write(id: string, at: number, lines: string[], expected?: number): Promise<void> {
    if (!(await this.#isKnown(id))) await this.#read(id);
    checkLines(this.#ends.get(id)?.length ?? 0, expected);
    const ends = (this.#ends.get(id) ?? []).slice(0, at);
    const start = ends.at(-1) ?? 0;
    const text = lines.map((line) => `${line}\n`).join('');
    const replaces = at < (this.#ends.get(id)?.length ?? 0);
    // Set again only after success, so that the file is read again after a failure.
    this.#ends.delete(id);
    await mkdir(this.#folder, { recursive: true });
    if (replaces) await this.#replaceFrom(id, start, text);
    else await appendFile(this.#file(id), text);
    this.#ends.set(id, [...ends, ...this.#endsOf(lines, start)]);
  }

  async store(id: string, name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#folderOf(id), { recursive: true });
    await this.#writeWhole(`${this.#folderOf(id)}/${fileName(name)}`, bytes);
  }

  async readStored(id: string, name: string): Promise<Uint8Array | undefined> {
    return readIfExists(`${this.#folderOf(id)}/${fileName(name)}`);
  }

  async list(): Promise<string[]> {
    return (await namesIn(this.#folder)).flatMap((name) => idOf(name) ?? []);
  }

  /** Returns the path of the conversation's file. */
  placeOf(id: string): string {
    return this.#file(id);
  }

  async delete(id: string): Promise<void> {
    return inTurn(this.#file(id), async () => {
      this.#ends.delete(id);
      await rm(this.#file(id), { force: true });
      await rm(this.#folderOf(id), { force: true, recursive: true });
      await this.#removeDrafts(id);
    });
  }

  // Removes what a process that was killed has left of a conversation.
  async #removeDrafts(id: string): Promise<void> {
    const draft = `${fileName(id)}${ending}.`;
    for (const name of await readdir(this.#folder).catch(() => []))
      if (name.startsWith(draft) && /^\d+\.new$/.test(name.slice(draft.length)))
        await rm(`${this.#folder}/${name}`, { force: true });
  }

  // Another process may have written the file since it was read.
  async #isKnown(id: string): Promise<boolean> {
    const ends = this.#ends.get(id);
    const { size } = await stat(this.#file(id)).catch(() => ({ size: 0 }));
    return ends !== undefined && (ends.at(-1) ?? 0) === size;
  }

  async #replaceFrom(id: string, start: number, text: string): Promise<void> {
    const prefix = (await readFile(this.#file(id))).subarray(0, start);
    const added = encoder.encode(text);
    await this.#writeWhole(this.#file(id), joinBytes([prefix, added]));
  }

  // Writes a temporary file and renames it, because a rename is atomic.
  async #writeWhole(path: string, bytes: Uint8Array): Promise<void> {
    // The counter keeps concurrent writes of the same path apart.
    const draft = `${path}.${this.#drafts++}.new`;
    try {
      await writeFile(draft, bytes);
      await rename(draft, path);
    } catch (error) {
      // A full disk has no room for half a file.
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
  }

  #endsOf(lines: string[], start: number): number[] {
    let end = start;
    return lines.map((line) => (end += lineSize(line)));
  }

  #file(id: string): string {
    return this.#folderOf(id) + ending;
  }

  #folderOf(id: string): string {
    return `${this.#folder}/${fileName(id)}`;
  }
}
