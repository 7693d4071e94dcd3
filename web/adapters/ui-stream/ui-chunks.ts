// Turns the events of a conversation into chunks of the AI SDK's UI message stream:
// https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol#data-stream-protocol
import type { ConversationEvent } from '../../sdk/types/conversation-event.js';
import type { GroundingMetadata } from '../../sdk/types/gemini/response.js';
import type { ToolCall } from '../../sdk/types/tool.js';

/** Why a message ended, in the AI SDK's words. */
export type UIFinishReason =
  'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** A chunk of a UI message stream, as this package writes it. The AI SDK's `UIMessageChunk` has more kinds. */
export type UIChunk =
  | { type: 'start' | 'start-step' | 'finish-step' | 'reset-step' | 'abort' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'file'; url: string; mediaType: string }
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | ({ type: 'tool-input-available'; input: unknown } & UITool)
  | ({ type: 'tool-output-available'; output: unknown } & Omit<UITool, 'toolName'>)
  | ({ type: 'tool-output-error'; errorText: string } & Omit<UITool, 'toolName'>)
  | { type: 'error'; errorText: string }
  | { type: 'finish'; finishReason: UIFinishReason };

/** Which call a chunk is about. `dynamic`: the page need not know the tool. */
export interface UITool {
  toolCallId: string;
  toolName: string;
  dynamic: true;
}

const blocking = [
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
];

function finishReasonOf(reason: string): UIFinishReason {
  if (reason === 'STOP') return 'stop';
  if (reason === 'MAX_TOKENS') return 'length';
  if (reason === 'MAX_TOOL_ROUNDS' || reason === 'TOOL_CALL_LOOP') return 'tool-calls';
  return blocking.includes(reason) ? 'content-filter' : 'other';
}

const keyOf = ({ id, name, args }: ToolCall) => id ?? JSON.stringify([name, args]);

/**
 * An event. Those of a thread that a Worker keeps are more; they say which call they are about, and repeat calls that
 * are open.
 */
type Event = (
  ConversationEvent | { type: 'sent' | 'resumed' | 'stored' | 'failed' | 'waiting' }
) & {
  callId?: string;
};

/**
 * Returns the code of an error; undefined for the reason of an abort. The class is not imported: what this file shares
 * with the rest would become a file of its own, which every page had to load.
 */
export function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Writes the chunks of one message. */
export class UIChunks {
  #open: { kind: 'text' | 'reasoning'; id: string } | undefined;
  #count = 0;
  #isInStep = false;
  /** Whether nothing of the step's answer is there, so that another request is about the same one. */
  #isFresh = false;
  #isOver = false;
  readonly #calls = new Map<string, string[]>();
  readonly #sources = new Set<string>();

  /** Returns the chunks of an event. */
  take(event: Event): UIChunk[] {
    switch (event.type) {
      case 'request':
        return event.purpose === 'answer' ? this.#step() : [];
      case 'text':
        return this.#text('text', event.text);
      case 'thought':
        return this.#text('reasoning', event.text);
      case 'part': {
        const { mimeType: mediaType = '', data = '' } = event.part.inlineData ?? {};
        if (data === '') return [];
        return [
          ...this.#close(),
          { type: 'file', url: `data:${mediaType};base64,${data}`, mediaType },
        ];
      }
      case 'metadata':
        return this.#found(event.metadata.groundingMetadata);
      case 'toolCall':
        return [...this.#close(), ...this.#call(event.call, event.callId)];
      case 'toolResult':
        return [this.#result(event.call, event.callId, event.response)];
      case 'fault':
        // The page discards what it has of this answer, which may be requested again.
        this.#open = undefined;
        this.#isFresh = true;
        return [{ type: 'reset-step' }];
      case 'done':
        return this.#finish(finishReasonOf(event.finishReason));
      default:
        return [];
    }
  }

  /** Returns the last chunks. Calls that tools left open end an answer without `done`. */
  end(): UIChunk[] {
    return this.#isOver ? [] : this.#finish('tool-calls');
  }

  /** Returns the chunks that say why there is no more. Messages of errors may quote the request, so they are left out. */
  fail(error: unknown): UIChunk[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    const code = codeOf(error);
    if (code === undefined) return [...this.#close(), { type: 'abort' }];
    return [...this.#close(), { type: 'error', errorText: code }];
  }

  #step(): UIChunk[] {
    if (this.#isInStep && this.#isFresh) return [];
    const closed: UIChunk[] = this.#isInStep ? [...this.#close(), { type: 'finish-step' }] : [];
    this.#isInStep = this.#isFresh = true;
    return [...closed, { type: 'start-step' }];
  }

  #text(kind: 'text' | 'reasoning', delta: string): UIChunk[] {
    if (this.#open?.kind === kind) return [{ type: `${kind}-delta`, id: this.#open.id, delta }];
    const closed = this.#close();
    const id = String(this.#count++);
    this.#open = { kind, id };
    this.#isFresh = false;
    return [...closed, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta }];
  }

  #close(): UIChunk[] {
    if (!this.#open) return [];
    const { kind, id } = this.#open;
    this.#open = undefined;
    return [{ type: `${kind}-end`, id }];
  }

  #call(call: ToolCall, callId: string | undefined): UIChunk[] {
    this.#isFresh = false;
    if (callId !== undefined && this.#calls.has(callId)) return [];
    const key = callId ?? keyOf(call);
    const toolCallId = call.id ?? callId ?? crypto.randomUUID();
    this.#calls.set(key, [...(this.#calls.get(key) ?? []), toolCallId]);
    const tool = { toolCallId, toolName: call.name, dynamic: true } as const;
    return [{ type: 'tool-input-available', ...tool, input: call.args }];
  }

  #result(
    call: ToolCall,
    callId: string | undefined,
    { output, error }: { output?: unknown; error?: string },
  ): UIChunk {
    // Equal calls without an id are told apart by their order.
    const known = this.#calls.get(callId ?? keyOf(call)) ?? [];
    const toolCallId = (known.length > 1 ? known.shift() : known[0]) ?? keyOf(call);
    if (error !== undefined)
      return { type: 'tool-output-error', toolCallId, errorText: error, dynamic: true };
    return { type: 'tool-output-available', toolCallId, output: output ?? null, dynamic: true };
  }

  #found(grounding: GroundingMetadata | undefined): UIChunk[] {
    return (grounding?.groundingChunks ?? []).flatMap(
      ({ web, maps, retrievedContext }): UIChunk[] => {
        const { uri: url, title } = { ...retrievedContext, ...maps, ...web };
        if (url === undefined || this.#sources.has(url)) return [];
        this.#sources.add(url);
        return [{ type: 'source-url', sourceId: url, url, ...(title !== undefined && { title }) }];
      },
    );
  }

  #finish(finishReason: UIFinishReason): UIChunk[] {
    this.#isOver = true;
    return [...this.#close(), { type: 'finish-step' }, { type: 'finish', finishReason }];
  }
}
