// Records the answers of the real API, and replays them without a network.
import { withoutSecrets } from '../requests/remove-secrets.js';
import { base64, bytesOfBase64, decodeValidUtf8, joinBytes } from '../sdk/internal/bytes.js';
import { sha256, toHex } from '../sdk/internal/digest.js';
import * as must from '../sdk/internal/options.js';
import type { Json } from '../sdk/types/json.js';
import type { Fetch, FetchHandler } from '../sdk/types/platform.js';
import type { Recordings } from '../server/folder-recordings.js';
import { requestOf } from '../server/match-route.js';
import { canonicalText, differencesOf } from './json-differences.js';

/** Options of `createReplay`. */
export interface ReplayOptions {
  recordings: Recordings;
  /** Sends a request to the real API, with its key: the answers are recorded. Without it, nothing is ever sent. */
  upstream?: FetchHandler;
}

/** A request without what differs between two runs: its host, its headers, its key, the order of its fields. */
interface Asked {
  method: string;
  path: string;
  /** Parsed JSON; of other bodies the SHA-256; missing if it is empty. */
  body?: Json;
}

interface Answered {
  status: number;
  type: string;
  /** Base64 if it is not UTF-8. */
  body: string | { base64: string };
}

interface Recording {
  format: 'prompt-strata/recording';
  version: 1;
  request: Asked;
  /** In the order in which the same request was answered. */
  responses: Answered[];
}

const replayOptions: must.Shape<ReplayOptions> = {
  recordings: must.object,
  upstream: must.optional(must.func),
};

const digestOf = async (data: string | Uint8Array) => toHex(await sha256(data));

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decodeValidUtf8(bytes);
  } catch {
    return undefined;
  }
}

async function bodyOf(bytes: Uint8Array): Promise<Json | undefined> {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(withoutSecrets(textOf(bytes) ?? ''));
  } catch {
    return { sha256: await digestOf(bytes), bytes: bytes.length };
  }
}

async function askedOf(request: Request, bytes: Uint8Array): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete('key');
  searchParams.sort();
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  const body = await bodyOf(bytes);
  const asked = { method: request.method, path: withoutSecrets(pathname + query) };
  return body === undefined ? asked : { ...asked, body };
}

/** Returns the name of a recording: readable, and another one for every other request. */
async function nameOf(asked: Asked): Promise<string> {
  const hash = await digestOf(canonicalText({ ...asked }));
  const [last = ''] = /[^/?]*(?=\?|$)/.exec(asked.path) ?? [];
  return `${last.replace(/[^\w.-]+/g, '-').slice(0, 60)}-${hash.slice(0, 16)}.json`;
}

function recordingIn(text: string | undefined): Recording | undefined {
  if (text === undefined) return undefined;
  try {
    const recording: Partial<Recording> = JSON.parse(text);
    const isOwn = recording.format === 'prompt-strata/recording' && recording.version === 1;
    return isOwn ? (recording as Recording) : undefined;
  } catch {
    return undefined;
  }
}

function answerOf({ status, type, body }: Answered): Response {
  const bytes = typeof body === 'string' ? body : bytesOfBase64(body.base64);
  const headers = { 'content-type': type, 'x-prompt-strata-replay': 'recorded' };
  return new Response(status === 204 ? null : bytes, { status, headers });
}

/** Returns the recording of the same method that differs in the fewest places, with them. */
async function nearestTo(
  asked: Asked,
  recordings: Recordings,
): Promise<{ name: string; differences: string[] } | undefined> {
  let nearest: { name: string; differences: string[] } | undefined;
  for (const name of await recordings.list()) {
    const recording = recordingIn(await recordings.get(name));
    if (recording?.request.method !== asked.method) continue;
    const differences = differencesOf({ ...recording.request }, { ...asked });
    if (differences.length < (nearest?.differences.length ?? Infinity))
      nearest = { name, differences };
  }
  return nearest;
}

const shownDifferences = 5;

