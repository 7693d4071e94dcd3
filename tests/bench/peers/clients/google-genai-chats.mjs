// Chats of @google/genai.
import { model } from '../chat.mjs';
import { ai, config, textOf } from './google-genai.mjs';

/** Opens a chat that has these Contents. */
export function open(contents) {
  let chat;
  const reset = () => {
    chat = ai.chats.create({ model, config, history: [...contents] });
  };
  reset();
  return {
    reset,
    ask: async (message) => (await chat.sendMessage({ message })).text,
    stream: async (message) => textOf(await chat.sendMessageStream({ message })),
  };
}
