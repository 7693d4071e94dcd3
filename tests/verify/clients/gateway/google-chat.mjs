// The chat of @firebase/ai and @google/generative-ai, which have the same methods.
import { askWithTools, resultOf } from './conversation.mjs';

/** Returns what takes a question and has a chat answer it. `send` sends one message. */
export const asking = (send) => (question) =>
  askWithTools(send, question, (calls) => calls.map(resultOf));

/** Returns the text and the calls of a response, or of a chunk. */
export const readResponse = (response) => ({
  text: response.text(),
  calls: response.functionCalls() ?? [],
});

/** Returns the trial in which the chat that `chatOf` starts sends whole answers. */
export const wholeChat = (chatOf) => (baseUrl) => {
  const chat = chatOf(baseUrl);
  return asking(async (message) => readResponse((await chat.sendMessage(message)).response));
};
