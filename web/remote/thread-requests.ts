// Sends the requests of a remote thread: the paths, the headers, the ids that make a request safe to repeat, and
// pages of turns.
import { base64Url } from '../sdk/internal/bytes.js';
import type { Json } from '../sdk/types/json.js';
import { notUnderstood, errorOfResponse, originRefused } from './remote-error.js';
import { sendOf, type RemoteState, type RemoteTurn } from './remote-state.js';
import { Access } from '../sdk/client/access.js';
import { Http, type HttpRequest } from '../sdk/client/http.js';
import { readText } from '../sdk/client/response-body.js';
import {
  retryPolicy,
  sendAgain,
  type RetryOptions,
  type RetryPolicy,
} from '../sdk/client/send-again.js';
import type { GeminiError } from '../sdk/internal/errors.js';
import { withDefaults } from '../sdk/internal/options.js';
import { Secrets } from '../sdk/internal/redact.js';
import type { ConnectOptions, Signals } from './options.js';

/** Returns a new key. A request with it counts once, however often it is sent. */
export const newKey = (): string => base64Url(crypto.getRandomValues(new Uint8Array(16)));

/**
 * Returns the state that a response holds.
 *
 * @throws RemoteError `answer.invalid` if it holds none
 */
export function stateIn(response: Json): RemoteState {
  const { id, turns } = Object(response);
  if (typeof id === 'string' && typeof turns === 'number') {
    return { openCalls: [], ...(response as object) } as unknown as RemoteState;
  }
  throw notUnderstood('The server at `url` answered without the state of a thread');
}

const remoteDefaults = { attempts: 10, maxMs: 30_000 };

// Where nothing has answered yet, the address may be wrong.
const firstDefaults = { ...remoteDefaults, attempts: 3 };

const policyOf = (retry: ConnectOptions['retry'], defaults: RetryOptions): RetryPolicy =>
  retryPolicy(retry === false ? false : withDefaults<object>(defaults, retry));

/** The method and the path of a request, below the Worker's address, and what it holds. */
interface WorkerRequest extends Signals {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: Uint8Array | object | undefined;
  headers?: Record<string, string>;
}

// Undefined outside of pages.
function pageOrigin(): string | undefined {
  const { origin } = Object(globalThis.location) as Partial<Location>;
  return origin;
}

/** Returns false for what is not JSON. The Worker answers with objects only. */
function jsonIn(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return false;
  }
}

const bytesOfBody = (body: Uint8Array | object): Uint8Array =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));

/** Sends requests to one Worker. All of them may be sent again: the Worker recognizes those that must count once. */
export class WorkerRequests {
  readonly retry: RetryPolicy;
  readonly #root: string;
  readonly #http: Http;
  /** The policy until the Worker has answered once. */
  readonly #firstRetry: RetryPolicy;
  /** The caller's own `fetch` may know no preflights, which can be refused. */
  readonly #hasPreflights: boolean;
  #hasAnswered = false;

  constructor({ url, key, fetch, retry, onRetry, timeoutMs = 60_000 }: ConnectOptions) {
    const secrets = new Secrets();
    const access = new Access({ apiKey: undefined, headers: undefined, token: key }, secrets);
    const { href } = new URL(url);
    this.#root = href.replace(/[?#].*$/s, '').replace(/\/+$/, '');
    this.retry = policyOf(retry, remoteDefaults);
    this.#firstRetry = policyOf(retry, firstDefaults);
    this.#hasPreflights = !fetch;
    const common = { apiKey: undefined, access, secrets, fetch };
    this.#http = new Http({ ...common, retry: this.retry, onRetry, timeoutMs, maxAnswerBytes: 0 });
  }

