// Maps an HTTP method and a URL to an API method.

/** An API method with the parameters in its URL. */
export type Route =
  | { kind: 'generate'; version: string; model: string; stream: boolean; sse: boolean }
  | { kind: 'countTokens'; version: string; model: string }
  | { kind: 'models'; query: URLSearchParams }
  | { kind: 'model'; version: string; model: string }
  | {
      kind: 'caches';
      version: string;
      action: 'create' | 'list' | 'get' | 'patch' | 'delete';
      id: string;
      query: URLSearchParams;
    };

// Vertex AI names models below their publisher, with or without a project.
const vertexPublisher = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/(?=models\/)/;

/** Returns the API method; undefined if the API does not serve this combination of HTTP method and URL. */
export function matchRoute(method: string, url: URL): Route | undefined {
  const [, version, resource] = /^\/(v1|v1beta)\/(.+)$/.exec(url.pathname) ?? [];
  if (version === undefined || resource === undefined) return undefined;
  const path = resource.replace(vertexPublisher, '');
  return path.startsWith('models')
    ? modelRoute(method, url, version, path)
    : cacheRoute(method, url, version, path);
}

function modelRoute(method: string, url: URL, version: string, path: string): Route | undefined {
  if (path === 'models') {
    return method === 'GET' ? { kind: 'models', query: url.searchParams } : undefined;
  }
  const [, model, action] = /^models\/([\w.-]+)(?::(\w+))?$/.exec(path) ?? [];
  if (model === undefined) return undefined;
  if (action === undefined) return method === 'GET' ? { kind: 'model', version, model } : undefined;
  if (method !== 'POST') return undefined;
  const sse = url.searchParams.get('alt') === 'sse';
  if (action === 'countTokens') return { kind: 'countTokens', version, model };
  if (action === 'generateContent') return { kind: 'generate', version, model, stream: false, sse };
  if (action !== 'streamGenerateContent') return undefined;
  return { kind: 'generate', version, model, stream: true, sse };
}

function cacheRoute(method: string, url: URL, version: string, path: string): Route | undefined {
  const base = { kind: 'caches', version, query: url.searchParams } as const;
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
