// Reads the body of a request: JSON in UTF-8, within limits of size, time, depth and number of values.
import { checkShape, maxDepth } from '../gateway/body.js';
import { sha256, toHex } from '../sdk/internal/digest.js';
import { decodeValidUtf8 } from '../sdk/internal/bytes.js';
import { checkJsonType, readBody, HttpError } from '../server/body.js';
import { callerOf } from './access.js';
import { CallerLimits } from './caller-limits.js';
import {
  requestedConfiguration,
  takenNameAt,
  type Configuration,
  type Deployment,
} from './define-deployment.js';
import type { Env, ObjectNamespace } from './env.js';
import {
  eventsQueryOf,
  idempotencyKeyOf,
  parseAbort,
  parseCreate,
  parseFork,
  parseMessage,
  parseResults,
  parseRewind,
  refusesWaiting,
  turnsQueryOf,
  type CallerTool,
} from './requests.js';
import {
  threadRequest,
  isThreadId,
  keyedThreadId,
  newThreadId,
  objectName,
  unknownThread,
  type ThreadCall,
  type ThreadOperation,
} from './thread-call.js';

/** The largest body in bytes: room for a long conversation with its manifests, but not for a video. */
const bodyLimit = 4 * 1024 * 1024;

/** The most values of a body, as `maxBodyValues` of the gateway counts them: an isolate has 128 MB for all callers. */
const valueLimit = 200_000;

/** Milliseconds in which a body must have arrived. */
export const bodyTimeoutMs = 60_000;

/**
 * Returns the body as text, without a leading byte order mark. '' is a request without a body, which needs no content
 * type.
 *
 * @throws HttpError with the status 415, 413, 408 or 400
 */
export async function readText(request: Request): Promise<string> {
  if (request.body === null && !request.headers.has('content-type')) return '';
  checkJsonType(request);
  const bytes = await readBody(request, { bytes: bodyLimit, ms: bodyTimeoutMs });
  checkShape(bytes, { depth: maxDepth, values: valueLimit });
  return decodeBody(bytes);
}

// Rejects invalid UTF-8, which would otherwise be stored as U+FFFD.
function decodeBody(bytes: Uint8Array): string {
  try {
    return decodeValidUtf8(bytes).replace(/^\ufeff/, '');
  } catch {
    throw new HttpError(400, 'json.invalid_utf8', 'The body is not UTF-8.');
  }
}

/** One request for threads, and who calls. */
interface Incoming {
  request: Request;
  env: Env;
  caller: string;
  deployment: Deployment;
}

/** What a combination of path and method does. */
interface Route {
  operation: ThreadOperation;
  /** Checks the query and the headers. */
  check?: (request: Request) => unknown;
  /** Checks the body. Absent: there is none. */
  parse?: (text: string) => unknown;
}

function checkMessage(request: Request): void {
  idempotencyKeyOf(request);
  refusesWaiting(request);
}

const routes: { readonly [path: string]: { readonly [method: string]: Route } } = {
  '': { GET: { operation: 'state' }, DELETE: { operation: 'delete' } },
  turns: { GET: { operation: 'turns', check: turnsQueryOf } },
  messages: {
    POST: { operation: 'messages', check: checkMessage, parse: parseMessage },
  },
  events: { GET: { operation: 'events', check: eventsQueryOf } },
  results: { POST: { operation: 'results', parse: parseResults } },
  abort: { POST: { operation: 'abort', check: idempotencyKeyOf, parse: parseAbort } },
  fork: { POST: { operation: 'fork', parse: parseFork } },
  rewind: { POST: { operation: 'rewind', parse: parseRewind } },
  export: { GET: { operation: 'export' } },
};

// HEAD is answered as GET, without the body.
const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);
const routeMethod = ({ method }: Request): string => (method === 'HEAD' ? 'GET' : method);

