// Decompresses a WebAssembly file that JavaScript contains.
import { builtinModule } from './builtin-module.js';

interface Zlib {
  gunzipSync(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
}

/** Returns the bytes of a file that was compressed with gzip and written as base64. */
export function unpack(text: string): Promise<ArrayBuffer> | Uint8Array<ArrayBuffer> {
  const encoded = atob(text);
  const bytes = new Uint8Array(encoded.length);
  for (let i = 0; i < encoded.length; i++) bytes[i] = encoded.charCodeAt(i);
  // In Node, the first use of Response loads the code of fetch, which takes longer than all the rest.
  const zlib = builtinModule<Zlib>('node:zlib');
  if (zlib) return zlib.gunzipSync(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
