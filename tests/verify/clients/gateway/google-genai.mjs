// @google/genai: a chat, a chat whose answers are streamed, and automatic function calls.
import { GoogleGenAI } from '@google/genai';
import { askWithTools, declarations, key, model, resultOf } from './conversation.mjs';

const functionDeclarations = declarations.map(({ parameters, ...rest }) => ({
  ...rest,
  parametersJsonSchema: parameters,
}));
const thinkingConfig = { includeThoughts: true };

function chatOf(baseUrl, tools) {
  const ai = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } });
  return ai.chats.create({ model, config: { tools, thinkingConfig } });
}

const resultsOf = (calls) => calls.map(resultOf);
const callsOf = ({ functionCalls }) => functionCalls ?? [];

export default {
  chat(baseUrl) {
    const chat = chatOf(baseUrl, [{ functionDeclarations }]);
    const send = async (message) => {
      const response = await chat.sendMessage({ message });
      return { text: response.text, calls: callsOf(response) };
    };
    return (question) => askWithTools(send, question, resultsOf);
  },
  'chat, streamed'(baseUrl) {
    const chat = chatOf(baseUrl, [{ functionDeclarations }]);
    const send = async (message) => {
      const answer = { text: '', calls: [] };
      for await (const chunk of await chat.sendMessageStream({ message })) {
        answer.text += chunk.text ?? '';
        answer.calls.push(...callsOf(chunk));
      }
      return answer;
    };
    return (question) => askWithTools(send, question, resultsOf);
  },
  'automatic calls'(baseUrl) {
    const tool = async () => ({ functionDeclarations });
    const callTool = async (calls) => resultsOf(calls);
    const chat = chatOf(baseUrl, [{ tool, callTool }]);
    return async (message) => (await chat.sendMessage({ message })).text;
  },
};
