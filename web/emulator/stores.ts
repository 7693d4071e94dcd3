// Keeps what requests create: caches, files, batches and interactions.
import type { Backend, ServiceOptions } from '../sdk/types/model.js';
import {
  cacheNotFound,
  alreadyExists,
  fileNotFound,
  invalidArgument,
  entityNotFound,
} from './errors.js';
import { SeededRandom } from './wire.js';
import type { Place } from '../server/match-route.js';
import type { JsonObject, EmulatorOptions } from './types.js';
import type { Checker } from '../check/checker.js';

/** A stored CachedContent. Times are in milliseconds since the Unix epoch. */
export interface Cache {
  /** The resource name without `cachedContents/`. */
  id: string;
  /** The model without `models/`. */
  model: string;
  /** System instruction, tools, tool config and contents as received. */
  body: JsonObject;
  tokens: number;
  displayName: string;
  created: number;
  updated: number;
  expires: number;
}

/** The CachedContents of one emulator, in order of creation. */
export class CacheStore {
  readonly #caches = new Map<string, Cache>();
  readonly #random: SeededRandom;

  constructor(seed: string) {
    this.#random = new SeededRandom(`cachedContents ${seed}`);
  }

  add(cache: Omit<Cache, 'id'>): Cache {
    const stored = { ...cache, id: this.#random.id(12) };
    this.#caches.set(stored.id, stored);
    return stored;
  }

  /**
   * Returns a cache that has not expired.
   *
   * @throws Failure the API's error for an unknown, deleted or expired cache
   */
  get(id: string, now: number, backend: Backend): Cache {
    const cache = this.#caches.get(id);
    if (!cache || cache.expires <= now) throw cacheNotFound(id, backend);
    return cache;
  }

  remove(id: string, now: number, backend: Backend): void {
    this.get(id, now, backend);
    this.#caches.delete(id);
  }

  /** Returns the caches that have not expired, oldest first. */
  list(now: number): Cache[] {
    return [...this.#caches.values()].filter(({ expires }) => expires > now);
  }
}

/** Returns a cache as the API does: without its contents and without `ttl`. Vertex AI's names have the project. */
export function toResource(cache: Cache, { parent }: Place): JsonObject {
  const name = `cachedContents/${cache.id}`;
  const model = `models/${cache.model}`;
  return {
    name: parent === '' ? name : `${parent}/${name}`,
    model: parent === '' ? model : `${parent}/publishers/google/${model}`,
    createTime: new Date(cache.created).toISOString(),
    updateTime: new Date(cache.updated).toISOString(),
    expireTime: new Date(cache.expires).toISOString(),
    displayName: cache.displayName,
    usageMetadata: { totalTokenCount: cache.tokens },
  };
}

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
interface StoredFile extends NewFile {
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

/** The state of a batch, without the prefix `BATCH_STATE_`. */
type BatchState = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'CANCELLED';

/** A stored batch. Times are in milliseconds since the Unix epoch. */
export interface Batch {
  id: string;
  /** The model without `models/`. */
  model: string;
  displayName: string;
  /** The requests with their metadata, as received. */
  requests: JsonObject[];
  state: BatchState;
  /** The answers, in the order of the requests, once the batch has succeeded. */
  responses: JsonObject[];
  created: number;
  updated: number;
}

/** The batches of one emulator, in order of creation. */
export class BatchStore {
  readonly #batches = new Map<string, Batch>();
  readonly #random: SeededRandom;

  constructor(seed: string) {
    this.#random = new SeededRandom(`batches ${seed}`);
  }

  add(batch: Omit<Batch, 'id'>): Batch {
    const stored = { ...batch, id: this.#random.id(36) };
    this.#batches.set(stored.id, stored);
    return stored;
  }

  /** @throws Failure for an unknown or deleted batch */
  get(id: string): Batch {
    const batch = this.#batches.get(id);
    if (!batch) throw entityNotFound();
    return batch;
  }

  remove(id: string): void {
    this.get(id);
    this.#batches.delete(id);
  }

  /** Returns the batches, newest first. */
  list(): Batch[] {
    return [...this.#batches.values()].reverse();
  }
}

/** How an interaction ends. */
export interface Outcome {
  status: 'completed' | 'requires_action' | 'incomplete' | 'failed';
  /** The steps of the model. */
  steps: JsonObject[];
  usage: JsonObject;
  errors: JsonObject[];
}

/** An interaction, which is stored if it has an id. Times are in milliseconds since the Unix epoch. */
export interface Interaction extends Outcome {
  id: string;
  /** The model or the agent, as the request names it. */
  by: JsonObject;
  previous: string | undefined;
  /** The steps of the interactions before it. */
  before: JsonObject[];
  input: JsonObject[];
  created: number;
  /** Of one in the background: how many questions are left until it is done. */
  wait: number;
  isCancelled: boolean;
}

/** The stored interactions of one emulator. */
export class InteractionStore {
  readonly #interactions = new Map<string, Interaction>();
  readonly #random: SeededRandom;

  constructor(seed: string) {
    this.#random = new SeededRandom(`interactions ${seed}`);
  }

  add(interaction: Omit<Interaction, 'id'>): Interaction {
    const stored = { ...interaction, id: `v1_${this.#random.id(40)}` };
    this.#interactions.set(stored.id, stored);
    return stored;
  }

  /** @throws Failure for an unknown or deleted interaction */
  get(id: string): Interaction {
    const interaction = this.#interactions.get(id);
    if (!interaction) throw entityNotFound();
    return interaction;
  }

  remove(id: string): void {
    this.get(id);
    this.#interactions.delete(id);
  }
}

/** The state of one emulator. */
export interface Context {
  checker: Checker;
  backend: Backend;
  /** The service and the time whose rules apply: without the option `now`, those of the release date. */
  service: ServiceOptions;
  options: EmulatorOptions;
  seed: string;
  caches: CacheStore;
  batches: BatchStore;
  files: FileStore;
  interactions: InteractionStore;
  /** Returns the time in milliseconds since the Unix epoch. */
  now: () => number;
}

/** The default time, constant so that answers are reproducible. */
export const fixedNow = '2026-01-01T00:00:00Z';
