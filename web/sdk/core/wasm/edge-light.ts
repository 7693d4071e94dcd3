// Loads the core in Vercel's edge runtime, whose bundler turns a `?module` import into a compiled module.
import wasm from '../core.wasm?module';

export const compile = async (): Promise<WebAssembly.Module> => wasm;
