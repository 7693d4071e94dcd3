// The entry point of prompt-strata/testing.
export type * from './types.js';
export { createEmulator } from './emulator.js';
export {
  emulatorPerTest,
  type TestEmulator,
  type TestEmulatorOptions,
  type TestHook,
} from './per-test.js';
export { createReplay, type ReplayOptions } from './replay.js';
export type { Recordings } from '../server/folder-recordings.js';
