// The AI SDK's own types accept the provider and its models without a cast.
import type { LanguageModelV4, ProviderV4 } from '@ai-sdk/provider';
import {
  createProviderRegistry,
  customProvider,
  generateText,
  streamText,
  wrapLanguageModel,
} from 'ai';
import type { LanguageModel } from 'ai';
import { createPromptStrata, promptStrata } from 'prompt-strata/ai-sdk';

export const provider: ProviderV4 = createPromptStrata({ apiKey: 'key', wire: 'interactions' });
export const model: LanguageModel = promptStrata('gemini-3.8-flash');
export const specified: LanguageModelV4 = promptStrata.languageModel('gemini-3.8-flash');
export const registry = createProviderRegistry({ gemini: promptStrata });
export const custom = customProvider({
  languageModels: { fast: promptStrata('gemini-3.8-flash') },
});
export const wrapped = wrapLanguageModel({ model: specified, middleware: [] });
export const answer = generateText({ model: promptStrata('gemini-3.8-flash'), prompt: 'Hello' });
export const streamed = streamText({ model: wrapped, prompt: 'Hello' });

// @ts-expect-error: that is the name of the AI SDK's own provider
createPromptStrata({ baseURL: 'https://example.com' });
// @ts-expect-error: there are two APIs
createPromptStrata({ wire: 'live' });
