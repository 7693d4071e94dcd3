// Sends one message: shows the events of the answer, measures it, and saves what was said in the document.
import { StrataError, usage, type ConversationEvent, type RequestEvent } from '../../index.js';
import type { AnswerNumbers, ChatDraft } from '../state/playground-document.js';
import type { Log } from './log.js';
import type { MessageField } from './message-field.js';
import type { NumberedRequest, Requests } from './requests.js';
import type { Settings } from '../engine/chat-settings.js';
import type { ServiceKind } from '../state/service.js';
import type { Session } from './session.js';
import { isStop } from './words.js';

// What is known of an answer's tokens, and what they cost if it is known.
function countsOf(event: ConversationEvent & { type: 'usage' }, { model, backend }: Settings) {
  const counted = usage(event.usage, { model, backend });
  if (counted.unknown?.includes('counts')) return {};
  const { inputTokens: input, cachedTokens: cached, thoughtTokens: thought, usd } = counted;
  const cost = counted.unknown?.includes('split') ? undefined : usd;
  return {
    ...{ input, cached, thought, output: counted.outputTokens },
    ...(cost !== undefined && { cost }),
  };
}

const placeholderNote =
  'Thought signatures of another service were replaced by the placeholder that Google documents. Answers may be worse than with the real ones.';

/** The chat, as far as a send takes part in it. */
export interface SendingChat {
  readonly log: Log;
  readonly requests: Requests;
  readonly message: MessageField;
  readonly settings: Settings;
  readonly service: ServiceKind;
  readonly draft: ChatDraft;
  ready: () => Promise<Session>;
  /** Stores the turns of the session. */
  save: (session: Session, more?: Partial<ChatDraft>) => void;
  /** Forgets a session whose core may be broken. */
  forgetSession: () => void;
}

/** One send. */
export class Sending {
  readonly #chat: SendingChat;
  readonly #text: string;
  readonly #abort = new AbortController();
  #request: NumberedRequest | undefined;
  /** The numbers of the answer that is streaming. */
  #numbers: Omit<AnswerNumbers, 'at'> | undefined;
  /** Whether another conversation has taken the place of the one that is answered. */
  #isLeft = false;

  /** '' requests the answer to the last message again. */
  constructor(chat: SendingChat, text: string) {
    this.#chat = chat;
    this.#text = text;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Stops without a trace: the conversation is no longer shown. */
  leave(): void {
    this.#isLeft = true;
    this.stop();
  }

  /** Sends. `wait` waits for the session, unless the user stops. */
  async run(wait: (opening: Promise<Session>) => Promise<Session>): Promise<void> {
    const { message } = this.#chat;
    message.hold(this.#text);
    let session: Session | undefined;
    let isAdded = this.#text === '';
    try {
      session = await wait(this.#chat.ready());
      // The page shows what was sent before the request is made.
      await new Promise((resolve) => setTimeout(resolve));
      const { settings, service } = this.#chat;
      const isReplaced = session.use(settings, service);
      for await (const event of session.send(this.#text, this.signal)) {
        if (this.#isLeft) return;
        if (isReplaced && !isAdded) this.#chat.log.note(placeholderNote);
        isAdded = true;
        message.sent();
        this.#show(event, session);
      }
    } catch (error) {
      if (!isAdded) message.giveBack();
      if (!this.#isLeft) this.#fail(error, isAdded);
    } finally {
      if (session && !this.#isLeft) this.#chat.save(session);
    }
  }

  #show(event: ConversationEvent, session: Session): void {
    const { log } = this.#chat;
    if (event.type === 'request') return this.#sent(event, session);
    if (event.type === 'usage' && this.#request) {
      this.#request.counted.value = Number(event.usage.promptTokenCount ?? 0);
      Object.assign(this.#numbers ?? {}, countsOf(event, this.#chat.settings));
    }
    if (event.type === 'metadata' && event.metadata.finishReason !== undefined && this.#numbers)
      this.#numbers.finishReason = event.metadata.finishReason;
    if (event.type === 'fault') log.discard('This answer was discarded');
    log.event(event, (index) => session.turns(index)[0]);
    if (event.type === 'turn') this.#turn(event.index, session);
  }

  #sent(event: RequestEvent, session: Session): void {
    const { requests, log } = this.#chat;
    const { request, bytes } = requests.send(event);
    this.#request = request;
    session.recording = bytes.answer;
    this.#numbers = { finishReason: '' };
    log.request(request, bytes);
  }

  // Saves the new turn, and the numbers of an answer.
  #turn(index: number, session: Session): void {
    const chat = this.#chat;
    const [turn] = session.turns(index);
    if (turn?.content.role !== 'model' || !this.#numbers) return chat.save(session);
    const at = turn.at ?? '';
    const numbers = { at, ...this.#numbers };
    this.#numbers = undefined;
    if (this.#request) chat.requests.answered(this.#request, at);
    chat.log.answered(numbers);
    chat.save(session, { numbers: [...(chat.draft.numbers ?? []), numbers] });
  }

  #fail(error: unknown, isAdded: boolean): void {
    const chat = this.#chat;
    chat.log.discard(isStop(error) ? 'You stopped this answer' : 'This answer was discarded');
    chat.log.fail(error, isAdded);
    if (error instanceof StrataError && error.code.startsWith('instance.')) chat.forgetSession();
  }
}
