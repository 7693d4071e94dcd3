// Exports the public API of `prompt-strata`.
export { connect, type ConnectOptions } from './connect.js';
export { load } from './sdk/core/load.js';
export type { LoadOptions } from './sdk/core/instance-loader.js';
export type { WasmSource } from './sdk/core/wasm-source.js';
export { GeminiClient } from './sdk/client/client.js';
export { tool } from './sdk/tools/tool.js';
export { Conversation } from './sdk/conversation/conversation.js';
export {
  CacheError,
  GeminiError,
  HistoryError,
  ObjectError,
  StrataError,
  TemplateError,
  type GeminiErrorDetails,
} from './sdk/base/errors.js';
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
export type * from './sdk/types/backend.js';
export type * from './sdk/types/cache-plan.js';
export type * from './sdk/types/catalogue.js';
export type * from './sdk/types/codes.js';
export type * from './sdk/types/compaction.js';
export type * from './sdk/types/compiled-prompt.js';
export type * from './sdk/types/conversation-event.js';
export type * from './sdk/types/diagnostic.js';
export type * from './sdk/types/gemini/index.js';
export type * from './sdk/types/json.js';
export type * from './sdk/types/json-schema.js';
export type * from './sdk/types/lint.js';
export type * from './sdk/types/manifest.js';
export type * from './sdk/types/manifest-diff.js';
export type * from './sdk/types/model.js';
export type * from './sdk/types/platform.js';
export type * from './sdk/types/prefix-use.js';
export type * from './sdk/types/prompt-arguments.js';
export type * from './sdk/types/prompt-input.js';
export type * from './sdk/types/response.js';
export type * from './sdk/types/standard-schema.js';
export type * from './sdk/types/schema.js';
export type * from './sdk/types/strata.js';
export type * from './sdk/types/template.js';
export type * from './sdk/types/template-variables.js';
export type * from './sdk/types/thread.js';
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
export type { Caches } from './sdk/client/caches.js';
export type { Models } from './sdk/client/models.js';
export type { ListOptions } from './sdk/client/on-demand/pages.js';
export type { GeminiClientOptions } from './sdk/client/client.js';
export type { HeaderRecord, HeaderSource, TokenSource } from './sdk/client/access.js';
export type { RequestOptions } from './sdk/client/on-demand/any-request.js';
export type { Files } from './sdk/client/files.js';
export type {
  UploadBlob,
  UploadOptions,
  UploadProgress,
  UploadSource,
  UploadStream,
} from './sdk/client/on-demand/files/upload.js';
export type { WaitOptions } from './sdk/client/on-demand/files/wait.js';
export type { VertexOptions } from './sdk/client/vertex-options.js';
export type { GeminiErrorKind } from './sdk/base/error-kind.js';
export type { BaseConversation } from './sdk/conversation/base-conversation.js';
export type { ConversationOptions, SharedInput, StorePlace } from './sdk/conversation/options.js';
export type { ObjectAnswer, ObjectOptions, SendOptions } from './sdk/conversation/options.js';
export type {
  AnswerResponseOptions,
  AnswerStream,
  StreamOptions,
} from './sdk/conversation/answer-stream.js';
export type { AskResult } from './sdk/conversation/ask-result.js';
export type { BlobLike, ConversationInput } from './sdk/conversation/conversation-input.js';
export type { AnswerRetryOptions } from './sdk/conversation/answer-retry.js';
export type { LoopDetectionOptions } from './sdk/conversation/loop-detection.js';
export type { ContinueOptions } from './sdk/conversation/continue-options.js';
export type { NextSpeaker } from './sdk/conversation/next-speaker.js';
export type { ConversationPlugin, PluginContext } from './sdk/plugins/plugin.js';
export type { RequestFields, RequestFieldValues } from './sdk/plugins/request-fields.js';
export type { CallOptions } from './sdk/client/http.js';
export type { RetryListener, RetryOptions } from './sdk/client/retry.js';
export {
  DurableObjectStore,
  type ObjectStorage,
  type ObjectTransaction,
} from './sdk/stores/durable-object.js';
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
  type SchemaIssue,
  type Tool,
  type ToolArguments,
  type ToolDefinition,
  type ToolCall,
  type ToolResult,
  type ToolContext,
  type ToolResponse,
  type ToolSource,
} from './sdk/types/tool.js';
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
