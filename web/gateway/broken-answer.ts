// Names why an answer broke off, for the log and the counts.
import { GeminiError } from '../sdk/internal/errors.js';
import type { Call, Pipeline } from './call.js';
import { GatewayError } from './gateway-error.js';

/** Returns the code of what broke an answer off: an error, or whatever a body was cancelled with. */
function codeOf(reason: unknown, { aborted }: AbortSignal): string {
  if (reason instanceof GatewayError) return reason.code;
  if (aborted) return 'client.left';
  if (reason instanceof RangeError) return 'answer.too_long';
  if (!(reason instanceof GeminiError)) return 'client.left';
  if (reason.code === 'timeout' || reason.code === 'network') return `upstream.${reason.code}`;
  return reason.code;
}

/** Logs and counts an answer that broke off, or that turned out to be an error, after its status was sent. */
export function answerBroke({ metrics }: Pipeline, call: Call, reason: unknown): void {
  const code = codeOf(reason, call.signal);
  call.failure = code;
  // What the API calls its errors comes from outside.
  metrics.brokenAnswer(code.startsWith('api.') ? 'api' : code);
}
