// What the benchmarks compare: each client, the packages that it needs, and what it is called in tables.

/** The packages of the other clients, at fixed versions. */
export const packages = {
  '@google/genai': '3.1.0',
  '@firebase/ai': '2.16.0',
  '@firebase/app': '0.15.1',
  ai: '7.0.173',
  '@ai-sdk/google': '4.0.121',
  '@langchain/google': '0.2.6',
  '@langchain/core': '1.4.0',
  genkit: '1.42.0',
  '@genkit-ai/google-genai': '1.42.0',
};

/** Each client: its file in clients/, and its name in tables. */
export const names = {
  thread: 'prompt-strata, thread alone',
  'prompt-strata': 'prompt-strata, Conversation',
  'prompt-strata-lite': 'prompt-strata/lite, Conversation',
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
