// Matches paths with routes, and takes the arguments that each runtime hands to a fetch handler.
import type { Backend } from '../sdk/types/model.js';

/** Where a request was sent: the service, and on Vertex AI the project and location. */
export interface Place {
  backend: Backend;
  version: string;
  /** `projects/…/locations/…`; '' elsewhere and in express mode. */
  parent: string;
  /** The project that Firebase AI Logic names before the paths of the Gemini API; '' elsewhere. */
  firebaseProject: string;
}

/** An API method with the parameters in its URL. */
export type Route = { place: Place } & (
  | { kind: 'generate'; model: string; stream: boolean; sse: boolean }
  | { kind: 'countTokens'; model: string }
  | { kind: 'models'; query: URLSearchParams }
  | { kind: 'model'; model: string }
  | { kind: 'embed'; model: string; form: EmbedForm }
  | BatchRoute
  | CacheRoute
  | FileRoute
  | InteractionRoute
  | { kind: 'upload'; uploadId: string | null }
);

/** One text, a list of texts, or Vertex AI's `predict`. */
type EmbedForm = 'one' | 'list' | 'predict';

interface BatchRoute {
  kind: 'batches';
  action: 'create' | 'list' | 'get' | 'cancel' | 'delete';
  id: string;
  /** The model of a new batch. */
  model: string;
  query: URLSearchParams;
}

interface CacheRoute {
  kind: 'caches';
  action: 'create' | 'list' | 'get' | 'patch' | 'delete';
  id: string;
  query: URLSearchParams;
}

interface FileRoute {
  kind: 'files';
  action: 'list' | 'get' | 'delete';
  id: string;
  query: URLSearchParams;
}

interface InteractionRoute {
  kind: 'interactions';
  action: 'create' | 'get' | 'cancel' | 'delete';
  /** '' for a new one, whose body names the model. */
  id: string;
  query: URLSearchParams;
}

/** One method on one path. */
interface Target {
  method: string;
  url: URL;
  place: Place;
  path: string;
}

/** Returns the API method; undefined if the API does not serve this combination of HTTP method and URL. */
export function matchRoute(method: string, url: URL): Route | undefined {
  const [, upload, version, resource] =
    /^\/(upload\/)?(v1|v1beta|v1beta1)\/(.+)$/.exec(url.pathname) ?? [];
  if (version === undefined || resource === undefined) return undefined;
  // Firebase AI Logic names a project before the paths of the Gemini API.
  const [, parent = '', firebaseProject = '', path = ''] =
    /^(?:(projects\/[^/]+\/locations\/[^/]+)\/|projects\/([^/]+)\/(?=models))?(.+)$/.exec(
      resource,
    ) ?? [];
  // Only Vertex AI has a v1beta1, and names models below their publisher, with or without a project.
  const isVertex = version === 'v1beta1' || parent !== '' || path.startsWith('publishers/');
  const place: Place = {
    backend: isVertex ? 'vertex' : 'gemini',
    version,
    parent,
    firebaseProject,
  };
  if (upload !== undefined) return uploadRoute({ method, url, place, path });
  return isVertex
    ? vertexRoute({ method, url, place, path })
    : geminiRoute({ method, url, place, path });
}

function geminiRoute(target: Target): Route | undefined {
  const [collection] = target.path.split(/[/:]/);
  if (collection === 'models') return modelRoute(target);
  if (collection === 'cachedContents') return cacheRoute(target);
  if (collection === 'batches') return batchRoute(target);
  if (collection === 'interactions') return interactionRoute(target);
  return collection === 'files' ? fileRoute(target) : undefined;
}

function vertexRoute(target: Target): Route | undefined {
  const { place, path } = target;
  const model = /^publishers\/google\/(models.*)$/.exec(path)?.[1];
  if (model !== undefined) return modelRoute({ ...target, path: model });
  // Express mode has no caches.
  return place.parent === '' ? undefined : cacheRoute(target);
}

function uploadRoute({ method, url, place, path }: Target): Route | undefined {
  if (method !== 'POST' || path !== 'files' || place.backend === 'vertex') return undefined;
  return { kind: 'upload', place, uploadId: url.searchParams.get('upload_id') };
}

function modelRoute({ method, url, place, path }: Target): Route | undefined {
  if (path === 'models') {
    return method === 'GET' ? { kind: 'models', place, query: url.searchParams } : undefined;
  }
  const [, model, action] = /^models\/([\w.-]+)(?::(\w+))?$/.exec(path) ?? [];
  if (model === undefined) return undefined;
  if (action === undefined) return method === 'GET' ? { kind: 'model', place, model } : undefined;
  return method === 'POST' ? actionRoute(place, model, action, url) : undefined;
}