// Not a status for which clients send again.
async function missing(asked: Asked, recordings: Recordings): Promise<Response> {
  const nearest = await nearestTo(asked, recordings);
  const { name = '', differences = [] } = nearest ?? {};
  const more = differences.length - shownDifferences;
  const message =
    `No recording of ${asked.method} ${asked.path}. ` +
    (nearest
      ? `The nearest is ${name}: ${differences.slice(0, shownDifferences).join('; ')}` +
        `${more > 0 ? `; and ${more} more` : ''}. Record it again if the change is meant.`
      : 'There are no recordings: record them with a key first.');
  const error = { code: 400, message, status: 'FAILED_PRECONDITION' };
  const headers = { 'content-type': 'application/json', 'x-prompt-strata-replay': 'missing' };
  return new Response(JSON.stringify({ error }), { status: 400, headers });
}

// What another try may answer otherwise is no answer of the API.
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;

class Replay {
  readonly #recordings: Recordings;
  readonly #upstream: ReplayOptions['upstream'];
  /** How often each request was asked. */
  readonly #counts = new Map<string, number>();

  constructor({ recordings, upstream }: ReplayOptions) {
    this.#recordings = recordings;
    this.#upstream = upstream;
  }

  async answer(request: Request, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    const bytes = new Uint8Array(await request.clone().arrayBuffer());
    const asked = await askedOf(request, bytes);
    const name = await nameOf(asked);
    if (this.#upstream) return this.#record(this.#upstream, request, asked, name);
    const recording = recordingIn(await this.#recordings.get(name));
    if (!recording) return missing(asked, this.#recordings);
    const { responses } = recording;
    const answered = responses[Math.min(this.#next(name), responses.length - 1)];
    return answered ? answerOf(answered) : missing(asked, this.#recordings);
  }

  #next(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }

  async #record(
    upstream: NonNullable<ReplayOptions['upstream']>,
    request: Request,
    asked: Asked,
    name: string,
  ): Promise<Response> {
    const response = await upstream(request);
    const { status, headers } = response;
    if (isPassing(status)) return response;
    const index = this.#next(name);
    const type = headers.get('content-type') ?? 'application/json';
    const chunks: Uint8Array[] = [];
    const keep = async () => {
      const bytes = joinBytes(chunks);
      // Signatures of an answer may look like keys; only errors repeat what was sent.
      const read = textOf(bytes);
      const text = read !== undefined && status >= 400 ? withoutSecrets(read) : read;
      const body = text ?? { base64: base64(bytes) };
      await this.#put(asked, name, index, { status, type, body });
    };
    // Whoever has read the whole answer can replay it.
    const copy = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        chunks.push(chunk);
        controller.enqueue(chunk);
      },
      flush: keep,
    });
    if (!response.body) await keep();
    const stream = response.body?.pipeThrough(copy) ?? null;
    return new Response(stream, { status, headers: { 'content-type': type } });
  }

  // A first answer replaces those of earlier runs.
  async #put(request: Asked, name: string, index: number, answered: Answered): Promise<void> {
    const before = index > 0 ? recordingIn(await this.#recordings.get(name)) : undefined;
    const responses = [...(before?.responses ?? []), answered];
    const recording: Recording = {
      format: 'prompt-strata/recording',
      version: 1,
      request,
      responses,
    };
    await this.#recordings.put(name, `${JSON.stringify(recording, null, 2)}\n`);
  }
}

/**
 * Returns a `fetch`, which is also a handler for servers, that answers from recordings, so that a test of the real API runs
 * offline. With `upstream`, it asks the real API and records. A request is found again by its method, path and parsed body,
 * whatever its host, headers, key and order of fields are. The same request asked again gets the answers in the order in
 * which they were recorded, and then the last one. One that was not recorded is answered with 400, and the message names
 * where the nearest recording differs.
 *
 * Recordings hold no headers and no keys. What a later try may answer otherwise (408, 429, 5xx) is not recorded.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
 *
 * @example
 * const client = new GeminiClient({ fetch: createReplay({ recordings: folderRecordings('recordings') }) });
 */
export function createReplay(options: ReplayOptions): Fetch & FetchHandler {
  must.checkOptions(options, replayOptions);
  const replay = new Replay(options);
  return async (input: RequestInfo | URL, init?: unknown) => {
    const { request, signal } = requestOf(input, init);
    return replay.answer(request, signal);
  };
}
