// Contains the file, for bundlers that copy only JavaScript.

/** The file, compressed with gzip, as base64; scripts/setup/package.mjs replaces it. */
declare const INLINE_WASM: string;

export async function wasm(): Promise<ArrayBuffer> {
  const text = atob(INLINE_WASM);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
