// Sends the requests of a conversation, so that each attempt and each retry is an event.
import { onResend, type CallOptions } from './http.js';
import { readerOnly, type GeminiClient } from './client.js';
import type { ConversationEvent, RequestEvent } from '../types/conversation-event.js';

/** Who sends, and who receives the events. */
export interface RequestScope {
  readonly client: GeminiClient;
  readonly signal: AbortSignal;
  readonly emit: (event: ConversationEvent) => void;
}

/** What is sent, and why. */
export type RequestInfo = Omit<RequestEvent, 'type'>;

/** Returns the options of a call whose first attempt has its event already. */
export function observed(
  { signal, emit }: Omit<RequestScope, 'client'>,
  request: RequestInfo,
): CallOptions {
  return {
    signal,
    onRetry: ({ code }, delayMs, attempt) => emit({ type: 'retry', code, delayMs, attempt }),
    [onResend]: () => emit({ type: 'request', ...request }),
  } as CallOptions;
}

/** Emits the event of a request, sends it, and returns the streamed response. @throws what `GeminiClient.stream` throws */
export function stream(scope: RequestScope, request: RequestInfo): Promise<Response> {
  scope.emit({ type: 'request', ...request });
  const options = { ...readerOnly(scope.client), ...observed(scope, request) };
  return scope.client.stream(request.model, request.body, options);
}
