// Why this file exists: one request and its answer, step by step: the parts' say, the body, the stream, the
// whole answer into the thread.
import type { GeminiClient } from '../client.js';
import { HistoryError } from '../errors.js';
import { abortable } from '../abort.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { Answer, AssembleInput, Assembled, Strata } from '../types.js';
import { readAnswer } from './answer.js';
import { isCacheLost } from './cache-lost.js';
import type { LiveThread } from './live-thread.js';
import type { ConversationOptions } from './options.js';
import type { Parts } from './parts.js';
import type { Events } from './told.js';

/** What one send works with. */
export interface SendContext {
  readonly strata: Strata;
  readonly client: GeminiClient;
  readonly options: ConversationOptions;
  readonly live: LiveThread;
  readonly tools: Toolbox;
  readonly parts: Parts;
  readonly signal: AbortSignal;
}

/** One request and its answer, which enters the thread only whole. */
export async function* ask(context: SendContext): Events<Answer> {
  const { live, parts } = context;
  yield* live.replace(yield* parts.beforeTurn(live.thread));
  const { assembled, response } = yield* sendRequest(context);
  const { manifest } = assembled;
  live.previous = manifest;
  const answer = yield* readAnswer(response, context.strata.response());
  const tokens = answer.usage['candidatesTokenCount'];
  const counted = typeof tokens === 'number' ? { tokens } : {};
  const { model, backend } = live;
  if (answer.content) {
    yield* live.append(answer.content, { model, backend, manifest, ...counted });
  }
  yield* parts.afterAnswer(answer.usage, manifest);
  return answer;
}

// A cache that is gone is the library's concern: the same request goes out without it, once.
async function* sendRequest(
  context: SendContext,
): Events<{ assembled: Assembled; response: Response }> {
  const { parts } = context;
  for (let lost = false; ; lost = true) {
    const input = yield* requestInput(context);
    const assembled = yield* assemble(context, input);
    try {
      return { assembled, response: yield* transmit(context, assembled) };
    } catch (error) {
      if (lost || !input.cache || !isCacheLost(error)) throw error;
      yield { type: 'cacheLost', name: input.cache.name };
      yield* parts.onCacheLost(input.cache.name);
    }
  }
}

async function* requestInput({ options, live, tools, parts, signal }: SendContext) {
  const { dynamic, static: fixed, toolConfig, generationConfig, safetySettings } = options;
  const { cachedHistory, bufferTokens, strict } = options;
  const asked = async () => (typeof dynamic === 'function' ? dynamic() : dynamic);
  const input: AssembleInput = {
    now: live.now(),
    static: fixed,
    dynamic: await abortable(asked(), signal),
    tools: tools.json,
    ...{ toolConfig, generationConfig, safetySettings, cachedHistory, bufferTokens, strict },
    previous: live.previous,
  };
  return yield* parts.beforeRequest(live.thread, input);
}

async function* assemble({ live, parts }: SendContext, input: AssembleInput): Events<Assembled> {
  const assembled = live.thread.assemble(input);
  const { body, manifest, diagnostics, ok } = assembled;
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (!ok && fault) throw new HistoryError(fault.code, fault.message, diagnostics);
  yield* parts.beforeSend(assembled);
  yield { type: 'request', body, manifest };
  if (diagnostics.length > 0) yield { type: 'diagnostics', diagnostics };
  return assembled;
}

function transmit({ client, live, parts, signal }: SendContext, { body }: Assembled) {
  return parts.during((tell) =>
    client.stream(live.model, body, {
      signal,
      onRetry: (error, delayMs, attempt) =>
        tell({ type: 'retry', code: error.code, delayMs, attempt }),
    }),
  );
}
