// Loads the core in browsers and other runtimes, compiling it while it downloads. Bundlers recognize the URL and copy
// the file.
export async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL('../core.wasm', import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: HTTP ${response.status}`);
  // compileStreaming requires this type, and not every server sends it.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  if (streams) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
