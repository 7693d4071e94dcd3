// Lists the models that the emulator serves, and derives properties of a model from its ID.
import type { JsonObject } from './types.js';

const listedIds = [
  'gemini-4-argon',
  'gemini-3.8-flash',
  'gemini-3.7-flash',
  'gemini-3.6-flash',
  'gemini-3.5-flash-lite',
  'gemini-3.5-flash',
  'gemini-3.1-pro-preview',
  'gemini-3.1-flash-lite',
  'gemini-3-flash-preview',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'gemini-2.5-flash-lite',
];

/** The entries that `GET models` returns, newest first. */
export const models: JsonObject[] = listedIds.map(describeModel);

/** Returns the entry of `GET models` for any ID. IDs that are not listed are served like the newest model. */
export function describeModel(id: string): JsonObject {
  const methods = ['generateContent', 'countTokens', 'createCachedContent'];
  return {
    name: `models/${id}`,
    version: id.replace(/^gemini-/, ''),
    displayName: id.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    description: 'Answered by the emulator of prompt-strata, not by Google.',
    inputTokenLimit: 1048576,
    outputTokenLimit: 65536,
    supportedGenerationMethods: id === 'gemini-4-argon' ? methods.slice(0, 2) : methods,
    thinking: true,
  };
}

/** Whether the model is served: Gemma, and every `gemini-*` except the generations that were shut down. */
export function isServed(id: string): boolean {
  return /^(gemini|gemma)-[\w.-]+$/.test(id) && !/^gemini-(1\.|2\.0|pro$)/.test(id);
}

/** Returns the number after `gemini-`: Infinity for aliases such as `gemini-flash-latest`, 0 for Gemma. */
export function generation(id: string): number {
  if (!id.startsWith('gemini-')) return 0;
  const digits = /^gemini-(\d+)/.exec(id)?.[1];
  return digits === undefined ? Infinity : Number(digits);
}
