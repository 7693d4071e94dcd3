// A thread of prompt-strata alone: append, assemble, and appendAnswer; no client, no conversation.
import { load } from 'prompt-strata';
import { model, question, system, tools } from '../chat.mjs';
import { upstream } from '../upstream.mjs';
import { answerEvent } from '../upstream-answer.mjs';

const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const toolBytes = new TextEncoder().encode(JSON.stringify(tools));

/** Reads an answer, and passes the response to `end`. */
function read(strata, reads, end) {
  const response = strata.response();
  let text = '';
  for (const piece of reads)
    for (const event of response.push(piece)) if (event.type === 'text') text += event.text;
  end(response);
  response[dispose]();
  return text;
}

/** Opens a thread that has these Contents. */
export async function open(contents) {
  const strata = await load();
  const thread = strata.thread({ model });
  for (const content of contents) thread.append(content);
  const { length } = thread;
  const layers = { static: { text: system }, dynamic: { text: '' }, cachedHistory: 'contents' };
  let previous;
  return {
    reset: () => thread.rewind(length),
    ask(text) {
      thread.append(question(text));
      const now = new Date().toISOString();
      const request = thread.assemble({ now, ...layers, tools: toolBytes, previous });
      upstream.calledAt = performance.now();
      upstream.request = ['https://localhost', { method: 'POST', body: request.body }];
      // Parsed when it is read: as a conversation does, once the request has left.
      previous = request.manifest;
      return read(strata, [answerEvent], (response) => thread.appendAnswer(response));
    },
    stream: () => read(strata, upstream.reads, (response) => response.finish()),
  };
}
