// The entry point of prompt-strata/react: a chat of a React page with a server that answers by `toResponse()`.
import { useEffect, useRef, useState } from 'react';
import { readAnswer } from './reader.js';

export { readAnswer, type AnswerEvent, type FailedEvent } from './reader.js';

/** A message of the page. */
export interface ChatMessage {
  role: 'user' | 'model';
  text: string;
  /** What the model told of its thoughts; missing if it told nothing. */
  thoughts?: string;
}

/** Options of `useChat`. */
export interface UseChatOptions {
  /** What answers a POST, whose body is the text of a message, with `chat.stream(text).toResponse()`. */
  url: string;
  /** What was said before the page was opened. It is read once. */
  initialMessages?: readonly ChatMessage[];
  /** Of each request, such as the ID of a conversation or of a session. */
  headers?: Record<string, string>;
}

/** What `useChat` returns. */
export interface Chat {
  /** The last one is the answer while it comes. */
  messages: readonly ChatMessage[];
  /** `streaming`: from the click until the answer has ended. `failed`: `error` says why; `retry` asks again. */
  status: 'ready' | 'streaming' | 'failed';
  /** Why the answer failed; most have the `code` of an error of this package. */
  error: (Error & { code?: string }) | undefined;
  /** Sends a message. Throws while an answer streams, and if the text is empty. */
  send: (text: string) => void;
  /** Asks for the answer to the last message again, after it failed or was stopped. */
  retry: () => void;
  /** Ends the answer, on the server as well. What has arrived of it stays on the page. */
  stop: () => void;
}

interface Running {
  controller: AbortController;
  answer: ChatMessage;
}

/** Sends a message and reads its answer. `show` is called with what has arrived. */
async function ask(
  { url, headers }: UseChatOptions,
  text: string,
  { controller, answer }: Running,
  show: () => void,
): Promise<void> {
  const { signal } = controller;
  const response = await fetch(url, {
    method: 'POST',
    body: text,
    signal,
    ...(headers && { headers }),
  });
  for await (const event of readAnswer(response)) {
    if (event.type === 'failed')
      throw Object.assign(new Error(`The answer failed: ${event.code}`), { code: event.code });
    if (event.type === 'text') answer.text += event.text;
    else if (event.type === 'thought') answer.thoughts = (answer.thoughts ?? '') + event.text;
    else if (event.type === 'fault') answer.text = '';
    else continue;
    show();
  }
}

/**
 * A chat with a server of one's own, which keeps the conversation and the key.
 *
 * @example
 * function Page() {
 *   const { messages, status, send, stop } = useChat({ url: '/chat' });
 *   // … messages.map(({ role, text }, i) => <p key={i}>{role}: {text}</p>)
 * }
 */
export function useChat(options: UseChatOptions): Chat {
  const [messages, setMessages] = useState(options.initialMessages ?? []);
  const [status, setStatus] = useState<Chat['status']>('ready');
  const [error, setError] = useState<Error>();
  const running = useRef<Running>(undefined);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => () => running.current?.controller.abort(), []);

  const end = (run: Running, reason?: unknown) => {
    running.current = undefined;
    const hasFailed = reason !== undefined && !run.controller.signal.aborted;
    setStatus(hasFailed ? 'failed' : 'ready');
    if (hasFailed)
      setError(
        reason instanceof Error ? reason : new Error('The answer failed.', { cause: reason }),
      );
  };
  const start = (before: readonly ChatMessage[], text: string) => {
    if (running.current)
      throw new Error('An answer is streaming: wait for it, or call stop() first.');
    const run: Running = { controller: new AbortController(), answer: { role: 'model', text: '' } };
    running.current = run;
    setError(undefined);
    setStatus('streaming');
    setMessages(before);
    const show = () => setMessages([...before, { ...run.answer }]);
    ask(latest.current, text, run, show).then(
      () => end(run),
      (reason: unknown) => end(run, reason),
    );
  };
  const send = (text: string) => {
    if (!text) throw new Error('The message is empty.');
    start([...messages, { role: 'user', text }], text);
  };
  const retry = () => {
    const last = messages.findLastIndex(({ role }) => role === 'user');
    const asked = messages[last];
    // The same text again continues from the turn that the server has kept.
    if (asked) start(messages.slice(0, last + 1), asked.text);
  };
  const stop = () => running.current?.controller.abort();
  return { messages, status, error, send, retry, stop };
}
