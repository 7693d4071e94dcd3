// Declares the modules of package.json's "imports", because their files exist only after a build.

/** The module talk: its Emscripten glue code, and its WebAssembly file. scripts/setup/package.mjs writes it. */
declare module '#talk' {
  export const create: import('./raw.js').CreateModule;
  export const wasm: () =>
    import('./wasm-source.js').WasmSource | Promise<import('./wasm-source.js').WasmSource>;
}

/** The module templates: its Emscripten glue code, and its WebAssembly file. scripts/setup/package.mjs writes it. */
declare module '#templates' {
  export const create: import('./raw.js').CreateModule;
  export const wasm: () =>
    import('./wasm-source.js').WasmSource | Promise<import('./wasm-source.js').WasmSource>;
}

/** The module check: its Emscripten glue code, and its WebAssembly file. scripts/setup/package.mjs writes it. */
declare module '#check' {
  export const create: import('./raw.js').CreateModule;
  export const wasm: () =>
    import('./wasm-source.js').WasmSource | Promise<import('./wasm-source.js').WasmSource>;
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
