// Connects the parts of the page: sends messages to the conversation and shows its events.
import { abortable } from '../sdk/base/abort.js';
import type { ConversationEvent } from '../index.js';
import { ConversationView } from './chat/conversation-view.js';
import { Conversations } from './chat/conversations.js';
import { button, byId, count } from './dom.js';
import type { Actions } from './chat/failure-view.js';
import { MessageBox } from './chat/message-box.js';
import { RequestPanel } from './chat/request-panel.js';
import type { Session } from './chat/session.js';
import { SettingsForm } from './chat/settings-form.js';

const examples = [
  'What is the weather in Paris and Rome?',
  'What time is it in Tokyo?',
  'Why must a thought signature be sent back?',
  'Keep "quotes", \\ and 🐢 as they are.',
];

const exampleButtons = examples.map((example) => button(example, () => void send(example)));
const sendButton = byId('send', HTMLButtonElement);
const stopButton = byId('stop', HTMLButtonElement);
const message = new MessageBox(sendMessage);
const panel = new RequestPanel(byId('tabs', HTMLElement), byId('request', HTMLElement));
const view = new ConversationView(byId('log', HTMLElement), (number) => panel.reveal(number));
const form = new SettingsForm(() => conversations.settingsChanged());
const views = { view, panel, form, message };
const conversations = new Conversations(views, openChat, () => !sending);
const version = byId('version', HTMLElement);
let sending: AbortController | undefined;

// Sets aria-disabled instead of disabled: a disabled button would lose the focus.
function setBusy(busy: boolean): void {
  for (const sender of [sendButton, ...exampleButtons]) sender.ariaDisabled = String(busy);
  if (!busy && document.activeElement === stopButton) sendButton.focus();
  stopButton.disabled = !busy;
  form.disabled = busy;
}

/** Loads the core of the current conversation. After a failure, the next send loads it again. */
async function openSession(): Promise<Session> {
  try {
    const session = await conversations.chat.open();
    version.textContent = `prompt-strata ${session.version}${coreSize()}`;
    return session;
  } catch (error) {
    version.textContent = 'The core failed to load';
    throw error;
  }
}

function openChat(): void {
  const { chat } = conversations;
  openSession().catch((error: unknown) => {
    // If a send is waiting for the core, the send shows the error.
    if (!sending && chat === conversations.chat) view.failure({ error, isAdded: false });
  });
}

// Returns the size of the loaded WebAssembly file, from the Resource Timing API.
function coreSize(): string {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const size = entries.find(({ name }) => name.endsWith('.wasm'))?.decodedBodySize ?? 0;
  return size > 0 ? `, WebAssembly ${count(Math.round(size / 1000))} kB` : '';
}

function show(event: ConversationEvent, current: Session): void {
  if (event.type === 'request') {
    const request = current.recordRequest(event.body, event.manifest);
    panel.add(request);
    view.request(request);
  }
  if (event.type === 'usage') panel.showTokenCount(Number(event.usage['promptTokenCount'] ?? 0));
  view.event(event);
}

/** Sends a text. '' requests the answer to the last message again. */
async function send(text: string): Promise<void> {
  if (sending) return;
  const { signal } = (sending = new AbortController());
  setBusy(true);
  view.begin();
  let current: Session | undefined;
  let isAdded = text === '';
  try {
    current = await abortable(openSession(), signal);
    for await (const event of current.send(text, form.settings, signal)) {
      isAdded = true;
      conversations.messageAdded();
      show(event, current);
    }
  } catch (error) {
    if (!isAdded) message.restore(text);
    view.failure({ error, isAdded, actions: actionsFor(current) });
  } finally {
    sending = undefined;
    setBusy(false);
  }
}

// Returns the actions for an unanswered message; undefined if there is none.
function actionsFor(session: Session | undefined): Actions | undefined {
  if (!session?.canResume) return undefined;
  return { resume, edit: () => void edit(session) };
}

function resume(): void {
  sendButton.focus();
  void send('');
}

async function edit(session: Session): Promise<void> {
  const { unanswered } = session;
  if (sending || unanswered === undefined) return;
  await session.removeUnanswered();
  message.restore(unanswered);
  view.removeLastMessage(actionsFor(session));
  message.focus();
}

function sendMessage(): void {
  if (sending) return;
  const text = message.take();
  if (text === '') return message.focus();
  void send(text);
}

sendButton.onclick = sendMessage;
stopButton.onclick = () => sending?.abort();
byId('new', HTMLButtonElement).onclick = () => conversations.startNew();
byId('examples', HTMLElement).append(...exampleButtons);
// Firefox restores the disabled state of controls on reload.
setBusy(false);
openChat();
