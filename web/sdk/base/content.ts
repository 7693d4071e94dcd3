// Reads the Contents of a thread for a conversation, and creates new user Contents. An existing Content is never
// serialized again.
import type { ToolCall } from '../types/tool.js';
import type { Json, JsonInput } from '../types/json.js';
import { decodeUtf8 } from './utf8.js';

/** The parsed form of a Content. */
export interface Content {
  role: string | undefined;
  parts: { [key: string]: Json }[];
}

const isObject = (value: unknown): value is Content['parts'][number] =>
  typeof value === 'object' && value !== null;

/** Parses a Content; null is a Content without parts. */
export function readContent(content: Uint8Array | null): Content {
  if (!content) return { role: undefined, parts: [] };
  const { role, parts } = JSON.parse(decodeUtf8(content));
  // A Part that is not an object is skipped here; the thread rejects it.
  // ProtoJSON takes a single object for a list of one.
  return { role, parts: [parts].flat().filter(isObject) };
}

/** Returns whether `input`, which a caller wants to send, is a Content with the role `model`. */
export function isModelContent(input: JsonInput): boolean {
  if (typeof input !== 'object' || input === null) return false;
  if (!(input instanceof Uint8Array)) return 'role' in input && input.role === 'model';
  try {
    return readContent(input).role === 'model';
  } catch {
    return false;
  }
}

/**
 * Returns the functionCalls of a model's Content that it does not answer itself, in order; an empty array for any
 * other Content. Where Google ran a call (server-side MCP), its functionResponse stands in the same Content.
 */
export function functionCallsIn({ role, parts }: Content): ToolCall[] {
  const open: ToolCall[] = [];
  for (const part of role === 'model' ? parts : []) {
    const { id, name, args } = Object(part['functionCall'] ?? part['function_call']);
    if (typeof name === 'string') open.push({ ...(id ? { id } : {}), name, args: args ?? {} });
    const response = Object(part['functionResponse'] ?? part['function_response']);
    const answered = open.findIndex(
      (call) => call.name === response.name && call.id === (response.id || undefined),
    );
    if (answered >= 0) open.splice(answered, 1);
  }
  return open;
}

/** Returns the texts of a Content, joined, without thoughts. */
export function spokenText({ parts }: Content): string {
  const visible = parts.filter((part) => part['thought'] !== true);
  return visible.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

/** Returns whether a Content holds nothing but empty texts without a thoughtSignature. */
export function isBlank({ parts }: Content): boolean {
  return parts.every((part) => part['text'] === '' && !('thoughtSignature' in part));
}

/** Returns whether a Content holds functionResponses. */
export function hasFunctionResponses(content: Uint8Array): boolean {
  return readContent(content).parts.some(
    (part) => (part['functionResponse'] ?? part['function_response']) !== undefined,
  );
}

/** Returns the text of a user Content whose only Part is a text; otherwise undefined. */
export function userText(content: Uint8Array): string | undefined {
  const { role, parts } = readContent(content);
  const text = role === 'user' && parts.length === 1 ? parts[0]?.['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

// The API rejects a lone surrogate in strings and in names, also if it is escaped.
const loneSurrogate = /\p{Cs}/gu;
const toWellFormed = (text: string) => text.replace(loneSurrogate, '\uFFFD');

function wellFormedReplacer(_: string, value: unknown): unknown {
  if (typeof value === 'string') return toWellFormed(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => toWellFormed(name) === name)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, member]) => [toWellFormed(name), member]));
}

/** Returns a user Content with these Parts, as JSON. A lone surrogate becomes U+FFFD. */
export const userContent = (parts: object[]) =>
  JSON.stringify({ role: 'user', parts }, wellFormedReplacer);

/** Returns a user Content with one text, as JSON. */
export function textContent(text: string): string {
  return userContent([{ text }]);
}
