// Cloudflare Workers: a WebAssembly import is a compiled module, and bytes may not be compiled at all.
import wasm from '../core.wasm';

export const compile = async (): Promise<WebAssembly.Module> => wasm;
