// Trials of @langchain/google.
import assert from 'node:assert/strict';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatGoogle } from '@langchain/google';
import {
  isAnswer,
  isStream,
  isToolAnswer,
  key,
  model,
  question,
  weatherSchema,
} from './trials.mjs';

const chatFor = (endpoint) => new ChatGoogle({ model, apiKey: key, endpoint, platformType: 'gai' });
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The current weather of a city',
    parameters: weatherSchema,
  },
};

export default {
  async text(baseUrl) {
    const answer = await chatFor(baseUrl).invoke('Hello');
    isAnswer(answer.text);
    assert.ok(answer.usage_metadata.total_tokens > 0);
  },
  async stream(baseUrl) {
    const pieces = [];
    for await (const chunk of await chatFor(baseUrl).stream('Hello')) {
      if (chunk.text) pieces.push(chunk.text);
    }
    isStream(pieces);
  },
  async tools(baseUrl) {
    const chat = chatFor(baseUrl).bindTools([weather]);
    const messages = [new HumanMessage(question)];
    const answer = await chat.invoke(messages);
    assert.ok(AIMessage.isInstance(answer));
    const [call] = answer.tool_calls;
    assert.deepEqual([call.name, call.args], ['weather', { city: 'Paris' }]);
    const content = JSON.stringify({ sky: 'clear' });
    const result = new ToolMessage({ content, tool_call_id: call.id, name: call.name });
    isToolAnswer((await chat.invoke([...messages, answer, result])).text);
  },
  async 'structured output'(baseUrl) {
    const schema = { title: 'weather', ...weatherSchema };
    const chat = chatFor(baseUrl).withStructuredOutput(schema, { method: 'jsonSchema' });
    assert.deepEqual(await chat.invoke(question), { city: 'Paris' });
  },
};
