// Appends the prompt that the AI SDK hands over to a thread. An answer of this provider comes back as the bytes that the
// API sent; what the caller or another provider has written or changed becomes a new Content.
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { HistoryError, StrataError } from '../../sdk/internal/errors.js';
import { parseDocument } from '../../sdk/internal/bytes.js';
import type { Content, Part, PartInput } from '../../sdk/types/gemini/contents.js';
import type { Thread } from '../../sdk/types/thread.js';
import { filePart } from './file-parts.js';
import { blocksOf, signatureOf, turnOf, type Block } from './turn-metadata.js';
import { responseOf, type CallName } from './tool-results.js';

type Message<Role extends LanguageModelV4Message['role']> = Extract<
  LanguageModelV4Message,
  { role: Role }
>;
type AssistantPart = Message<'assistant'>['content'][number];

/** What `blocksOf` says of the Content, for the parts of the message. */
function visibleBlock(part: AssistantPart): Block | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text === '' ? undefined : { kind: part.type, text: part.text };
    case 'tool-call':
      return part.providerExecuted ? undefined : { kind: 'call', text: part.toolName };
    case 'file':
    case 'reasoning-file':
      return { kind: part.type, text: '' };
    default:
      return undefined;
  }
}

const keyOf = ({ kind, text }: Block) => `${kind} ${text}`;

/** Returns whether the message still says what the turn says. Arguments are not compared: the SDK's schema may change them. */
function isUnchanged(parts: readonly AssistantPart[], blocks: readonly Block[]): boolean {
  const visible = parts.flatMap((part) => visibleBlock(part) ?? []).map(keyOf);
  return visible.join('\n') === blocks.map(keyOf).join('\n');
}

function partOf(part: AssistantPart, place: string): PartInput | undefined {
  const thoughtSignature = signatureOf(part);
  const signed = thoughtSignature === undefined ? {} : { thoughtSignature };
  switch (part.type) {
    case 'text':
      return part.text === '' && !thoughtSignature ? undefined : { text: part.text, ...signed };
    case 'reasoning':
      return part.text === '' ? undefined : { text: part.text, thought: true, ...signed };
    case 'tool-call': {
      if (part.providerExecuted) return undefined;
      const args = (part.input ?? {}) as NonNullable<Part['functionCall']>['args'];
      return { functionCall: { id: part.toolCallId, name: part.toolName, args: args! }, ...signed };
    }
    case 'file':
      return { ...filePart(part, place), ...signed };
    case 'reasoning-file':
      return { ...filePart(part, place), thought: true, ...signed };
    default:
      return undefined;
  }
}

/** Writes the messages of one prompt into a thread. */
class PromptWriter {
  readonly #thread: Thread;
  readonly #names = new Map<string, CallName>();
  #system: string[] = [];
  /** The results for the calls of the last model turn. */
  #responses: { order: number; part: PartInput }[] = [];

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  write(prompt: LanguageModelV4Prompt): string {
    prompt.forEach((message, index) => {
      const place = `messages[${index}]`;
      if (message.role !== 'tool') this.#flush(place);
      try {
        this.#message(message, place);
      } catch (error) {
        throw placed(error, place);
      }
    });
    this.#flush(`messages[${prompt.length - 1}]`);
    return this.#system.join('\n\n');
  }

  #message(message: LanguageModelV4Message, place: string): void {
    switch (message.role) {
      case 'system':
        if (this.#thread.length > 0) throw lateSystem();
        this.#system.push(message.content);
        return;
      case 'user':
        return this.#user(message, place);
      case 'assistant':
        return this.#assistant(message.content, place);
      case 'tool':
        return this.#results(message, place);
    }
  }

  #user({ content }: Message<'user'>, place: string): void {
    const parts = content.map((part, index) =>
      part.type === 'text' ? { text: part.text } : filePart(part, `${place}.content[${index}]`),
    );
    this.#thread.append({ role: 'user', parts });
  }

  #assistant(parts: readonly AssistantPart[], place: string): void {
    const calls = parts.filter((part) => part.type === 'tool-call' && !part.providerExecuted);
    const turn = parts.flatMap((part) => turnOf(part) ?? []).at(-1);
    const exact = turn === undefined ? undefined : this.#exact(turn, parts);
    const written = exact ? [] : parts.flatMap((part) => partOf(part, place) ?? []);
    if (written.length > 0) this.#thread.append({ role: 'model', parts: written });
    const named = exact?.filter(({ kind }) => kind === 'call');
    calls.forEach((part, order) => {
      if (part.type !== 'tool-call') return;
      const id = named ? named[order]?.id : part.toolCallId;
      this.#names.set(part.toolCallId, { name: part.toolName, id, order });
    });
  }

  /** Appends a turn as it came, unless the message was changed. Returns its blocks. */
  #exact(turn: string, parts: readonly AssistantPart[]): Block[] | undefined {
    const thread = this.#thread;
    const before = thread.length;
    thread.append(turn);
    const content = parseDocument(thread.content(before, 'content')) as Content;
    const blocks = blocksOf(content);
    if (thread.length === before + 1 && isUnchanged(parts, blocks)) return blocks;
    thread.rewind(before);
    return undefined;
  }

  #results({ content }: Message<'tool'>, place: string): void {
    content.forEach((part, index) => {
      if (part.type !== 'tool-result') return;
      const call = this.#names.get(part.toolCallId);
      const given = call ?? { name: part.toolName, id: part.toolCallId, order: Infinity };
      const at = `${place}.content[${index}]`;
      this.#responses.push({ order: given.order, part: responseOf(part, given, at) });
    });
  }

  // All results of a step are one Content, in the order of the calls.
  #flush(place: string): void {
    if (this.#responses.length === 0) return;
    const parts = this.#responses.sort((a, b) => a.order - b.order).map(({ part }) => part);
    this.#responses = [];
    try {
      this.#thread.append({ role: 'user', parts });
    } catch (error) {
      throw placed(error, place);
    }
  }
}

const lateSystem = () =>
  new StrataError(
    'field.invalid',
    'Gemini has no system messages within a conversation. Pass instructions at its start.',
  );

/** Returns a refusal with the place in the AI SDK's messages. */
function placed(error: unknown, place: string): unknown {
  if (!(error instanceof StrataError) || error.message.startsWith('messages[')) return error;
  const Refusal = error instanceof HistoryError ? HistoryError : StrataError;
  return new Refusal(error.code, `${place}: ${error.message}`, error.diagnostics, error);
}

/**
 * Appends a prompt to an empty thread, and returns the text of its system messages.
 *
 * @throws HistoryError for a turn that the API would refuse; StrataError for what Gemini does not have
 */
export const appendPrompt = (thread: Thread, prompt: LanguageModelV4Prompt): string =>
  new PromptWriter(thread).write(prompt);
