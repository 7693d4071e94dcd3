// Chats of @firebase/ai.
import { getAI, getGenerativeModel, GoogleAIBackend, Schema } from '@firebase/ai';
import { initializeApp } from '@firebase/app';
import { key, model, system, toolDescription, toolName } from '../chat.mjs';

const app = initializeApp({ apiKey: key, appId: '1:1:web:1', projectId: 'my-project' });
const parameters = Schema.object({ properties: { query: Schema.string() } });
const generative = getGenerativeModel(getAI(app, { backend: new GoogleAIBackend() }), {
  model,
  systemInstruction: system,
  tools: [{ functionDeclarations: [{ name: toolName, description: toolDescription, parameters }] }],
});

/** Opens a chat that has these Contents. */
export function open(contents) {
  let chat;
  const reset = () => {
    chat = generative.startChat({ history: [...contents] });
  };
  reset();
  return {
    reset,
    ask: async (text) => (await chat.sendMessage(text)).response.text(),
    async stream(text) {
      const { stream, response } = await chat.sendMessageStream(text);
      let answer = '';
      for await (const chunk of stream) answer += chunk.text();
      await response;
      return answer;
    },
  };
}
