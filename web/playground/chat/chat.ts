// Holds the chat of the page: its conversation, what is shown of it, what the user does with it, and its sends.
import { computed, effect, signal, untracked } from '@preact/signals';
import {
  StrataError,
  usage,
  type ConversationEvent,
  type Diagnostic,
  type RequestEvent,
} from '../../index.js';
import { abortable } from '../../sdk/internal/lifetime.js';
import { amount } from '../../ui/format.js';
import type { ViewContext } from '../app.js';
import { settingsOf, type Settings } from '../engine/chat-settings.js';
import type { AnswerNumbers, ChatDraft } from '../state/playground-document.js';
import { Session, type OpenCall } from './session.js';
import { Log } from './log.js';
import type { DocumentStore } from '../state/document-store.js';
import { Requests, type NumberedRequest } from './requests.js';
import { errorsWith, planDeletion, withTexts, type SavedTurn, type Deletion } from './turns.js';
import { isStop } from './words.js';

export type TurnForm =
  | { kind: 'edit'; turn: SavedTurn }
  | { kind: 'delete'; turn: SavedTurn; deletion: Deletion; others: readonly SavedTurn[] };

export class Chat {
  readonly context: ViewContext;
  readonly requests: Requests;
  readonly log: Log;
  readonly message: MessageField;
  readonly sending = signal<Sending>();
  /** Whether a message has no answer yet, and none is being requested. */
  readonly isUnanswered = computed(() => this.#awaitsAnswer.value && !this.sending.value);
  readonly form = signal<TurnForm>();
  readonly #awaitsAnswer = signal(false);
  /** The chat as this object has set it. */
  #draft: ChatDraft;
  /** The session with the turns of the draft, which are shown. */
  #ready: Promise<Session> | undefined;
  #opened: Session | undefined;

  constructor(context: ViewContext) {
    this.context = context;
    const { document, service } = context;
    this.#draft = document.value.chat;
    this.requests = new Requests(() => service.name);
    this.log = new Log(this.requests);
    this.message = new MessageField(document);
    effect(() => {
      const { chat } = document.value;
      if (chat !== this.#draft) untracked(() => this.#replaced(chat));
    });
    this.#reload();
  }

  get settings(): Settings {
    return settingsOf(this.context.document.value, this.context.service.apiKey);
  }

  /** Returns the findings about a body for a model; none before the core is there. */
  lint(json: string, model: string): Diagnostic[] {
    return this.checker?.lint(json, this.target(model)).diagnostics ?? [];
  }

  /** Returns the model, the service and the time for which a body is checked. */
  target(model: string) {
    return { model, backend: this.settings.backend, now: new Date().toISOString() };
  }

  /** Returns the session once its turns are shown. After a failure, the next call loads the core again. */
  ready(): Promise<Session> {
    this.#ready ??= this.#load().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  /** The session, if it is there and its turns may change. */
  get changeable(): Session | undefined {
    return this.sending.value ? undefined : this.#opened;
  }

  /** What lints and repairs requests; undefined before the core is there. */
  get checker() {
    return this.#opened?.checker;
  }

  /** Changes the chat of the document. `undo` is the label of a removal. */
  change(changes: Partial<ChatDraft>, undo?: string): void {
    this.#draft = { ...this.#draft, ...changes };
    const chat = this.#draft;
    this.context.document.update({ chat }, undo);
  }

  save(session: Session, more: Partial<ChatDraft> = {}, undo?: string): void {
    const { saved } = session;
    if (saved !== this.#draft.saved || Object.keys(more).length > 0)
      this.change({ saved, ...more }, undo);
    this.#awaitsAnswer.value = session.unanswered !== undefined;
  }

  sendMessage(): void {
    const text = this.message.text.value;
    if (text.trim() === '' || this.sending.value) return;
    this.message.write('');
    void this.send(text);
  }

  /** Sends a text; '' requests the answer that is missing. */
  async send(text: string): Promise<void> {
    if (this.sending.value) return;
    const sending = new Sending(this, text);
    this.sending.value = sending;
    await sending.run();
    if (this.sending.value === sending) this.sending.value = undefined;
  }

  saveAnswer(session: Session, numbers: AnswerNumbers): void {
    this.save(session, { numbers: [...(this.#draft.numbers ?? []), numbers] });
  }

  /** Shows a failed send. A session whose core may be broken is forgotten. */
  fail(error: unknown, isAdded: boolean): void {
    this.log.discard(isStop(error) ? 'You stopped this answer' : discarded);
    this.log.fail(error, isAdded);
    if (!(error instanceof StrataError && error.code.startsWith('instance.'))) return;
    this.#ready = undefined;
    this.#opened = undefined;
    this.context.core.discard();
  }

  startNew(): void {
    if (this.log.items.value.length === 0) return;
    this.change({ saved: '', numbers: [] }, 'Started a new chat');
    this.#replaced(this.#draft);
  }

  /** Returns the message without an answer to the field. */
  editUnanswered(): void {
    const session = this.changeable;
    const { unanswered } = session ?? {};
    if (!session || !unanswered) return;
    this.#cut(session, unanswered.index);
    this.message.restore(unanswered.text);
  }

  /** Requests an answer again; a message gets another one. */
  runAgain({ index, content }: SavedTurn): void {
    const session = this.changeable;
    if (!session || index >= session.thread.length) return;
    this.#cut(session, content.role === 'model' ? index : index + 1, 'Requested the answer again');
    void this.send('');
  }

  /** Deletes a turn, or asks first if others go with it. */
  delete(turn: SavedTurn): void {
    const session = this.changeable;
    if (!session || turn.index >= session.thread.length) return;
    const deletion = planDeletion(session.thread, turn.index);
    if (!deletion.reason) return this.confirmDeletion(deletion);
    const turns = session.turns(deletion.from).slice(0, deletion.to - deletion.from);
    const others = turns.filter(({ index }) => index !== turn.index);
    this.form.value = { kind: 'delete', turn, deletion, others };
  }

  confirmDeletion({ from, to }: Deletion): void {
    const session = this.changeable;
    if (!session) return this.context.page.announce(busyText);
    session.rewrite(from, to, []);
    const what = to - from === 1 ? `turn ${from + 1}` : amount(to - from, 'turn');
    this.save(session, {}, `Deleted ${what}`);
    this.refresh(session);
  }

  /** Saves other texts of a turn. Returns why it cannot: a sentence, or what it would break. */
  edit(
    { index, content }: SavedTurn,
    texts: readonly string[],
    runsAgain: boolean,
  ): string | Diagnostic[] | undefined {
    const session = this.changeable;
    if (!session) return busyText;
    const bytes = session.thread.content(index, 'content');
    const json = withTexts(session.checker, bytes, content, texts);
    const errors = errorsWith(session.thread, index, index + 1, [json]);
    if (errors.length > 0) return errors;
    session.rewrite(index, index + 1, [json]);
    this.#cut(session, runsAgain ? index + 1 : session.thread.length, `Edited turn ${index + 1}`);
    if (runsAgain) void this.send('');
    return undefined;
  }

  refresh(session: Session): void {
    const turns = session.turns();
    this.form.value = undefined;
    this.#awaitsAnswer.value = session.unanswered !== undefined;
    this.requests.restore(turns, (turn, previous) =>
      session.rebuild(turn, previous, this.settings),
    );
    this.log.load(turns, this.#draft);
  }

  // Keeps the first turns, under Undo if it has a label.
  #cut(session: Session, length: number, undo?: string): void {
    session.rewind(length);
    this.save(session, {}, undo);
    this.refresh(session);
  }

  // Undo, another session or another view has changed the chat.
  #replaced(chat: ChatDraft): void {
    const known = new Set(this.#draft.saved.split('\n').filter(Boolean));
    this.#draft = chat;
    this.sending.value?.leave();
    this.sending.value = undefined;
    if (!chat.saved.split('\n').some((line) => known.has(line))) this.requests.clear();
    this.#reload();
  }

  // If a send waits for the core, the send shows the error.
  #reload(): void {
    this.#ready = undefined;
    this.ready().catch((error: unknown) => {
      if (!this.sending.peek()) this.log.fail(error, false);
    });
  }

  async #load(): Promise<Session> {
    const { settings } = this;
    const { saved } = this.#draft;
    const ask = (open: OpenCall) => this.log.ask(open);
    if (this.#opened) this.#opened.load(saved, settings);
    else this.#opened = await Session.open(this.context.core, { saved, settings, ask });
    const session = this.#opened;
    if (saved === this.#draft.saved) this.refresh(session);
    return session;
  }
}

// An answer streams, or another conversation was opened.
const busyText = 'The turns cannot be changed now. Wait until the answer has ended.';

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

const discarded = 'This answer was discarded';

class Sending {
  readonly #chat: Chat;
  readonly #text: string;
  readonly #abort = new AbortController();
  #request: NumberedRequest | undefined;
  #numbers: Omit<AnswerNumbers, 'at'> | undefined;
  /** Whether another conversation has taken the place of the one that is answered. */
  #isLeft = false;

  /** '' requests the answer to the last message again. */
  constructor(chat: Chat, text: string) {
    this.#chat = chat;
    this.#text = text;
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Stops without a trace: the conversation is no longer shown. */
  leave(): void {
    this.#isLeft = true;
    this.stop();
  }

  async run(): Promise<void> {
    const { message, log } = this.#chat;
    const { signal: stopped } = this.#abort;
    message.hold(this.#text);
    let session: Session | undefined;
    let isAdded = this.#text === '';
    try {
      session = await abortable(this.#chat.ready(), stopped);
      // The page shows what was sent before the request is made.
      await new Promise((resolve) => setTimeout(resolve));
      const isReplaced = session.use(this.#chat.settings, this.#chat.context.service.kind);
      for await (const event of session.send(this.#text, stopped)) {
        if (this.#isLeft) return;
        if (isReplaced && !isAdded) log.note(placeholderNote);
        isAdded = true;
        message.sent();
        this.#show(event, session);
      }
    } catch (error) {
      if (!this.#isLeft) this.#chat.fail(error, isAdded);
    } finally {
      if (!isAdded) message.giveBack();
      if (session && !this.#isLeft) this.#chat.save(session);
    }
  }

  #show(event: ConversationEvent, session: Session): void {
    const { log, settings } = this.#chat;
    if (event.type === 'request') return this.#sent(event, session);
    if (event.type === 'usage' && this.#request) {
      this.#request.counted.value = Number(event.usage.promptTokenCount ?? 0);
      Object.assign(this.#numbers ?? {}, countsOf(event, settings));
    }
    if (event.type === 'metadata' && event.metadata.finishReason !== undefined && this.#numbers)
      this.#numbers.finishReason = event.metadata.finishReason;
    if (event.type === 'fault') log.discard(discarded);
    const [turn] = event.type === 'turn' ? session.turns(event.index) : [];
    log.event(event, turn);
    if (turn) this.#turn(turn, session);
  }

  #sent(event: RequestEvent, session: Session): void {
    const { request, bytes } = this.#chat.requests.send(event);
    this.#request = request;
    session.recording = bytes.answer;
    this.#numbers = { finishReason: '' };
    this.#chat.log.request(request, bytes);
  }

  // Saves the new turn, and the numbers of an answer.
  #turn({ content, at = '' }: SavedTurn, session: Session): void {
    const chat = this.#chat;
    if (content.role !== 'model' || !this.#numbers) return chat.save(session);
    const numbers = { at, ...this.#numbers };
    this.#numbers = undefined;
    if (this.#request) chat.requests.answered(this.#request, at);
    chat.log.answered(numbers);
    chat.saveAnswer(session, numbers);
  }
}

const joined = (...texts: string[]) => texts.filter(Boolean).join('\n');

/** The text of the message field: that of the document without what is being sent. */
class MessageField {
  readonly #document: DocumentStore;
  /** The text that is being sent. It stands before the others in the document, because it may come back. */
  readonly #held = signal('');
  readonly text = computed(() => {
    const { message = '' } = this.#document.value;
    const held = this.#held.value;
    const isHeld = held !== '' && message.startsWith(held);
    return isHeld ? message.slice(held.length).replace(/^\n/, '') : message;
  });

  constructor(document: DocumentStore) {
    this.#document = document;
  }

  write(text: string): void {
    const message = joined(this.#held.peek(), text);
    if (message !== (this.#document.value.message ?? '')) this.#document.update({ message });
  }

  /** Keeps a text that is being sent, until `sent` or `giveBack` is called. */
  hold(text: string): void {
    const written = this.text.peek();
    this.#held.value = text;
    this.write(written);
  }

  /** The text that is being sent is now part of the conversation. */
  sent(): void {
    if (this.#held.peek() !== '') this.hold('');
  }

  /** Returns the text that could not be sent. */
  giveBack(): void {
    this.#held.value = '';
  }

  /** Inserts a text before what the user has written since. */
  restore(text: string): void {
    this.write(joined(text, this.text.peek()));
  }
}
