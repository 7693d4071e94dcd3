// Creates the thread of a Durable Object with an API that a test scripts, for cases that run inside of objects.
import { StoredThread } from '../../web/worker/threads/thread-object.ts';

// Called for each use of the network.
let noteNetwork = () => {};

/** Calls `note` for each use of the network from now on. */
export const onNetwork = (note) => (noteNetwork = note);

/** Ends the turn of the event loop, as network does. */
export function network() {
  noteNetwork();
  return scheduler.wait(0);
}

/** An answer of the API of these Parts, one chunk for each. */
export function answerOf(parts) {
  const chunks = parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    const candidate = {
      content: { role: 'model', parts: [part] },
      ...(isLast && { finishReason: 'STOP' }),
    };
    return `data: ${JSON.stringify({ candidates: [candidate] })}\r\n\r\n`;
  });
  const pull = async (out) => {
    await network();
    const chunk = chunks.shift();
    if (chunk === undefined) out.close();
    else out.enqueue(new TextEncoder().encode(chunk));
  };
  return new Response(new ReadableStream({ pull }));
}

const allowed = { fetch: async () => (await network(), Response.json({})) };
const env = {
  GEMINI_API_KEY: 'AIzaSyThreadParts_0123456789',
  CALLERS: { idFromName: (name) => name, get: () => allowed },
};

/** Creates the thread of an object with this storage, whose deployment has these tools and takes those of callers. */
export function createThread(storage, tools = []) {
  const configurations = { assistant: { model: 'gemini-3.8-flash', tools, callerTools: true } };
  return new StoredThread({ storage }, env, { configurations, default: 'assistant' });
}

const call = { id: 'thread_x', caller: 'one', configuration: 'assistant' };

/** Returns the request for an operation, as the Worker sends it. `bodyHash`: that of a request with a key. */
export function requestFor(operation, { bodyHash, ...init } = {}) {
  const headers = { ...init.headers, 'x-thread': JSON.stringify({ ...call, bodyHash }) };
  return new Request(`https://thread/${operation}`, { ...init, headers });
}

/** Asks a thread for an operation. */
export async function ask(thread, operation, init) {
  await network();
  return thread.fetch(requestFor(operation, init));
}

/** Returns the values of lines of JSON. */
export const linesOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
