// The entry point of prompt-strata/reader: reads what `toResponse()` of a server writes, without WebAssembly.
import type { ErrorCode } from '../../sdk/types/codes.js';
import type { ConversationEvent } from '../../sdk/types/conversation-event.js';

/** The send failed on the server, which printed the whole error. `code` is that of the error, such as `http.error`. */
export interface FailedEvent {
  type: 'failed';
  code: string;
}

/**
 * What the server says of an answer: `text` and `thought` with their piece, `fault` (forget the text of this answer, it is
 * asked again), the last event `done` or `failed`, and what the server lists in `events`. Bytes of an event are its text.
 */
export type AnswerEvent = ConversationEvent | FailedEvent;

const isLast = ({ type }: AnswerEvent): boolean =>
  type === 'done' || type === 'failed' || type === 'waiting';

// A StrataError would be larger than this entry.
const failure = (code: ErrorCode, message: string): Error =>
  Object.assign(new Error(message), { code });

/** Returns the lines of a body; the last one ends with the body. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (done) return;
    }
  } finally {
    // The server stops the answer of a reader that leaves.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Reads the events of an answer that a server sends with `chat.stream(message).toResponse()`. A reader that leaves the
 * loop ends the answer on the server.
 *
 * @throws Error with the `code` `answer.invalid` if the response is not one of `toResponse()`, and `network` if the
 *   connection ends before the answer does
 * @example
 * const response = await fetch('/chat', { method: 'POST', body: 'Hello' });
 * let text = '';
 * for await (const event of readAnswer(response)) {
 *   if (event.type === 'text') text += event.text;
 *   if (event.type === 'fault') text = '';
 *   if (event.type === 'failed') throw new Error(event.code);
 * }
 */
export async function* readAnswer(response: Response): AsyncGenerator<AnswerEvent, void> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !response.body || !type.startsWith('text/event-stream')) {
    await response.body?.cancel();
    throw failure(
      'answer.invalid',
      `The server answered ${response.status} ${type}, not with the events of an answer.`,
    );
  }
  for await (const line of linesOf(response.body)) {
    if (!line.startsWith('data:')) continue;
    const event = JSON.parse(line.slice('data:'.length)) as AnswerEvent;
    yield event;
    if (isLast(event)) return;
  }
  throw failure('network', 'The connection ended before the answer did.');
}
