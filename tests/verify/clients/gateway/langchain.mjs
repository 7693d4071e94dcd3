// The loop that both LangChain clients use: messages, tool messages, and further questions.
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { askWithTools, declarations, runTool } from './conversation.mjs';

const tools = declarations.map((each) => ({ type: 'function', function: each }));

function resultsOf(calls) {
  return calls.map(({ id, name, args }) => {
    const content = JSON.stringify(runTool(name, args));
    return new ToolMessage({ content, tool_call_id: id, name });
  });
}

async function streamed(chat, messages) {
  let message;
  for await (const chunk of await chat.stream(messages)) message = message?.concat(chunk) ?? chunk;
  return message;
}

const textOf = ({ content }) =>
  typeof content === 'string'
    ? content
    : content.map((block) => (block.type === 'text' && !block.thought ? block.text : '')).join('');

/** Returns the uses of a chat model: invoke and stream. */
export function usesOf(createChat) {
  const useOf = (call) => (baseUrl) => {
    const chat = createChat(baseUrl).bindTools(tools);
    const messages = [];
    const send = async (message) => {
      messages.push(...[message].flat());
      const answer = await call(chat, messages);
      messages.push(answer);
      return { text: textOf(answer), calls: answer.tool_calls ?? [] };
    };
    return (question) => askWithTools(send, new HumanMessage(question), resultsOf);
  };
  return { invoke: useOf((chat, messages) => chat.invoke(messages)), stream: useOf(streamed) };
}
