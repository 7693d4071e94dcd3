// Exports the public API of `prompt-strata/lite`: what a chat needs, with a smaller core.
export * from './common.js';
export { load } from './sdk/core/load-lite.js';
export {
  Conversation,
  type LiteConversationOptions as ConversationOptions,
} from './sdk/chat/lite-conversation.js';
export type {
  LiteAssembleInput as AssembleInput,
  LiteLayerInput as LayerInput,
  LiteLayers,
  LiteStrata as Strata,
  LiteThread as Thread,
  LiteThreadOptions as ThreadOptions,
} from './sdk/types/lite.js';
export type { Assembled } from './sdk/types/assemble.js';
export type { CompressionFailure, ShrunkHow, TakenOutput } from './sdk/types/compaction.js';
export type { ManifestSection } from './sdk/types/compiled-prompt.js';
export type { LintOptions } from './sdk/types/lint.js';
export type { Stability } from './sdk/types/prompt-input.js';
export type { Countable } from './sdk/types/strata.js';
export type { AppendOptions, Imported, ThreadTail, TurnMeta } from './sdk/types/thread.js';
export type {
  PartPlace,
  Timeline,
  TimelineCall,
  TimelineOptions,
  TimelineResponse,
  TimelineTurn,
} from './sdk/types/timeline.js';
export type { PluginOption } from './sdk/chat/options.js';
