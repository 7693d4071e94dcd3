// Handles POST /chat: runs one send of a Conversation and streams its events. The last event holds the thread,
// because the Worker stores nothing.
import { Conversation, load } from '../index.js';
import { clientOf, modelOf, type Env } from './env.js';
import { EventStream } from './event-stream.js';
import { HttpError } from '../sdk/server/http-error.js';
import { readText } from './http.js';
import { readerDisconnected, Send } from './send.js';
import { tools } from './tools.js';
import { visibleThread } from './visible.js';

/** The body of a request. */
interface ChatRequest {
  /** The user's text. '' resumes a history that awaits an answer. */
  message: string;
  /** The `thread` of an earlier `saved` event, or an array of Contents. */
  history?: string | object[];
}

const instruction =
  'You are a friendly assistant in a demonstration. Use the tools for weather and time, and say that ' +
  'the weather is invented.';

/** Returns the options that all conversations of this Worker share. */
export const conversationOptions = (env: Env) => ({
  model: modelOf(env),
  tools,
  static: { variables: { main_instruction: instruction } },
});

/**
 * Parses the body of a request.
 *
 * @throws HttpError with the status 400 if it is invalid
 */
export function parseChatRequest(text: string): ChatRequest {
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
    throw new HttpError(
      400,
      'history.invalid',
      '"history" must be a saved thread or an array of Contents',
    );
  }
  return { message, ...(history ? { history } : {}) };
}

// Each request loads its own core, so that a trap affects this request only.
async function open({ history }: ChatRequest, env: Env): Promise<Conversation> {
  const strata = await load();
  const options = conversationOptions(env);
  const from = history === undefined ? {} : { from: history };
  const now = new Date().toISOString();
  const thread = strata.thread({ model: options.model, now, sequencing: 'api', ...from });
  return new Conversation(strata, clientOf(env), { ...options, thread });
}

/** Handles POST /chat. An invalid request throws; a failure after that is a `failed` event. */
export async function chat(request: Request, env: Env): Promise<Response> {
  const body = parseChatRequest(await readText(request));
  const conversation = await open(body, env);
  const send = new Send(env);
  // Only this reader can receive the answer, so the send ends when it disconnects.
  const reader = new EventStream(request, env, () => send.abort(readerDisconnected()));
  void send.run(
    reader,
    body.message,
    async () => conversation,
    ({ thread }) => ({ type: 'saved', thread: visibleThread(thread, env) }),
  );
  return reader.response;
}
