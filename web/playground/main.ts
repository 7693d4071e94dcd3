// Puts the parts of the page together: what is typed goes to the conversation, what happens there is shown.
import { abortable } from '../sdk/base/abort.js';
import type { ConversationEvent } from '../index.js';
import { ConversationView } from './conversation-view.js';
import { Conversations } from './conversations.js';
import { button, byId, count } from './dom.js';
import type { Actions } from './failure-view.js';
import { MessageBox } from './message-box.js';
import { RequestPanel } from './request-panel.js';
import type { Session } from './session.js';
import { SettingsForm } from './settings-form.js';

const examples = [
  'What is the weather in Paris and Rome?',
  'What time is it in Tokyo?',
  'Why does a thought signature have to go back?',
  'Keep "quotes", \\ and 🐢 as they are.',
];

const exampleButtons = examples.map((example) => button(example, () => void send(example)));
const sendButton = byId('send', HTMLButtonElement);
const stopButton = byId('stop', HTMLButtonElement);
const message = new MessageBox(sendMessage);
const panel = new RequestPanel(byId('tabs', HTMLElement), byId('request', HTMLElement));
const view = new ConversationView(byId('log', HTMLElement), (number) => panel.reveal(number));
const form = new SettingsForm(() => conversations.settingsChanged());
const places = { view, panel, form, message };
const conversations = new Conversations(places, openChat, () => !sending);
const version = byId('version', HTMLElement);
let sending: AbortController | undefined;

// Those that begin a send keep the focus while they wait, so they are not disabled.
function setBusy(busy: boolean): void {
  for (const starter of [sendButton, ...exampleButtons]) starter.ariaDisabled = String(busy);
  if (!busy && document.activeElement === stopButton) sendButton.focus();
  stopButton.disabled = !busy;
  form.disabled = busy;
}

/** Loads the core of the conversation that is shown. A send loads it again if that failed. */
async function opened(): Promise<Session> {
  try {
    const session = await conversations.chat.open();
    version.textContent = `prompt-strata ${session.version}${coreSize()}`;
    return session;
  } catch (error) {
    version.textContent = 'The core is not running';
    throw error;
  }
}

function openChat(): void {
  const { chat } = conversations;
  opened().catch((error: unknown) => {
    // A send that waits for it shows the error itself.
    if (!sending && chat === conversations.chat) view.failure({ error, entered: false });
  });
}

// The browser knows what it has loaded.
function coreSize(): string {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const size = entries.find(({ name }) => name.endsWith('.wasm'))?.decodedBodySize ?? 0;
  return size > 0 ? `, WebAssembly ${count(Math.round(size / 1000))} kB` : '';
}

function show(event: ConversationEvent, current: Session): void {
  if (event.type === 'request') {
    const request = current.sent(event.body, event.manifest);
    panel.add(request);
    view.request(request);
  }
  if (event.type === 'usage') panel.counted(Number(event.usage['promptTokenCount'] ?? 0));
  view.event(event);
}

/** Sends a text; '' continues with the user's turn that waits for an answer. */
async function send(text: string): Promise<void> {
  if (sending) return;
  const { signal } = (sending = new AbortController());
  setBusy(true);
  view.begin();
  let current: Session | undefined;
  let entered = text === '';
  try {
    current = await abortable(opened(), signal);
    for await (const event of current.send(text, form.settings, signal)) {
      entered = true;
      conversations.entered();
      show(event, current);
    }
  } catch (error) {
    if (!entered) message.giveBack(text);
    view.failure({ error, entered, actions: actionsFor(current) });
  } finally {
    sending = undefined;
    setBusy(false);
  }
}

// What can be done about a message that waits for an answer.
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
  await session.takeBack();
  message.giveBack(unanswered);
  view.takeBack(actionsFor(session));
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
byId('new', HTMLButtonElement).onclick = () => conversations.startAnew();
byId('examples', HTMLElement).append(...exampleButtons);
// Firefox keeps across a reload what was disabled.
setBusy(false);
openChat();
