// Why this file exists: the door of the emulator, light enough for the main bundle. All the rest,
// the core included, is imported on the first request.
import type { Server } from './server.js';
import type { EmulatorOptions } from './types.js';

export type * from './types.js';

/**
 * The embedded default: a `fetch` that answers like the Gemini API, offline and deterministic, in a
 * page, a Worker or Node. It refuses what the API refuses, by the catalogue that `lint` reads. Every
 * answer carries the header `x-prompt-strata-emulator: 1`, and its plain texts say what it is.
 *
 * @example
 * const client = new GeminiClient({ fetch: createEmulator() });
 */
export function createEmulator(options: EmulatorOptions = {}): typeof fetch {
  let server: Promise<Server> | undefined;
  const open = () =>
    (server ??= import('./server.js').then(
      ({ Server }) => new Server(options),
      (reason) => {
        server = undefined;
        throw reason;
      },
    ));
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? request.signal;
    signal.throwIfAborted();
    return (await open()).handle(request, signal);
  };
}
