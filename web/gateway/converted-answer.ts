// Sends an answer on in another form: the bytes of the upstream go through a converter.
import { GeminiError } from '../sdk/internal/errors.js';
import { dispose } from '../sdk/internal/lifetime.js';
import { GatewayError } from './gateway-error.js';

/** Converts the bytes of one answer. */
export interface AnswerConverter extends Disposable {
  /** Takes the next bytes, and returns what can be sent. */
  push(bytes: Uint8Array): Uint8Array;
  /**
   * Returns the end of a stream, or the whole answer.
   *
   * @throws GeminiError for an answer that is none
   */
  end(): Uint8Array;
}

/** Returns the error for an answer that is none. An error that came with the status 200 keeps its own status. */
function invalidAnswer(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof GeminiError && error.status >= 400 && error.status <= 599)
    return new GatewayError(error.status, error.rpcStatus ?? error.code, error.message);
  const code = error instanceof GeminiError ? error.code : 'upstream.invalid';
  if (code === 'timeout')
    return new GatewayError(504, 'upstream.timeout', 'The upstream did not answer in time.');
  const text = 'The answer of the upstream broke off, or cannot be read.';
  return new GatewayError(502, code === 'network' ? 'upstream.network' : code, text);
}

/**
 * Returns a whole answer.
 *
 * @throws GatewayError for one that cannot be converted
 */
export async function completion({ body }: Response, answer: AnswerConverter): Promise<Response> {
  const reader = body?.getReader();
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read())
      answer.push(read.value);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return new Response(new Uint8Array(answer.end()), { headers });
  } catch (error) {
    throw invalidAnswer(error);
  } finally {
    reader?.cancel().catch(() => {});
    answer[dispose]();
  }
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Returns the next bytes to send, or undefined at the end. A pull that brings nothing would not be repeated. */
async function nextBytes(
  reader: BodyReader | undefined,
  answer: AnswerConverter,
): Promise<Uint8Array | undefined> {
  // A stream that breaks off ends with an error event.
  const read = async () => (await reader?.read().catch(() => undefined))?.value;
  for (let bytes = await read(); bytes; bytes = await read()) {
    const converted = answer.push(bytes);
    if (converted.length > 0) return converted;
  }
  return undefined;
}

/** Returns a stream of server-sent events, or of another type. */
export function streamed(
  { body }: Response,
  answer: AnswerConverter,
  type = 'text/event-stream',
): Response {
  const reader = body?.getReader();
  const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const bytes = await nextBytes(reader, answer);
      out.enqueue(bytes ?? answer.end());
      if (bytes) return;
      out.close();
      answer[dispose]();
    } catch (error) {
      reader?.cancel(error).catch(() => {});
      answer[dispose]();
      throw error;
    }
  };
  const cancel = async (reason: unknown) => {
    answer[dispose]();
    await reader?.cancel(reason);
  };
  const headers = { 'content-type': `${type}; charset=utf-8` };
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), { headers });
}
