// Why this file exists: what a conversation has to know of the Contents in its thread. They are read
// here, never written anew: only new ones are made.
import type { ToolCall } from '../types/tool.js';
import type { Json, JsonInput } from '../types/json.js';
import { decodeUtf8 } from './utf8.js';

/** A Content as far as a conversation looks into it. */
export interface Content {
  role: string | undefined;
  parts: { [key: string]: Json }[];
}

const isObject = (value: unknown): value is Content['parts'][number] =>
  typeof value === 'object' && value !== null;

/** Reads a Content; null is one without parts. */
export function readContent(content: Uint8Array | null): Content {
  if (!content) return { role: undefined, parts: [] };
  const { role, parts } = JSON.parse(decodeUtf8(content));
  // What is no Part says nothing; the thread refuses it.
  return { role, parts: Array.isArray(parts) ? parts.filter(isObject) : [] };
}

/** Whether this, with which someone wants to speak to the model, is the model's own Content. */
export function isOfModel(input: JsonInput): boolean {
  if (typeof input !== 'object' || input === null) return false;
  if (!(input instanceof Uint8Array)) return 'role' in input && input.role === 'model';
  try {
    return readContent(input).role === 'model';
  } catch {
    return false;
  }
}

/** The functionCalls of a Content that a model wrote, in order; none for any other Content. */
export function callsIn({ role, parts }: Content): ToolCall[] {
  const calls = parts.map((part) => Object(part['functionCall'] ?? part['function_call']));
  return calls
    .filter(({ name }) => role === 'model' && typeof name === 'string')
    .map(({ id, name, args }) => ({ ...(id ? { id } : {}), name, args: args ?? {} }));
}

/** What a Content says: its texts, thoughts aside. */
export function spokenText({ parts }: Content): string {
  const spoken = parts.filter((part) => part['thought'] !== true);
  return spoken.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

/** Whether a Content holds nothing that a model or a user would miss: unsigned texts without characters. */
export function isBlank({ parts }: Content): boolean {
  return parts.every((part) => part['text'] === '' && !('thoughtSignature' in part));
}

/** Whether a user Content answers calls. */
export function hasResults(content: Uint8Array): boolean {
  return readContent(content).parts.some(
    (part) => (part['functionResponse'] ?? part['function_response']) !== undefined,
  );
}

/** The text of a user Content that is nothing but one text. */
export function userText(content: Uint8Array): string | undefined {
  const { role, parts } = readContent(content);
  const text = role === 'user' && parts.length === 1 ? parts[0]?.['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

// A lone surrogate is no text; the API refuses its escape, in names as well.
const lone = /\p{Cs}/gu;
const mended = (text: string) => text.replace(lone, '\uFFFD');

function wellFormed(_: string, value: unknown): unknown {
  if (typeof value === 'string') return mended(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => mended(name) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [mended(name), held]));
}

/** A user Content with these Parts, as JSON; a lone surrogate in a text becomes U+FFFD. */
export const userContent = (parts: object[]) => JSON.stringify({ role: 'user', parts }, wellFormed);

/** A user Content of one text, as JSON. */
export function textContent(text: string): string {
  return userContent([{ text }]);
}
