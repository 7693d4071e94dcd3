// @langchain/google, with messages that the caller keeps.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { ChatGoogle } from '@langchain/google';
import { key, model, system, toolDescription, toolName, toolSchema } from '../chat.mjs';

const weather = { name: toolName, description: toolDescription, parameters: toolSchema };
const chat = new ChatGoogle({ model, apiKey: key, platformType: 'gai' }).bindTools([
  { type: 'function', function: weather },
]);

/** Returns a Content as the message that @langchain/google makes of it. */
function messageOf({ role, parts: [{ text, functionCall, functionResponse, thoughtSignature }] }) {
  if (functionCall) {
    const call = { type: 'tool_call', ...functionCall, thoughtSignature };
    const content = [{ type: 'functionCall', functionCall, thoughtSignature }];
    return new AIMessage({ content, tool_calls: [call] });
  }
  if (functionResponse) {
    const { id, name, response } = functionResponse;
    return new ToolMessage({ content: JSON.stringify(response), tool_call_id: id, name });
  }
  return role === 'user' ? new HumanMessage(text) : new AIMessage(text);
}

/** Opens a history that has these Contents. */
export function open(contents) {
  const messages = [new SystemMessage(system), ...contents.map(messageOf)];
  const { length } = messages;
  return {
    reset: () => messages.splice(length),
    async ask(text) {
      messages.push(new HumanMessage(text));
      const answer = await chat.invoke(messages);
      messages.push(answer);
      return answer.text;
    },
    async stream(text) {
      messages.push(new HumanMessage(text));
      let answer = '';
      for await (const chunk of await chat.stream(messages)) answer += chunk.text;
      messages.push(new AIMessage(answer));
      return answer;
    },
  };
}
