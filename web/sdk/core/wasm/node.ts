// Node and Bun: the file beside the package. Their fetch() knows no file URLs, and Node 20 cannot
// import WebAssembly.
import { readFile } from 'node:fs/promises';

export const compile = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(new URL('../core.wasm', import.meta.url)));
