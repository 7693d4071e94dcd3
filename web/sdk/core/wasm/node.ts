// Loads the core in Node and Bun from the package's folder. Their fetch() does not support file URLs, and Node 20
// cannot import WebAssembly.
import { readFile } from 'node:fs/promises';

export const compile = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(new URL('../core.wasm', import.meta.url)));
