// Trials of the AI SDK with @ai-sdk/google.
import assert from 'node:assert/strict';
import { createGoogle } from '@ai-sdk/google';
import { embedMany, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import {
  embeddingModel,
  isAnswer,
  isStream,
  isToolAnswer,
  isVector,
  key,
  model,
  question,
  weatherSchema,
} from './trials.mjs';

const providerFor = (baseUrl) => createGoogle({ apiKey: key, baseURL: `${baseUrl}/v1beta` });

const weather = tool({
  description: 'The current weather of a city',
  inputSchema: jsonSchema(weatherSchema),
  execute: ({ city }) => ({ [city === 'Paris' ? 'sky' : 'unknown']: 'clear' }),
});

export default {
  async text(baseUrl) {
    const { text, usage } = await generateText({
      ...{ model: providerFor(baseUrl)(model), prompt: 'Hello' },
    });
    isAnswer(text);
    assert.ok(usage.totalTokens > 0);
  },
  async stream(baseUrl) {
    const pieces = [];
    const { textStream } = streamText({ model: providerFor(baseUrl)(model), prompt: 'Hello' });
    for await (const piece of textStream) pieces.push(piece);
    isStream(pieces);
  },
  async tools(baseUrl) {
    const { text } = await generateText({
      ...{ model: providerFor(baseUrl)(model), prompt: question },
      ...{ tools: { weather }, stopWhen: stepCountIs(3) },
    });
    isToolAnswer(text);
  },
  async 'structured output'(baseUrl) {
    const { output } = await generateText({
      ...{ model: providerFor(baseUrl)(model), prompt: question },
      output: Output.object({ schema: jsonSchema(weatherSchema) }),
    });
    assert.deepEqual(output, { city: 'Paris' });
  },
  async embeddings(baseUrl) {
    const { embeddings } = await embedMany({
      model: providerFor(baseUrl).embedding(embeddingModel),
      values: ['A cat', 'A dog'],
    });
    assert.equal(embeddings.length, 2);
    isVector(embeddings[0]);
  },
  async interactions(baseUrl) {
    const interactions = providerFor(baseUrl).interactions(model);
    const stopWhen = stepCountIs(3);
    for (const store of [true, false]) {
      const options = { model: interactions, stopWhen, providerOptions: { google: { store } } };
      const messages = [{ role: 'user', content: question }];
      const { text, responseMessages } = await generateText({
        ...options,
        ...{ messages, tools: { weather } },
      });
      isToolAnswer(text);
      messages.push(...responseMessages);
      for (const content of ['Hello', 'And again']) {
        messages.push({ role: 'user', content });
        const pieces = [];
        const result = streamText({ ...options, messages, tools: { weather } });
        for await (const piece of result.textStream) pieces.push(piece);
        isStream(pieces);
        messages.push(...(await result.responseMessages));
      }
    }
  },
};
