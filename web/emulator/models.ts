// Why this file exists: what GET models lists, and what a model id tells about how its model answers.
import type { JsonObject } from './types.js';

const current = [
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

/** The entries of `GET models`, newest first. */
export const models: JsonObject[] = current.map(describe);

/** An entry of `GET models`, for any id: ids that are not listed are served like the newest. */
export function describe(id: string): JsonObject {
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

/** Served: `gemini-*` but the generations that were shut down, known or not, and Gemma. */
export function isServed(id: string): boolean {
  return /^(gemini|gemma)-[\w.-]+$/.test(id) && !/^gemini-(1\.|2\.0|pro$)/.test(id);
}

/** The number behind `gemini-`. Aliases such as `gemini-flash-latest` are the newest; Gemma is 0. */
export function generation(id: string): number {
  if (!id.startsWith('gemini-')) return 0;
  const digits = /^gemini-(\d+)/.exec(id)?.[1];
  return digits === undefined ? Infinity : Number(digits);
}
