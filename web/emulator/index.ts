// The entry point of the emulator. Everything else, including the core, is imported on the first request.
import type { Server } from './server.js';
import type { Fetch } from '../sdk/types/platform.js';
import type { EmulatorOptions } from './types.js';

export type * from './types.js';

/**
 * Returns a `fetch` that answers like the Gemini API, offline and deterministically. It runs in pages,
 * Workers and Node, and rejects requests by the same catalog that `lint` uses. Every response carries
 * the header `x-prompt-strata-emulator: 1`, and generated texts identify the emulator.
 *
 * @example
 * const client = new GeminiClient({ fetch: createEmulator() });
 */
export function createEmulator(options: EmulatorOptions = {}): Fetch {
  let server: Promise<Server> | undefined;
  const loadServer = () =>
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
    return (await loadServer()).handle(request, signal);
  };
}
