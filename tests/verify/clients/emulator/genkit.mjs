// Trials of Genkit with @genkit-ai/google-genai.
import assert from 'node:assert/strict';
import { googleAI } from '@genkit-ai/google-genai';
import { genkit, z } from 'genkit';
import {
  embeddingModel,
  isAnswer,
  isStream,
  isToolAnswer,
  isVector,
  key,
  model as name,
  question,
} from './trials.mjs';

const model = googleAI.model(name);
const genkitFor = (baseUrl) => genkit({ plugins: [googleAI({ apiKey: key, baseUrl })], model });
const weather = z.object({ city: z.string() });

export default {
  async text(baseUrl) {
    const { text, usage } = await genkitFor(baseUrl).generate('Hello');
    isAnswer(text);
    assert.ok(usage.totalTokens > 0);
  },
  async stream(baseUrl) {
    const pieces = [];
    const { stream } = genkitFor(baseUrl).generateStream('Hello');
    for await (const chunk of stream) if (chunk.text) pieces.push(chunk.text);
    isStream(pieces);
  },
  async tools(baseUrl) {
    const ai = genkitFor(baseUrl);
    const description = 'The current weather of a city';
    const tool = ai.defineTool(
      { name: 'weather', description, inputSchema: weather },
      async ({ city }) => ({ [city === 'Paris' ? 'sky' : 'unknown']: 'clear' }),
    );
    isToolAnswer((await ai.generate({ prompt: question, tools: [tool] })).text);
  },
  async 'structured output'(baseUrl) {
    const request = { prompt: question, output: { schema: weather } };
    const { output } = await genkitFor(baseUrl).generate(request);
    assert.deepEqual(output, { city: 'Paris' });
  },
  async models(baseUrl) {
    const plugin = googleAI({ apiKey: key, baseUrl });
    const names = (await plugin.list()).map((each) => each.name);
    assert.ok(names.includes(`googleai/${name}`), names.join());
  },
  async embeddings(baseUrl) {
    const embedder = googleAI.embedder(embeddingModel);
    const [{ embedding }] = await genkitFor(baseUrl).embed({ embedder, content: 'A cat' });
    isVector(embedding);
  },
  async interactions(baseUrl) {
    const ai = genkitFor(baseUrl);
    const agent = googleAI.model('antigravity-preview-05-2026');
    const messages = [];
    for (const text of ['Hello', 'And again', 'Once more']) {
      messages.push({ role: 'user', content: [{ text }] });
      const response = await ai.generate({ model: agent, messages });
      isAnswer(response.text);
      messages.push(response.message);
    }
    let previousInteractionId;
    for (const prompt of ['Hello', 'And again', 'Once more']) {
      const config = { previousInteractionId };
      const request = { model: googleAI.model('deep-research-preview-04-2026'), prompt, config };
      let { operation } = await ai.generate(request);
      assert.equal(operation.done, false);
      for (let round = 0; !operation.done && round < 10; round++)
        operation = await ai.checkOperation(operation);
      const { message } = operation.output;
      isAnswer(message.content.map(({ text = '' }) => text).join(''));
      previousInteractionId = message.metadata.interactionId;
    }
  },
};
