// Loads the core in Cloudflare Workers, where a WebAssembly import is a compiled module and compiling bytes is
// not allowed.
import wasm from '../core.wasm';

export const compile = async (): Promise<WebAssembly.Module> => wasm;
