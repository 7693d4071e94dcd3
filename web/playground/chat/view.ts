// The view Chat: a conversation, its turns, and its requests.
import { button } from '../../ui/dom.js';
import type { Cause } from '../state/document-store.js';
import { drawCall } from './tools/draw-call.js';
import type { View, ViewContext } from '../app.js';
import { BranchList } from './branches.js';
import { ChatDraftStore } from './chat-draft.js';
import { ConversationView } from './conversation-view.js';
import { Conversations } from './conversations.js';
import type { OpenCall } from './draw-call.js';
import { MessageBox } from './message-box.js';
import { MessageLog } from './message-log.js';
import { ChatPage } from './page.js';
import { RequestPanel } from './request-panel.js';
import { Sender } from './sender.js';
import type { Session } from './session.js';
import { SettingsForm } from './settings-form.js';
import { TurnCommands } from './turn-commands.js';
import './conversation.css';
import './turns.css';
import './requests.css';

const examples = [
  'What is the weather in Paris and Rome?',
  'What time is it in Tokyo?',
  'Why must a thought signature be sent back?',
  'Keep "quotes", \\ and 🐢 as they are.',
];

/** The chat and its requests. */
class ChatView implements View {
  readonly #context: ViewContext;
  readonly #page = new ChatPage();
  readonly element = this.#page.root;
  readonly #exampleButtons = examples.map((text) => button(text, () => this.#sendText(text)));
  readonly #message: MessageBox;
  readonly #panel: RequestPanel;
  readonly #view: ConversationView;
  readonly #draft: ChatDraftStore;
  readonly #conversations: Conversations;
  readonly #sender: Sender;
  readonly #commands: TurnCommands;
  readonly #branches: BranchList;
  #isOpened = false;
  #shown: Promise<void> = Promise.resolve();

  constructor(context: ViewContext) {
    this.#context = context;
    const { message, tabs, request, log, template } = this.#page;
    this.#message = new MessageBox(message, context.document, () => this.#sendMessage());
    this.#panel = new RequestPanel(tabs, request);
    this.#draft = new ChatDraftStore(context.document, (cause) => this.#replaced(cause));
    this.#view = new ConversationView(new MessageLog(log), {
      showRequest: (number) => this.#panel.reveal(number),
      onTurn: (action, index, place) => this.#commands.run(action, index, place),
      priceOf: (model) => ({ model, price: this.#session?.priceOf(model) }),
    });
    const form = new SettingsForm(context, template, () => this.#settingsChanged());
    const parts = { draft: this.#draft, view: this.#view, panel: this.#panel, form };
    this.#conversations = new Conversations(
      {
        ...{ ...parts, core: context.core, message: this.#message },
        ask: (open) => this.#ask(open),
      },
      () => this.#openChat(),
      () => !this.#sender.isSending,
    );
    this.#sender = new Sender({
      ...{ ...parts, conversations: this.#conversations, message: this.#message },
      shown: () => this.#shown,
      setBusy: (isBusy) => this.#setBusy(isBusy),
    });
    this.#commands = this.#turnCommands();
    this.#branches = new BranchList(
      (index) => this.#commands.openBranch(index),
      (index) => this.#commands.removeBranch(index),
    );
    this.#connect();
    this.#addActions();
  }

  /** Focuses the message field for `message`. */
  shown(focus?: string): void {
    // The document may have been replaced since the palette created the view.
    const isFirst = !this.#isOpened;
    this.#isOpened = true;
    if (isFirst) this.#conversations.reopen();
    if (focus === 'message') this.#message.focus();
  }

  hidden(): void {}

