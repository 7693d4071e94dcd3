// What each client is configured with: the model, the key, the instruction and one tool.
export const model = 'gemini-3.8-flash';
export const key = 'any-key-will-do';
export const system = 'You are a weather desk. Answer in one sentence.';

/** The tool, which no answer of the benchmark calls. */
export const toolName = 'get_weather';
export const toolDescription = 'The weather in many places';
export const toolSchema = { type: 'object', properties: { query: { type: 'string' } } };

/** The tool as Gemini declares it. */
export const tools = [
  {
    functionDeclarations: [
      { name: toolName, description: toolDescription, parametersJsonSchema: toolSchema },
    ],
  },
];

/** Returns a user Content. */
export const question = (text) => ({ role: 'user', parts: [{ text }] });
