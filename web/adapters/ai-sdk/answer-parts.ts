// Turns the events of one answer into the AI SDK's stream parts. A text streams as it comes. Calls wait for the end of
// the answer: only then is it complete, accepted, and known with its signatures, and nothing runs before.
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { Content, Part } from '../../sdk/types/gemini/contents.js';
import type { GenerateContentResponse, UsageMetadata } from '../../sdk/types/gemini/response.js';
import type { AnswerEvent } from '../../sdk/types/response.js';
import { blocksOf, metadataOf } from './turn-metadata.js';

type StreamPart = LanguageModelV4StreamPart;
type Kind = 'text' | 'reasoning' | 'call' | 'file' | 'reasoning-file' | 'other';

/** A part of the answer that is not yet passed on in full. */
interface Pending {
  kind: Kind;
  /** What is left to pass on, with the metadata that is known at the end. */
  parts: (metadata: SharedV4ProviderMetadata | undefined) => StreamPart[];
}

const withMetadata = (providerMetadata: SharedV4ProviderMetadata | undefined) =>
  providerMetadata && { providerMetadata };

function codeParts(part: Part, id: string, isDeclared: boolean): StreamPart[] {
  const { executableCode, codeExecutionResult } = part;
  const call = {
    toolCallId: id,
    toolName: 'code_execution',
    ...(!isDeclared && { dynamic: true }),
  };
  if (executableCode) {
    const input = JSON.stringify(executableCode);
    return [{ type: 'tool-call', ...call, input, providerExecuted: true }];
  }
  const { outcome = '', output = '' } = codeExecutionResult ?? {};
  return [{ type: 'tool-result', ...call, result: { outcome, output } }];
}

/** Collects one answer. */
export class AnswerParts {
  readonly #declared: ReadonlySet<string>;
  readonly #kinds: Kind[] = [];
  #pending: Pending[] = [];
  /** The text that grows. Behind a call it is held back, so that the parts stay in order. */
  #open: { kind: 'text' | 'reasoning'; id: string; held?: { text: string } } | undefined;
  #hasCalls = false;
  #codeId = '';
  #count = 0;

  /** `declared`: the names of the tools of the request. */
  constructor(declared: ReadonlySet<string>) {
    this.#declared = declared;
  }

  /** Returns what the events make known. */
  take(events: readonly AnswerEvent[]): StreamPart[] {
    return events.flatMap((event) => {
      switch (event.type) {
        case 'text':
          return this.#text('text', event.text);
        case 'thought':
          return this.#text('reasoning', event.text);
        case 'functionCall':
          this.#call(event);
          return [];
        case 'part':
          return this.#part(event.part);
        default:
          return [];
      }
    });
  }

  /**
   * Returns the rest of a complete answer. `turn`: the turn as it was kept; undefined if there is none to send back.
   */
  end(turn: { json: string; content: Content } | undefined): StreamPart[] {
    const blocks = turn ? blocksOf(turn.content) : [];
    const seen = this.#kinds.filter((kind) => kind !== 'other');
    const isAligned = seen.join() === blocks.map(({ kind }) => kind).join();
    const last = this.#pending.at(-1);
    let block = seen.length - this.#pending.filter(({ kind }) => kind !== 'other').length;
    const parts = this.#pending.flatMap((pending) => {
      const { signature } = (isAligned && pending.kind !== 'other' && blocks[block++]) || {};
      const json = pending === last ? turn?.json : undefined;
      return pending.parts(metadataOf(signature, json));
    });
    this.#pending = [];
    return parts;
  }

  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  #text(kind: 'text' | 'reasoning', delta: string): StreamPart[] {
    if (delta === '') return [];
    const open = this.#open;
    if (open?.kind === kind) {
      if (!open.held) return [{ type: `${kind}-delta`, id: open.id, delta }];
      open.held.text += delta;
      return [];
    }
    const passed = this.#begin();
    const id = String(this.#count++);
    const start: StreamPart = { type: `${kind}-start`, id };
    const held = this.#hasCalls ? { text: delta } : undefined;
    this.#open = { kind, id, ...(held && { held }) };
    this.#hold(kind, (metadata) => [
      ...(held ? [start, { type: `${kind}-delta` as const, id, delta: held.text }] : []),
      { type: `${kind}-end`, id, ...withMetadata(metadata) },
    ]);
    return held ? [] : [...passed, start, { type: `${kind}-delta`, id, delta }];
  }

  #call({ name, id, args }: Extract<AnswerEvent, { type: 'functionCall' }>): void {
    this.#open = undefined;
    this.#hasCalls = true;
    const call = { toolCallId: id ?? crypto.randomUUID(), toolName: name };
    const input = JSON.stringify(args);
    this.#hold('call', (metadata) => [
      { type: 'tool-call', ...call, input, ...withMetadata(metadata) },
    ]);
  }

  #part(part: Part): StreamPart[] {
    const { inlineData, executableCode, codeExecutionResult, thought, thoughtSignature } = part;
    // The others, such as an empty text with a signature, are seen in the turn only.
    if (!inlineData && !executableCode && !codeExecutionResult) return [];
    const passed = this.#begin();
    if (inlineData) {
      const type = thought ? 'reasoning-file' : 'file';
      const { mimeType: mediaType = 'application/octet-stream', data = '' } = inlineData;
      const file = { type, mediaType, data: { type: 'data', data } } as const;
      const own = metadataOf(thoughtSignature);
      this.#hold(type, (metadata) => [{ ...file, ...withMetadata(metadata ?? own) }]);
    } else {
      if (executableCode) this.#codeId = executableCode.id ?? crypto.randomUUID();
      const parts = codeParts(part, this.#codeId, this.#declared.has('code_execution'));
      this.#hold('other', (metadata) =>
        parts.map((each) => ({ ...each, ...withMetadata(metadata) })),
      );
    }
    return passed;
  }

  // A part that follows completes those before it, unless one of them is a call.
  #begin(): StreamPart[] {
    this.#open = undefined;
    if (this.#hasCalls) return [];
    const passed = this.#pending.flatMap(({ parts }) => parts(undefined));
    this.#pending = [];
    return passed;
  }

  #hold(kind: Kind, parts: Pending['parts']): void {
    this.#kinds.push(kind);
    this.#pending.push({ kind, parts });
  }
}