  /** Sends a request once and returns its 2xx response. */
  async once({ path, body, headers = {}, ...request }: WorkerRequest): Promise<Response> {
    const sent: HttpRequest = { ...request, url: this.#root + path, headers };
    const bytes = body && bytesOfBody(body);
    const work = this.#http.exchange(bytes ? { ...sent, body: bytes } : sent);
    const response = await work.catch((error: unknown) => this.#explain(error, request.signal));
    this.#hasAnswered = true;
    if (response.ok) return response;
    throw await errorOfResponse(response, (text) => this.#http.redact(text));
  }

  // A browser does not say that a server refuses its page, which no other attempt changes. Such a server answers a
  // request whose response nobody reads.
  async #explain(error: unknown, signal?: AbortSignal): Promise<never> {
    const page = pageOrigin();
    const { origin } = new URL(this.#root, page);
    const { code } = Object(error) as Partial<GeminiError>;
    const mayBeRefused = this.#hasPreflights && !this.#hasAnswered && page && page !== origin;
    if (!mayBeRefused || code !== 'network') throw error;
    const init: RequestInit = { mode: 'no-cors', credentials: 'omit', ...(signal && { signal }) };
    const isThere = await fetch(`${this.#root}/health`, init).then(
      () => true,
      () => false,
    );
    throw isThere ? originRefused(page, origin) : error;
  }

  /**
   * Sends a request until it is answered, and returns what `read` makes of its 2xx response. `onRetry` is called before
   * each attempt after the first.
   */
  async send<Result>(
    request: WorkerRequest,
    read: (response: Response) => Promise<Result>,
    onRetry?: () => void,
  ): Promise<Result> {
    const work = async () => read(await this.once(request));
    return this.#http.retried(work, { signal: request.signal, onRetry }, (error, attempt, policy) =>
      sendAgain.worker(error, attempt, this.#hasAnswered ? policy : this.#firstRetry),
    );
  }

  /** Sends a request and returns the bytes of its response. */
  async bytes(request: WorkerRequest): Promise<Uint8Array> {
    return this.send(request, async (response) =>
      new TextEncoder().encode(await readText(response)),
    );
  }

  /** Sends a request and returns the JSON of its response. */
  async json(request: WorkerRequest): Promise<Json> {
    return this.send(request, async (response) => {
      const type = response.headers.get('content-type') ?? '';
      const value = /^application\/json\b/.test(type) && jsonIn(await readText(response));
      if (value !== false) return value;
      throw notUnderstood('The server at `url` answered with something other than JSON');
    });
  }
}

/** The requests about one thread. */
export class ThreadRequests {
  readonly id: string;
  readonly worker: WorkerRequests;

  constructor(worker: WorkerRequests, id: string) {
    this.worker = worker;
    this.id = id;
  }

  /** Returns a request about this thread. */
  to(method: WorkerRequest['method'], below: string, more: Partial<WorkerRequest>): WorkerRequest {
    return { ...more, method, path: `/threads/${encodeURIComponent(this.id)}${below}` };
  }

  /** Returns the state of the thread. */
  async state(signals: Signals): Promise<RemoteState> {
    return stateIn(await this.worker.json(this.to('GET', '', signals)));
  }

  /**
   * Sends a message and returns the stream of its events. With the same key, it is the same send.
   *
   * @throws RemoteError `conversation.waiting` if a send waits for results
   */
  async message(body: Uint8Array, key: string, signal: AbortSignal): Promise<Response> {
    const headers = { 'idempotency-key': key, accept: 'text/event-stream' };
    return this.worker.once(this.to('POST', '/messages?waiting=refuse', { body, headers, signal }));
  }

  /** Returns the stream of the events after `after`. With `untilEnd`: only those of its send, to its end. */
  async events(
    after: string | undefined,
    untilEnd: boolean,
    signal: AbortSignal,
  ): Promise<Response> {
    const query = untilEnd && after ? `?send=${sendOf(after)}&until=end` : '';
    const headers = { accept: 'text/event-stream', ...(after ? { 'last-event-id': after } : {}) };
    return this.worker.once(this.to('GET', `/events${query}`, { headers, signal }));
  }

  /** Stores the results of calls. The send continues apart from this request. */
  async results(results: object[], { signal }: Signals): Promise<void> {
    const headers = { prefer: 'respond-async' };
    const request = this.to('POST', '/results', { body: { results }, headers, signal });
    await this.worker.send(request, async ({ body }) => body?.cancel());
  }

  /** Aborts one send, by its number or the key of its message, or all of the thread. Returns how many were aborted. */
  async abort(send: number | string | undefined, signals: Signals): Promise<number> {
    const headers: Record<string, string> =
      typeof send === 'string' ? { 'idempotency-key': send } : {};
    const body = typeof send === 'number' ? { send } : {};
    const { aborted } = Object(
      await this.worker.json(this.to('POST', '/abort', { body, headers, ...signals })),
    );
    return Number(aborted);
  }
}

interface Page {
  lines: string[];
  /** The number of turns before the next page; undefined after the last one. */
  next: number | undefined;
}

// A Content that one line cannot hold as it is stands there as a text.
function turnOf(line: string, index: number): RemoteTurn {
  try {
    const { kind, content, contentText, meta } = JSON.parse(line);
    const turn = { index, kind, content: content ?? JSON.parse(contentText) };
    return meta ? { ...turn, meta } : turn;
  } catch {
    throw notUnderstood('The server at `url` sent a turn that is not a line of a saved thread');
  }
}

async function readPage(
  requests: ThreadRequests,
  after: number,
  { signal }: Signals,
): Promise<Page> {
  const request = requests.to('GET', `/turns?after=${after}`, { signal });
  return requests.worker.send(request, async (response) => {
    const text = await readText(response);
    const next = response.headers.get('x-next');
    return { lines: text.split('\n').filter(Boolean), next: next ? Number(next) : undefined };
  });
}

/** Yields the turns after the first `after`. */
export async function* readTurns(
  requests: ThreadRequests,
  after: number,
  signals: Signals,
): AsyncGenerator<RemoteTurn, void, void> {
  for (let start: number | undefined = after; start !== undefined;) {
    const { lines, next }: Page = await readPage(requests, start, signals);
    for (const [offset, line] of lines.entries()) yield turnOf(line, start + offset);
    start = next !== undefined && next > start ? next : undefined;
  }
}
