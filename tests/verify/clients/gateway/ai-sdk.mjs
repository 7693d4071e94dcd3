// The AI SDK with @ai-sdk/google: generateText and streamText, whose messages make up the history.
import { createGoogle } from '@ai-sdk/google';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { declarations, key, model, runTool, steps } from './conversation.mjs';

const toolOf = ({ name, description, parameters }) => {
  const execute = (args) => runTool(name, args);
  return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })];
};
const tools = Object.fromEntries(declarations.map(toolOf));
const thinkingConfig = { includeThoughts: true };
const thinkingSummaries = 'auto';

const providerFor = (baseUrl) => createGoogle({ apiKey: key, baseURL: `${baseUrl}/v1beta` });
const stopWhen = stepCountIs(steps.length + 1);
const common = { tools, stopWhen, maxRetries: 0 };

/** A conversation whose history is the messages of the AI SDK. */
const useOf = (call, modelOf, google) => (baseUrl) => {
  const messages = [];
  const options = { ...common, model: modelOf(providerFor(baseUrl)), providerOptions: { google } };
  return async (question) => {
    messages.push({ role: 'user', content: question });
    const { text, added } = await call({ ...options, messages });
    messages.push(...added);
    return text;
  };
};

const viaContents = (call) => useOf(call, (provider) => provider(model), { thinkingConfig });
const viaSteps = (call, store) =>
  useOf(call, (provider) => provider.interactions(model), { thinkingSummaries, store });

/** A conversation whose earlier turns Google keeps. */
const viaStored = (call) => (baseUrl) => {
  const interactions = providerFor(baseUrl).interactions(model);
  let previousInteractionId;
  return async (prompt) => {
    const google = { thinkingSummaries, previousInteractionId };
    const options = { ...common, model: interactions, providerOptions: { google } };
    const { text, id } = await call({ ...options, prompt });
    previousInteractionId = id;
    return text;
  };
};

const interactionOf = (metadata) => metadata?.google?.interactionId;

async function generate(options) {
  const { text, responseMessages, response, providerMetadata } = await generateText(options);
  return {
    ...{ text, added: responseMessages ?? response.messages },
    id: interactionOf(providerMetadata),
  };
}

async function stream(options) {
  let failure;
  const onError = ({ error }) => (failure ??= error);
  const result = streamText({ ...options, onError });
  await result.consumeStream();
  if (failure) throw failure;
  const { messages } = await result.response;
  return {
    ...{ text: await result.text, added: (await result.responseMessages) ?? messages },
    id: interactionOf(await result.providerMetadata),
  };
}

export default {
  generateText: viaContents(generate),
  streamText: viaContents(stream),
  'interactions, generateText': viaSteps(generate, false),
  'interactions, streamText': viaSteps(stream, false),
  'interactions, stored': viaStored(generate),
};
