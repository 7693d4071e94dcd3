// Genkit with @genkit-ai/google-genai: it runs the tools itself.
import { googleAI } from '@genkit-ai/google-genai';
import { genkit, z } from 'genkit';
import { declarations, key, model, runTool, steps } from './conversation.mjs';

const inputs = {
  weather: z.object({ city: z.string(), days: z.number() }),
  events: z.object({ city: z.string() }),
};
const config = { thinkingConfig: { includeThoughts: true } };

const useOf = (call) => (baseUrl) => {
  const ai = genkit({
    plugins: [googleAI({ apiKey: key, baseUrl })],
    model: googleAI.model(model),
  });
  const tools = declarations.map(({ name, description }) =>
    ai.defineTool({ name, description, inputSchema: inputs[name] }, async (args) =>
      runTool(name, args),
    ),
  );
  let messages = [];
  return async (prompt) => {
    const response = await call(ai, {
      prompt,
      messages,
      tools,
      config,
      maxTurns: steps.length + 1,
    });
    ({ messages } = response);
    return response.text;
  };
};

export default {
  generate: useOf((ai, options) => ai.generate(options)),
  generateStream: useOf(async (ai, options) => {
    const { stream, response } = ai.generateStream(options);
    for await (const chunk of stream) void chunk;
    return response;
  }),
};
