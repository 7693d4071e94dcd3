// Converts between the messages of a page that uses the AI SDK and those of a conversation.
import type { Content, Part, PartInput } from '../../sdk/types/gemini/contents.js';
import * as must from '../../sdk/internal/options.js';

/** A part of a page's message. The AI SDK's `UIMessagePart` has more. */
export type UIPart =
  | { type: 'text' | 'reasoning'; text: string; state?: 'done' }
  | { type: 'file'; mediaType: string; url: string; filename?: string }
  | { type: 'step-start' }
  | ({ type: 'dynamic-tool'; toolCallId: string; toolName: string; input: unknown } & UIToolState);

/** What became of a call. */
export type UIToolState =
  | { state: 'input-available' }
  | { state: 'output-available'; output: unknown }
  | { state: 'output-error'; errorText: string };

/** A message of a page, which the AI SDK's `useChat` takes in `messages`. */
export interface UIChatMessage {
  id: string;
  role: 'user' | 'assistant';
  parts: UIPart[];
}

/** A message as a page sends it: the AI SDK's `UIMessage`, or what is left of it in JSON. */
export interface GivenUIMessage {
  parts: readonly { type: string }[];
}

const dataUrl = /^data:([^;,]+);base64,(.*)$/s;

function filePartOf(mimeType: string, url: string): PartInput {
  const inline = dataUrl.exec(url);
  if (!inline) return { fileData: { mimeType, fileUri: url } };
  return { inlineData: { mimeType: inline[1] ?? mimeType, data: inline[2] ?? '' } };
}

/**
 * Returns a page's message as one for `Conversation.stream` and `RemoteThread.stream`: its texts and files.
 *
 * @throws StrataError `field.invalid` for what is no message, and for one without a text or a file
 *
 * @example
 * const { messages } = await request.json();
 * return chat.stream(messageOf(messages.at(-1))).toUIMessageResponse();
 */
export function messageOf(message: GivenUIMessage): PartInput[] {
  must.object(message, '/message');
  must.arrayOf(must.object)(message.parts, '/message/parts');
  const parts = message.parts.flatMap((part): PartInput[] => {
    const { text, url, mediaType } = part as { text?: string; url?: string; mediaType?: string };
    if (part.type === 'text' && text) return [{ text }];
    if (part.type !== 'file' || url === undefined) return [];
    return [filePartOf(mediaType ?? '', url)];
  });
  if (parts.length > 0) return parts;
  throw must.invalidOption('/message/parts', 'parts of which one is a text or a file');
}

/** Collects the messages of a history. */
class Messages {
  readonly all: UIChatMessage[] = [];
  /** The calls without a result, in their order. */
  #open: Extract<UIPart, { type: 'dynamic-tool' }>[] = [];

  add({ role, parts = [] }: Content): void {
    if (role === 'model') return this.#answer(parts);
    const others = parts.filter((part) => !part.functionResponse);
    for (const { functionResponse } of parts) if (functionResponse) this.#result(functionResponse);
    const shown = others.flatMap((part) => shownPart(part));
    if (shown.length > 0) this.#message('user').parts.push(...shown);
  }

  #answer(parts: readonly Part[]): void {
    const last = this.all.at(-1);
    const message = last?.role === 'assistant' ? last : this.#message('assistant');
    message.parts.push({ type: 'step-start' });
    for (const part of parts) {
      const { functionCall: call } = part;
      if (!call) message.parts.push(...shownPart(part));
      else {
        const toolCallId = call.id ?? `${this.all.length}-${message.parts.length}`;
        const open = {
          ...{ type: 'dynamic-tool' as const, toolCallId, toolName: call.name ?? '' },
          ...{ input: call.args ?? {}, state: 'input-available' as const },
        };
        this.#open.push(open);
        message.parts.push(open);
      }
    }
  }

  #result({ id, name, response = {} }: NonNullable<Part['functionResponse']>): void {
    const isOf = ({ toolCallId, toolName }: { toolCallId: string; toolName: string }) =>
      id === undefined ? toolName === name : toolCallId === id;
    const call = this.#open.find(isOf);
    if (!call) return;
    this.#open = this.#open.filter((open) => open !== call);
    const { error, output = response } = response;
    const state: UIToolState =
      error === undefined
        ? { state: 'output-available', output }
        : {
            state: 'output-error',
            errorText: typeof error === 'string' ? error : JSON.stringify(error),
          };
    Object.assign(call, state);
  }

  #message(role: UIChatMessage['role']): UIChatMessage {
    const message: UIChatMessage = { id: String(this.all.length), role, parts: [] };
    this.all.push(message);
    return message;
  }
}

function shownPart({ text, thought, inlineData, fileData }: Part): UIPart[] {
  if (inlineData) {
    const { mimeType: mediaType = '', data = '' } = inlineData;
    return [{ type: 'file', mediaType, url: `data:${mediaType};base64,${data}` }];
  }
  if (fileData)
    return [{ type: 'file', mediaType: fileData.mimeType ?? '', url: fileData.fileUri ?? '' }];
  if (!text) return [];
  return [{ type: thought ? 'reasoning' : 'text', text, state: 'done' }];
}

/**
 * Returns a history as the messages that `useChat` starts with, for example after a reload. They are for display: the
 * conversation, and not the page, keeps the history with its signatures.
 *
 * @throws StrataError `field.invalid` for what is no list of Contents
 *
 * @example
 * const messages = uiMessagesOf(chat.history);
 */
export function uiMessagesOf(history: readonly Content[]): UIChatMessage[] {
  must.arrayOf(must.object)(history, '/history');
  const messages = new Messages();
  for (const content of history) messages.add(content);
  return messages.all;
}
