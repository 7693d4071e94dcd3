// @google/generative-ai, the client before @google/genai: a chat, and one whose answers are streamed. It has no option
// for thoughts.
import { GoogleGenerativeAI } from '@google/generative-ai';
import { askWithTools, declarations, key, model, resultOf } from './conversation.mjs';

function chatOf(baseUrl) {
  const params = { model, tools: [{ functionDeclarations: declarations }] };
  return new GoogleGenerativeAI(key).getGenerativeModel(params, { baseUrl }).startChat();
}

const resultsOf = (calls) => calls.map(resultOf);

const read = (response) => ({ text: response.text(), calls: response.functionCalls() ?? [] });

export default {
  chat(baseUrl) {
    const chat = chatOf(baseUrl);
    const send = async (message) => read((await chat.sendMessage(message)).response);
    return (question) => askWithTools(send, question, resultsOf);
  },
  'chat, streamed'(baseUrl) {
    const chat = chatOf(baseUrl);
    const send = async (message) => {
      const { stream, response } = await chat.sendMessageStream(message);
      const answer = { text: '', calls: [] };
      for await (const chunk of stream) {
        const { text, calls } = read(chunk);
        answer.text += text;
        answer.calls.push(...calls);
      }
      await response;
      return answer;
    };
    return (question) => askWithTools(send, question, resultsOf);
  },
};
