// Genkit's agents, the models that @genkit-ai/google-genai asks through the Interactions API. They call no tools.
import { setTimeout } from 'node:timers/promises';
import { googleAI } from '@genkit-ai/google-genai';
import { genkit } from 'genkit';
import { key } from './conversation.mjs';

const genkitFor = (baseUrl) => genkit({ plugins: [googleAI({ apiKey: key, baseUrl })] });
const user = (text) => ({ role: 'user', content: [{ text }] });
const textOf = ({ content }) => content.map(({ text = '' }) => text).join('');

/** Waits for an agent that works in the background. */
async function result(ai, started) {
  let operation = started;
  for (let round = 0; !operation.done; round++) {
    if (round === 10) throw new Error('The operation is never done.');
    await setTimeout(1);
    operation = await ai.checkOperation(operation);
  }
  return operation.output.message;
}

export default {
  'interactions, Antigravity agent'(baseUrl) {
    const model = googleAI.model('antigravity-preview-05-2026');
    const messages = [];
    return async (question) => {
      messages.push(user(question));
      const { message } = await genkitFor(baseUrl).generate({ model, messages });
      messages.push(message);
      return textOf(message);
    };
  },
  'interactions, Deep Research agent, stored'(baseUrl) {
    const ai = genkitFor(baseUrl);
    const model = googleAI.model('deep-research-preview-04-2026');
    let previousInteractionId;
    return async (question) => {
      const config = { thinkingSummaries: 'AUTO', previousInteractionId };
      const { operation } = await ai.generate({ model, messages: [user(question)], config });
      const message = await result(ai, operation);
      previousInteractionId = message.metadata.interactionId;
      return textOf(message);
    };
  },
};
