// Exports the public API of `prompt-strata/stores`: where conversations and caches outlive a page or a process.
export { MemoryStore } from './memory.js';
export { IndexedDbStore } from './indexeddb.js';
export {
  DurableObjectStore,
  type ObjectStorage,
  type ObjectTransaction,
} from './durable-object.js';
export {
  DurableCacheRegistry,
  KvCacheRegistry,
  MemoryCacheRegistry,
  type DurableStorage,
  type KvNamespace,
} from './cache-registries.js';
