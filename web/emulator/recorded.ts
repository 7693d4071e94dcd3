// Merges the chunks of a recorded stream into a single response.
import type { JsonObject } from './types.js';
import { isObject, objectField, objectsField } from './wire.js';

/** Returns one response with the Parts of all chunks. A single chunk is returned unchanged. */
export function mergeChunks(texts: string[]): string {
  if (texts.length === 1 && texts[0] !== undefined) return texts[0];
  const chunks = texts.map((text): unknown => JSON.parse(text)).filter(isObject);
  const parts = chunks.flatMap((chunk) => objectsField(contentOf(chunk), 'parts'));
  const candidates = chunks.map((chunk) => objectsField(chunk, 'candidates')[0] ?? {});
  const candidate = { ...Object.assign({}, ...candidates), content: { parts, role: 'model' } };
  const usages = chunks.flatMap((chunk) => objectField(chunk, 'usageMetadata') ?? []);
  return JSON.stringify({
    ...Object.assign({}, ...chunks),
    candidates: [candidate],
    ...(usages.length > 0 && { usageMetadata: Object.assign({}, ...usages) }),
  });
}

function contentOf(chunk: JsonObject): JsonObject | undefined {
  return objectField(objectsField(chunk, 'candidates')[0], 'content');
}
