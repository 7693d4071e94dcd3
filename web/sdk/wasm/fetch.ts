// Browsers and everything else: compiled while it is downloaded. Bundlers see the URL and copy the file.
export const compile = (): Promise<WebAssembly.Module> =>
  WebAssembly.compileStreaming(fetch(new URL('../core.wasm', import.meta.url)));
