// Exports the public API of `prompt-strata`.
export * from './common.js';
export { connect, type ConnectOptions } from './connect.js';
export { load } from './sdk/core/load.js';
export { Conversation } from './sdk/chat/conversation.js';
export { TemplateError } from './sdk/internal/errors.js';
export {
  DurableCacheRegistry,
  KvCacheRegistry,
  MemoryCacheRegistry,
  type CacheEntry,
  type CacheRegistry,
  type DurableStorage,
  type KvNamespace,
} from './sdk/chat/stores/cache-registry.js';
export { diffManifests } from './sdk/core/diff-manifests.js';
export {
  prepareRequest,
  type HistorySnapshot,
  type PromptSources,
  type RequestSources,
  type ValueOrFactory,
} from './sdk/chat/prepare-request.js';
export { memoryFiles, readMemory, type MemoryFile } from './templates/memory.js';
export { fetchReader, readFiles, type FileReader } from './templates/read-files.js';
export type * from './sdk/types/assemble.js';
export type * from './sdk/types/compaction.js';
export type * from './sdk/types/compiled-prompt.js';
export type * from './sdk/types/lint.js';
export type * from './sdk/types/prompt-arguments.js';
export type * from './sdk/types/prompt-input.js';
export type * from './sdk/types/strata.js';
export type * from './sdk/types/template.js';
export type * from './sdk/types/template-variables.js';
export type * from './sdk/types/thread.js';
export type * from './sdk/types/timeline.js';
export type { StageName, StageObserver, StageReport } from './sdk/chat/stages.js';
export type {
  CachingOptions,
  CompressionOptions,
  GuardOptions,
} from './sdk/chat/plugin-options.js';
export type { ConversationOptions, SharedInput } from './sdk/chat/options.js';
export type { NextSpeaker } from './agent/next-speaker.js';
export type {
  CallRefusal,
  CallResult,
  ConversationPlugin,
  LastAnswer,
  PluginContext,
  PluginNotes,
} from './sdk/chat/plugin.js';
export type { RequestFields, RequestFieldValues } from './sdk/chat/request-fields.js';
export { createEmulator } from './emulator/index.js';
export type {
  EmulatedRequest,
  Emulator,
  EmulatorOptions,
  Fault,
  FaultGroup,
  FaultKind,
  JsonObject,
  RecordedRequest,
  ScriptedAnswer,
} from './emulator/types.js';
