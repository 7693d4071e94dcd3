// Why this file exists: one request on its way, step by step: the parts' say, the body, the stream that
// answers it.
import { abortable } from '../base/abort.js';
import type { GeminiClient } from '../client/client.js';
import { assembleWhole } from '../prompt/history.js';
import type { Stages } from '../prompt/stages.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Strata } from '../types/strata.js';
import { isCacheLost } from './cache-lost.js';
import type { LiveThread } from './live-thread.js';
import type { ConversationOptions } from './options.js';
import type { PluginChain } from './plugin-chain.js';
import type { Events } from './event-queue.js';

/** What one send works with. */
export interface SendContext {
  readonly strata: Strata;
  readonly client: GeminiClient;
  readonly options: ConversationOptions;
  readonly live: LiveThread;
  readonly tools: Toolbox;
  readonly plugins: PluginChain;
  readonly stages: Stages;
  readonly signal: AbortSignal;
}

/** A request that was answered with a stream. */
export interface Sent {
  assembled: Assembled;
  response: Response;
}

/**
 * Sends one request for the thread as it is; `trigger` is added to the request alone. A cache that is gone
 * is the library's concern: the same request goes out without it, once.
 */
export async function* sendRequest(
  context: SendContext,
  trigger: string | undefined,
): Events<Sent> {
  const { plugins } = context;
  for (let lost = false; ; lost = true) {
    const input = yield* requestInput(context, trigger);
    const assembled = yield* assemble(context, input);
    try {
      return { assembled, response: yield* transmit(context, assembled.body) };
    } catch (error) {
      if (lost || !input.cache || !isCacheLost(error)) throw error;
      yield { type: 'cacheLost', name: input.cache.name };
      yield* plugins.onCacheLost(input.cache.name);
    }
  }
}

async function* requestInput(
  { options, live, tools, plugins, signal }: SendContext,
  trigger: string | undefined,
): Events<AssembleInput> {
  const { dynamic, static: staticLayer, toolConfig, generationConfig, safetySettings } = options;
  // In the system instruction, what users and tools once said would gain the system's authority.
  const { cachedHistory = 'contents', bufferTokens, strict } = options;
  const asked = async () => (typeof dynamic === 'function' ? dynamic() : dynamic);
  const input: AssembleInput = {
    now: live.now(),
    static: staticLayer,
    dynamic: await abortable(asked(), signal),
    tools: tools.json,
    ...{ toolConfig, generationConfig, safetySettings, cachedHistory, bufferTokens, strict },
    previous: live.previous,
    ...(trigger === undefined ? {} : { trigger }),
  };
  return yield* plugins.beforeRequest(live.thread, input);
}

async function* assemble(
  { live, plugins, stages }: SendContext,
  input: AssembleInput,
): Events<Assembled> {
  const assembled = await stages.run('assemble', () => assembleWhole(live.thread, input));
  const { body, manifest, diagnostics } = assembled;
  yield* plugins.beforeSend(assembled);
  yield { type: 'request', body, manifest };
  if (diagnostics.length > 0) yield { type: 'diagnostics', diagnostics };
  return assembled;
}

/** Sends a body, with the client's own attempts, which are told. */
function transmit(
  { client, live, plugins, signal }: SendContext,
  body: Uint8Array,
): Events<Response> {
  return plugins.during((tell) =>
    client.stream(live.model, body, {
      signal,
      onRetry: (error, delayMs, attempt) =>
        tell({ type: 'retry', code: error.code, delayMs, attempt }),
    }),
  );
}
