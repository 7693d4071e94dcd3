// The view Chat: a conversation, its turns, and its requests.
import { render } from 'preact';
import type { Wire } from '../../index.js';
import { Button } from '../../ui/elements.js';
import type { View, ViewContext } from '../app.js';
import { Chat } from './chat.js';
import { Composer } from './composer.js';
import { LogView } from './log-view.js';
import { RequestPane } from './request-pane.js';
import './chat.css';
import './requests.css';

const wires: Record<Wire, string> = {
  generateContent: 'generateContent',
  interactions: 'Interactions API',
};

// Which API the next message is sent to: the turns stay as they are.
function WireField({ chat }: { chat: Chat }) {
  const { wire } = chat.settings;
  return (
    <label class="wire" title="The API for the next message. Earlier turns keep their form.">
      API{' '}
      <select
        id="wire"
        value={wire}
        onChange={({ currentTarget }) => chat.setWire(currentTarget.value as Wire)}
      >
        {Object.entries(wires).map(([value, name]) => (
          <option value={value}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function ChatPage({ chat }: { chat: Chat }) {
  return (
    <>
      <section class="chat" aria-label="Conversation">
        <div class="pane-head">
          <h2>Conversation</h2>
          <WireField chat={chat} />
          <Button label="New chat" id="new" action={() => chat.startNew()} />
        </div>
        <LogView chat={chat} />
        <Composer chat={chat} />
      </section>
      <RequestPane chat={chat} />
    </>
  );
}

/** Creates the view. `shown('message')` focuses the message field. */
export function createChatView(context: ViewContext): View {
  const chat = new Chat(context);
  const element = document.createElement('div');
  element.className = 'chat-view';
  render(<ChatPage chat={chat} />, element);
  return {
    element,
    shown(focus) {
      chat.shown();
      if (focus === 'message') element.querySelector<HTMLElement>('#instruction')?.focus();
    },
    hidden() {},
  };
}
