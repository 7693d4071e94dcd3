// Why this file exists: network bytes go to the core as they come; what JavaScript sees of an answer are
// small events, and at the end the one Content.
import type { Answer, ResponseAssembler, StreamEvent } from '../types.js';

// Absent in WebKitGTK, where handles use this one.
const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/**
 * Reads a streamed answer to its end and disposes the assembler. Leaving early cancels the stream.
 *
 * @throws GeminiError if the answer was cut, blocked or is an error
 */
export async function* readAnswer(
  response: Response,
  assembler: ResponseAssembler,
): AsyncGenerator<StreamEvent, Answer, void> {
  const reader = response.body?.getReader();
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      yield* assembler.push(read.value);
    }
    return assembler.finish();
  } finally {
    assembler[dispose]();
    // Nobody waits for a server that has nothing more to say.
    reader?.cancel().catch(() => {});
  }
}
