// Vercel's edge runtime: the bundler gives a compiled module for `?module`.
import wasm from '../core.wasm?module';

export const compile = async (): Promise<WebAssembly.Module> => wasm;
