// Sends requests to Google: fixed hosts, known headers and parameters, the right key, and no redirects.
import { GeminiError } from '../sdk/internal/errors.js';
import { Secrets } from '../sdk/internal/redact.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { Access } from '../sdk/client/access.js';
import { Http } from '../sdk/client/http.js';
import { isKeyRefusal, keyHelp } from '../sdk/client/api-error.js';
import { maxErrorBytes } from '../sdk/client/response-body.js';
import { retryPolicy } from '../sdk/client/send-again.js';
import type { VertexOptions } from '../sdk/client/endpoint.js';
import type { Fetch } from '../sdk/types/platform.js';
import type { Caller } from './callers.js';
import { GatewayError, maxRefusalMs, readBounded, withDetails } from './gateway-error.js';
import { targetOf, type Target } from './target.js';
import type { GoogleRoute } from './route.js';
import { withoutSecrets } from './key-guard.js';

/** How the upstream is reached. */
interface UpstreamOptions {
  fetch: Fetch | undefined;
  apiKey: string | undefined;
  vertexai: VertexOptions | boolean | undefined;
  /** Milliseconds without data. */
  timeoutMs: number;
}

/** One request to the upstream. */
interface UpstreamRequest {
  target: Target;
  method: string;
  body: Uint8Array | undefined;
  /** The headers of the caller's request, of which only known ones travel. */
  headers: Headers;
  caller: Caller;
  signal: AbortSignal;
}

// Keys have 39 characters, tokens up to some thousand. JSON may write each as six.
const maxSecretBytes = 32 * 1024;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

// What Google's services read of a request. `x-goog-user-project` names who pays, so it belongs to the caller's key.
const travels =
  /^(?:content-type|accept|accept-language|x-goog-api-client|x-goog-request-params|x-server-timeout|x-goog-upload-(?:protocol|command|offset|header-content-(?:length|type)))$/;
const travelsWithKey =
  /^(?:x-goog-user-project|x-firebase-[\w-]+|x-vertex-ai-llm-(?:shared-)?request-type)$/;

/** The service behind the gateway. */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #http: Http;
  readonly #secrets: Secrets;

  /** @throws StrataError `key.invalid` or `field.invalid` for an invalid token */
  constructor(options: UpstreamOptions) {
    this.#options = options;
    const { apiKey, fetch, timeoutMs } = options;
    const { token } = Object(options.vertexai) as Partial<VertexOptions>;
    const secrets = new Secrets(apiKey);
    this.#secrets = secrets;
    const access = token
      ? new Access({ apiKey: undefined, headers: undefined, token }, secrets)
      : undefined;
    // The gateway bounds what it passes on itself.
    const policy = { retry: retryPolicy(false), onRetry: undefined, timeoutMs, maxAnswerBytes: 0 };
    this.#http = new Http({ apiKey, access, secrets, fetch, ...policy });
  }

  /** Whether the gateway has a key or a token. */
  get pays(): boolean {
    const { apiKey, vertexai } = this.#options;
    return Boolean(apiKey || (Object(vertexai) as Partial<VertexOptions>).token);
  }

  /**
   * Returns the address of a request.
   *
   * @throws GatewayError with the status 404 if the service does not have the method
   */
  target(route: GoogleRoute, query: URLSearchParams): Target {
    const { vertexai } = this.#options;
    const target = targetOf(route, query, { vertexai, callerPays: !this.pays });
    if (target) return target;
    throw new GatewayError(
      404,
      'route.unknown',
      'Vertex AI, which this gateway calls, does not have this method.',
    );
  }

  /**
   * Sends a request a single time and returns the response, whatever its status. `fetch` is called before this
   * returns, unless a token is fetched first.
   *
   * @throws GatewayError with the status 502 or 504 if there is no response; the reason of an abort
   */
  async send(request: UpstreamRequest): Promise<Response> {
    const { target, body, signal } = request;
    const method = methods.find((each) => each === request.method) ?? 'GET';
    const headers = this.#headers(request);
    let response: Response;
    try {
      response = this.#withSafeHeaders(
        await this.#http.exchange({ method, url: target.url, body, headers, signal }),
      );
    } catch (error) {
      throw upstreamError(error, signal);
    }
    if (response.ok) return response;
    if (response.status >= 400) return this.#refusal(response, request);
    await response.body?.cancel().catch(() => {});
    throw new GatewayError(
      502,
      'upstream.redirect',
      'The upstream answered with a redirect, which is not followed.',
    );
  }

  /** The texts that no error of an answer may hold: the gateway's key and its newest tokens. */
  get secrets(): readonly string[] {
    return this.#secrets.texts;
  }

  // Google does not repeat the key that it refuses; what stands between might.
  async #refusal(response: Response, { target, caller }: UpstreamRequest): Promise<Response> {
    const { status, headers } = response;
    const ms = Math.min(this.#options.timeoutMs || Infinity, maxRefusalMs);
    // Enough to see a key whole that the limit cuts.
    const bytes = await readBounded(response, { bytes: maxErrorBytes + maxSecretBytes, ms });
    const redacted = withoutSecrets(bytes, this.secrets).subarray(0, maxErrorBytes);
    const key = this.pays ? this.#options.apiKey : caller.upstreamKey;
    const isStandard = target.backend === 'gemini' && key?.startsWith('AIza') === true;
    const hints = isStandard && isKeyRefusal(status, decodeUtf8(redacted)) ? [keyHelp] : [];
    return new Response(new Uint8Array(withDetails(redacted, hints)), { status, headers });
  }

  /** Returns the response without secrets in its headers. */
  #withSafeHeaders(response: Response): Response {
    const safe = new Headers(response.headers);
    let isSame = true;
    for (const [name, value] of response.headers) {
      const redacted = this.#secrets.redact(value);
      if (redacted === value) continue;
      isSame = false;
      safe.set(name, redacted);
    }
    if (isSame) return response;
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers: safe });
  }

  #headers({ headers, caller }: UpstreamRequest): Record<string, string> {
    const kept: Record<string, string> = {};
    headers.forEach((value, name) => {
      if (travels.test(name) || (!this.pays && travelsWithKey.test(name))) kept[name] = value;
    });
    if (this.pays) return kept;
    const { upstreamKey, upstreamToken } = caller;
    if (upstreamKey !== undefined) kept['x-goog-api-key'] = upstreamKey;
    if (upstreamToken !== undefined) kept['authorization'] = `Bearer ${upstreamToken}`;
    return kept;
  }
}

/** Returns the error for a request that got no response, or whose answer broke off. */
function upstreamError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return error;
  if (error instanceof GeminiError && error.code === 'timeout')
    return new GatewayError(504, 'upstream.timeout', 'The upstream did not answer in time.');
  if (error instanceof GeminiError && error.code === 'answer.invalid')
    return new GatewayError(502, 'upstream.invalid', `${error.message}.`);
  if (error instanceof GeminiError)
    return new GatewayError(502, 'upstream.network', 'The upstream could not be reached.');
  // Everything else comes from the function that provides the access token.
  return new GatewayError(
    502,
    'upstream.token',
    'The gateway has no valid access to its upstream.',
  );
}
