// Says which model answers in the place of one that does not: the option `fallback`. Loaded when a request has failed.
import type { GeminiError } from '../sdk/internal/errors.js';
import type { ConversationOptions } from '../sdk/chat/options.js';
import type { SendContext } from '../sdk/chat/send-request.js';

// What Google says of a model that was shut down, or that new users do not get:
// https://ai.google.dev/gemini-api/docs/deprecations
const isRetired = ({ status, rpcStatus = '', message }: GeminiError): boolean =>
  rpcStatus === 'model_not_found' ||
  (status === 404 && /\bmodels?\b|\bpublisher model\b/i.test(message));

// A quota that RetryInfo says will be there soon is waited for; one of the day, or one without a delay, is another model's
// chance.
const isFull = ({ status, retryAfterMs }: GeminiError, isExhausted: boolean): boolean =>
  status === 503 || (status === 429 && (retryAfterMs === undefined || isExhausted));

function nextModel(model: string, { fallback }: ConversationOptions): string | undefined {
  const models = [...new Set(fallback)];
  return models[models.indexOf(model) + 1];
}

/**
 * Lets another model answer after an error, whose rules judge the turns and their signatures. Returns false if the error
 * is no reason, or no model is left. `isExhausted`: the quota is that of a day.
 */
export async function fallsBack(
  error: GeminiError,
  { live, events, options }: SendContext,
  isExhausted: boolean,
): Promise<boolean> {
  const { model: from } = live;
  const to = nextModel(from, options);
  if (to === undefined || (!isFull(error, isExhausted) && !isRetired(error))) return false;
  live.useModel(to);
  await events.put([{ type: 'fallback', from, to, code: error.code, message: error.message }]);
  return true;
}