function withoutBody(response: Response): Response {
  void response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

/** Throws for a method that a path does not have. */
export function checkMethod({ method }: Request, ...allowed: string[]): void {
  if (allowed.includes(method)) return;
  const allow = allowed.join(', ');
  throw new HttpError(405, 'method.not_allowed', `Use ${allow} here.`, { allow });
}

export const unknownRoute = (): HttpError =>
  new HttpError(404, 'route.unknown', 'There is no such route. docs/threads.md lists all.');

function threadsOf({ THREADS }: Env): ObjectNamespace {
  if (THREADS) return THREADS;
  throw new HttpError(501, 'threads.unavailable', 'The class ThreadObject is not bound here.');
}

// An object that could not be reached, or was replaced by a new version, can be asked again.
const isTransient = (error: unknown): boolean =>
  Object(error).retryable === true || Object(error).overloaded === true;

async function askThread(
  { request, env, caller }: Incoming,
  operation: ThreadOperation,
  call: Omit<ThreadCall, 'caller'>,
  body?: string,
): Promise<Response> {
  const threads = threadsOf(env);
  const stub = threads.get(threads.idFromName(objectName(caller, call.id)));
  try {
    return await stub.fetch(threadRequest(request, operation, { ...call, caller }, body));
  } catch (error) {
    if (!isTransient(error)) throw error;
    const message = 'The thread could not be reached. Please retry.';
    throw new HttpError(503, 'thread.unavailable', message, { 'retry-after': '1' });
  }
}

function checkTools(tools: readonly CallerTool[], configuration: Configuration): void {
  if (tools.length === 0) return;
  if (!configuration.callerTools) {
    const message = '/tools must be omitted: this configuration takes no tools of callers.';
    throw new HttpError(400, 'tools.not_allowed', message);
  }
  const index = takenNameAt(tools, configuration);
  if (index < 0) return;
  const message = `/tools/${index}/name must be another name: the configuration has a tool of this name.`;
  throw new HttpError(400, 'tools.name_taken', message);
}

function created(answer: Response, id: string): Response {
  if (!answer.ok) return answer;
  const headers = new Headers(answer.headers);
  headers.set('location', `/threads/${id}`);
  return new Response(answer.body, { status: 201, headers });
}

/** The id of a new thread, and with an idempotency key what tells another body from the same one. */
type NewThread = Pick<ThreadCall, 'id' | 'bodyHash'>;

/** Returns what identifies a new thread. `source` is the id of the thread that it copies. */
async function identify(
  { request, caller }: Incoming,
  body: object,
  source?: string,
): Promise<NewThread> {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return { id: newThreadId() };
  const bodyHash = toHex(await sha256(JSON.stringify(body)));
  return { id: await keyedThreadId(caller, key, source), bodyHash };
}

/** Creates a thread, unless an earlier request with the same key has. */
async function createOnce(
  incoming: Incoming,
  thread: NewThread,
  create: () => Promise<Response>,
): Promise<Response> {
  if (thread.bodyHash !== undefined) {
    const earlier = await askThread(incoming, 'created', thread);
    if (earlier.status !== 404) return created(earlier, thread.id);
    void earlier.body?.cancel();
  }
  const limits = new CallerLimits(incoming.env, incoming.caller);
  await limits.countThread(thread.id);
  const answer = await create();
  // A thread with a key may have been created by another request, so it stays counted.
  const isRefused = answer.status >= 400 && answer.status < 500;
  if (isRefused && thread.bodyHash === undefined) await limits.forgetThread(thread.id);
  return created(answer, thread.id);
}

async function createThread(incoming: Incoming): Promise<Response> {
  const text = await readText(incoming.request);
  const body = parseCreate(text);
  const { name, configuration } = requestedConfiguration(incoming.deployment, body.configuration);
  checkTools(body.tools ?? [], configuration);
  const thread = await identify(incoming, body);
  const call = { ...thread, configuration: name };
  return createOnce(incoming, thread, () => askThread(incoming, 'create', call, text));
}

async function forkThread(incoming: Incoming, id: string, text: string): Promise<Response> {
  const body = parseFork(text);
  const { configuration } = body;
  const named = configuration === undefined ? {} : { configuration };
  if (configuration !== undefined) requestedConfiguration(incoming.deployment, configuration);
  const thread = await identify(incoming, body, id);
  const call = { ...thread, ...named, id, newId: thread.id };
  return createOnce(incoming, thread, () => askThread(incoming, 'fork', call, text));
}

async function threadRoute(incoming: Incoming, id: string, path: string): Promise<Response> {
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (!methods) throw unknownRoute();
  const { request } = incoming;
  checkMethod(request, ...Object.keys(methods).flatMap(withHead));
  const route = methods[routeMethod(request)];
  if (!route) throw unknownRoute();
  if (!isThreadId(id)) throw unknownThread();
  const { operation, check, parse } = route;
  check?.(request);
  if (!parse) return askThread(incoming, operation, { id });
  const text = await readText(request);
  parse(text);
  if (operation === 'fork') return forkThread(incoming, id, text);
  return askThread(incoming, operation, { id }, text);
}

/** Returns whether a path is one of threads. */
export const isThreadPath = (pathname: string): boolean => /^\/threads(?:\/|$)/.test(pathname);

/** A path of threads: the id as it was sent, and what follows it. */
function partsOf(pathname: string): { id: string; path: string } | undefined {
  const [, id, path = ''] = /^\/threads\/([^/]+)(?:\/([a-z]+))?$/.exec(pathname) ?? [];
  return id === undefined ? undefined : { id, path };
}

/** Returns the name of a request's route for metrics: one of a fixed list. */
export function threadRouteName(request: Request, pathname: string): string {
  const method = routeMethod(request);
  if (pathname === '/threads' && method === 'POST') return 'threads.create';
  const { path } = partsOf(pathname) ?? {};
  const methods = path !== undefined && Object.hasOwn(routes, path) ? routes[path] : undefined;
  const route = methods && Object.hasOwn(methods, method) ? methods[method] : undefined;
  return `threads.${route?.operation ?? 'unknown'}`;
}

/**
 * Answers a request of a path of threads.
 *
 * @throws HttpError for a request that is refused before it reaches a thread
 */
export async function threadRoutes(
  request: Request,
  env: Env,
  deployment: Deployment,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const caller = await callerOf(request, env);
  const incoming: Incoming = { request, env, caller, deployment };
  if (pathname === '/threads') {
    checkMethod(request, 'POST');
    return createThread(incoming);
  }
  const parts = partsOf(pathname);
  if (!parts) throw unknownRoute();
  const response = await threadRoute(incoming, parts.id, parts.path);
  return request.method === 'HEAD' ? withoutBody(response) : response;
}
