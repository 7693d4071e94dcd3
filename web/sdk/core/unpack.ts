// Decompresses a WebAssembly file that JavaScript contains.

/** Returns the bytes of a file that was compressed with gzip and written as base64. */
export function unpack(text: string): Promise<ArrayBuffer> {
  const encoded = atob(text);
  const bytes = new Uint8Array(encoded.length);
  for (let i = 0; i < encoded.length; i++) bytes[i] = encoded.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
