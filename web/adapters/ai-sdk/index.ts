// The entry point of prompt-strata/ai-sdk: a provider for the AI SDK. It loads nothing of the SDK; only its types are those
// of @ai-sdk/provider, an optional peer dependency.
export {
  createPromptStrata,
  promptStrata,
  type PromptStrataOptions,
  type PromptStrataProvider,
} from './provider.js';
