// Why this file exists: in Node, Bun and Deno a conversation is a file that people can read. No other
// module names Node's own.
import { appendFile, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { joinBytes } from '../base/bytes.js';
import { decodeDocument } from '../base/utf8.js';
import type { ConversationStore } from './store.js';

const encoder = new TextEncoder();
// No name may leave the folder.
const fileName = (text: string) => encodeURIComponent(text).replaceAll('.', '%2E');
const size = (line: string) => encoder.encode(line).length + 1;
// A byte order mark, which some editors write in front of a file.
const mark = [0xef, 0xbb, 0xbf];
const markSize = (bytes: Uint8Array) => (mark.every((byte, i) => bytes[i] === byte) ? 3 : 0);

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Keeps each conversation as `<folder>/<id>.ndjson`, and what is kept beside it in `<folder>/<id>/`. New
 * lines are appended; a line that a crash cut is dropped when the file is read.
 *
 * @example
 * const store = new FileStore('conversations');
 */
export class FileStore implements ConversationStore {
  readonly #folder: string;
  /** Where each line of a file ends. */
  readonly #ends = new Map<string, number[]>();
  #drafts = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(id: string): Promise<string[]> {
    const bytes = (await readIfThere(this.#file(id))) ?? new Uint8Array(0);
    const whole = bytes.lastIndexOf(10) + 1;
    if (whole < bytes.length) await truncate(this.#file(id), whole);
    const lines = decodeDocument(bytes.subarray(0, whole)).split('\n').slice(0, -1);
    this.#ends.set(id, this.#endsOf(lines, markSize(bytes)));
    return lines;
  }

  async write(id: string, at: number, lines: string[]): Promise<void> {
    if (!this.#ends.has(id)) await this.read(id);
    const ends = (this.#ends.get(id) ?? []).slice(0, at);
    const start = ends.at(-1) ?? 0;
    const text = lines.map((line) => `${line}\n`).join('');
    const replaces = at < (this.#ends.get(id)?.length ?? 0);
    // Known again only once it is done: after a failure the file is read anew.
    this.#ends.delete(id);
    await mkdir(this.#folder, { recursive: true });
    if (replaces) await this.#replaceFrom(id, start, text);
    else await appendFile(this.#file(id), text);
    this.#ends.set(id, [...ends, ...this.#endsOf(lines, start)]);
  }

  async store(id: string, name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#beside(id), { recursive: true });
    await this.#writeWhole(`${this.#beside(id)}/${fileName(name)}`, bytes);
  }

  async readStored(id: string, name: string): Promise<Uint8Array | undefined> {
    return readIfThere(`${this.#beside(id)}/${fileName(name)}`);
  }

  async delete(id: string): Promise<void> {
    this.#ends.delete(id);
    await rm(this.#file(id), { force: true });
    await rm(this.#beside(id), { force: true, recursive: true });
  }

  async #replaceFrom(id: string, start: number, text: string): Promise<void> {
    const kept = (await readFile(this.#file(id))).subarray(0, start);
    const added = encoder.encode(text);
    await this.#writeWhole(this.#file(id), joinBytes([kept, added]));
  }

  // A rename is all or nothing, where a write may stop in the middle.
  async #writeWhole(path: string, bytes: Uint8Array): Promise<void> {
    // Two may write the same path at once.
    const draft = `${path}.${this.#drafts++}.new`;
    await writeFile(draft, bytes);
    await rename(draft, path);
  }

  #endsOf(lines: string[], start: number): number[] {
    let end = start;
    return lines.map((line) => (end += size(line)));
  }

  #file(id: string): string {
    return `${this.#beside(id)}.ndjson`;
  }

  #beside(id: string): string {
    return `${this.#folder}/${fileName(id)}`;
  }
}
