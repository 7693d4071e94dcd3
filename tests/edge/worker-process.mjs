// Starts the bundled Worker in workerd for tests, and sends requests to it as an authorized caller.
import http from 'node:http';
import { after } from 'node:test';
import { Miniflare } from 'miniflare';
import { assetOptions, bundleWorker, miniflareOptions } from '../../scripts/setup/worker.mjs';

export const callerKey = 'caller-key-for-tests_0123456789';
export const upstreamKey = 'AIzaSyWorkerTest_0123456789';

/** The headers of an authorized caller that accepts one line of JSON for each event. */
export const headers = {
  authorization: `Bearer ${callerKey}`,
  'content-type': 'application/json',
  accept: 'application/x-ndjson',
};

// Long enough for a busy machine. A request that takes longer is considered hanging.
const timeoutMs = 30_000;

/** Settles as `work` does, or rejects after a timeout, so that a hanging request fails its test. */
export async function within(work) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer: the request hangs')), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Stops all started Workers after the tests of the calling file. */
export function setUp() {
  after(() => Promise.all([...started].map((worker) => worker.dispose())));
}

const started = new Set();

// Each bundle is checked once in a process.
const bundles = new Map();

function bundleOnce(deployment) {
  if (!bundles.has(deployment)) bundles.set(deployment, bundleWorker(deployment));
  return bundles.get(deployment);
}

const collect = (outputs, logs) => {
  for (const output of outputs) output.on('data', (data) => logs.push(String(data)));
};

/**
 * Starts a Worker. The emulator answers, or `api` in place of the Gemini API.
 * @param {{bindings?: Record<string, string>, api?: Function, folder?: string, ratelimits?: object,
 *   deployment?: string, logs?: string[], assets?: string}} [settings] `folder` stores the threads across processes, `deployment` is a
 *   module that replaces web/worker/deployment.ts, `logs` receives what the Worker logs, `assets` is the folder of static
 *   files. A binding that is undefined is omitted.
 */
export async function startWorker(settings = {}) {
  const { bindings = {}, api, folder, ratelimits, deployment, logs, assets } = settings;
  await bundleOnce(deployment);
  const upstream = api ? { GEMINI_API_KEY: upstreamKey } : { EMULATOR: 'true' };
  const merged = { CALLER_KEY: callerKey, ...upstream, ...bindings };
  const defined = Object.entries(merged).filter(([, value]) => value !== undefined);
  const worker = new Miniflare({
    ...(await miniflareOptions(Object.fromEntries(defined), deployment)),
    port: 0,
    ...(folder ? { durableObjectsPersist: folder } : {}),
    ...(api ? { outboundService: api } : {}),
    ...(ratelimits ? { ratelimits } : {}),
    ...(assets ? await assetOptions(assets) : {}),
    ...(logs ? { handleRuntimeStdio: (...outputs) => collect(outputs, logs) } : {}),
  });
  started.add(worker);
  await worker.ready;
  return worker;
}

/** Stops a Worker before the tests of its file have ended. */
export async function stopWorker(worker) {
  started.delete(worker);
  await worker.dispose();
}

export const ask = (worker, path, init = {}) =>
  within(worker.dispatchFetch(`http://localhost${path}`, { headers, ...init }));

/** POSTs a body: a string as it is, anything else as JSON. */
export const post = (worker, path, body, init = {}) =>
  ask(worker, path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });

/** Returns the parsed lines of an NDJSON response. */
export const linesOf = async (response) =>
  (await within(response.text()))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Creates a thread and returns its path. */
export async function create(worker, body = {}, init = {}) {
  const response = await post(worker, '/threads', body, init);
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return `/threads/${(await response.json()).id}`;
}

/** Sends one message to the thread at `path` and returns all events. */
export async function say(worker, path, message) {
  const response = await post(worker, `${path}/messages`, { message });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return linesOf(response);
}

/** Returns the lines of the thread at `path`. */
export const threadOf = async (worker, path) => linesOf(await ask(worker, `${path}/turns`));

/** Returns the texts of the user turns among the lines of a stored thread. */
export const textsOf = (lines) =>
  lines.filter(({ kind }) => kind === 'user').map(({ content }) => content.parts[0].text);

export const ofType = (events, type) => events.filter((event) => event.type === type);

/** POSTs over a separate socket. Resolves to Node's response, paused, when its headers have arrived. */
export async function postOverHttp(worker, path, message) {
  const url = new URL(path, await worker.ready);
  const request = http.request(url, { method: 'POST', headers, agent: false });
  request.on('error', () => {});
  request.end(JSON.stringify({ message }));
  const response = new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  return within(response);
}

/** Returns one chunk of a streamed answer of the Gemini API. */
export const chunk = (text, more = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }] })}\r\n\r\n`;

const encoder = new TextEncoder();

/** Returns an answer of `count` chunks, `ms` apart, each with its number and the fields that `more` returns for it. */
export function slowAnswer({ count = 60, ms = 10, more = () => ({}) } = {}) {
  let next = 0;
  const body = new ReadableStream({
    async pull(out) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      const isLast = ++next >= count;
      out.enqueue(
        encoder.encode(
          chunk(`${next} `, { ...more(next), ...(isLast && { finishReason: 'STOP' }) }),
        ),
      );
      if (isLast) out.close();
    },
  });
  return new Response(body);
}

/** Returns an answer that begins and never ends. */
export function hangingAnswer() {
  const start = (out) => out.enqueue(encoder.encode(chunk('Once')));
  return new Response(new ReadableStream({ start }));
}
