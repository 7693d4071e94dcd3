// Exports the public API of `prompt-strata/gateway`.
export { StrataError } from './sdk/base/errors.js';
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
export type { TokenSource } from './sdk/client/access.js';
export type { VertexOptions } from './sdk/client/vertex-options.js';
export type { WasmSource } from './sdk/core/wasm-source.js';
export type * from './sdk/types/codes.js';
export type { Diagnostic, DiagnosticPlace, TextEdit } from './sdk/types/diagnostic.js';
export type { Fetch, FetchHandler, PlatformRequest } from './sdk/types/platform.js';
