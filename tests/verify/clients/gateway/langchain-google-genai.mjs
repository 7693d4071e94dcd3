// @langchain/google-genai.
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { key, model } from './conversation.mjs';
import { usesOf } from './langchain.mjs';

const thinkingConfig = { includeThoughts: true };

export default usesOf(
  (baseUrl) =>
    new ChatGoogleGenerativeAI({ model, apiKey: key, baseUrl, thinkingConfig, maxRetries: 0 }),
);
