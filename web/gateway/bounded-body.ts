// Passes a body on as it is read, up to a size.
import { readerOf } from '../sdk/client/http.js';
import { maxAnswerBytes } from './watched-answer.js';

/** Returns the body of a response, which breaks off if it is too long. Cancelling it cancels the response. */
export function boundedBody(response: Response): ReadableStream<Uint8Array> {
  const reader = readerOf(response);
  let size = 0;
  return new ReadableStream(
    {
      async pull(out) {
        const read = await reader?.read();
        if (!read?.value) return out.close();
        size += read.value.length;
        if (size > maxAnswerBytes) {
          void reader?.cancel().catch(() => {});
          throw new RangeError(`The answer is longer than ${maxAnswerBytes} bytes`);
        }
        out.enqueue(read.value);
      },
      cancel: async (reason) => {
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