/** Returns the pages and documents that ground an answer. */
export function sourcesOf({ candidates = [] }: GenerateContentResponse): LanguageModelV4Source[] {
  const chunks = candidates.flatMap(
    ({ groundingMetadata }) => groundingMetadata?.groundingChunks ?? [],
  );
  const sources = chunks.flatMap(({ web, maps, retrievedContext }): LanguageModelV4Source[] => {
    const { uri: url, title } = { ...retrievedContext, ...maps, ...web };
    const id = crypto.randomUUID();
    if (url !== undefined)
      return [
        { type: 'source', sourceType: 'url', id, url, ...(title !== undefined && { title }) },
      ];
    if (title === undefined) return [];
    return [{ type: 'source', sourceType: 'document', id, mediaType: 'text/plain', title }];
  });
  const keyOf = (source: LanguageModelV4Source) =>
    source.sourceType === 'url' ? source.url : source.title;
  return [...new Map(sources.map((source) => [keyOf(source), source])).values()];
}

const reasons: Record<string, LanguageModelV4FinishReason['unified']> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  ...Object.fromEntries(
    ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY']
      .concat(['IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'LANGUAGE'])
      .map((name) => [name, 'content-filter' as const]),
  ),
};

/** Returns a finishReason with the AI SDK's word for it. */
export function finishReasonOf(raw: string, hasCalls: boolean): LanguageModelV4FinishReason {
  const unified = reasons[raw] ?? 'other';
  return { unified: unified === 'stop' && hasCalls ? 'tool-calls' : unified, raw };
}

/** Returns token counts in the AI SDK's form. */
export function usageOf(usage: UsageMetadata): LanguageModelV4Usage {
  const { promptTokenCount, toolUsePromptTokenCount = 0, cachedContentTokenCount = 0 } = usage;
  const { candidatesTokenCount, thoughtsTokenCount } = usage;
  const input =
    promptTokenCount === undefined ? undefined : promptTokenCount + toolUsePromptTokenCount;
  const isCounted = candidatesTokenCount !== undefined || thoughtsTokenCount !== undefined;
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - cachedContentTokenCount,
      cacheRead: input === undefined ? undefined : cachedContentTokenCount,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: isCounted ? (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0) : undefined,
      text: candidatesTokenCount,
      reasoning: thoughtsTokenCount,
    },
    raw: { ...usage } as NonNullable<LanguageModelV4Usage['raw']>,
  };
}

const closed = ['text', 'reasoning'] as const;

/** Returns the contents of an answer that was streamed in these parts. */
export function contentsOf(parts: readonly StreamPart[]): LanguageModelV4Content[] {
  const contents: LanguageModelV4Content[] = [];
  const texts = new Map<string, Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>>();
  for (const part of parts) {
    const type = closed.find((kind) => part.type.startsWith(`${kind}-`) && 'id' in part);
    if (type && 'id' in part && part.id !== undefined) {
      const text = texts.get(part.id) ?? { type, text: '' };
      if (!texts.has(part.id)) contents.push(text);
      texts.set(part.id, text);
      if ('delta' in part) text.text += part.delta;
      if ('providerMetadata' in part) Object.assign(text, withMetadata(part.providerMetadata));
    } else if (isContent(part)) contents.push(part);
  }
  return contents;
}

const contentTypes = ['file', 'reasoning-file', 'tool-call', 'tool-result', 'source'];
const isContent = (part: StreamPart): part is Extract<StreamPart, LanguageModelV4Content> =>
  contentTypes.includes(part.type);
