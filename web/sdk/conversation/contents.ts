// Why this file exists: what a conversation has to know of the Contents in its thread. They are read
// here, never written anew: only new ones are made.
import { stopped, type CallState, type ToolCall } from '../tools/toolbox.js';
import type { Json } from '../types.js';

interface Content {
  role: string | undefined;
  parts: { [key: string]: Json }[];
}

function read(content: Uint8Array): Content {
  const { role, parts } = JSON.parse(new TextDecoder().decode(content));
  return { role, parts: Array.isArray(parts) ? parts : [] };
}

/** The functionCalls of a Content that a model wrote, in order; none for any other Content. */
export function callsOf(content: Uint8Array): ToolCall[] {
  const { role, parts } = read(content);
  const calls = parts.map((part) => Object(part['functionCall'] ?? part['function_call']));
  return calls
    .filter(({ name }) => role === 'model' && typeof name === 'string')
    .map(({ id, name, args }) => ({ ...(id ? { id } : {}), name, args: args ?? {} }));
}

/** The text of a user Content that is nothing but one text. */
export function userText(content: Uint8Array): string | undefined {
  const { role, parts } = read(content);
  const text = role === 'user' && parts.length === 1 ? parts[0]?.['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

// A lone surrogate is no text; the API refuses its escape.
const wellFormed = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replace(/\p{Cs}/gu, '\uFFFD') : value;

const userContent = (parts: object[]) => JSON.stringify({ role: 'user', parts }, wellFormed);

/** A user Content of one text, as JSON. */
export function textContent(text: string): string {
  return userContent([{ text }]);
}

/** The one user Content that answers a model's calls, in their order and with their ids, as JSON. */
export function resultsContent(step: CallState[]): string {
  return userContent(
    step.map(({ call: { id, name }, response = stopped }) => ({
      functionResponse: { ...(id === undefined ? {} : { id }), name, response },
    })),
  );
}
