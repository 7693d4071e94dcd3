// Passes a body on as it is read, up to a size and without the gateway's keys.
import { readerOf } from '../sdk/client/http.js';
import { maxAnswerBytes } from '../sdk/client/response-body.js';
import { KeyGuard } from './key-guard.js';

/** What a body is passed on with. */
export interface BoundedBodyOptions {
  /** Texts that the body must not hold. It is no answer of a model, which may say anything. */
  secrets: readonly string[];
  /** Called where the body breaks off or is cancelled, with the error or the reason. */
  broken: (reason: unknown) => void;
}

/** Returns the body of a response, which breaks off if it is too long. Cancelling it cancels the response. */
export function boundedBody(
  response: Response,
  { secrets, broken }: BoundedBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = readerOf(response);
  const guard = new KeyGuard(secrets);
  let size = 0;
  const see = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size > maxAnswerBytes)
      throw new RangeError(`The answer is longer than ${maxAnswerBytes} bytes`);
    return true;
  };
  const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const bytes = await guard.read(reader, see);
      if (bytes) return out.enqueue(bytes);
      const rest = guard.end(true);
      if (rest.length > 0) out.enqueue(rest);
      out.close();
    } catch (error) {
      broken(error);
      void reader?.cancel().catch(() => {});
      throw error;
    }
  };
  const cancel = async (reason: unknown) => {
    broken(reason);
    await reader?.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
