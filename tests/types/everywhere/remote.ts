// Uses a thread of a Worker where a Conversation was used. It names no global type that lib.es2022 lacks.
import {
  Conversation,
  GeminiClient,
  GeminiError,
  load,
  tool,
  type AnswerStream,
  type AskResult,
  type ConversationEvent,
  type ConversationInput,
  type FunctionTool,
} from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import {
  connectThread,
  RemoteError,
  tool as remoteTool,
  type ConnectOptions,
  type RemoteCall,
  type RemoteEvent,
  type RemoteThread,
} from 'prompt-strata/remote';

/** What a program needs of either. */
interface Chat {
  ask(input: ConversationInput): Promise<AskResult>;
  stream(input: ConversationInput): AnswerStream;
}

const own: FunctionTool = tool({
  name: 'read_sensor',
  schema: { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] },
  run: ({ room }) => ({ room, celsius: 12 }),
});
const options: ConnectOptions = {
  url: 'https://threads.example.workers.dev',
  key: async () => 'key',
  tools: [own, remoteTool({ name: 'f', schema: { type: 'object' }, run: () => 1 })],
  retry: { attempts: 3 },
};

export async function chats(): Promise<Chat[]> {
  const client = new GeminiClient({ fetch: createEmulator() });
  const local = new Conversation(await load(), client, { model: 'gemini-3.8-flash', tools: [own] });
  return [local, await connectThread(options)];
}

// Written for a Conversation.
function show(event: ConversationEvent): string {
  switch (event.type) {
    case 'text':
      return event.text;
    case 'turn':
      return `${event.index}: ${event.content.length} bytes`;
    case 'request':
      return `${event.body.length} bytes for ${event.manifest.model}`;
    case 'toolResult':
      return event.response.error ?? event.call.name;
    case 'done':
      return String(event.usage.totalTokenCount);
    default:
      return event.type;
  }
}

export async function readAny(chat: Conversation | RemoteThread): Promise<void> {
  for await (const event of chat.send('Hello')) {
    if (event.type === 'text') show(event);
    if (event.type === 'done') show(event);
    if (event.type === 'waiting') event.calls.map(({ name }) => name);
  }
  for await (const event of chat.stream('Hello')) show(event);
  for await (const text of chat.stream('Hello').textStream) text.trim();
}

// The events of a Worker, and what they add.
export function showRemote(event: RemoteEvent): string {
  switch (event.type) {
    case 'sent':
      return `${event.send} of ${event.thread}`;
    case 'resumed':
      return String(event.attempt);
    case 'stored':
      return String(event.turns);
    case 'failed':
      return `${event.error.code}: ${event.error.message}`;
    case 'toolCall':
      return `${event.callId} ${event.runsAt} ${show(event)}`;
    case 'waiting':
      return event.calls.map(({ callId }: RemoteCall) => callId).join();
    default:
      return `${event.eventId} ${show(event)}`;
  }
}

export async function useThread(thread: RemoteThread): Promise<number> {
  try {
    for await (const event of thread.watch({ after: '1.1.1' })) showRemote(event);
  } catch (error) {
    if (error instanceof RemoteError && error instanceof GeminiError) error.kind satisfies string;
  }
  await thread.answer([{ callId: '1.0', response: { approved: true } }]);
  await thread.answer([{ callId: '1.0', error: 'refused' }]);
  for await (const turn of thread.turns({ after: 2 })) turn.content.parts?.[0]?.text;
  const { openCalls, expiresAt } = await thread.state();
  await (await thread.fork({ turns: 2 })).rewind(0);
  return openCalls.length + (expiresAt?.length ?? 0) + (await thread.export()).length;
}

// @ts-expect-error `url` is required.
void connectThread({ key: 'key' });
// @ts-expect-error The deployment has the tools of the API.
void connectThread({ url: '', tools: [{ googleSearch: {} }] });
