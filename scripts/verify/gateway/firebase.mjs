// @firebase/ai. It takes no base URL: a `fetch` in front replaces the host.
import { getAI, getGenerativeModel, GoogleAIBackend, Schema } from '@firebase/ai';
import { initializeApp } from '@firebase/app';
import { askWithTools, declarations, key, model, resultOf } from './conversation.mjs';

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
      for await (const chunk of stream) void chunk;
      return read(await response);
    };
    return (question) => askWithTools(send, question, resultsOf);
  },
};
