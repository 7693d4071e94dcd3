// @google/generative-ai, the client before @google/genai: a chat, and one whose answers are streamed. It has no option
// for thoughts.
import { GoogleGenerativeAI } from '@google/generative-ai';
import { declarations, key, model } from './conversation.mjs';
import { asking, readResponse, wholeChat } from './google-chat.mjs';

function chatOf(baseUrl) {
  const params = { model, tools: [{ functionDeclarations: declarations }] };
  return new GoogleGenerativeAI(key).getGenerativeModel(params, { baseUrl }).startChat();
}

export default {
  chat: wholeChat(chatOf),
  'chat, streamed'(baseUrl) {
    const chat = chatOf(baseUrl);
    return asking(async (message) => {
      const { stream, response } = await chat.sendMessageStream(message);
      const answer = { text: '', calls: [] };
      for await (const chunk of stream) {
        const { text, calls } = readResponse(chunk);
        answer.text += text;
        answer.calls.push(...calls);
      }
      await response;
      return answer;
    });
  },
};
