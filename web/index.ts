// Exports the public API of `prompt-strata`.
export {
  GeminiClient,
  type GeminiClientOptions,
  type RequestOptions,
} from './sdk/client/client.js';
export { PausedCall, tool } from './sdk/chat/tools/tool.js';
export {
  CacheError,
  GeminiError,
  HistoryError,
  ObjectError,
  StrataError,
  type GeminiErrorDetails,
  type GeminiErrorKind,
} from './sdk/internal/errors.js';
export { usage } from './sdk/internal/cost.js';
export {
  MediaResult,
  type FunctionTool,
  type MediaPart,
  type RawTool,
  type ResultPart,
  type SchemaIssue,
  type Tool,
  type ToolArguments,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolResponse,
  type ToolResult,
  type ToolSource,
} from './sdk/types/tool.js';
export type { LoadOptions } from './sdk/core/instance-loader.js';
export type { WasmSource } from './sdk/core/wasm-source.js';
export type * from './sdk/types/model.js';
export type * from './sdk/types/manifest.js';
export type * from './sdk/types/codes.js';
export type * from './sdk/types/conversation-event.js';
export type * from './sdk/types/diagnostic.js';
export type * from './sdk/types/gemini.js';
export type * from './sdk/types/json.js';
export type * from './sdk/types/schema.js';
export type * from './sdk/types/platform.js';
export type * from './sdk/types/usage.js';
export type * from './sdk/types/response.js';
export type { HeaderRecord, HeaderSource, TokenSource } from './sdk/client/access.js';
export type {
  Caches,
  Files,
  Interactions,
  ListOptions,
  Models,
  UploadBlob,
  UploadOptions,
  UploadProgress,
  UploadSource,
  UploadStream,
  WaitOptions,
} from './sdk/client/resources.js';
export type { VertexOptions } from './sdk/client/endpoint.js';
export type { CallOptions } from './sdk/client/http.js';
export type { AnswerRetryOptions, RetryListener, RetryOptions } from './sdk/client/send-again.js';
export type {
  MessageOptions,
  ObjectAnswer,
  ObjectOptions,
  StorePlace,
} from './sdk/chat/options.js';
export type {
  AnswerResponseOptions,
  AnswerStream,
  StreamOptions,
} from './sdk/chat/answer-stream.js';
export type { TranscriptTurn } from './sdk/chat/transcript.js';
export type { AskResult } from './sdk/chat/ask-result.js';
export type { SendEvents, SendOptions } from './sdk/chat/event-channel.js';
export type { BlobLike, ConversationInput } from './sdk/chat/conversation-input.js';
export type { ContinueOptions, LoopDetectionOptions } from './sdk/chat/plugin-options.js';
export type { ConversationStore } from './sdk/chat/store.js';
export type { ConfirmTool } from './sdk/chat/tools/toolbox.js';
export { connect, type ConnectOptions } from './connect.js';
export { load } from './sdk/core/strata.js';
export { Conversation } from './sdk/chat/conversation.js';
export { TemplateError } from './sdk/internal/errors.js';
export { prepareRequest, type RequestSources } from './sdk/chat/prepare-request.js';
export type { HistorySnapshot, PromptSources, ValueOrFactory } from './sdk/chat/options.js';
export type * from './sdk/types/assemble.js';
export type * from './sdk/types/compaction.js';
export type * from './sdk/types/compiled-prompt.js';
export type * from './sdk/types/prompt-arguments.js';
export type * from './sdk/types/prompt-input.js';
export type * from './sdk/types/strata.js';
export type * from './sdk/types/template.js';
export type * from './sdk/types/template-variables.js';
export type * from './sdk/types/thread.js';
export type * from './sdk/types/timeline.js';
export type * from './sdk/types/wire.js';
export type { StageName, StageObserver, StageReport } from './sdk/chat/stages.js';
export type {
  CacheEntry,
  CacheRegistry,
  CachingOptions,
  CompressionOptions,
  GuardOptions,
} from './sdk/chat/plugin-options.js';
export type {
  AnyConversationOptions,
  ConversationOptions,
  SharedInput,
  WithAgent,
} from './sdk/chat/options.js';
export type { NextSpeaker } from './agent/next-speaker.js';
export type {
  CallRefusal,
  CallResult,
  ConversationPlugin,
  LastAnswer,
  ObservedSend,
  PluginContext,
  PluginNotes,
  SendObserver,
} from './sdk/chat/plugin.js';
export type { RequestFields, RequestFieldValues } from './sdk/chat/request-fields.js';
