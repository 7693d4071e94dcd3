// No client: JSON.stringify and an encoder for the request, JSON.parse for the answer. The least that a client that
// keeps its history as objects can do.
import { key, model, question, system, tools } from '../chat.mjs';

const base = `https://generativelanguage.googleapis.com/v1beta/models/${model}`;
const headers = { 'content-type': 'application/json', 'x-goog-api-key': key };
const systemInstruction = { parts: [{ text: system }] };
const encoder = new TextEncoder();

const post = (method, contents) => {
  const body = encoder.encode(JSON.stringify({ systemInstruction, tools, contents }));
  return fetch(`${base}:${method}`, { method: 'POST', headers, body });
};

const textOf = ({ parts }) => parts.map(({ text = '' }) => text).join('');

/** Opens a history that has these Contents. */
export function open(contents) {
  const { length } = contents;
  return {
    reset: () => contents.splice(length),
    async ask(text) {
      contents.push(question(text));
      const answer = await (await post('generateContent', contents)).json();
      const { content } = answer.candidates[0];
      contents.push(content);
      return textOf(content);
    },
    async stream(text) {
      contents.push(question(text));
      const { body } = await post('streamGenerateContent?alt=sse', contents);
      let [answer, rest] = ['', ''];
      for await (const piece of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + piece).split('\r\n');
        rest = lines.pop();
        for (const line of lines) {
          if (!line.startsWith('data: ')) continue;
          answer += textOf(JSON.parse(line.slice(6)).candidates[0].content);
        }
      }
      contents.push({ role: 'model', parts: [{ text: answer }] });
      return answer;
    },
  };
}
