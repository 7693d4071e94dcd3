// The emulator as a fetch. Everything else, including the core, is imported on the first request.
import type { Server } from './server.js';
import { requestOf } from '../server/match-route.js';
import type { Emulator, EmulatorOptions, RecordedRequest } from './types.js';

/**
 * Returns a `fetch` that answers like the Gemini API, offline and deterministically. It runs in pages,
 * Workers and Node, and rejects requests by the same catalog that `lint` uses. Every response carries
 * the header `x-prompt-strata-emulator: 1`, and generated texts identify the emulator.
 *
 * It is a handler for servers as well: `Bun.serve({ fetch: createEmulator() })`, `Deno.serve(createEmulator())`,
 * `export default { fetch: createEmulator() }`, and `serve` of `prompt-strata/node`.
 *
 * Options are checked with the first request, which throws StrataError `field.unknown` or `field.invalid`.
 *
 * @example
 * const client = new GeminiClient({ fetch: createEmulator() });
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  let server: Promise<Server> | undefined;
  const requests: RecordedRequest[] = [];
  const { record = false } = options;
  const keep = (request: RecordedRequest) => {
    if (typeof record === 'function') record(request);
    else requests.push(request);
  };
  const loadServer = () =>
    (server ??= import('./server.js').then(
      ({ Server }) => new Server(options, record === false ? undefined : keep),
      (reason) => {
        server = undefined;
        throw reason;
      },
    ));
  const fetch = async (input: RequestInfo | URL, init?: unknown): Promise<Response> => {
    const { request, signal } = requestOf(input, init);
    signal.throwIfAborted();
    return (await loadServer()).handle(request, signal);
  };
  return Object.assign(fetch, { requests });
}
