// Why this file exists: POST /chat is one send of a Conversation: its events go out as they happen, and
// the thread last, so that the caller keeps the state and the Worker none.
import { Conversation, load, type ConversationEvent, type Thread } from '../index.js';
import { clientOf, modelOf, type Env } from './env.js';
import { errorBody, errorResponse, HttpError, readText, type ErrorBody } from './http.js';
import { tools } from './tools.js';

/** What is asked for. */
interface ChatRequest {
  /** The user's text; '' goes on with a history that waits for an answer. */
  message: string;
  /** `thread` of an earlier `saved` event, or an array of Contents. */
  history?: string | object[];
}

/** The conversation's events; `failed` ends a send that broke off; `saved` is always the last. */
type ChatEvent =
  ConversationEvent | { type: 'failed'; error: ErrorBody } | { type: 'saved'; thread: string };

const instruction =
  'You are a friendly assistant in a demonstration. Use the tools for weather and time, and say that ' +
  'the weather is invented.';

function parse(text: string): ChatRequest {
  let value: Partial<ChatRequest>;
  try {
    value = Object(JSON.parse(text));
  } catch {
    throw new HttpError(400, 'json.invalid', 'The body is not JSON');
  }
  const { message, history } = value;
  if (typeof message !== 'string') {
    throw new HttpError(400, 'message.missing', 'The body has no text under "message"');
  }
  if (history !== undefined && typeof history !== 'string' && !Array.isArray(history)) {
    throw new HttpError(400, 'history.invalid', '"history" is neither saved text nor an array');
  }
  return { message, ...(history ? { history } : {}) };
}

/** One core a request: what goes wrong in one of them can't reach another. */
async function open({ history }: ChatRequest, env: Env): Promise<Conversation> {
  const strata = await load();
  const model = modelOf(env);
  const from = history === undefined ? {} : { from: history };
  const thread = strata.thread({ model, sequencing: 'api', ...from });
  return new Conversation(strata, clientOf(env), {
    model,
    thread,
    tools,
    static: { variables: { main_instruction: instruction } },
  });
}

const saved = (thread: Thread): ChatEvent => ({
  type: 'saved',
  thread: new TextDecoder().decode(thread.save()),
});

async function* eventsOf(conversation: Conversation, message: string): AsyncGenerator<ChatEvent> {
  try {
    yield* conversation.send(message);
  } catch (error) {
    yield { type: 'failed', error: errorBody(error) };
  }
  yield saved(conversation.thread);
}

// Bytes are JSON here: a body, a Content. They travel as text, and so to the byte.
const bytesAsText = (_: string, value: unknown) =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : value;

/** How an event is written: server-sent events, or a line of JSON where the caller accepts that. */
function formatFor(request: Request) {
  const ndjson = request.headers.get('accept')?.includes('application/x-ndjson');
  const json = (event: ChatEvent) => JSON.stringify(event, bytesAsText);
  return ndjson
    ? { type: 'application/x-ndjson', write: (event: ChatEvent) => `${json(event)}\n` }
    : {
        type: 'text/event-stream',
        write: (event: ChatEvent) => `event: ${event.type}\ndata: ${json(event)}\n\n`,
      };
}

/** Events are asked for as fast as the caller reads; when it leaves, the send is aborted. */
function streamOf(events: AsyncGenerator<ChatEvent>, write: (event: ChatEvent) => string) {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(out) {
      const { done, value } = await events.next();
      if (done) out.close();
      else out.enqueue(encoder.encode(write(value)));
    },
    async cancel() {
      await events.return(undefined);
    },
  });
}

/** POST /chat. What is wrong with the request is answered with a status; what fails later is an event. */
export async function chat(request: Request, env: Env): Promise<Response> {
  try {
    const asked = parse(await readText(request));
    const conversation = await open(asked, env);
    const { type, write } = formatFor(request);
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' };
    return new Response(streamOf(eventsOf(conversation, asked.message), write), { headers });
  } catch (error) {
    return errorResponse(error);
  }
}