function actionRoute(
  place: Place,
  model: string,
  action: string,
  { searchParams: query }: URL,
): Route | undefined {
  const isVertex = place.backend === 'vertex';
  const sse = query.get('alt') === 'sse';
  switch (action) {
    case 'generateContent':
      return { kind: 'generate', place, model, stream: false, sse };
    case 'streamGenerateContent':
      return { kind: 'generate', place, model, stream: true, sse };
    case 'countTokens':
      return { kind: 'countTokens', place, model };
    case 'embedContent':
      return { kind: 'embed', place, model, form: 'one' };
    case 'batchEmbedContents':
      return isVertex ? undefined : { kind: 'embed', place, model, form: 'list' };
    case 'predict':
      return isVertex ? { kind: 'embed', place, model, form: 'predict' } : undefined;
    case 'batchGenerateContent':
      if (isVertex) return undefined;
      return { kind: 'batches', action: 'create', place, id: '', model, query };
    default:
      return undefined;
  }
}

function batchRoute({ method, url, place, path }: Target): Route | undefined {
  const base = { kind: 'batches', place, model: '', query: url.searchParams } as const;
  if (path === 'batches') return method === 'GET' ? { ...base, action: 'list', id: '' } : undefined;
  const [, id, action] = /^batches\/([\w-]+)(?::(cancel))?$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  if (action === 'cancel') return method === 'POST' ? { ...base, action, id } : undefined;
  if (method === 'GET') return { ...base, action: 'get', id };
  return method === 'DELETE' ? { ...base, action: 'delete', id } : undefined;
}

function cacheRoute({ method, url, place, path }: Target): Route | undefined {
  const base = { kind: 'caches', place, query: url.searchParams } as const;
  if (path === 'cachedContents') {
    if (method === 'POST') return { ...base, action: 'create', id: '' };
    return method === 'GET' ? { ...base, action: 'list', id: '' } : undefined;
  }
  const id = /^cachedContents\/([\w-]+)$/.exec(path)?.[1];
  if (id === undefined) return undefined;
  if (method === 'GET') return { ...base, action: 'get', id };
  if (method === 'PATCH') return { ...base, action: 'patch', id };
  return method === 'DELETE' ? { ...base, action: 'delete', id } : undefined;
}

function fileRoute({ method, url, place, path }: Target): Route | undefined {
  const base = { kind: 'files', place, query: url.searchParams } as const;
  if (path === 'files') return method === 'GET' ? { ...base, action: 'list', id: '' } : undefined;
  const id = /^files\/([\w-]+)$/.exec(path)?.[1];
  if (id === undefined) return undefined;
  if (method === 'GET') return { ...base, action: 'get', id };
  return method === 'DELETE' ? { ...base, action: 'delete', id } : undefined;
}

function interactionRoute({ method, url, place, path }: Target): Route | undefined {
  const base = { kind: 'interactions', place, query: url.searchParams } as const;
  if (path === 'interactions')
    return method === 'POST' ? { ...base, action: 'create', id: '' } : undefined;
  const [, id, action] = /^interactions\/([\w-]+)(?:\/(cancel))?$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  if (action === 'cancel') return method === 'POST' ? { ...base, action, id } : undefined;
  if (method === 'GET') return { ...base, action: 'get', id };
  return method === 'DELETE' ? { ...base, action: 'delete', id } : undefined;
}

/** All fields of a RequestInit, also those of Node, Workers and Bun. */
const initFields = new Set([
  ...['body', 'cache', 'cf', 'credentials', 'dispatcher', 'duplex', 'fetcher', 'headers'],
  ...['integrity', 'keepalive', 'method', 'mode', 'priority', 'proxy', 'redirect', 'referrer'],
  ...['referrerPolicy', 'signal', 'timeout', 'tls', 'unix', 'verbose', 'window'],
]);

/** A request, and the signal that ends its answer. */
interface Call {
  request: Request;
  signal: AbortSignal;
}

/**
 * Returns the request that a handler was called with. Bun, Deno, srvx, Hono and Workers pass their own objects as the
 * second argument; with a Request, only a plain object with nothing but fields of RequestInit counts as one.
 */
export function requestOf(input: RequestInfo | URL, init: unknown): Call {
  if (isRequest(input) && !isInit(init)) return { request: input, signal: signalOf(input) };
  const settings = (init ?? {}) as RequestInit;
  const request = new Request(input, settings);
  // A signal that follows another one may be garbage before it aborts.
  return { request, signal: settings.signal ?? signalOf(request) };
}

// Workers may leave the signal out.
function signalOf({ signal }: { signal?: AbortSignal }): AbortSignal {
  return signal ?? new AbortController().signal;
}

// A server's Request may be of another class; Request's constructor does not take all of those.
function isRequest(input: RequestInfo | URL): input is Request {
  return typeof input === 'object' && 'arrayBuffer' in input && 'headers' in input;
}

function isInit(init: unknown): init is RequestInit {
  if (typeof init !== 'object' || init === null) return false;
  const prototype: unknown = Object.getPrototypeOf(init);
  const isPlain = prototype === null || prototype === Object.prototype;
  const names = Object.keys(init);
  return isPlain && names.length > 0 && names.every((name) => initFields.has(name));
}
