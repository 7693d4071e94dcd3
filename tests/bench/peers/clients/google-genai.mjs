// @google/genai: what its chats and its models share.
import { GoogleGenAI } from '@google/genai';
import { key, system, tools } from '../chat.mjs';

export const ai = new GoogleGenAI({ apiKey: key });
export const config = { systemInstruction: system, tools };

/** Returns the text of a streamed answer. */
export async function textOf(stream) {
  let answer = '';
  for await (const chunk of stream) answer += chunk.text ?? '';
  return answer;
}
