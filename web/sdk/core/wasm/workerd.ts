// Loads the file in Cloudflare Workers, where a WebAssembly import is a compiled module and compiling bytes is
// not allowed.
import module from '../core.wasm';

export const wasm = (): WebAssembly.Module => module;
