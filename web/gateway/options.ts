// Defines the options of the gateway and validates them.
import { vertexOptions, type VertexOptions } from '../sdk/client/endpoint.js';
import * as must from '../sdk/internal/options.js';
import { checkKey } from '../sdk/internal/redact.js';
import type { WasmSource } from '../check/index.js';
import { originForm } from '../server/origins.js';
import type { Fetch } from '../sdk/types/platform.js';
import type { Wire } from '../sdk/types/wire.js';
import { bodyLimitShape, type BodyLimitOptions } from './body.js';
import { isCallers, type Callers } from './callers.js';
import { isLimits, type GatewayLimits } from './limits.js';
import type { SignatureMemory } from './memory/signature-memory.js';

/**
 * What happens to a request with findings. `repair`: what can be repaired is, and signatures that the client dropped
 * come back; everything else is sent on. `reject`: a request with an error is refused. `observe`: the request is sent
 * on as it is, and only reported about.
 */
export type GatewayPolicy = 'repair' | 'reject' | 'observe';

/** The policy of each kind of request. Default of each: `repair`. */
export interface PolicyByRoute {
  generateContent?: GatewayPolicy;
  streamGenerateContent?: GatewayPolicy;
  /** Chat completions, streamed or not. */
  chatCompletions?: GatewayPolicy;
  /** The Interactions API, streamed or not. */
  interactions?: GatewayPolicy;
}

/**
 * Options of `createGateway`.
 *
 * @example
 * const gateway = createGateway({
 *   apiKey: process.env.GEMINI_API_KEY,
 *   callers: [{ id: 'website', keyHash: process.env.WEBSITE_KEY_SHA256 }],
 *   secret: process.env.GATEWAY_SECRET,
 * });
 */
export interface GatewayOptions extends BodyLimitOptions {
  /** The network towards Google. Default: the global fetch. `createEmulator()` in tests. */
  upstream?: Fetch | undefined;
  /**
   * The key of the upstream. With it, the gateway pays, and nobody may call `handle` until `callers` are given.
   * Without it, each caller spends the key that it sends.
   */
  apiKey?: string | undefined;
  /**
   * Sends all requests to Vertex AI: with a project, a location and a token, or with `true` and an `apiKey` in express
   * mode. The project and location of a request's path are replaced. Default: the service that the path belongs to.
   */
  vertexai?: VertexOptions | boolean | undefined;
  /**
   * The API of Google that answers. With `interactions`, clients of `generateContent` and of OpenAI's dialect are served
   * through the Interactions API, apart from paths of Vertex AI and Firebase, which do not have it. With
   * `generateContent`, clients of the Interactions API are served through that, without state. Requests and answers are
   * converted: docs/gateway.md. Default: the API that the client speaks.
   */
  upstreamWire?: Wire | undefined;
  /** Who may call `handle`. Default: nobody where the gateway pays, else everyone with a key of their own. */
  callers?: Callers | undefined;
  /** Origins whose pages may call, such as `https://app.example`. Default: none. */
  origins?: readonly string[] | undefined;
  /** Limits of each caller. */
  limits?: GatewayLimits | undefined;
  /** Default: `repair`. The request header `x-strata-policy` goes before it. */
  policy?: GatewayPolicy | PolicyByRoute | undefined;
  /**
   * Adds the documented placeholder to calls whose signature nobody knows. The API accepts it, but answers may get
   * worse. Default: false.
   */
  placeholder?: boolean | undefined;
  /**
   * The secret of the deployment, for the keys and the encryption of the memory: 32 random bytes in any form. Without
   * it the memory ends with the process.
   */
  secret?: string | undefined;
  /**
   * Where the signatures of answers are stored. Default: in the process, bounded. There is none for callers without a
   * key of their own.
   */
  memory?: SignatureMemory | false | undefined;
  /** The key of `/metrics`, sent as `authorization: Bearer`. Without it there is no such route. */
  adminKey?: string | undefined;
  /** Receives a line of JSON for each request, without texts and keys. Default: no log. */
  log?: ((line: string) => void) | undefined;
  /** The only models that may be asked. Default: all. */
  models?: readonly string[] | undefined;
  /** The WebAssembly file `check.wasm`, where the package cannot find it by itself: docs/bundlers.md. */
  wasm?: WasmSource | undefined;
  /** Milliseconds without data from the upstream after which the request fails. Default: 600,000. */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds in which a client of `handle` must read the next bytes of an answer; otherwise the request ends. 0
   * means no limit. Default: 60,000, or `timeoutMs` if that is shorter.
   */
  readerTimeoutMs?: number | undefined;
}

export const policies = ['repair', 'reject', 'observe'] as const satisfies GatewayPolicy[];

const isPolicy = must.oneOf(...policies);

const policyByRoute = must.shape<PolicyByRoute>({
  generateContent: must.optional(isPolicy),
  streamGenerateContent: must.optional(isPolicy),
  chatCompletions: must.optional(isPolicy),
  interactions: must.optional(isPolicy),
});

const key: must.Check = (value, path) => {
  must.string(value, path);
  if (value === '') throw must.invalidOption(path, 'a key; an empty string protects nothing');
};

// As browsers send it: anything else would never match, and the page would not know why.
const isOrigin: must.Check = (value, path) => {
  if (typeof value !== 'string' || !originForm.test(value))
    throw must.invalidOption(path, 'an origin such as https://app.example, without a path');
};

const gatewayOptions: must.Shape<GatewayOptions> = {
  ...bodyLimitShape,
  upstream: must.optional(must.func),
  apiKey: must.optional(key),
  vertexai: must.booleanOr(vertexOptions),
  upstreamWire: must.optional(must.wire),
  callers: isCallers,
  origins: must.optional(must.arrayOf(isOrigin)),
  limits: isLimits,
  policy: must.optional((value, path) =>
    (typeof value === 'object' ? policyByRoute : isPolicy)(value, path),
  ),
  placeholder: must.optional(must.boolean),
  secret: must.optional(key),
  memory: must.booleanOr(must.optional(must.objectWith('get', 'put'))),
  adminKey: must.optional(key),
  log: must.optional(must.func),
  models: must.optional(must.arrayOf(must.nonEmptyString)),
  // The core's loader checks it.
  wasm: must.unchecked,
  timeoutMs: must.optional(must.nonNegative),
  readerTimeoutMs: must.optional(must.nonNegative),
};

/**
 * Validates the options of a gateway.
 *
 * @throws StrataError `field.unknown`, `field.invalid` or `key.invalid`
 */
export function checkGatewayOptions(options: GatewayOptions): void {
  must.checkOptions(options, gatewayOptions);
  const { apiKey, vertexai, upstreamWire, memory } = options;
  checkKey(apiKey);
  if ((memory as unknown) === true) throw must.invalidOption('/memory', 'a memory, or false');
  if (vertexai && upstreamWire === 'interactions')
    throw must.invalidOption('/upstreamWire', 'generateContent where vertexai is given');
  const { token } = Object(vertexai) as Partial<VertexOptions>;
  if (token && apiKey)
    throw must.invalidOption('/vertexai/token', 'left out where apiKey is given');
}
