// Sends one message: shows the events of the answer, and saves what was said in the document.
import type { ConversationEvent, RequestEvent } from '../../index.js';
import { StrataError } from '../../index.js';
import { AnswerMeter } from './answer-numbers.js';
import type { Log } from './log.js';
import type { MessageField } from './message-field.js';
import type { NumberedRequest, Requests } from './requests.js';
import type { Settings } from '../engine/chat-settings.js';
import type { ChatDraft } from '../state/playground-document.js';
import type { ServiceKind } from '../state/service.js';
import type { Session } from './session.js';
import { isStop } from './words.js';

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
  change: (changes: Partial<ChatDraft>) => void;
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
  #meter: AnswerMeter | undefined;
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
      if (!this.#isLeft) this.#fail(error, isAdded, session);
    } finally {
      if (session && !this.#isLeft) this.#chat.save(session);
    }
  }

  #show(event: ConversationEvent, session: Session): void {
    const { log } = this.#chat;
    this.#meter?.add(event);
    if (event.type === 'request') return this.#sent(event, session);
    if (event.type === 'usage' && this.#request)
      this.#request.counted.value = Number(event.usage.promptTokenCount ?? 0);
    if (event.type === 'fault') this.#discard('This answer was discarded', session);
    log.event(event, (index) => session.turns(index)[0]);
    if (event.type === 'turn') this.#turn(event.index, session);
  }

  #sent(event: RequestEvent, session: Session): void {
    const { requests, log } = this.#chat;
    const { request, bytes } = requests.send(event);
    this.#request = request;
    session.recording = bytes.answer;
    this.#meter = new AnswerMeter(bytes.manifest);
    log.request(request, bytes);
  }

  // Saves the new turn, and the numbers of an answer.
  #turn(index: number, session: Session): void {
    const chat = this.#chat;
    const [turn] = session.turns(index);
    if (turn?.content.role !== 'model' || !this.#meter) return chat.save(session);
    const at = turn.at ?? '';
    const numbers = this.#meter.numbers(at);
    this.#meter = undefined;
    if (this.#request) chat.requests.answered(this.#request, at);
    chat.log.answered(numbers);
    chat.save(session, { numbers: [...(chat.draft.numbers ?? []), numbers] });
  }

  #fail(error: unknown, isAdded: boolean, session: Session | undefined): void {
    const chat = this.#chat;
    if (session)
      this.#discard(
        isStop(error) ? 'You stopped this answer' : 'This answer was discarded',
        session,
      );
    chat.log.fail(error, isAdded);
    if (error instanceof StrataError && error.code.startsWith('instance.')) chat.forgetSession();
  }

  // Keeps an answer in sight that does not enter the conversation.
  #discard(reason: string, session: Session): void {
    const chat = this.#chat;
    const text = chat.log.unfinishedText;
    if (text === '') return;
    chat.log.discard(reason);
    const discarded = { after: session.thread.length, text, reason };
    chat.change({ discarded: [...chat.draft.discarded, discarded] });
  }
}
