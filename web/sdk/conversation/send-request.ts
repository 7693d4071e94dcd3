// Sends one request: runs the hooks, assembles the body, and returns the streamed response.
import { abortable, promiseTry } from '../base/abort.js';
import { readerOnly, type GeminiClient } from '../client/client.js';
import { observed } from '../client/sent-request.js';
import * as must from '../base/options.js';
import { assembleOrThrow } from '../prompt/history.js';
import type { Stages } from '../prompt/stages.js';
import type { RequestFields } from '../plugins/request-fields.js';
import type { DeclaredTools } from '../tools/toolbox.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Strata } from '../types/strata.js';
import type { Spent } from '../types/usage.js';
import { isCacheLost } from './cache-lost.js';
import type { ConversationThread } from './conversation-thread.js';
import type { EventChannel } from './event-channel.js';
import type { ConversationOptions } from './options.js';
import type { PluginChain } from './plugin-chain.js';
import type { PrefixMeter } from './prefix-meter.js';
import type { Spending } from './spending.js';

/** Everything that one send needs. */
export interface SendContext {
  readonly strata: Strata;
  readonly client: GeminiClient;
  readonly options: ConversationOptions;
  readonly live: ConversationThread;
  readonly tools: DeclaredTools;
  readonly plugins: PluginChain;
  readonly events: EventChannel;
  readonly stages: Stages;
  readonly fields: RequestFields;
  readonly meter: PrefixMeter;
  readonly signal: AbortSignal;
  /** The names of the tools whose missing result was reported. */
  readonly noted: Set<string>;
  /** The token counts of all requests of this send. */
  readonly spending: Spending;
  /** Returns what the conversation has used. */
  readonly spentSoFar: () => Spent;
  /** If this is a part of a longer send: the index of that send's first turn. */
  readonly firstTurn: number | undefined;
}

/** A request and its streamed response. */
export interface SentRequest {
  assembled: Assembled;
  response: Response;
}

/**
 * Sends one request for the current thread. `trigger` is added to the request, not to the thread. If the
 * CachedContent no longer exists, the request is sent once more without it.
 */
export async function sendRequest(
  context: SendContext,
  trigger: string | undefined,
): Promise<SentRequest> {
  const { plugins, events } = context;
  for (let retried = false; ; retried = true) {
    const input = await requestInput(context, trigger);
    try {
      return await sendKnownFields(context, input);
    } catch (error) {
      if (retried || !input.cache || !isCacheLost(error)) throw error;
      await events.put([{ type: 'cacheLost', name: input.cache.name }]);
      await plugins.onCacheLost(input.cache.name);
    }
  }
}

/** Sends one request; if the endpoint does not know `store`, once more without it. */
async function sendKnownFields(context: SendContext, input: AssembleInput): Promise<SentRequest> {
  for (let current = input; ;) {
    const assembled = await assemble(context, current);
    try {
      return { assembled, response: await transmit(context, assembled) };
    } catch (error) {
      const refused = context.fields.refuse(error);
      if (!refused) throw error;
      await context.events.put([refused]);
      const { store: _, ...others } = current;
      current = others;
    }
  }
}

const noLayer: NonNullable<AssembleInput['dynamic']> = { text: '' };

function staticLayerOf(
  { static: staticLayer, systemInstruction }: ConversationOptions,
  { systemText }: ConversationThread,
) {
  const text = systemInstruction ?? (systemText || undefined);
  return staticLayer ?? (text === undefined ? undefined : { text });
}

// Without these defaults, `assemble` renders the package's own templates. The dynamic text changes with each request:
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

async function requestInput(
  { options, live, tools, plugins, fields, signal }: SendContext,
  trigger: string | undefined,
): Promise<AssembleInput> {
  const { dynamic, toolConfig, generationConfig, safetySettings } = options;
  // Default `contents`: in the system instruction, old user text and tool results would gain the system's
  // authority.
  const { cachedHistory = 'contents', bufferTokens, strict } = options;
  const input: AssembleInput = {
    now: live.now(),
    static: staticLayerOf(options, live),
    dynamic: typeof dynamic === 'function' ? await abortable(promiseTry(dynamic), signal) : dynamic,
    tools: tools.json,
    toolConfig,
    generationConfig,
    safetySettings,
    cachedHistory,
    bufferTokens,
    strict,
    previous: live.previous,
    ...fields.values,
  };
  if (trigger !== undefined) input.trigger = trigger;
  const prepared = await plugins.beforeRequest(live.thread, input);
  // What a plugin has paid for is stored before anything else can fail.
  await live.journal.syncNotes();
  return leanInput(prepared);
}

async function assemble(
  { live, plugins, stages, events }: SendContext,
  input: AssembleInput,
): Promise<Assembled> {
  const assembled = await stages.run('assemble', () => assembleOrThrow(live.thread, input));
  const { body, manifest, diagnostics } = assembled;
  await plugins.beforeSend(assembled);
  await events.put([
    { type: 'request', purpose: 'answer', model: live.model, body, manifest },
    ...(diagnostics.length > 0 ? [{ type: 'diagnostics', diagnostics } as const] : []),
  ]);
  return assembled;
}

/** Sends a body, whose event was emitted. */
async function transmit(
  { client, live: { model }, events, signal }: SendContext,
  { body, manifest }: Assembled,
): Promise<Response> {
  const request = { purpose: 'answer', model, body, manifest } as const;
  const response = await client.stream(model, body, {
    ...readerOnly(client),
    ...observed({ signal, emit: events.emit }, request),
  });
  await events.flush();
  return response;
}
