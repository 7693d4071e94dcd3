// Sends one request of the current thread: runs the hooks, assembles the body, and returns the streamed response.
import { abortable, promiseTry, type Watch } from '../internal/lifetime.js';
import type { GeminiClient } from '../client/client.js';
import { stream } from '../client/sent-request.js';
import * as must from '../internal/options.js';
import { assembleOrThrow, type Stages } from './stages.js';
import type { RequestFields } from './request-fields.js';
import type { DeclaredTools } from './tools/toolbox.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { ErrorCode } from '../types/codes.js';
import type { RequestEvent } from '../types/conversation-event.js';
import type { ToolCall } from '../types/tool.js';
import type { Spent } from '../types/usage.js';
import type { ConversationThread } from './conversation-thread.js';
import type { EventChannel } from './event-channel.js';
import type { LayerTemplates } from './layer-templates.js';
import type { ConversationOptions } from './options.js';
import type { PluginChain } from './plugin-chain.js';

/** Everything that one send needs. */
export interface SendContext {
  readonly client: GeminiClient;
  readonly options: ConversationOptions;
  readonly live: ConversationThread;
  readonly layers: LayerTemplates;
  readonly tools: DeclaredTools;
  readonly plugins: PluginChain;
  readonly events: EventChannel;
  readonly stages: Stages;
  readonly fields: RequestFields;
  /** Ends the send. */
  readonly watch: Watch;
  /** The names of the tools whose missing result was reported. */
  readonly noted: Set<string>;
  /** Returns what the conversation has used. */
  readonly spentSoFar: () => Spent;
  /** If this is a part of a longer send: the calls of each answer before. */
  readonly earlier: readonly ToolCall[][];
  /** The codes of the answers that could not be used. */
  readonly failed: ErrorCode[];
}

/** A request and its streamed response. */
export interface SentRequest {
  request: RequestEvent;
  response: Response;
}

/** Sends one request. `running`: the interaction that was begun for it before. */
export async function sendRequest(
  context: SendContext,
  input: AssembleInput,
  running?: string,
): Promise<SentRequest> {
  const { client, live, plugins, stages, events, watch } = context;
  const assembled = await stages.run('assemble', () => assembleOrThrow(live.thread, input));
  const request = requestEvent(assembled, live);
  // What runs already was announced when it began.
  if (running === undefined) {
    await plugins.beforeSend(assembled);
    const { diagnostics } = assembled;
    await events.put(
      diagnostics.length > 0 ? [request, { type: 'diagnostics', diagnostics }] : [request],
    );
  }
  if (running !== undefined || input.background) {
    const { answerInBackground } = await import('./background.js');
    return { request, response: await answerInBackground(context, request, running) };
  }
  const response = await stream({ client, signal: watch, emit: events.emit }, request);
  await events.flush();
  return { request, response };
}

// The manifest is parsed when it is read: at the latest when the request is on its way.
function requestEvent(assembled: Assembled, { model, wire }: ConversationThread): RequestEvent {
  const event: RequestEvent = {
    type: 'request',
    purpose: 'answer',
    model,
    body: assembled.body,
    get manifest() {
      return assembled.manifest;
    },
  };
  if (wire === 'interactions') event.wire = wire;
  return event;
}

const noLayer: NonNullable<AssembleInput['dynamic']> = { text: '' };

function staticLayerOf(
  { static: staticLayer, systemInstruction }: ConversationOptions,
  { systemText }: ConversationThread,
) {
  const text = systemInstruction ?? (systemText || undefined);
  return staticLayer ?? (text === undefined ? undefined : { text });
}

// The dynamic text changes with each request:
// after the history it leaves the start of the prompt as it was.
function leanInput(input: AssembleInput): AssembleInput {
  const { static: staticLayer = noLayer, dynamic = noLayer } = input;
  must.optional(must.object)(dynamic, '/dynamic');
  return {
    ...input,
    static: staticLayer,
    dynamic: { ...dynamic, placement: dynamic.placement ?? 'before-current-turn' },
  };
}

/** Returns what the next request is assembled of. `trigger` is added to the request, not to the thread. */
export async function requestInput(
  { options, live, layers, tools, plugins, fields, watch }: SendContext,
  trigger: string | undefined,
): Promise<AssembleInput> {
  const { dynamic, toolConfig, generationConfig, safetySettings } = options;
  // Default `contents`: in the system instruction, old user text and tool results would gain the system's
  // authority.
  const { cachedHistory = 'contents', bufferTokens, strict = true } = options;
  const input: AssembleInput = {
    now: live.now(),
    static: staticLayerOf(options, live),
    dynamic:
      typeof dynamic === 'function' ? await abortable(promiseTry(dynamic), watch.signal) : dynamic,
    tools: tools.json,
    toolConfig,
    generationConfig,
    safetySettings,
    cachedHistory,
    bufferTokens,
    strict,
    previous: live.previous,
    ...fields.values,
    ...live.wireInput(options.background),
  };
  if (trigger !== undefined) input.trigger = trigger;
  const rendered = await layers.resolve(input);
  const prepared = plugins.has('beforeRequest')
    ? await layers.resolve(await plugins.beforeRequest(live.thread, rendered))
    : rendered;
  // What a plugin has paid for is stored before anything else can fail.
  await live.journal.syncNotes();
  return leanInput(prepared);
}
