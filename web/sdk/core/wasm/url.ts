// Says where the file is for browsers and unknown runtimes. Bundlers recognize this form of URL and copy the file.

export const wasm = (): URL => new URL('../core.wasm', import.meta.url);
