// Handles one HTTP request of the emulator: routes, validates and answers it.
import { loadChecker } from '../check/wasm-checker.js';
import { cachedContents } from './cached-contents.js';
import {
  BatchStore,
  CacheStore,
  fixedNow,
  FileStore,
  InteractionStore,
  type Context,
} from './stores.js';
import { batches } from './batches.js';
import { checkEmulatorOptions } from './check-options.js';
import { files, uploads } from './files.js';
import { countTokens, generate } from './generate.js';
import { embeddings } from './embeddings.js';
import { Failure, routeNotFound } from './errors.js';
import {
  applyStreamFault,
  FaultPlan,
  groupOf,
  throwFault,
  createStream,
  frameChunks,
  splitBytes,
} from './faults.js';
import { interactions } from './interactions.js';
import { describeModel, listModels } from './models.js';
import {
  recordOf,
  replyFailure,
  type ErrorForm,
  replyJson,
  replyPreflight,
  replyStream,
} from './http-response.js';
import { checkKey, checkModel, readBody } from './requests.js';
import { matchRoute, type Route } from '../server/match-route.js';
import type { EmulatorOptions, JsonObject, RecordedRequest } from './types.js';

/** One request being handled. */
interface IncomingCall {
  route: Route;
  request: Request;
  url: URL;
  bytes: Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
}

/** One emulator, with its caches, files, batches and interactions, and its request counters. */
export class Server {
  readonly #options: EmulatorOptions;
  readonly #faults: FaultPlan;
  readonly #caches: CacheStore;
  readonly #files: FileStore;
  readonly #batches: BatchStore;
  readonly #interactions: InteractionStore;
  readonly #record: ((request: RecordedRequest) => void) | undefined;
  readonly #seed: string;
  #checker: EmulatorOptions['checker'];

  /** @throws StrataError `field.unknown` or `field.invalid` for an invalid option */
  constructor(options: EmulatorOptions, record?: (request: RecordedRequest) => void) {
    checkEmulatorOptions(options);
    this.#options = options;
    this.#record = record;
    this.#seed = String(options.seed ?? 0);
    this.#faults = new FaultPlan(options.faults);
    this.#caches = new CacheStore(this.#seed);
    this.#files = new FileStore(this.#seed);
    this.#batches = new BatchStore(this.#seed);
    this.#interactions = new InteractionStore(this.#seed);
    this.#checker = options.checker;
  }

  /** Handles a request. The promise rejects as `fetch` would, on abort or network failure, and for mistakes in `respond`. */
  async handle(request: Request, signal: AbortSignal): Promise<Response> {
    const bytes = new Uint8Array(await request.arrayBuffer());
    let status = 0;
    try {
      const response = await this.#respond(request, bytes, signal);
      ({ status } = response);
      return response;
    } finally {
      this.#record?.(recordOf(request, bytes, status));
    }
  }

  async #respond(
    request: Request,
    bytes: Uint8Array<ArrayBuffer>,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = new URL(request.url);
    const route = matchRoute(request.method, url);
    try {
      if (request.method === 'OPTIONS') return replyPreflight(request);
      if (!route) throw routeNotFound(url.pathname);
      const response = await this.#answer({ route, request, url, bytes, signal });
      signal.throwIfAborted();
      return response;
    } catch (error) {
      if (error instanceof Failure) return replyFailure(error, errorForm(route, error));
      if (!signal.aborted) this.#checker = this.#options.checker;
      throw error;
    }
  }

  async #answer({ route, request, url, bytes, signal }: IncomingCall): Promise<Response> {
    const group = groupOf(route);
    const { index, fault } = group ? this.#faults.next(group) : { index: 0, fault: undefined };
    throwFault(fault);
    const context = await this.#context(route);
    const { apiKey } = this.#options;
    if (route.kind === 'upload') {
      checkKey(apiKey, request, url, route.place);
      return uploads(context, { route, request, url, bytes, fault });
    }
    const isJudged = route.kind === 'generate' || route.kind === 'interactions';
    const body = readBody(context, bytes, isJudged);
    checkKey(apiKey, request, url, route.place);
    if (route.kind === 'batches') return replyJson(await batches(context, route, body));
    if (route.kind === 'interactions') {
      const answer = await interactions(context, { route, bytes, body, index, fault });
      return this.#send(answer.frames, answer.isStream, signal);
    }
    if (route.kind !== 'generate') return replyJson(answerOf(context, route, body, url));
    const texts = await generate(context, { route, bytes, body, index, fault });
    const framing = route.stream ? (route.sse ? 'sse' : 'array') : undefined;
    const framed = applyStreamFault(framing ? frameChunks(texts, framing) : texts, fault, framing);
    return this.#send(framed, framing === 'sse', signal);
  }

  #send(framed: string[], areEvents: boolean, signal: AbortSignal): Response {
    const { chunkBytes, delayMs = 0 } = this.#options;
    const pieces = splitBytes(framed, chunkBytes);
    return replyStream(createStream(pieces, delayMs, signal), areEvents);
  }

  /** Loads the core on the first request, and again after a failure. */
  async #context({ place }: Route): Promise<Context> {
    const checker = await (this.#checker ??= loadChecker());
    const options = this.#options;
    const now = () => Date.parse(options.now?.() ?? fixedNow);
    const { backend = place.backend } = options;
    const service = { backend, ...(options.now && { now: options.now() }) };
    const stores = {
      ...{ caches: this.#caches, files: this.#files, batches: this.#batches },
      interactions: this.#interactions,
    };
    return { checker, backend, service, options, seed: this.#seed, ...stores, now };
  }
}

/** Returns the answer of a method that answers with one JSON object. */
function answerOf(
  context: Context,
  route: Exclude<Route, { kind: 'generate' | 'upload' | 'batches' | 'interactions' }>,
  body: JsonObject,
  url: URL,
): JsonObject {
  switch (route.kind) {
    case 'models':
      return listModels(context, route.place, route.query);
    case 'model':
      checkModel(context, route.model, route.place, 'getModel');
      return describeModel(context, route.place, route.model);
    case 'countTokens':
      return countTokens(context, route, body);
    case 'embed':
      return embeddings(context, route, body);
    case 'caches':
      return cachedContents(context, route, body);
    case 'files':
      return files(context, route, url.origin);
  }
}

// Errors are in an array in a stream without `alt=sse`. Keys are refused before the Interactions API sees a request.
function errorForm(route: Route | undefined, { details }: Failure): ErrorForm {
  if (route?.kind === 'generate' && route.stream && !route.sse) return 'array';
  if (route?.kind !== 'interactions') return 'object';
  return details.some(({ reason }) => reason === 'API_KEY_INVALID') ? 'array' : 'word';
}
