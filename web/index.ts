// Exports the public API of `prompt-strata`.
export * from './common.js';
export { connect, type ConnectOptions } from './connect.js';
export { load } from './sdk/core/load.js';
export { Conversation } from './sdk/conversation/conversation.js';
export { TemplateError } from './sdk/base/errors.js';
export {
  DurableCacheRegistry,
  KvCacheRegistry,
  MemoryCacheRegistry,
} from './sdk/plugins/caching/registry.js';
export { diffManifests } from './sdk/core/diff-manifests.js';
export { prepareRequest } from './sdk/prompt/prepare-request.js';
export { memoryFiles, readMemory } from './sdk/prompt/memory.js';
export { fetchReader, readFiles } from './sdk/prompt/read-files.js';
export type * from './sdk/types/assemble.js';
export type * from './sdk/types/compaction.js';
export type * from './sdk/types/compiled-prompt.js';
export type * from './sdk/types/lint.js';
export type * from './sdk/types/manifest-diff.js';
export type * from './sdk/types/prompt-arguments.js';
export type * from './sdk/types/prompt-input.js';
export type * from './sdk/types/schema.js';
export type * from './sdk/types/strata.js';
export type * from './sdk/types/template.js';
export type * from './sdk/types/template-variables.js';
export type * from './sdk/types/thread.js';
export type * from './sdk/types/timeline.js';
export type * from './sdk/types/tokens.js';
export type { HistorySnapshot } from './sdk/prompt/history.js';
export type { PromptSources, ValueOrFactory } from './sdk/prompt/prepare-prompt.js';
export type { RequestSources } from './sdk/prompt/prepare-request.js';
export type { StageName, StageObserver, StageReport } from './sdk/prompt/stages.js';
export type { MemoryFile } from './sdk/prompt/memory.js';
export type { FileReader } from './sdk/prompt/read-files.js';
export type { CompressionOptions } from './sdk/plugins/compression/options.js';
export type { GuardOptions } from './sdk/plugins/guard/options.js';
export type { CachingOptions } from './sdk/plugins/caching/options.js';
export type {
  CacheEntry,
  CacheRegistry,
  DurableStorage,
  KvNamespace,
} from './sdk/plugins/caching/registry.js';
export type { ConversationOptions, SharedInput } from './sdk/conversation/options.js';
export type { NextSpeaker } from './sdk/conversation/next-speaker.js';
export type { ConversationPlugin, PluginContext, PluginNotes } from './sdk/plugins/plugin.js';
export type { RequestFields, RequestFieldValues } from './sdk/plugins/request-fields.js';
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