  get #session(): Session | undefined {
    return this.#conversations.chat.session;
  }

  #turnCommands(): TurnCommands {
    const { announce, document } = this.#context;
    const isChangeable = () => !this.#sender.isSending && !document.isReadOnly;
    return new TurnCommands({
      ...{ draft: this.#draft, announce },
      session: () => (isChangeable() ? this.#session : undefined),
      refresh: () => this.#refresh(),
      resume: () => this.#resume(),
      focusMessage: () => this.#message.focus(),
    });
  }

  #connect(): void {
    const { send, stop, newChat, examples: place, branches } = this.#page;
    send.onclick = () => this.#sendMessage();
    stop.onclick = () => this.#sender.stop();
    newChat.onclick = () => this.#startNew();
    place.append(...this.#exampleButtons);
    branches.append(this.#branches.root);
    this.#context.document.subscribe(() => this.#showDocument());
    // Firefox restores the disabled state of controls on reload.
    this.#setBusy(false);
    this.#showDocument();
  }

  #addActions(): void {
    const isPossible = () => !this.#sender.isSending && !this.#context.document.isReadOnly;
    this.#context.actions.add(
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
        isPossible: () => this.#sender.isSending,
        run: () => this.#sender.stop(),
      },
    );
  }

  #startNew(): void {
    if (!this.#sender.isSending) this.#conversations.startNew();
  }

  // A change while an answer streams applies when it has ended.
  #settingsChanged(): void {
    if (this.#isOpened && !this.#sender.isSending) this.#conversations.settingsChanged();
  }

  // Undo, another session or another view has changed the chat.
  #replaced(cause: Cause): void {
    const isSending = this.#sender.isSending;
    this.#sender.stop();
    // Other listeners get this change first.
    if (cause === 'undo') queueMicrotask(() => this.#draft.keepLostTurns());
    if (!this.#isOpened) return;
    if (cause === 'undo' && !isSending && this.#conversations.reload()) void this.#refresh();
    else this.#conversations.reopen();
  }

  // Sets aria-disabled instead of disabled: a disabled button would lose the focus.
  #setBusy(isBusy: boolean): void {
    const { send, stop, newChat, template } = this.#page;
    for (const sender of [send, ...this.#exampleButtons]) sender.ariaDisabled = String(isBusy);
    if (!isBusy && document.activeElement === stop) send.focus();
    stop.disabled = !isBusy;
    newChat.disabled = template.disabled = isBusy || this.#context.document.isReadOnly;
    this.element.classList.toggle('sending', isBusy);
  }

  #showDocument(): void {
    const { isReadOnly } = this.#context.document;
    this.#branches.show(this.#draft.value.branches, isReadOnly);
    const { message, template, newChat } = this.#page;
    message.disabled = isReadOnly;
    newChat.disabled = template.disabled = isReadOnly || this.#sender.isSending;
    this.element.classList.toggle('read-only', isReadOnly);
  }

  /** Loads the core of the current conversation, and shows its turns. After a failure, the next send loads it again. */
  #openChat(): void {
    const { chat } = this.#conversations;
    this.#shown = chat.open().then(
      () => this.#refresh(),
      (error: unknown) => {
        // If a send is waiting for the core, the send shows the error.
        const isCurrent = chat === this.#conversations.chat;
        if (!this.#sender.isSending && isCurrent) this.#view.failure({ error, isAdded: false });
      },
    );
  }

  /** Shows the turns of the current conversation again. */
  async #refresh(): Promise<void> {
    const session = this.#session;
    if (!session || session.isEmpty) return;
    this.#conversations.messageAdded();
    const turns = session.turns();
    await this.#view.load(turns, this.#draft.value, this.#sender.actionsFor(session));
  }

  async #ask(open: OpenCall) {
    const { element: card, result } = drawCall(open);
    this.#view.ask(open.call, card);
    return result;
  }

  #resume(): void {
    this.#page.send.focus();
    void this.#sender.send('');
  }

  #sendText(text: string): void {
    if (!this.#context.document.isReadOnly) void this.#sender.send(text);
  }

  #sendMessage(): void {
    if (this.#sender.isSending || this.#context.document.isReadOnly) return;
    const text = this.#message.take();
    if (text === '') return this.#message.focus();
    this.#sendText(text);
  }
}

/** Creates the view. */
export function createChatView(context: ViewContext): View {
  return new ChatView(context);
}
