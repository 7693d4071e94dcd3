// @firebase/ai. It takes no base URL: a `fetch` in front replaces the host.
import { getAI, getGenerativeModel, GoogleAIBackend, Schema } from '@firebase/ai';
import { initializeApp } from '@firebase/app';
import { declarations, key, model } from './conversation.mjs';
import { asking, readResponse, wholeChat } from './google-chat.mjs';

const properties = {
  weather: { city: Schema.string(), days: Schema.number() },
  events: { city: Schema.string() },
};
const functionDeclarations = declarations.map(({ name, description }) => ({
  ...{ name, description, parameters: Schema.object({ properties: properties[name] }) },
}));

function chatOf(baseUrl) {
  const platformFetch = globalThis.fetch;
  globalThis.fetch = (url, init) =>
    platformFetch(String(url).replace('https://firebasevertexai.googleapis.com', baseUrl), init);
  const app = initializeApp({ apiKey: key, appId: '1:1:web:1', projectId: 'my-project' });
  const generationConfig = { thinkingConfig: { includeThoughts: true } };
  const options = { model, generationConfig, tools: [{ functionDeclarations }] };
  return getGenerativeModel(getAI(app, { backend: new GoogleAIBackend() }), options).startChat();
}

export default {
  chat: wholeChat(chatOf),
  'chat, streamed'(baseUrl) {
    const chat = chatOf(baseUrl);
    return asking(async (message) => {
      const { stream, response } = await chat.sendMessageStream(message);
      for await (const chunk of stream) void chunk;
      return readResponse(await response);
    });
  },
};
