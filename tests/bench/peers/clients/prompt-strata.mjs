// A Conversation of prompt-strata.
import { Conversation, GeminiClient, load, tool } from 'prompt-strata';
import { key, model, system, toolDescription, toolName, toolSchema } from '../chat.mjs';

const description = { description: toolDescription, schema: toolSchema };
const weather = tool({ name: toolName, ...description, run: () => 'unused' });
const options = { model, systemInstruction: system, tools: [weather] };

/** Opens a conversation that has these Contents. */
export async function open(contents) {
  const chat = new Conversation(await load(), new GeminiClient({ apiKey: key }), options);
  for (const content of contents) chat.thread.append(content);
  const { length } = chat.thread;
  return {
    reset: () => chat.rewind(length),
    ask: async (text) => (await chat.ask(text)).text,
    async stream(text) {
      let answer = '';
      for await (const event of chat.send(text)) if (event.type === 'text') answer += event.text;
      return answer;
    },
    async streamText(text) {
      let answer = '';
      for await (const piece of chat.stream(text).textStream) answer += piece;
      return answer;
    },
  };
}
