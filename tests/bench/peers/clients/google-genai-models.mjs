// `generateContent` of @google/genai, with a history that the caller keeps.
import { model, question } from '../chat.mjs';
import { ai, config, textOf } from './google-genai.mjs';

/** Opens a history that has these Contents. */
export function open(contents) {
  const { length } = contents;
  return {
    reset: () => contents.splice(length),
    async ask(text) {
      contents.push(question(text));
      const response = await ai.models.generateContent({ model, config, contents });
      contents.push(response.candidates[0].content);
      return response.text;
    },
    async stream(text) {
      contents.push(question(text));
      const answer = await textOf(
        await ai.models.generateContentStream({ model, config, contents }),
      );
      contents.push({ role: 'model', parts: [{ text: answer }] });
      return answer;
    },
  };
}
