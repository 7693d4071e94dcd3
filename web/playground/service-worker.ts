// Keeps the files of the page, so that it works offline after the first visit. The build inserts version and files.

interface Extendable extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface Fetch extends Extendable {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}
/** The part of ServiceWorkerGlobalScope that this file uses; the DOM types do not have it. */
interface Scope {
  registration: ServiceWorkerRegistration;
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetch) => void): void;
}

const scope = self as unknown as Scope;
const prefix = `prompt-strata ${scope.registration.scope} `;
const cacheName = prefix + '__VERSION__';
const files: string[] = JSON.parse('__FILES__');
/** After this time without an answer, a visit shows the kept page. */
const patienceMs = 3000;

const urlOf = (file: string) => new URL(file, scope.registration.scope).href;
const page = urlOf('index.html');
const assets = urlOf('assets/');

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  // Names in assets/ contain a hash, so what the browser has of them is right.
  const requests = files.map((file) => {
    const url = urlOf(file);
    return new Request(url, { cache: url.startsWith(assets) ? 'default' : 'reload' });
  });
  await cache.addAll(requests);
  // The new version serves the next visit. Pages that are still open load their own files from the previous cache.
  await scope.skipWaiting();
}

// Removes all versions but this one and the one before it, which open pages may still use.
async function activate(): Promise<void> {
  const versions = (await caches.keys()).filter((name) => name.startsWith(prefix));
  const older = versions.filter((name) => name !== cacheName).slice(0, -1);
  await Promise.all(older.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

const kept = async (url: string) =>
  (await (await caches.open(cacheName)).match(url)) ?? caches.match(url);

// Prefers the network, so that a visit shows the newest version.
async function openPage(request: Request): Promise<Response> {
  const patience = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs));
  const loaded = fetch(request);
  const response = await Promise.race([loaded.catch(() => undefined), patience]);
  if (response?.ok) return response;
  return (await kept(page)) ?? loaded;
}

const openFile = async (request: Request) => (await kept(request.url)) ?? fetch(request);

function answer(event: Fetch): void {
  const { request } = event;
  if (request.method !== 'GET') return;
  const url = request.url.replace(/[?#].*$/, '');
  const isPage = url === scope.registration.scope || url === page;
  if (isPage && request.mode === 'navigate') event.respondWith(openPage(request));
  else if (url.startsWith(assets) || files.some((file) => url === urlOf(file)))
    event.respondWith(openFile(request));
}

scope.addEventListener('install', (event) => event.waitUntil(install()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('fetch', answer);
