// @langchain/google. With `reasoningEffort` it asks for thoughts.
import { ChatGoogle } from '@langchain/google';
import { key, model } from './conversation.mjs';
import { usesOf } from './langchain.mjs';

const reasoningEffort = 'high';

export default usesOf((endpoint) => {
  const options = { model, apiKey: key, endpoint, reasoningEffort, maxRetries: 0 };
  return new ChatGoogle({ ...options, platformType: 'gai' });
});
