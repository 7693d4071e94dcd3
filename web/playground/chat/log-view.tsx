// Shows the log of messages: it follows its end, and a long one is filled in slices.
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/elements.js';
import { amount } from '../../ui/format.js';
import { AnswerView } from './answer-view.js';
import type { Chat } from './chat.js';
import { FindingList } from './findings.js';
import type { LogItem } from './log.js';
import { MessageTurn } from './turn-view.js';
import { failureCode, failureWords, isStop } from './words.js';

// How many items are drawn between two frames.
const slice = 12;
// The time during which screen readers must not announce a change.
const silentMs = 300;
const endPixels = 48;

function RequestLine({ chat, item }: { chat: Chat; item: LogItem & { kind: 'request' } }) {
  const { request } = item;
  const { number } = request;
  const bytes = request.bytes.value?.body.length;
  const label = `Request ${number}${bytes === undefined ? '' : `: ${amount(bytes, 'byte')}`}`;
  const show = () => {
    chat.requests.select(request);
    document.querySelector('#tabs')?.scrollIntoView();
  };
  return <Button class="sent small" label={label} action={show} />;
}

function Failure({ error, isAdded }: { error: unknown; isAdded: boolean }) {
  const isStopped = isStop(error);
  return (
    <div
      class={isStopped ? 'stack failure stopped' : 'stack failure'}
      role={isStopped ? 'status' : 'alert'}
    >
      <p class="code">
        <b>{failureCode(error)}</b>
      </p>
      {failureWords(error, isAdded).map((text) => (
        <p>{text}</p>
      ))}
    </div>
  );
}

// Items never change, so that each is drawn once.
function itemView(chat: Chat, item: LogItem): VNode {
  switch (item.kind) {
    case 'message':
      return <MessageTurn chat={chat} turn={item.turn} />;
    case 'answer':
      return <AnswerView chat={chat} answer={item.answer} />;
    case 'request':
      return <RequestLine chat={chat} item={item} />;
    case 'findings':
      return <FindingList findings={item.findings} />;
    case 'failure':
      return <Failure {...item} />;
    default:
      return <p class="note">{item.text}</p>;
  }
}

function Unanswered({ chat }: { chat: Chat }) {
  if (!chat.isUnanswered.value) return null;
  return (
    <div class="stack failure stopped">
      <p>This message has no answer yet.</p>
      <div class="actions">
        <Button label="Get an answer" action={() => void chat.send('')} />
        <Button label="Edit message" action={() => chat.editUnanswered()} />
      </div>
    </div>
  );
}

function Empty() {
  return (
    <div class="empty">
      <h2>No messages yet</h2>
      <p>
        Write a message or select an example. The first example makes two tool calls. The tools run
        in this page and return invented data.
      </p>
    </div>
  );
}

// The items: more of them with each frame, and then each when it comes.
function Items({ chat, items }: { chat: Chat; items: readonly LogItem[] }) {
  const [drawn, setDrawn] = useState(slice);
  const views = useRef(new WeakMap<LogItem, VNode>());
  useEffect(() => {
    const next = drawn < items.length ? drawn + slice : Infinity;
    const timer = setTimeout(() => setDrawn(next));
    return () => clearTimeout(timer);
  }, [drawn]);
  const viewOf = (item: LogItem) => {
    const view = views.current.get(item) ?? itemView(chat, item);
    views.current.set(item, view);
    return view;
  };
  return <>{items.slice(0, drawn).map(viewOf)}</>;
}

export function LogView({ chat }: { chat: Chat }) {
  const items = chat.log.items.value;
  const loads = chat.log.loads.value;
  const root = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const top = useRef(0);
  const isSending = chat.sending.value !== undefined;
  useLayoutEffect(() => void (isAtEnd.current ||= isSending), [isSending]);
  // Content that is drawn again is not announced, and stays where it was.
  useLayoutEffect(() => {
    const log = root.current;
    if (!log) return undefined;
    log.ariaLive = 'off';
    const timer = setTimeout(() => (log.ariaLive = null), silentMs);
    return () => clearTimeout(timer);
  }, [loads]);
  useEffect(() => {
    const log = root.current;
    const content = log?.firstElementChild;
    if (!log || !content) return undefined;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) log.scrollTop = log.scrollHeight;
      else if (log.ariaLive === 'off') log.scrollTop = top.current;
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  // Only who scrolls up leaves the end: what grows moves it away, too.
  const scrolled = ({ currentTarget: log }: { currentTarget: HTMLElement }) => {
    if (log.ariaLive === 'off') return;
    const isNear = log.scrollHeight - log.scrollTop - log.clientHeight < endPixels;
    isAtEnd.current = isNear || (isAtEnd.current && log.scrollTop >= top.current);
    top.current = log.scrollTop;
  };
  return (
    <div
      ref={root}
      id="log"
      class="log"
      role="log"
      tabIndex={0}
      aria-label="Messages"
      onScroll={scrolled}
    >
      <div class={isSending ? 'turns sending' : 'turns'}>
        <Items key={loads} chat={chat} items={items} />
        {items.length === 0 && !isSending && <Empty />}
        <Unanswered chat={chat} />
      </div>
    </div>
  );
}
