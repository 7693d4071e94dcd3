// Tells when the body of a response has left, so that the request can be ended.

/** Returns the response with a body that calls `end` once: when it has been read, was cancelled, or has failed. */
export function withTrackedBody(response: Response, end: () => void): Response {
  const reader = response.body?.getReader();
  if (!reader) {
    end();
    return response;
  }
  const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const read = await reader.read();
      if (!read.done) return out.enqueue(read.value);
      end();
      out.close();
    } catch (error) {
      end();
      throw error;
    }
  };
  const cancel = async (reason: unknown) => {
    end();
    await reader.cancel(reason);
  };
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), response);
}
