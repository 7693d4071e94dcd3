// @langchain/google.
import { ChatGoogle } from '@langchain/google';
import { key, model } from './conversation.mjs';
import { usesOf } from './langchain.mjs';

export default usesOf(
  (endpoint) =>
    new ChatGoogle({ model, apiKey: key, endpoint, platformType: 'gai', maxRetries: 0 }),
);
