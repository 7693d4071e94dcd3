// The view Chat: a conversation, its turns, its message field, and its requests.
import { Button, Select } from '../../ui/elements.js';
import { Chat } from './chat.js';
import { useEffect, useState } from 'preact/hooks';
import type { Wire } from '../../index.js';
import type { ViewProps } from '../app.js';
import { LogView } from './log-view.js';
import { RequestPane } from './request-pane.js';
import './chat.css';

const examples = [
  'What is the weather in Paris and Rome?',
  'What time is it in Tokyo?',
  'Why must a thought signature be sent back?',
  'Keep "quotes", \\ and 🐢 as they are.',
];

function Examples({ chat }: { chat: Chat }) {
  if (chat.log.items.value.length > 0 || chat.sending.value) return null;
  return (
    <div class="row examples" role="group" aria-label="Examples">
      {examples.map((text) => (
        <Button label={text} action={() => void chat.send(text)} />
      ))}
    </div>
  );
}

// One button, so that the focus stays on it. The second click of a double click does not stop what the first sent.
function SendButton({ chat }: { chat: Chat }) {
  const isSending = chat.sending.value !== undefined;
  const press = ({ detail }: MouseEvent) => {
    if (!isSending) chat.sendMessage();
    else if (detail < 2) chat.sending.value?.stop();
  };
  return (
    <button
      type="button"
      id={isSending ? 'stop' : 'send'}
      class={isSending ? undefined : 'main'}
      onClick={press}
    >
      {isSending ? 'Stop' : 'Send'}
    </button>
  );
}

function Composer({ chat }: { chat: Chat }) {
  const { message } = chat;
  // While an input method composes, Enter ends a word.
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    chat.sendMessage();
  };
  return (
    <div class="composer">
      <Examples chat={chat} />
      <label class="hidden" for="instruction">
        Message
      </label>
      <textarea
        id="instruction"
        rows={2}
        placeholder="Write a message. Enter sends it, Shift+Enter breaks the line."
        value={message.text.value}
        onInput={({ currentTarget }) => message.write(currentTarget.value)}
        onKeyDown={onKey}
      />
      <SendButton chat={chat} />
    </div>
  );
}

const wires: Record<Wire, string> = {
  generateContent: 'generateContent',
  interactions: 'Interactions API',
};

// Which API the next message is sent to: the turns stay as they are.
function WireField({ chat }: { chat: Chat }) {
  const { document } = chat.context;
  const select = (wire: Wire) =>
    document.update({ settings: { ...document.value.settings, wire } });
  return (
    <span
      class="row note push"
      title="The API for the next message. Earlier turns keep their form."
    >
      <Select id="wire" label="API" value={chat.settings.wire} options={wires} change={select} />
    </span>
  );
}

/** The view. The focus `message` is the message field. */
export function ChatView({ context, opened }: ViewProps) {
  const [chat] = useState(() => new Chat(context));
  useEffect(() => {
    if (opened?.focus === 'message') document.getElementById('instruction')?.focus();
  }, [opened]);
  return (
    <div class="panes chat-view">
      <section class="column chat" aria-label="Conversation">
        <div class="row pane-head">
          <h2>Conversation</h2>
          <WireField chat={chat} />
          <Button label="New chat" id="new" action={() => chat.startNew()} />
        </div>
        <LogView chat={chat} />
        <Composer chat={chat} />
      </section>
      <RequestPane chat={chat} />
    </div>
  );
}
