// Trials of @firebase/ai, which takes no base URL: a `fetch` in front sends its requests to the emulator.
import assert from 'node:assert/strict';
import { getAI, getGenerativeModel, GoogleAIBackend, Schema, VertexAIBackend } from '@firebase/ai';
import { initializeApp } from '@firebase/app';
import { isAnswer, isStream, isToolAnswer, key, model, question } from './trials.mjs';

const app = initializeApp({ apiKey: key, appId: '1:1:web:1', projectId: 'my-project' });
const platformFetch = globalThis.fetch;

function modelFor(baseUrl, settings = {}, backend = new GoogleAIBackend()) {
  globalThis.fetch = (url, init) =>
    platformFetch(String(url).replace('https://firebasevertexai.googleapis.com', baseUrl), init);
  return getGenerativeModel(getAI(app, { backend }), { model, ...settings });
}

const city = Schema.object({ properties: { city: Schema.string() } });

export default {
  async text(baseUrl) {
    const { response } = await modelFor(baseUrl).generateContent('Hello');
    isAnswer(response.text());
    const onVertex = modelFor(baseUrl, {}, new VertexAIBackend());
    isAnswer((await onVertex.generateContent('Hello')).response.text());
  },
  async stream(baseUrl) {
    const pieces = [];
    const { stream } = await modelFor(baseUrl).startChat().sendMessageStream('Hello');
    for await (const chunk of stream) if (chunk.text()) pieces.push(chunk.text());
    isStream(pieces);
  },
  async tools(baseUrl) {
    const description = 'The current weather of a city';
    const declaration = { name: 'weather', description, parameters: city };
    const tools = [{ functionDeclarations: [declaration] }];
    const chat = modelFor(baseUrl, { tools }).startChat();
    const [call] = (await chat.sendMessage(question)).response.functionCalls();
    assert.deepEqual([call.name, call.args], ['weather', { city: 'Paris' }]);
    const { id, name } = call;
    const functionResponse = { ...(id && { id }), name, response: { sky: 'clear' } };
    isToolAnswer((await chat.sendMessage([{ functionResponse }])).response.text());
  },
  async 'structured output'(baseUrl) {
    const generationConfig = { responseMimeType: 'application/json', responseSchema: city };
    const { response } = await modelFor(baseUrl, { generationConfig }).generateContent(question);
    assert.deepEqual(JSON.parse(response.text()), { city: 'Paris' });
  },
  async countTokens(baseUrl) {
    assert.ok((await modelFor(baseUrl).countTokens('How many tokens are these?')).totalTokens > 1);
  },
};
