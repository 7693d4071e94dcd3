// Sends the requests of a conversation, so that each attempt and each retry is an event.
import { Watch, type AbortSource } from '../internal/lifetime.js';
import { isForReader, onResend, type CallOptions, type HttpRequest } from './http.js';
import { readerOnly, type GeminiClient } from './client.js';
import type { ConversationEvent, RequestEvent } from '../types/conversation-event.js';

/** Who sends, and who receives the events. */
export interface RequestScope {
  readonly client: GeminiClient;
  readonly signal: AbortSource;
  readonly emit: (event: ConversationEvent) => void;
}

/**
 * Returns the options of a call whose first attempt has its event already. `forReader` says that only this package sees
 * them, and the response.
 */
export function observed(
  { signal, emit }: Omit<RequestScope, 'client'>,
  request: RequestEvent,
  forReader = false,
): CallOptions {
  const options: Omit<HttpRequest, 'method' | 'url'> = {
    signal: signal instanceof Watch && !forReader ? signal.signal : signal,
    onRetry: ({ code }, delayMs, attempt) => emit({ type: 'retry', code, delayMs, attempt }),
    [onResend]: () => emit(request),
    [isForReader]: forReader,
  };
  return options as CallOptions;
}

/**
 * Sends a request whose event was emitted, and returns the streamed response, which only `readAnswer` reads.
 *
 * @throws what `GeminiClient.stream` and `Interactions.stream` throw
 */
export function stream(scope: RequestScope, request: RequestEvent): Promise<Response> {
  const { client } = scope;
  const { model, wire, body } = request;
  const options = observed(scope, request, readerOnly(client));
  return wire ? client.interactions.stream(body, options) : client.stream(model, body, options);
}
