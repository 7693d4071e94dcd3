// Tells when the body of a response has left, so that the request can be ended.

/**
 * Returns the response with a body that calls `end` once: when it has been read, was cancelled, has failed, or when
 * `signal` aborts, whether or not anybody reads it. What is behind the body is cancelled before that, so that it has
 * counted what it had.
 */
export function withTrackedBody(
  response: Response,
  signal: AbortSignal,
  end: () => void,
): Response {
  const reader = response.body?.getReader();
  if (!reader || signal.aborted) {
    void reader?.cancel(signal.reason).catch(() => {});
    end();
    return reader ? new Response(null, response) : response;
  }
  let stop = () => {};
  const finish = () => {
    signal.removeEventListener('abort', stop);
    end();
  };
  const start = (out: ReadableStreamDefaultController<Uint8Array>) => {
    stop = () => {
      void reader.cancel(signal.reason).catch(() => {});
      finish();
      out.error(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  };
  const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const read = await reader.read();
      if (!read.done) return out.enqueue(read.value);
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
