// Exports `prompt-strata/node`: what needs Node's modules, kept out of bundles for browsers.
export { FileStore } from './file-store.js';
export { toNodeHandler } from './node-handler.js';
export type { NodeHandler, NodeHandlerOptions } from './node-handler.js';
export type { NodeIncoming, NodeOutgoing } from './node-types.js';
export { serve } from './serve.js';
export type { RunningServer, ServeOptions } from './serve.js';
export { createFileMemory } from '../gateway/memory/file-memory.js';
export type { MemoryStoreOptions } from '../gateway/memory/memory-store.js';
export type {
  MemoryEntry,
  MemoryLimits,
  SignatureMemory,
} from '../gateway/memory/signature-memory.js';
