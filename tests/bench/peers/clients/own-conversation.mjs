// What both forms of Conversation do in the benchmarks.
import { key, model, system, toolDescription, toolName, toolSchema } from '../chat.mjs';

// Returns the conversation with these Contents, as the benchmarks use it.
function conversationOf(chat, contents) {
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

/** Returns the function that opens a conversation with Contents, for one form of the package. */
export function openerOf({ Conversation, GeminiClient, load, tool }) {
  const description = { description: toolDescription, schema: toolSchema };
  const weather = tool({ name: toolName, ...description, run: () => 'unused' });
  return async (contents) => {
    const strata = await load();
    const client = new GeminiClient({ apiKey: key });
    const options = { model, systemInstruction: system, tools: [weather] };
    return conversationOf(new Conversation(strata, client, options), contents);
  };
}
