// Waits until the API has processed a file.
import { sleep } from '../../../internal/lifetime.js';
import { GeminiError } from '../../../internal/errors.js';
import * as must from '../../../internal/options.js';
import type { GeminiFile } from '../../../types/gemini/resources.js';
import { callOptions, type CallOptions } from '../../http.js';

/** Options of `waitUntilActive`. */
export interface WaitOptions extends CallOptions {
  /** The longest wait in milliseconds; 0 means no limit. Default: 600,000. */
  timeoutMs?: number;
  /** The delay before the second question in milliseconds. Each is 1.5 times the previous one. Default: 1,000. */
  initialMs?: number;
  /** The longest delay in milliseconds. Default: 10,000. */
  maxMs?: number;
}

const waitOptions: must.Shape<WaitOptions> = {
  ...callOptions,
  timeoutMs: must.optional(must.nonNegative),
  initialMs: must.optional(must.nonNegative),
  maxMs: must.optional(must.nonNegative),
};

const factor = 1.5;

function failedError({ name, error }: GeminiFile): GeminiError {
  const reason = error?.message || 'no reason given';
  return new GeminiError('file.failed', `The API could not process ${name}: ${reason}`, {
    status: error?.code ?? 0,
    details: error?.details ?? [],
  });
}

/**
 * Calls `get` until the file is active.
 *
 * @internal
 * @throws GeminiError `file.failed` or `file.slow`, what `get` throws, or the signal's reason
 */
export async function waitUntilActive(
  get: (signal: AbortSignal | undefined) => Promise<GeminiFile>,
  options: WaitOptions = {},
): Promise<GeminiFile> {
  must.checkOptions(options, waitOptions);
  const { timeoutMs = 600_000, initialMs = 1000, maxMs = 10_000, signal } = options;
  const deadline = timeoutMs > 0 ? performance.now() + timeoutMs : Infinity;
  for (let delayMs = initialMs; ; delayMs *= factor) {
    const file = await get(signal);
    if (file.state === 'ACTIVE') return file;
    if (file.state === 'FAILED') throw failedError(file);
    const remaining = deadline - performance.now();
    const wait = Math.min(delayMs, maxMs);
    if (wait >= remaining) throw slowError(file, timeoutMs);
    await sleep(wait, signal);
  }
}

function slowError({ name }: GeminiFile, ms: number): GeminiError {
  return new GeminiError('file.slow', `${name} was not processed within ${ms} ms`);
}
