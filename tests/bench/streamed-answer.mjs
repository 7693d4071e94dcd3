// Generates a streamed answer for the benchmarks: chunks as server-sent events, as the network delivers them.

/** The number of chunks of an answer. */
export const chunkCount = 2000;

const textOf = (index) => `Zürich ${index}: 18 °C, "light rain".\n`;

/** Returns a chunk of an answer; token counts grow from chunk to chunk as in real answers. */
function chunk(index, isLast) {
  const usageMetadata = {
    promptTokenCount: 812,
    candidatesTokenCount: 12 * (index + 1),
    totalTokenCount: 812 + 12 * (index + 1),
  };
  const parts = [{ text: textOf(index) }];
  const last = isLast ? { finishReason: 'STOP' } : {};
  const candidates = [{ content: { parts, role: 'model' }, ...last, index: 0 }];
  return { candidates, usageMetadata, modelVersion: 'gemini-3.8-flash', responseId: 'bench' };
}

/** Returns the whole text of an answer. */
export const answerText = (chunks) => Array.from({ length: chunks }, (_, i) => textOf(i)).join('');

/** Returns an answer as network reads of several chunks each. */
export function reads(chunks = chunkCount, chunksPerRead = 8) {
  const events = Array.from(
    { length: chunks },
    (_, index) => `data: ${JSON.stringify(chunk(index, index === chunks - 1))}\r\n\r\n`,
  );
  return Array.from({ length: chunks / chunksPerRead }, (_, i) =>
    new TextEncoder().encode(events.slice(i * chunksPerRead, (i + 1) * chunksPerRead).join('')),
  );
}
