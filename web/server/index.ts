// Exports `prompt-strata/node`: what needs Node's modules, kept out of bundles for browsers.
export { FileStore } from './file-store.js';
export { folderRecordings, type Recordings } from './folder-recordings.js';
export {
  toNodeHandler,
  type NodeHandler,
  type NodeHandlerOptions,
  type NodeIncoming,
  type NodeOutgoing,
} from './node-handler.js';
export { serve, type RunningServer, type ServeOptions } from './serve.js';
export { createFileMemory } from '../gateway/memory/file-memory.js';
export type { MemoryStoreOptions } from '../gateway/memory/memory-store.js';
export type {
  MemoryEntry,
  MemoryLimits,
  SignatureMemory,
} from '../gateway/memory/signature-memory.js';
