// The view Chat: sends messages to the conversation and shows its events.
import type { ConversationEvent } from '../../index.js';
import { abortable } from '../../sdk/base/abort.js';
import { button } from '../dom.js';
import type { View, ViewContext } from '../views.js';
import { ChatPage } from './page.js';
import { ConversationView } from './conversation-view.js';
import { Conversations } from './conversations.js';
import type { Actions } from './failure-view.js';
import { MessageBox } from './message-box.js';
import { RequestPanel } from './request-panel.js';
import type { Session } from './session.js';
import { SettingsForm } from './settings-form.js';
import './conversation.css';
import './requests.css';

const examples = [
  'What is the weather in Paris and Rome?',
  'What time is it in Tokyo?',
  'Why must a thought signature be sent back?',
  'Keep "quotes", \\ and 🐢 as they are.',
];

/** The chat and its requests. */
class ChatView implements View {
  readonly #page = new ChatPage();
  readonly element = this.#page.root;
  readonly #exampleButtons = examples.map((text) => button(text, () => void this.#send(text)));
  readonly #message: MessageBox;
  readonly #panel: RequestPanel;
  readonly #view: ConversationView;
  readonly #form: SettingsForm;
  readonly #conversations: Conversations;
  #sending: AbortController | undefined;
  #isOpened = false;

  constructor(context: ViewContext) {
    const { message, tabs, request, log, template } = this.#page;
    this.#message = new MessageBox(message, () => this.#sendMessage());
    this.#panel = new RequestPanel(tabs, request);
    this.#view = new ConversationView(log, (number) => this.#panel.reveal(number));
    this.#form = new SettingsForm(context, template, () => this.#settingsChanged());
    this.#conversations = new Conversations(
      {
        core: context.core,
        view: this.#view,
        panel: this.#panel,
        form: this.#form,
        message: this.#message,
      },
      () => this.#openChat(),
      () => !this.#sending,
    );
    this.#connect();
    this.#addActions(context);
  }

  /** Focuses the message field for `message`. */
  shown(focus?: string): void {
    if (!this.#isOpened) this.#openChat();
    this.#isOpened = true;
    if (focus === 'message') this.#message.focus();
  }

  hidden(): void {}

  #connect(): void {
    const { send, stop, newChat, examples: place } = this.#page;
    send.onclick = () => this.#sendMessage();
    stop.onclick = () => this.#sending?.abort();
    newChat.onclick = () => this.#startNew();
    place.append(...this.#exampleButtons);
    // Firefox restores the disabled state of controls on reload.
    this.#setBusy(false);
  }

  #addActions({ actions }: ViewContext): void {
    const isPossible = () => !this.#sending;
    actions.add(
      {
        name: 'Send the message',
        view: 'chat',
        keys: 'Ctrl+Enter',
        isPossible,
        run: () => this.#sendMessage(),
      },
      { name: 'Start a new chat', view: 'chat', isPossible, run: () => this.#startNew() },
      {
        name: 'Stop the answer',
        view: 'chat',
        isPossible: () => this.#sending !== undefined,
        run: () => this.#sending?.abort(),
      },
    );
  }

  #startNew(): void {
    if (!this.#sending) this.#conversations.startNew();
  }

  // A change while an answer streams applies when it has ended.
  #settingsChanged(): void {
    if (!this.#sending) this.#conversations.settingsChanged();
  }

  // Sets aria-disabled instead of disabled: a disabled button would lose the focus.
  #setBusy(busy: boolean): void {
    const { send, stop, newChat, template } = this.#page;
    for (const sender of [send, ...this.#exampleButtons]) sender.ariaDisabled = String(busy);
    if (!busy && document.activeElement === stop) send.focus();
    stop.disabled = !busy;
    newChat.disabled = busy;
    template.disabled = busy;
  }

  /** Loads the core of the current conversation. After a failure, the next send loads it again. */
  #openSession(): Promise<Session> {
    return this.#conversations.chat.open();
  }

  #openChat(): void {
    const { chat } = this.#conversations;
    this.#openSession().catch((error: unknown) => {
      // If a send is waiting for the core, the send shows the error.
      const isCurrent = chat === this.#conversations.chat;
      if (!this.#sending && isCurrent) this.#view.failure({ error, isAdded: false });
    });
  }

  #show(event: ConversationEvent, current: Session): void {
    if (event.type === 'request') {
      const request = current.recordRequest(event.body, event.manifest);
      this.#panel.add(request);
      this.#view.request(request);
    }
    if (event.type === 'usage')
      this.#panel.showTokenCount(Number(event.usage['promptTokenCount'] ?? 0));
    this.#view.event(event);
  }

  /** Sends a text. '' requests the answer to the last message again. */
  async #send(text: string): Promise<void> {
    if (this.#sending) return;
    const { signal } = (this.#sending = new AbortController());
    this.#setBusy(true);
    this.#view.begin();
    let current: Session | undefined;
    let isAdded = text === '';
    try {
      current = await abortable(this.#openSession(), signal);
      for await (const event of current.send(text, this.#form.settings, signal)) {
        isAdded = true;
        this.#conversations.messageAdded();
        this.#show(event, current);
      }
    } catch (error) {
      if (!isAdded) this.#message.restore(text);
      this.#view.failure({ error, isAdded, actions: this.#actionsFor(current) });
    } finally {
      this.#sending = undefined;
      this.#setBusy(false);
      this.#settingsChanged();
    }
  }

  // Returns the actions for an unanswered message; undefined if there is none.
  #actionsFor(session: Session | undefined): Actions | undefined {
    if (!session?.canResume) return undefined;
    return { resume: () => this.#resume(), edit: () => void this.#edit(session) };
  }

  #resume(): void {
    this.#page.send.focus();
    void this.#send('');
  }

  async #edit(session: Session): Promise<void> {
    const { unanswered } = session;
    if (this.#sending || unanswered === undefined) return;
    await session.removeUnanswered();
    this.#message.restore(unanswered);
    this.#view.removeLastMessage(this.#actionsFor(session));
    this.#message.focus();
  }

  #sendMessage(): void {
    if (this.#sending) return;
    const text = this.#message.take();
    if (text === '') return this.#message.focus();
    void this.#send(text);
  }
}

/** Creates the view. */
export function createChatView(context: ViewContext): View {
  return new ChatView(context);
}
