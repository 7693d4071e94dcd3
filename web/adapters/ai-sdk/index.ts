// Exports `prompt-strata/ai-sdk`: a provider for the AI SDK, and what its `useChat` needs. It loads nothing of the SDK;
// only its types are those of @ai-sdk/provider, an optional peer dependency.
export {
  createPromptStrata,
  promptStrata,
  type PromptStrataOptions,
  type PromptStrataProvider,
} from './provider.js';
export { ThreadTransport, type SendMessagesOptions } from './thread-transport.js';
export {
  messageOf,
  uiMessagesOf,
  type GivenUIMessage,
  type UIChatMessage,
  type UIPart,
  type UIToolState,
} from './ui-messages.js';
export type { UIChunk, UIFinishReason, UITool } from '../ui-stream/ui-chunks.js';
