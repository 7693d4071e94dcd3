// Why this file exists: the package's face. Everything public is named here.
export { load } from './sdk/load.js';
export { GeminiClient } from './sdk/client.js';
export { Conversation } from './sdk/conversation/conversation.js';
export { CacheError, GeminiError, HistoryError, StrataError, TemplateError } from './sdk/errors.js';
export {
  DurableCacheRegistry,
  KvCacheRegistry,
  MemoryCacheRegistry,
} from './sdk/caching/registry.js';
export { diffManifests } from './sdk/prompt/diff-manifests.js';
export { prepareRequest } from './sdk/pipeline/request.js';
export { memoryFiles, readMemory } from './sdk/prompt/memory.js';
export { fetchReader, readFiles } from './sdk/prompt/read-files.js';
export type * from './sdk/types.js';
export type * from './sdk/prompt/arguments.js';
export type * from './sdk/prompt/input.js';
export type * from './sdk/prompt/manifest.js';
export type * from './sdk/prompt/variables.js';
export type { HistorySnapshot } from './sdk/pipeline/history.js';
export type { PromptSources } from './sdk/pipeline/prompt.js';
export type { RequestSources } from './sdk/pipeline/request.js';
export type { StageName, StageObserver, StageReport } from './sdk/pipeline/stages.js';
export type { MemoryFile } from './sdk/prompt/memory.js';
export type { ManifestDiff, PrefixSize, SectionChange } from './sdk/prompt/diff-manifests.js';
export type { FileReader } from './sdk/prompt/read-files.js';
export type { CompressionFailure, CompressionOptions } from './sdk/compression/options.js';
export type { GuardOptions } from './sdk/guard/options.js';
export type { CachingOptions } from './sdk/caching/options.js';
export type {
  CacheEntry,
  CacheRegistry,
  DurableStorage,
  KvNamespace,
} from './sdk/caching/registry.js';
export type { Caches, ListOptions } from './sdk/caches.js';
export type { GeminiClientOptions } from './sdk/client.js';
export type { ConversationOptions } from './sdk/conversation/options.js';
export type { ConversationEvent } from './sdk/conversation/events.js';
export type { AnswerRetryOptions } from './sdk/conversation/answer-retry.js';
export type { LoopDetectionOptions } from './sdk/conversation/loop-detection.js';
export type { ContinueOptions, NextSpeaker } from './sdk/conversation/next-speaker.js';
export type { ConversationPart, PartContext, Usage } from './sdk/conversation/part.js';
export type { CallOptions } from './sdk/http.js';
export type { RetryOptions } from './sdk/retry.js';
export { DurableObjectStore, type ObjectStorage } from './sdk/stores/durable-object.js';
export { IndexedDbStore } from './sdk/stores/indexeddb.js';
export { MemoryStore } from './sdk/stores/memory.js';
export type { ConversationStore } from './sdk/stores/store.js';
export type { ConfirmTool } from './sdk/tools/run-tool.js';
export {
  MediaResult,
  type FunctionTool,
  type RawTool,
  type MediaPart,
  type ResultPart,
  type Tool,
  type ToolCall,
  type ToolResult,
  type ToolContext,
  type ToolResponse,
  type ToolSource,
} from './sdk/tools/tool.js';
export { createEmulator } from './emulator/index.js';
export type {
  EmulatedRequest,
  EmulatorOptions,
  Fault,
  FaultGroup,
  FaultKind,
  JsonObject,
  ScriptedAnswer,
} from './emulator/types.js';
