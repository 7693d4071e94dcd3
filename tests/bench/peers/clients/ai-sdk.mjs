// The AI SDK with @ai-sdk/google, with messages that the caller keeps.
import { createGoogle } from '@ai-sdk/google';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { key, model, system, toolDescription, toolName, toolSchema } from '../chat.mjs';

const provider = createGoogle({ apiKey: key });
const weather = tool({ description: toolDescription, inputSchema: jsonSchema(toolSchema) });
const options = { model: provider(model), instructions: system, tools: { [toolName]: weather } };

/** Returns a Content as the SDK's message. */
function messageOf({ role, parts: [{ text, functionCall, functionResponse, thoughtSignature }] }) {
  if (functionCall) {
    const { id, name, args } = functionCall;
    const call = { type: 'tool-call', toolCallId: id, toolName: name, input: args };
    const providerOptions = { google: { thoughtSignature } };
    return { role: 'assistant', content: [{ ...call, providerOptions }] };
  }
  if (functionResponse) {
    const { id, name, response } = functionResponse;
    const output = { type: 'json', value: response };
    const content = [{ type: 'tool-result', toolCallId: id, toolName: name, output }];
    return { role: 'tool', content };
  }
  return role === 'user'
    ? { role, content: text }
    : { role: 'assistant', content: [{ type: 'text', text }] };
}

/** Opens a history that has these Contents. */
export function open(contents) {
  const messages = contents.map(messageOf);
  const { length } = messages;
  return {
    reset: () => messages.splice(length),
    async ask(content) {
      messages.push({ role: 'user', content });
      const result = await generateText({ ...options, messages });
      messages.push(...(result.responseMessages ?? result.response.messages));
      return result.text;
    },
    async stream(content) {
      messages.push({ role: 'user', content });
      const result = streamText({ ...options, messages });
      let answer = '';
      for await (const piece of result.textStream) answer += piece;
      messages.push(...((await result.responseMessages) ?? (await result.response).messages));
      return answer;
    },
  };
}
