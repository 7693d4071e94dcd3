// Genkit with @genkit-ai/google-genai, with messages that the caller keeps.
import { googleAI } from '@genkit-ai/google-genai';
import { genkit, z } from 'genkit';
import { key, model, system, toolDescription, toolName } from '../chat.mjs';

const ai = genkit({ plugins: [googleAI({ apiKey: key })], model: googleAI.model(model) });
const weather = ai.defineTool(
  {
    name: toolName,
    description: toolDescription,
    inputSchema: z.object({ query: z.string().optional() }),
  },
  async () => 'unused',
);
const options = { system, tools: [weather] };

/** Returns a Content as Genkit's message. */
function messageOf({ role, parts: [{ text, functionCall, functionResponse, thoughtSignature }] }) {
  if (functionCall) {
    const { id: ref, name, args: input } = functionCall;
    const part = { toolRequest: { name, ref, input }, metadata: { thoughtSignature } };
    return { role: 'model', content: [part] };
  }
  if (functionResponse) {
    const { id: ref, name, response: output } = functionResponse;
    return { role: 'tool', content: [{ toolResponse: { name, ref, output } }] };
  }
  return { role, content: [{ text }] };
}

/** Opens a history that has these Contents. */
export function open(contents) {
  const kept = contents.map(messageOf);
  let messages = kept;
  return {
    reset() {
      messages = kept;
    },
    async ask(prompt) {
      const response = await ai.generate({ ...options, messages, prompt });
      ({ messages } = response);
      return response.text;
    },
    async stream(prompt) {
      const { stream, response } = ai.generateStream({ ...options, messages, prompt });
      let answer = '';
      for await (const chunk of stream) answer += chunk.text;
      ({ messages } = await response);
      return answer;
    },
  };
}
