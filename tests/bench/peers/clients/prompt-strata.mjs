// A Conversation of prompt-strata.
import { Conversation, GeminiClient, load, tool } from 'prompt-strata';
import { key, model, system, toolDescription, toolName, toolSchema } from '../chat.mjs';
import { conversationOf } from './own-conversation.mjs';

const weather = tool({
  name: toolName,
  description: toolDescription,
  schema: toolSchema,
  run: () => 'unused',
});

/** Opens a conversation that has these Contents. */
export async function open(contents) {
  const strata = await load();
  const client = new GeminiClient({ apiKey: key });
  const options = { model, systemInstruction: system, tools: [weather] };
  return conversationOf(new Conversation(strata, client, options), contents);
}
