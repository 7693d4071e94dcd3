// Holds the state that all requests of one emulator share.
import type { Backend, ServiceOptions } from '../sdk/types/model.js';
import type { Strata } from '../sdk/types/strata.js';
import type { BatchStore } from './batch-store.js';
import type { CacheStore } from './caches.js';
import type { FileStore } from './file-store.js';
import type { EmulatorOptions } from './types.js';

/** The state of one emulator. */
export interface Context {
  strata: Strata;
  backend: Backend;
  /** The service and the time whose rules apply: without the option `now`, those of the release date. */
  service: ServiceOptions;
  options: EmulatorOptions;
  seed: string;
  caches: CacheStore;
  batches: BatchStore;
  files: FileStore;
  /** Returns the time in milliseconds since the Unix epoch. */
  now: () => number;
}

/** The default time, constant so that answers are reproducible. */
export const fixedNow = '2026-01-01T00:00:00Z';
