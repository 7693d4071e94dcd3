// Loads the file in Vercel's edge runtime, whose bundler turns a `?module` import into a compiled module.
import module from '../core.wasm?module';

export const wasm = (): WebAssembly.Module => module;
