// The entry point of prompt-strata/ai-sdk/ui: what `useChat` of the AI SDK needs, in a page and in its routes. It loads nothing
// of the SDK and no WebAssembly.
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
