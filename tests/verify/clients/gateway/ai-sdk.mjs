// The AI SDK with @ai-sdk/google: generateText and streamText, whose messages make up the history.
import { createGoogle } from '@ai-sdk/google';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { declarations, key, model, runTool, steps } from './conversation.mjs';

const toolOf = ({ name, description, parameters }) => {
  const execute = (args) => runTool(name, args);
  return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })];
};
const tools = Object.fromEntries(declarations.map(toolOf));
const providerOptions = { google: { thinkingConfig: { includeThoughts: true } } };

const useOf = (call) => (baseUrl) => {
  const provider = createGoogle({ apiKey: key, baseURL: `${baseUrl}/v1beta` });
  const messages = [];
  return async (question) => {
    messages.push({ role: 'user', content: question });
    const stopWhen = stepCountIs(steps.length + 1);
    const options = { model: provider(model), messages, tools, stopWhen, providerOptions };
    const { text, added } = await call({ ...options, maxRetries: 0 });
    messages.push(...added);
    return text;
  };
};

async function generate(options) {
  const { text, responseMessages, response } = await generateText(options);
  return { text, added: responseMessages ?? response.messages };
}

async function stream(options) {
  let failure;
  const onError = ({ error }) => (failure ??= error);
  const result = streamText({ ...options, onError });
  await result.consumeStream();
  if (failure) throw failure;
  const { messages } = await result.response;
  return { text: await result.text, added: (await result.responseMessages) ?? messages };
}

export default { generateText: useOf(generate), streamText: useOf(stream) };
