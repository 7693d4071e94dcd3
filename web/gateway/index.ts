// Exports the public API of `prompt-strata/gateway`.
export { StrataError } from '../sdk/internal/errors.js';
export { createGateway, type Gateway } from './gateway.js';
export type { GatewayOptions, GatewayPolicy, PolicyByRoute } from './options.js';
export type { BodyLimitOptions } from './body.js';
export type { Callers, ListedCaller } from './callers.js';
export type { GatewayLimits, RateLimiter } from './limits.js';
export { createMemoryStore, type MemoryStoreOptions } from './memory/memory-store.js';
export type { MemoryEntry, MemoryLimits, SignatureMemory } from './memory/signature-memory.js';
export {
  durableObjectMemory,
  SignatureMemoryObject,
  type MemoryNamespace,
  type MemoryObjectStorage,
  type MemoryObjectTransaction,
} from './memory/durable-memory.js';
export type { TokenSource } from '../sdk/client/access.js';
export type { VertexOptions } from '../sdk/client/endpoint.js';
export type { WasmSource } from '../check/index.js';
export type * from '../sdk/types/codes.js';
export type { Diagnostic, DiagnosticPlace, TextEdit } from '../sdk/types/diagnostic.js';
export type { Fetch, FetchHandler, PlatformRequest } from '../sdk/types/platform.js';
export type { Wire } from '../sdk/types/wire.js';
