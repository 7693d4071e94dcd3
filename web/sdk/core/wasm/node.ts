// Reads the file in Node. Where a bundle left it behind, its copy in JavaScript takes its place.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { WasmSource } from '../wasm-source.js';

export async function wasm(): Promise<WasmSource> {
  try {
    // Next's bundler makes URLs that Node's functions do not accept.
    const { href } = new URL('../core.wasm', import.meta.url);
    return await readFile(fileURLToPath(href));
  } catch {
    return (await import('./inline.js')).wasm();
  }
}
