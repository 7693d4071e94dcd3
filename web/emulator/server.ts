// Handles one HTTP request of the emulator: routes, validates and answers it.
import { load } from '../sdk/core/load.js';
import { cachedContents } from './cached-contents.js';
import { CacheStore } from './caches.js';
import { fixedNow, type Context } from './context.js';
import { countTokens } from './count.js';
import { Failure, routeNotFound } from './errors.js';
import { applyStreamFault, FaultPlan, throwFault } from './faults.js';
import { generate } from './generate.js';
import { describeModel, listModels } from './models.js';
import { createStream, frameChunks, splitBytes } from './network.js';
import { replyFailure, replyJson, replyPreflight, replyStream } from './reply.js';
import { checkKey, checkModel, readBody } from './requests.js';
import { matchRoute, type Route } from './routes.js';
import type { EmulatorOptions } from './types.js';

/** One request being handled. */
interface IncomingCall {
  route: Route;
  request: Request;
  url: URL;
  signal: AbortSignal;
}

/** One emulator, with its caches and its request counters. */
export class Server {
  readonly #options: EmulatorOptions;
  readonly #faults: FaultPlan;
  readonly #caches: CacheStore;
  readonly #seed: string;
  #strata: EmulatorOptions['strata'];

  constructor(options: EmulatorOptions) {
    this.#options = options;
    this.#seed = String(options.seed ?? 0);
    this.#faults = new FaultPlan(options.faults);
    this.#caches = new CacheStore(this.#seed, options.backend ?? 'gemini');
    this.#strata = options.strata;
  }

  /** Handles a request. The promise rejects only as `fetch` would: on abort or network failure. */
  async handle(request: Request, signal: AbortSignal): Promise<Response> {
    const url = new URL(request.url);
    const route = matchRoute(request.method, url);
    try {
      if (request.method === 'OPTIONS') return replyPreflight(request);
      if (!route) throw routeNotFound(url.pathname);
      const response = await this.#answer({ route, request, url, signal });
      signal.throwIfAborted();
      return response;
    } catch (error) {
      if (error instanceof Failure) return replyFailure(error, isArray(route));
      if (!signal.aborted) this.#strata = this.#options.strata;
      throw error;
    }
  }

  async #answer({ route, request, url, signal }: IncomingCall): Promise<Response> {
    const group = groupOf(route);
    const { index, fault } = group ? this.#faults.next(group) : { index: 0, fault: undefined };
    throwFault(fault);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const context = await this.#context();
    const body = readBody(context, bytes, route.kind === 'generate');
    checkKey(this.#options.apiKey, request, url);
    switch (route.kind) {
      case 'models':
        return replyJson(listModels(context, route.query));
      case 'model':
        checkModel(context, route.model, route.version, 'generateContent');
        return replyJson(describeModel(context, route.model));
      case 'countTokens':
        return replyJson(countTokens(context, route, body));
      case 'caches':
        return replyJson(cachedContents(context, route, body));
    }
    const texts = await generate(context, { route, bytes, body, index, fault });
    const framing = route.stream ? (route.sse ? 'sse' : 'array') : undefined;
    const framed = applyStreamFault(framing ? frameChunks(texts, framing) : texts, fault, framing);
    const { chunkBytes, delayMs = 0 } = this.#options;
    const pieces = splitBytes(framed, chunkBytes);
    return replyStream(createStream(pieces, delayMs, signal), framing === 'sse');
  }

  /** Loads the core on the first request, and again after a failure. */
  async #context(): Promise<Context> {
    const strata = await (this.#strata ??= load());
    const options = this.#options;
    const now = () => Date.parse(options.now?.() ?? fixedNow);
    const { backend = 'gemini' } = options;
    const service = { backend, ...(options.now && { now: options.now() }) };
    return { strata, backend, service, options, seed: this.#seed, caches: this.#caches, now };
  }
}

function groupOf({ kind }: Route) {
  return kind === 'generate' || kind === 'countTokens' || kind === 'caches' ? kind : undefined;
}

/** Whether errors are wrapped in an array: in a stream without `alt=sse`. */
function isArray(route: Route | undefined): boolean {
  return route?.kind === 'generate' && route.stream && !route.sse;
}
