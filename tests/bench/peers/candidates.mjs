// What the benchmarks compare: each client, the packages that it needs, and what it is called in tables.
import { versions } from '../../support/pinned-clients.mjs';

/** The packages of the other clients, with their versions. */
export const packages = Object.fromEntries(
  [
    ...['@google/genai', '@firebase/ai', '@firebase/app', 'ai', '@ai-sdk/google'],
    ...['@langchain/google', '@langchain/core', 'genkit', '@genkit-ai/google-genai'],
  ].map((name) => [name, versions[name]]),
);

/** Each client: its file in clients/, and its name in tables. */
export const names = {
  thread: 'prompt-strata, thread alone',
  'prompt-strata': 'prompt-strata, Conversation',
  plain: '`JSON.stringify` + encode, `JSON.parse`',
  'google-genai-models': '`@google/genai`, models',
  'google-genai-chats': '`@google/genai`, chats',
  firebase: '`@firebase/ai`, chat',
  'ai-sdk': 'AI SDK 7 (`ai`)',
  langchain: '`@langchain/google`',
  genkit: 'Genkit',
};

/** Returns the names of all clients but these. */
export const namesWithout = (...keys) =>
  Object.fromEntries(Object.entries(names).filter(([key]) => !keys.includes(key)));

/** The client that the goals name. */
export const reference = 'google-genai-chats';
