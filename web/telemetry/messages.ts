// Writes contents of either API in the form of OpenTelemetry's GenAI messages:
// https://github.com/open-telemetry/semantic-conventions-genai/blob/v0.1.0/docs/gen-ai/gen-ai-spans.md
import { isObject, textOf, type JsonFields } from '../sdk/internal/json.js';

interface Message {
  role: string;
  parts: JsonFields[];
}

const listOf = (value: unknown): JsonFields[] =>
  (Array.isArray(value) ? (value as unknown[]) : isObject(value) ? [value] : []).filter(isObject);
const roles: Record<string, string> = { model: 'assistant' };
const modalityOf = (mimeType: unknown) => textOf(mimeType).split('/')[0];

// A file by its name: its bytes are no telemetry.
const fileOf = (mimeType: unknown, uri: unknown): JsonFields => ({
  ...{ type: uri === undefined ? 'blob' : 'uri', modality: modalityOf(mimeType) },
  ...{ mime_type: mimeType, ...(uri === undefined ? { content: '' } : { uri }) },
});

function partOf(part: JsonFields): JsonFields {
  const { text, thought, functionCall, functionResponse, inlineData, fileData } = part;
  if (typeof text === 'string') return { type: thought ? 'reasoning' : 'text', content: text };
  if (isObject(functionCall)) {
    const { id, name, args } = functionCall;
    return { type: 'tool_call', id: id ?? null, name, arguments: args };
  }
  if (isObject(functionResponse)) {
    const { id, response } = functionResponse;
    return { type: 'tool_call_response', id: id ?? null, response };
  }
  if (isObject(inlineData)) return fileOf(inlineData['mimeType'], undefined);
  if (isObject(fileData)) return fileOf(fileData['mimeType'], fileData['fileUri']);
  return { type: Object.keys(part).find((name) => name !== 'thoughtSignature') ?? 'unknown' };
}

function messageOfContent({ role, parts }: JsonFields): Message {
  const list = listOf(parts).map(partOf);
  const isTool = list.length > 0 && list.every(({ type }) => type === 'tool_call_response');
  const name = typeof role === 'string' ? role : 'user';
  return { role: isTool ? 'tool' : (roles[name] ?? name), parts: list };
}

function partOfBlock({ type, text, mime_type, uri }: JsonFields): JsonFields {
  return type === 'text' ? { type, content: text } : fileOf(mime_type, uri);
}

function messageOfStep(step: JsonFields): Message {
  const { type, content, summary, id, name, arguments: args, call_id, result } = step;
  if (type === 'user_input' || type === 'model_output') {
    const parts =
      typeof content === 'string' ? [{ type: 'text', content }] : listOf(content).map(partOfBlock);
    return { role: type === 'user_input' ? 'user' : 'assistant', parts };
  }
  if (type === 'function_result')
    return { role: 'tool', parts: [{ type: 'tool_call_response', id: call_id, response: result }] };
  if (type === 'function_call')
    return { role: 'assistant', parts: [{ type: 'tool_call', id, name, arguments: args }] };
  if (type === 'thought') {
    const parts = listOf(summary).map(({ text }) => ({ type: 'reasoning', content: text ?? '' }));
    return { role: 'assistant', parts };
  }
  return { role: 'assistant', parts: [{ type }] };
}

/** Returns the messages of Contents, of steps, or of one of them. */
export function messagesOf(turns: unknown): Message[] {
  if (typeof turns === 'string')
    return [{ role: 'user', parts: [{ type: 'text', content: turns }] }];
  return listOf(turns)
    .map((turn) => ('parts' in turn ? messageOfContent(turn) : messageOfStep(turn)))
    .filter(({ parts }) => parts.length > 0);
}

/** Returns one message of the model: an answer that came as a Content or as steps. */
export function answerOf(turn: unknown, finishReason: string): JsonFields {
  const parts = messagesOf(turn).flatMap((message) => message.parts);
  return { role: 'assistant', parts, finish_reason: finishReason };
}

/** Returns the instructions of a request. */
export function instructionsOf({
  systemInstruction,
  system_instruction,
}: JsonFields): JsonFields[] {
  if (typeof system_instruction === 'string')
    return [{ type: 'text', content: system_instruction }];
  return isObject(systemInstruction) ? listOf(systemInstruction['parts']).map(partOf) : [];
}
