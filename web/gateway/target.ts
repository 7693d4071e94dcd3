// Chooses where a request goes: one of Google's fixed hosts, with a path that is written anew.
import { Endpoint, endpointOf, vertexHost, type VertexOptions } from '../sdk/client/endpoint.js';
import type { Backend } from '../sdk/types/model.js';
import type { GoogleRoute } from './route.js';

/** The address of a method. */
export interface Target {
  url: string;
  backend: Backend;
}

/** What the choice depends on. */
interface TargetOptions {
  /** Vertex AI, if all requests go there. */
  vertexai: VertexOptions | boolean | undefined;
  /** Whether the caller's own key is sent. */
  callerPays: boolean;
}

const firebase = 'https://firebasevertexai.googleapis.com';

/**
 * Parameters of Google's methods, and those of all its APIs that choose the form of an answer. No other parameter
 * travels, above all no key, no token and no `callback`, which would make the answer a script.
 */
const parameters = new Set([
  ...['alt', 'pageSize', 'pageToken', 'filter', 'orderBy', 'updateMask', 'listAllVersions'],
  ...['upload_id', 'upload_protocol'],
  ...['stream', 'last_event_id', 'include_input'],
  ...['$alt', 'fields', '$fields', 'prettyPrint', '$prettyPrint', '$.xgafv'],
]);

// Of the methods that generate, the form is always the one whose tokens and signatures can be read.
const formOfGenerated = new Set(['prettyPrint', '$prettyPrint', '$.xgafv']);
const readable = /^(?:json|sse)$/;

/** Returns the address for a request; undefined if the service does not have the method. */
export function targetOf(
  route: GoogleRoute,
  query: URLSearchParams,
  options: TargetOptions,
): Target | undefined {
  const endpoint = endpointFor(route, options);
  if (!isServed(route, endpoint)) return undefined;
  const { path, verb } = resourceOf(route);
  const suffix = verb + queryOf(route, query);
  const named = namedBy(endpoint.backend, path);
  const url = endpoint.url(isPublic(route, endpoint) ? named : endpoint.below(named), suffix);
  return { url: route.kind === 'upload' ? uploadUrl(url) : url, backend: endpoint.backend };
}

function endpointFor({ place }: GoogleRoute, { vertexai, callerPays }: TargetOptions): Endpoint {
  const { backend, version, parent, firebaseProject } = place;
  if (vertexai) return endpointOf({ vertexai, apiVersion: version === 'v1' ? 'v1' : 'v1beta1' });
  const slashed = parent === '' ? '' : `${parent}/`;
  // Vertex AI itself has no v1beta.
  const isFirebase = firebaseProject !== '' || (backend === 'vertex' && version === 'v1beta');
  if (isFirebase && callerPays) {
    const below = firebaseProject === '' ? slashed : `projects/${firebaseProject}/`;
    return new Endpoint(firebase, version, backend, below);
  }
  if (backend === 'gemini') return endpointOf({ apiVersion: version });
  const host = vertexHost(parent.split('/')[3] ?? 'global');
  return new Endpoint(`https://${host}`, version === 'v1' ? 'v1' : 'v1beta1', 'vertex', slashed);
}

// Vertex AI has no files, and no caches without a project. That it has interactions is not proven.
function isServed({ kind, ...route }: GoogleRoute, { backend, isExpress }: Endpoint): boolean {
  if (backend === 'gemini') return true;
  if (kind === 'files' || kind === 'upload' || kind === 'interactions') return false;
  if (kind === 'caches') return !isExpress;
  return !('form' in route && route.form === 'list');
}

// Vertex AI describes its models outside of projects.
const isPublic = ({ kind }: GoogleRoute, { backend }: Endpoint): boolean =>
  backend === 'vertex' && (kind === 'models' || kind === 'model');

// On Vertex AI, models belong to their publisher.
const namedBy = (backend: Backend, path: string): string =>
  backend === 'vertex' ? path.replace(/^models(?=\/|$)/, 'publishers/google/models') : path;

interface Resource {
  path: string;
  /** A verb with its colon, or ''. */
  verb: string;
}

const embedVerbs = { one: 'embedContent', list: 'batchEmbedContents', predict: 'predict' };

function resourceOf(route: GoogleRoute): Resource {
  switch (route.kind) {
    case 'generate':
      return below(route.model, route.stream ? ':streamGenerateContent' : ':generateContent');
    case 'countTokens':
      return below(route.model, ':countTokens');
    case 'embed':
      return below(route.model, `:${embedVerbs[route.form]}`);
    case 'model':
      return below(route.model, '');
    case 'models':
      return { path: 'models', verb: '' };
    case 'caches':
      return collection('cachedContents', route.id);
    case 'files':
      return collection('files', route.id);
    case 'interactions': {
      const { path } = collection('interactions', route.id);
      return { path: route.action === 'cancel' ? `${path}/cancel` : path, verb: '' };
    }
    case 'upload':
      return { path: 'files', verb: '' };
  }
}

const below = (model: string, verb: string): Resource => ({ path: `models/${model}`, verb });

const collection = (name: string, id: string): Resource => ({
  path: id === '' ? name : `${name}/${id}`,
  verb: '',
});

function queryOf(route: GoogleRoute, query: URLSearchParams): string {
  const isCreated = route.kind === 'interactions' && route.action === 'create';
  const travels = ([name, value]: [string, string]) =>
    route.kind === 'generate' || isCreated
      ? formOfGenerated.has(name) || (name === 'alt' && readable.test(value))
      : parameters.has(name);
  const known = [...query].filter(travels);
  return known.length === 0 ? '' : `?${new URLSearchParams(known)}`;
}

function uploadUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}/upload${pathname}${search}`;
}
