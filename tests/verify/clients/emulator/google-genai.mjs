// Trials of @google/genai.
import assert from 'node:assert/strict';
import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai';
import {
  embeddingModel,
  isAnswer,
  isStream,
  isToolAnswer,
  isVector,
  key,
  longText,
  model,
  question,
  weatherSchema,
} from './trials.mjs';

const declaration = {
  name: 'weather',
  description: 'The current weather of a city',
  parametersJsonSchema: weatherSchema,
};

const resultsOf = (steps) =>
  steps
    .filter(({ type }) => type === 'function_call')
    .map(({ id, name }) => ({
      type: 'function_result',
      call_id: id,
      name,
      result: { sky: 'clear' },
    }));

/** Asks with a tool, and twice more. `send` takes steps and returns the steps and the text of the answer. */
async function talk(send) {
  for (const text of [question, 'Hello', 'And again']) {
    const asked = await send([{ type: 'user_input', content: [{ type: 'text', text }] }]);
    const results = resultsOf(asked.steps);
    assert.equal(results.length, text === question ? 1 : 0);
    if (results.length > 0) isToolAnswer((await send(results)).text);
    else isAnswer(asked.text);
  }
}

/** The steps and the text in events, as far as they are needed to answer the calls. */
function readEvents(events) {
  const steps = [];
  let text = '';
  for (const { step, delta } of events) {
    if (step) steps.push(step);
    text += delta?.text ?? '';
  }
  return { steps, text };
}

/** Returns the trials of a version of the SDK. */
export function trialsOf(Client) {
  const clientFor = (baseUrl) => new Client({ apiKey: key, httpOptions: { baseUrl } });
  return {
    async text(baseUrl) {
      const answer = await clientFor(baseUrl).models.generateContent({ model, contents: 'Hello' });
      isAnswer(answer.text);
      assert.ok(answer.usageMetadata.totalTokenCount > 0);
    },
    async stream(baseUrl) {
      const chat = clientFor(baseUrl).chats.create({ model });
      const pieces = [];
      for await (const chunk of await chat.sendMessageStream({ message: 'Hello' })) {
        if (chunk.text) pieces.push(chunk.text);
      }
      isStream(pieces);
      isAnswer((await chat.sendMessage({ message: 'And again' })).text);
    },
    async tools(baseUrl) {
      const config = {
        tools: [{ functionDeclarations: [declaration] }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      };
      const chat = clientFor(baseUrl).chats.create({ model, config });
      const [call] = (await chat.sendMessage({ message: question })).functionCalls;
      assert.deepEqual([call.name, call.args], ['weather', { city: 'Paris' }]);
      const { id, name } = call;
      const functionResponse = { id, name, response: { sky: 'clear' } };
      isToolAnswer((await chat.sendMessage({ message: { functionResponse } })).text);
    },
    async 'structured output'(baseUrl) {
      const config = { responseMimeType: 'application/json', responseJsonSchema: weatherSchema };
      const answer = await clientFor(baseUrl).models.generateContent({
        ...{ model, contents: question, config },
      });
      assert.deepEqual(JSON.parse(answer.text), { city: 'Paris' });
    },
    async countTokens(baseUrl) {
      const { models } = clientFor(baseUrl);
      const { totalTokens } = await models.countTokens({ model, contents: longText });
      assert.ok(totalTokens > 4096);
    },
    async caches(baseUrl) {
      const { caches, models } = clientFor(baseUrl);
      const cache = await caches.create({ model, config: { contents: longText, ttl: '300s' } });
      const config = { cachedContent: cache.name };
      const answer = await models.generateContent({ model, contents: 'Hello', config });
      assert.ok(answer.usageMetadata.cachedContentTokenCount > 4096);
      await caches.update({ name: cache.name, config: { ttl: '600s' } });
      const names = [];
      for await (const each of await caches.list()) names.push(each.name);
      assert.ok(names.includes(cache.name));
      await caches.delete({ name: cache.name });
      await assert.rejects(caches.get({ name: cache.name }), { status: 403 });
    },
    async models(baseUrl) {
      const { models } = clientFor(baseUrl);
      const names = [];
      for await (const each of await models.list()) names.push(each.name);
      assert.ok(names.includes(`models/${model}`));
      assert.equal((await models.get({ model })).inputTokenLimit, 1048576);
      const unknown = { model: 'no-such-model', contents: 'Hello' };
      await assert.rejects(models.generateContent(unknown), { status: 404 });
    },
    async embeddings(baseUrl) {
      const contents = ['A cat', 'A dog'];
      const request = { model: embeddingModel, contents, config: { outputDimensionality: 768 } };
      const { embeddings } = await clientFor(baseUrl).models.embedContent(request);
      assert.equal(embeddings.length, 2);
      isVector(embeddings[0].values, 768);
    },
    async interactions(baseUrl) {
      const { interactions } = clientFor(baseUrl);
      const { name, description, parametersJsonSchema: parameters } = declaration;
      const base = { model, tools: [{ type: 'function', name, description, parameters }] };
      const input = [];
      await talk(async (added) => {
        input.push(...added);
        const answer = await interactions.create({ ...base, input, store: false });
        input.push(...answer.steps);
        return { steps: answer.steps, text: answer.output_text };
      });
      let id;
      await talk(async (added) => {
        const request = { ...base, input: added, previous_interaction_id: id };
        const { steps, ...answer } = await interactions.create(request);
        ({ id } = answer);
        return { steps, text: answer.output_text };
      });
      await talk(async (added) => {
        const request = { ...base, input: added, previous_interaction_id: id, stream: true };
        const events = [];
        for await (const event of await interactions.create(request)) events.push(event);
        ({ id } = events.at(-1).interaction);
        return readEvents(events);
      });
      await interactions.delete(id);
      await assert.rejects(interactions.get(id), { status: 404 });
    },
  };
}

export default trialsOf(GoogleGenAI);
