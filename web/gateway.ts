// Exports the public API of `prompt-strata/gateway`.
export { GeminiError, HistoryError, StrataError } from './sdk/base/errors.js';
export type { LoadOptions } from './sdk/core/instance-loader.js';
export { createGateway, type Gateway } from './gateway/gateway.js';
export type { GatewayOptions, GatewayPolicy, PolicyByRoute } from './gateway/options.js';
export type { BodyLimitOptions } from './gateway/body.js';
export type { Callers, ListedCaller } from './gateway/callers.js';
export type { GatewayLimits, RateLimiter } from './gateway/limits.js';
export { createMemoryStore, type MemoryStoreOptions } from './gateway/memory/memory-store.js';
export type {
  MemoryEntry,
  MemoryLimits,
  SignatureMemory,
} from './gateway/memory/signature-memory.js';
export { durableObjectMemory, type MemoryNamespace } from './gateway/memory/durable-memory.js';
export {
  SignatureMemoryObject,
  type MemoryObjectStorage,
  type MemoryObjectTransaction,
} from './gateway/memory/memory-object.js';
