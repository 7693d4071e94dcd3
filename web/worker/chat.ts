// Answers POST /chat: one send of a Conversation, whose events go out as they happen. The thread goes out last,
// so that the caller keeps the state and the Worker keeps none.
import { Conversation, load } from '../index.js';
import { clientOf, modelOf, type Env } from './env.js';
import { EventStream } from './event-stream.js';
import { HttpError } from './http-error.js';
import { readText } from './http.js';
import { readerLeft, Send } from './send.js';
import { tools } from './tools.js';
import { visibleThread } from './visible.js';

/** What is asked for. */
interface ChatRequest {
  /** The user's text; '' goes on with a history that waits for an answer. */
  message: string;
  /** `thread` of an earlier `saved` event, or an array of Contents. */
  history?: string | object[];
}

const instruction =
  'You are a friendly assistant in a demonstration. Use the tools for weather and time, and say that ' +
  'the weather is invented.';

/** Options that all conversations of this Worker share. */
export const settingsOf = (env: Env) => ({
  model: modelOf(env),
  tools,
  static: { variables: { main_instruction: instruction } },
});

/** Reads the body of a request. */
export function parse(text: string): ChatRequest {
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
  const settings = settingsOf(env);
  const from = history === undefined ? {} : { from: history };
  const thread = strata.thread({ model: settings.model, sequencing: 'api', ...from });
  return new Conversation(strata, clientOf(env), { ...settings, thread });
}

/** POST /chat. A request that is refused gets a status; a later failure is an event. */
export async function chat(request: Request, env: Env): Promise<Response> {
  const asked = parse(await readText(request));
  const conversation = await open(asked, env);
  const send = new Send(env);
  // Nobody else can get the answer.
  const reader = new EventStream(request, env, () => send.abort(readerLeft()));
  void send.run(
    reader,
    asked.message,
    async () => conversation,
    ({ thread }) => ({ type: 'saved', thread: visibleThread(thread, env) }),
  );
  return reader.response;
}
