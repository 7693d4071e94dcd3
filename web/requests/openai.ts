// Reads OpenAI messages: finds out that a text holds them, and converts them into a Gemini request.
import type { Checker, Diagnostic, ImportOptions } from '../check/index.js';
import { joinBytes } from '../sdk/internal/bytes.js';
import { isObject, type JsonFields } from '../sdk/internal/json.js';

const isMessage = (value: unknown): value is JsonFields =>
  isObject(value) && 'role' in value && ('content' in value || 'tool_calls' in value);

/** Returns the JSON Pointer of the OpenAI messages in a parsed body: `''`, `/messages`, or undefined if it has none. */
export function messagesPath(value: unknown): string | undefined {
  const isHistory = (list: unknown) =>
    Array.isArray(list) && list.length > 0 && list.every(isMessage);
  if (isHistory(value)) return '';
  if (isObject(value) && !('contents' in value) && isHistory(value['messages'])) return '/messages';
  return undefined;
}

/** A history as a Gemini request. */
export interface ConvertedMessages {
  body: Uint8Array;
  /** The messages that each Content was made from, if that is known. */
  messages: number[][] | undefined;
  /** What the conversion changed, with paths into the messages. */
  diagnostics: Diagnostic[];
}

const encoder = new TextEncoder();

// Returns which messages become one Content: results follow each other, and so do the model's messages.
function groupsOf(messages: readonly JsonFields[]): number[][] {
  const groups: number[][] = [];
  let previous: unknown = 'system';
  for (const [index, { role }] of messages.entries()) {
    const isSystem = role === 'system' || role === 'developer';
    if (isSystem && groups.length === 0) continue;
    const joins = role === previous && role !== 'user' && !isSystem;
    if (joins) groups.at(-1)?.push(index);
    else groups.push([index]);
    previous = role;
  }
  return groups;
}

// OpenAI's tools are `{type: 'function', function: {name, description, parameters}}`.
function toolsOf(value: JsonFields): JsonFields {
  const { tools } = value;
  if (!Array.isArray(tools)) return {};
  const functionDeclarations = tools.flatMap((tool: unknown) => {
    const declared = isObject(tool) ? tool['function'] : undefined;
    if (!isObject(declared)) return [];
    const { name, description, parameters } = declared;
    return [
      {
        name,
        ...(description === undefined ? {} : { description }),
        ...(parameters === undefined ? {} : { parametersJsonSchema: parameters }),
      },
    ];
  });
  return functionDeclarations.length > 0 ? { tools: [{ functionDeclarations }] } : {};
}

/**
 * Converts a body with OpenAI messages, or the messages alone.
 *
 * @throws HistoryError if they cannot be read
 */
export function convertMessages(
  checker: Checker,
  body: Uint8Array,
  value: unknown,
  options: ImportOptions,
): ConvertedMessages {
  const messages = (
    Array.isArray(value) ? value : (value as JsonFields)['messages']
  ) as JsonFields[];
  const imported = checker.import(body, { ...options, format: 'openai' });
  const { contents, contentsJson, systemText, diagnostics } = imported;
  const systemInstruction = systemText
    ? { systemInstruction: { parts: [{ text: systemText }] } }
    : {};
  const fields = { ...systemInstruction, ...(isObject(value) ? toolsOf(value) : {}) };
  const members = Object.entries(fields).map(([name, member]) =>
    encoder.encode(`"${name}":${JSON.stringify(member)},`),
  );
  const groups = groupsOf(messages);
  // The request has them, and is judged for the model.
  const kept = ['/model', ...('tools' in fields ? ['/tools'] : [])];
  const isKept = ({ code, path }: Diagnostic) =>
    code === 'import.system_text' || (code === 'import.left_out' && kept.includes(path));
  return {
    body: joinBytes([
      encoder.encode('{'),
      ...members,
      encoder.encode('"contents":'),
      contentsJson,
      encoder.encode('}'),
    ]),
    messages: groups.length === contents.length ? groups : undefined,
    diagnostics: diagnostics.filter((found) => !isKept(found)),
  };
}
