// Exports `prompt-strata/node`: what needs Node's modules, kept out of bundles for browsers.
export { FileStore } from './sdk/stores/file.js';
export { toNodeHandler } from './sdk/server/node-handler.js';
export type { NodeHandler, NodeHandlerOptions } from './sdk/server/node-handler.js';
export type { NodeIncoming, NodeOutgoing } from './sdk/server/node-types.js';
export { serve } from './sdk/server/serve.js';
export type { RunningServer, ServeOptions } from './sdk/server/serve.js';
export { createFileMemory } from './gateway/memory/file-memory.js';
export type { MemoryStoreOptions } from './gateway/memory/memory-store.js';
export type {
  MemoryEntry,
  MemoryLimits,
  SignatureMemory,
} from './gateway/memory/signature-memory.js';
