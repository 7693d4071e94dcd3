// Why this file exists: the page's parts put together: what is typed goes to the conversation, what happens
// there is shown.
import { abortable } from '../sdk/base/abort.js';
import type { ConversationEvent } from '../index.js';
import { ConversationView } from './conversation-view.js';
import { button, byId, count } from './dom.js';
import { RequestPanel } from './request-panel.js';
import { Session } from './session.js';
import { SettingsForm } from './settings-form.js';

const examples = [
  'What is the weather in Paris and Rome?',
  'What time is it in Tokyo?',
  'Why does a thought signature have to go back?',
  'Keep "quotes", \\ and 🐢 as they are.',
];

const exampleButtons = examples.map((example) => button(example, () => void send(example)));
const instruction = byId('instruction', HTMLTextAreaElement);
const sendButton = byId('send', HTMLButtonElement);
const stopButton = byId('stop', HTMLButtonElement);
const panel = new RequestPanel(byId('tabs', HTMLElement), byId('request', HTMLElement));
const view = new ConversationView(byId('log', HTMLElement), (number) => panel.reveal(number));
const form = new SettingsForm(startAnew);
const version = byId('version', HTMLElement);
let session: Promise<Session> | undefined;
let sending: AbortController | undefined;

// Those that begin a send keep the focus while they wait, so they are not disabled.
function setBusy(busy: boolean): void {
  for (const starter of [sendButton, ...exampleButtons]) starter.ariaDisabled = String(busy);
  if (!busy && document.activeElement === stopButton) sendButton.focus();
  stopButton.disabled = !busy;
  form.disabled = busy;
}

/** The conversation. One that could not be opened is opened anew with the next send. */
function opened(): Promise<Session> {
  if (session) return session;
  const opening = (session = Session.open(form.settings));
  opening.then(tellVersion, () => {
    if (session !== opening) return;
    session = undefined;
    version.textContent = 'The core is not running';
  });
  return opening;
}

/** A new conversation: another model or service could not read this one's signatures. */
function startAnew(): void {
  view.clear();
  panel.clear();
  session = undefined;
  const opening = opened();
  opening.catch((error: unknown) => {
    // A send that waits for it tells the error itself.
    if (!sending && session === undefined) view.failure({ error, entered: false });
  });
}

// The browser knows what it has loaded.
function coreSize(): string {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const size = entries.find(({ name }) => name.endsWith('.wasm'))?.decodedBodySize ?? 0;
  return size > 0 ? `, WebAssembly ${count(Math.round(size / 1000))} kB` : '';
}

function tellVersion(current: Session): void {
  version.textContent = `prompt-strata ${current.version}${coreSize()}`;
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

/** Sends a text; '' goes on with the user's turn that waits for an answer. */
async function send(text: string): Promise<void> {
  if (sending) return;
  const { signal } = (sending = new AbortController());
  setBusy(true);
  view.begin();
  let current: Session | undefined;
  let entered = text === '';
  try {
    current = await abortable(opened(), signal);
    for await (const event of current.send(text, signal)) {
      entered = true;
      show(event, current);
    }
  } catch (error) {
    if (!entered) giveBack(text);
    view.failure({ error, entered, resume: current?.canResume ? resume : undefined });
  } finally {
    sending = undefined;
    setBusy(false);
  }
}

// What was typed in the meantime stays, too.
function giveBack(text: string): void {
  instruction.value = [text, instruction.value].filter(Boolean).join('\n');
}

function resume(): void {
  sendButton.focus();
  void send('');
}

function sendInstruction(): void {
  if (sending) return;
  const text = instruction.value;
  if (text.trim() === '') return instruction.focus();
  instruction.value = '';
  void send(text);
}

sendButton.onclick = sendInstruction;
stopButton.onclick = () => sending?.abort();
byId('new', HTMLButtonElement).onclick = startAnew;
instruction.onkeydown = (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  sendInstruction();
};
byId('examples', HTMLElement).append(...exampleButtons);
// Firefox keeps across a reload what was disabled.
setBusy(false);
startAnew();
