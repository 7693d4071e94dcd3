// The message field with Send, which is Stop while an answer comes, and with examples for an empty chat.
import { Button } from '../../ui/elements.js';
import type { Chat } from './chat.js';

const examples = [
  'What is the weather in Paris and Rome?',
  'What time is it in Tokyo?',
  'Why must a thought signature be sent back?',
  'Keep "quotes", \\ and 🐢 as they are.',
];

function Examples({ chat }: { chat: Chat }) {
  if (chat.log.items.value.length > 0 || chat.sending.value) return null;
  return (
    <div class="examples" role="group" aria-label="Examples">
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
    else if (detail < 2) chat.stop();
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

/** The field and its button. */
export function Composer({ chat }: { chat: Chat }) {
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
