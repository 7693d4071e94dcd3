// Why this file exists: what all calls of one emulator share.
import type { Backend } from '../sdk/types/backend.js';
import type { Strata } from '../sdk/types/strata.js';
import type { CacheStore } from './caches.js';
import type { EmulatorOptions } from './types.js';

export interface Context {
  strata: Strata;
  backend: Backend;
  options: EmulatorOptions;
  seed: string;
  caches: CacheStore;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The time where none is given: the same on every day. */
export const fixedNow = '2026-01-01T00:00:00Z';
