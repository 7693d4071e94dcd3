// Follows the body of an answer to its end, and ends one that breaks off.
import { longestDelay, type Restartable } from '../sdk/internal/lifetime.js';
import { GatewayError } from './gateway-error.js';
import { GeminiError } from '../sdk/internal/errors.js';
import type { Call, Pipeline } from './call.js';

const readerLate = {
  code: 'client.slow',
  message: 'The client did not read the answer in time.',
} as const;

/** How a body is tracked. */
interface Tracking {
  /** The client's. */
  signal: AbortSignal;
  /** Milliseconds until the client must ask for the next bytes; 0: no limit. */
  readerMs: number;
  /** Called once. `code` says that the client did not read in time. */
  end: (code?: string) => void;
}

/** Returns a timer that calls `late`, and does not keep a process alive. */
function readerTimer(ms: number, late: () => void): { start: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const start = () => {
    stop();
    if (!(ms > 0 && ms <= longestDelay)) return;
    timer = setTimeout(late, ms);
    (timer as unknown as Restartable).unref?.();
  };
  return { start, stop };
}

/**
 * Returns the response with a body that calls `end` once: when it has been read, was cancelled, has failed, or when
 * `signal` aborts or the client stops reading, whether or not anybody reads it. What is behind the body is cancelled
 * before that, so that it has counted what it had.
 */
export function withTrackedBody(response: Response, { signal, readerMs, end }: Tracking): Response {
  const reader = response.body?.getReader();
  if (!reader || signal.aborted) {
    void reader?.cancel(signal.reason).catch(() => {});
    end();
    return reader ? new Response(null, response) : response;
  }
  let stop = (_reason: unknown, _code?: string) => {};
  const onAbort = () => stop(signal.reason);
  const timer = readerTimer(readerMs, () => {
    const { code, message } = readerLate;
    stop(new GatewayError(408, code, message), code);
  });
  const finish = (code?: string) => {
    signal.removeEventListener('abort', onAbort);
    timer.stop();
    end(code);
  };
  const start = (out: ReadableStreamDefaultController<Uint8Array>) => {
    stop = (reason, code) => {
      void reader.cancel(reason).catch(() => {});
      finish(code);
      out.error(reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    timer.start();
  };
  const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
    timer.stop();
    try {
      const read = await reader.read();
      if (!read.done) {
        timer.start();
        return out.enqueue(read.value);
      }
      finish();
      out.close();
    } catch (error) {
      finish();
      throw error;
    }
  };
  const cancel = async (reason: unknown) => {
    const cancelled = reader.cancel(reason);
    finish();
    await cancelled;
  };
  return new Response(new ReadableStream({ start, pull, cancel }, { highWaterMark: 0 }), response);
}

/** Returns the code of what broke an answer off: an error, or whatever a body was cancelled with. */
function codeOf(reason: unknown, { aborted }: AbortSignal): string {
  if (reason instanceof GatewayError) return reason.code;
  if (aborted) return 'client.left';
  if (reason instanceof RangeError) return 'answer.too_long';
  if (!(reason instanceof GeminiError)) return 'client.left';
  if (reason.code === 'timeout' || reason.code === 'network') return `upstream.${reason.code}`;
  return reason.code;
}

/** Logs and counts an answer that broke off, or that turned out to be an error, after its status was sent. */
export function answerBroke({ metrics }: Pipeline, call: Call, reason: unknown): void {
  const code = codeOf(reason, call.signal);
  call.failure = code;
  // What the API calls its errors comes from outside.
  metrics.brokenAnswer(code.startsWith('api.') ? 'api' : code);
}
