// Declares the modules of package.json's "imports" and of the runtimes' loaders, because their files exist only
// after a build.

/** The Emscripten glue code, dist/core.js. */
declare module '#core' {
  const createModule: import('../raw.js').CreateModule;
  export default createModule;
}

/** The loader of the current runtime: one of the files in this folder. */
declare module '#wasm' {
  export const wasm: import('../wasm-source.js').PackagedWasm['source'];
}

/** The glue code of the smaller core, dist/lite-core.js. */
declare module '#lite-core' {
  export { default } from '#core';
}

/** The loader of the current runtime for dist/lite.wasm. */
declare module '#lite-wasm' {
  export { wasm } from '#wasm';
}

/** The glue code of the gateway's core, dist/gateway-core.js. */
declare module '#gateway-core' {
  export { default } from '#core';
}

/** The loader of the current runtime for dist/gateway.wasm. */
declare module '#gateway-wasm' {
  export { wasm } from '#wasm';
}

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}

declare module 'node:url' {
  export function fileURLToPath(url: URL | string): string;
}

declare module 'node:fs/promises' {
  export function readFile(path: URL | string): Promise<Uint8Array<ArrayBuffer>>;
  export function writeFile(
    path: string,
    data: Uint8Array | string,
    options?: { mode: number },
  ): Promise<void>;
  export function appendFile(path: string, text: string, options?: { mode: number }): Promise<void>;
  export function chmod(path: string, mode: number): Promise<void>;
  export function truncate(path: string, size: number): Promise<void>;
  export function stat(path: string): Promise<{ size: number }>;
  export function rename(from: string, to: string): Promise<void>;
  export function readdir(path: string): Promise<string[]>;
  export function mkdir(
    path: string,
    options: { recursive: boolean; mode?: number },
  ): Promise<unknown>;
  export function rm(path: string, options: { force: boolean; recursive?: boolean }): Promise<void>;
}

declare module 'node:path' {
  export function dirname(path: string): string;
  export function resolve(path: string): string;
}
