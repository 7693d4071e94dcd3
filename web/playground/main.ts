// Why this file exists: the page's parts put together: what is typed goes to the conversation, what happens
// there is shown.
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

const instruction = byId('instruction', HTMLTextAreaElement);
const sendButton = byId('send', HTMLButtonElement);
const stopButton = byId('stop', HTMLButtonElement);
const panel = new RequestPanel(byId('tabs', HTMLElement), byId('request', HTMLElement));
const view = new ConversationView(byId('log', HTMLElement), (number) => panel.reveal(number));
const form = new SettingsForm(startAnew);
let session: Promise<Session>;
let sending: AbortController | undefined;

function setBusy(busy: boolean): void {
  sendButton.disabled = busy;
  stopButton.disabled = !busy;
  form.disabled = busy;
}

/** A new conversation: another model or service could not read this one's signatures. */
function startAnew(): void {
  view.clear();
  panel.clear();
  session = Session.open(form.settings);
  session.then(tellVersion, (error: unknown) => view.failure(error, undefined));
}

// The browser knows what it has loaded.
function coreSize(): string {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const size = entries.find(({ name }) => name.endsWith('.wasm'))?.decodedBodySize ?? 0;
  return size > 0 ? `, WebAssembly ${count(Math.round(size / 1000))} kB` : '';
}

function tellVersion({ version }: Session): void {
  byId('version', HTMLElement).textContent = `prompt-strata ${version}${coreSize()}`;
}

async function follow(current: Session, text: string, signal: AbortSignal): Promise<void> {
  for await (const event of current.send(text, signal)) {
    if (event.type === 'request') {
      const request = current.sent(event.body, event.manifest);
      panel.add(request);
      view.request(request);
    }
    if (event.type === 'usage') panel.counted(Number(event.usage['promptTokenCount'] ?? 0));
    view.event(event);
  }
}

/** Sends a text; '' goes on with the user's turn that waits for an answer. */
async function send(text: string): Promise<void> {
  if (sending) return;
  const { signal } = (sending = new AbortController());
  setBusy(true);
  let current: Session | undefined;
  try {
    current = await session;
    await follow(current, text, signal);
  } catch (error) {
    view.failure(error, current?.canResume ? () => void send('') : undefined);
  } finally {
    sending = undefined;
    setBusy(false);
  }
}

function sendInstruction(): void {
  const text = instruction.value;
  if (sending || text.trim() === '') return instruction.focus();
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
byId('examples', HTMLElement).append(
  ...examples.map((example) => button(example, () => void send(example))),
);
// Firefox keeps across a reload what was disabled.
setBusy(false);
startAnew();
