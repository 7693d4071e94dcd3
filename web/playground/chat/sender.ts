// Sends messages, shows the events of the answer, and saves what was said in the document.
import type { ConversationEvent, Manifest } from '../../index.js';
import { abortable } from '../../sdk/internal/lifetime.js';
import { AnswerMeter } from './answer-numbers.js';
import type { ChatDraftStore } from './chat-draft.js';
import type { Conversations } from './conversations.js';
import type { ConversationView } from './conversation-view.js';
import type { Actions } from './failure-view.js';
import type { MessageBox } from './message-box.js';
import type { RequestPanel } from './request-panel.js';
import type { Session } from './session.js';
import type { SettingsForm } from './settings-form.js';

const isStop = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** The parts of the page that take part in a send. */
export interface SenderParts {
  conversations: Conversations;
  draft: ChatDraftStore;
  view: ConversationView;
  panel: RequestPanel;
  form: SettingsForm;
  message: MessageBox;
  /** Resolves when the turns of the conversation are shown. */
  shown: () => Promise<void>;
  setBusy: (isBusy: boolean) => void;
}

/** Runs one send at a time. */
export class Sender {
  readonly #parts: SenderParts;
  #sending: AbortController | undefined;
  #meter: AnswerMeter | undefined;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  get isSending(): boolean {
    return this.#sending !== undefined;
  }

  stop(): void {
    this.#sending?.abort();
  }

  /** Sends a text. '' requests the answer to the last message again. */
  async send(text: string): Promise<void> {
    if (this.#sending) return;
    const { conversations, view, form, message, setBusy, shown } = this.#parts;
    const { signal } = (this.#sending = new AbortController());
    setBusy(true);
    view.begin();
    message.hold(text);
    let session: Session | undefined;
    let isAdded = text === '';
    const { chat } = conversations;
    // Undo or another session may replace the conversation while it is answered.
    const isCurrent = () => chat === conversations.chat;
    try {
      session = await abortable(chat.open(), signal);
      await shown();
      for await (const event of session.send(text, form.settings, signal)) {
        isAdded = true;
        message.sent();
        if (!isCurrent()) break;
        conversations.messageAdded();
        this.#show(event, session);
      }
    } catch (error) {
      if (!isAdded) message.giveBack();
      if (isCurrent()) this.#fail(error, isAdded, session);
    } finally {
      if (session && isCurrent()) this.#save(session);
      this.#sending = undefined;
      setBusy(false);
      conversations.settingsChanged();
    }
  }

  /** Returns the actions for an unanswered message; undefined if there is none. */
  actionsFor(session: Session | undefined): Actions | undefined {
    if (!session?.canResume) return undefined;
    return { resume: () => void this.send(''), edit: () => this.#edit(session) };
  }

  #edit(session: Session): void {
    const { message, view } = this.#parts;
    const { unanswered } = session;
    if (this.#sending || unanswered === undefined) return;
    session.removeUnanswered();
    this.#save(session);
    message.restore(unanswered);
    view.removeLastMessage(this.actionsFor(session));
    message.focus();
  }

  #show(event: ConversationEvent, session: Session): void {
    const { panel, view } = this.#parts;
    this.#meter?.add(event);
    if (event.type === 'request') this.#request(event.body, event.manifest, session);
    if (event.type === 'usage') panel.showTokenCount(Number(event.usage.promptTokenCount ?? 0));
    if (event.type === 'fault') this.#discardAs('This answer was discarded', session);
    view.event(event);
    if (event.type === 'turn') this.#turn(event.index, session);
  }

  #request(body: Uint8Array, manifest: Manifest, session: Session): void {
    const { panel, view } = this.#parts;
    const request = session.recordRequest(body, manifest);
    this.#meter = new AnswerMeter(manifest);
    panel.add(request);
    view.request(request);
  }

  // Saves the new turn, and the numbers of an answer.
  #turn(index: number, session: Session): void {
    const { draft, view } = this.#parts;
    const [turn] = session.turns(index);
    const { saved } = session;
    if (turn?.content.role !== 'model' || !this.#meter) return draft.change({ saved });
    const numbers = this.#meter.numbers(turn.at ?? '');
    this.#meter = undefined;
    view.answered(turn, numbers);
    draft.change({ saved, numbers: [...(draft.value.numbers ?? []), numbers] });
  }

  #fail(error: unknown, isAdded: boolean, session: Session | undefined): void {
    if (session) this.#discard(error, session);
    this.#parts.view.failure({ error, isAdded, actions: this.actionsFor(session) });
  }

  #discard(error: unknown, session: Session): void {
    this.#discardAs(
      isStop(error) ? 'You stopped this answer' : 'This answer was discarded',
      session,
    );
  }

  // Keeps an answer in sight that does not enter the conversation.
  #discardAs(reason: string, session: Session): void {
    const { draft, view } = this.#parts;
    const text = view.unfinishedText;
    if (text === '') return;
    view.discard(reason);
    const discarded = { after: session.thread.length, text, reason };
    draft.change({ discarded: [...draft.value.discarded, discarded] });
  }

  #save(session: Session): void {
    const { draft } = this.#parts;
    const { saved } = session;
    if (saved !== draft.value.saved) draft.change({ saved });
  }
}
