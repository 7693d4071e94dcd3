// What package.json's "imports" and the runtimes' own loaders stand for; tsc must not look for files
// that only a build makes.

/** The Emscripten glue, dist/core.js. */
declare module '#core' {
  interface CoreOptions {
    /** Called once by the glue; `done` hands it the instance. */
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): Record<string, never>;
  }
  /** Starts one instance. The names that bindings/ exports are its own to type. */
  export default function createCore(options: CoreOptions): Promise<unknown>;
}

/** The loader of the runtime at hand, one of the files in this folder. */
declare module '#wasm' {
  export function compile(): Promise<WebAssembly.Module>;
}

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}

declare module 'node:fs/promises' {
  export function readFile(path: URL | string): Promise<Uint8Array<ArrayBuffer>>;
  export function writeFile(path: string, bytes: Uint8Array): Promise<void>;
  export function appendFile(path: string, text: string): Promise<void>;
  export function truncate(path: string, size: number): Promise<void>;
  export function rename(from: string, to: string): Promise<void>;
  export function mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
  export function rm(path: string, options: { force: boolean; recursive?: boolean }): Promise<void>;
}
