// Stores the files of one emulator, and the uploads that are not complete.
import { alreadyExists, fileNotFound, invalidArgument } from './errors.js';
import { SeededRandom } from './hash.js';
import type { JsonObject } from './types.js';

const hour = 3600_000;
const lifetime = 48 * hour;

/** What an upload says about its file. */
export interface NewFile {
  /** The id that the request asks for; undefined leaves the choice to the API. */
  id: string | undefined;
  displayName: string | undefined;
  mimeType: string;
}

/** A stored file. Times are in milliseconds since the Unix epoch. */
export interface StoredFile extends NewFile {
  id: string;
  sizeBytes: number;
  sha256: string | undefined;
  created: number;
  state: 'PROCESSING' | 'ACTIVE' | 'FAILED';
  /** The state after the next question. */
  next: 'ACTIVE' | 'FAILED';
}

/** An upload that was opened, with the bytes that have arrived. */
export interface Upload {
  file: NewFile;
  sizeBytes: number;
  pieces: Uint8Array[];
  received: number;
  /** The file, once the upload is complete. */
  stored?: StoredFile;
}

/** The files and uploads of one emulator, in order of creation. */
export class FileStore {
  readonly #files = new Map<string, StoredFile>();
  readonly #uploads = new Map<string, Upload>();
  readonly #random: SeededRandom;

  constructor(seed: string) {
    this.#random = new SeededRandom(`files ${seed}`);
  }

  /** Opens an upload and returns its id. */
  open(file: NewFile, sizeBytes: number): string {
    if (file.id !== undefined && this.#files.has(file.id)) throw alreadyExists();
    const id = this.#random.id(24);
    this.#uploads.set(id, { file, sizeBytes, pieces: [], received: 0 });
    return id;
  }

  /** @throws Failure for an unknown upload */
  upload(id: string): Upload {
    const upload = this.#uploads.get(id);
    if (!upload) throw invalidArgument('Upload has already been terminated.');
    return upload;
  }

  /** Ends an upload whose bytes are not wanted any more. */
  cancel(id: string): void {
    this.#uploads.delete(id);
  }

  add(file: Omit<StoredFile, 'id'> & { id: string | undefined }): StoredFile {
    const stored = { ...file, id: file.id ?? this.#random.id(12) };
    this.#files.set(stored.id, stored);
    return stored;
  }

  find(id: string, now: number): StoredFile | undefined {
    const file = this.#files.get(id);
    return file && file.created + lifetime > now ? file : undefined;
  }

  /** @throws Failure the API's error for an unknown, deleted or expired file */
  get(id: string, now: number): StoredFile {
    const file = this.find(id, now);
    if (!file) throw fileNotFound(id);
    return file;
  }

  remove(id: string, now: number): void {
    this.get(id, now);
    this.#files.delete(id);
  }

  list(now: number): StoredFile[] {
    return [...this.#files.values()].filter(({ created }) => created + lifetime > now);
  }
}

/** Returns a file as the API does. `origin` is that of the emulator, for the URI. */
export function toFileResource(file: StoredFile, origin: string): JsonObject {
  const { id, displayName, mimeType, sizeBytes, sha256, created, state } = file;
  const name = `files/${id}`;
  const time = new Date(created).toISOString();
  return {
    name,
    ...(displayName !== undefined && { displayName }),
    mimeType,
    sizeBytes: String(sizeBytes),
    createTime: time,
    updateTime: time,
    expirationTime: new Date(created + lifetime).toISOString(),
    ...(sha256 !== undefined && { sha256Hash: sha256 }),
    uri: `${origin}/v1beta/${name}`,
    state,
    source: 'UPLOADED',
    ...(state === 'FAILED' && { error: { code: 3, message: 'The file could not be processed.' } }),
  };
}
