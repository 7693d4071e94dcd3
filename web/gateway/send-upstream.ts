// Sends one request of a caller to the upstream, and measures it.
import { GatewayError } from './gateway-error.js';
import type { Call, Pipeline } from './call.js';
import { modelOf, type GoogleRoute } from './route.js';
import type { Target } from './target.js';

/**
 * Refuses models that the gateway does not offer.
 *
 * @throws GatewayError with the status 404
 */
export function checkModel({ options: { models } }: Pipeline, model: string | undefined): void {
  if (!models || model === undefined || models.includes(model)) return;
  throw new GatewayError(404, 'model.not_offered', 'This gateway does not offer the model.');
}

/** What is sent. */
export interface Sent {
  route: GoogleRoute;
  target: Target;
  method: string;
  body?: Uint8Array | undefined;
}

/**
 * Sends a request and returns the upstream's response, whatever its status. `fetch` is called before this returns,
 * unless a token is fetched first.
 *
 * @throws GatewayError; the reason of an abort
 */
export async function sendUpstream(pipeline: Pipeline, call: Call, sent: Sent): Promise<Response> {
  const { target, method, body } = sent;
  const { request, caller, signal } = call;
  const { headers } = request;
  checkModel(pipeline, modelOf(sent.route));
  const start = Date.now();
  const response = await pipeline.upstream.send({ target, method, body, headers, caller, signal });
  pipeline.metrics.upstreamSeconds((Date.now() - start) / 1000);
  call.upstream = response.status;
  if (response.status === 400) pipeline.metrics.upstreamBadRequest();
  return response;
}
