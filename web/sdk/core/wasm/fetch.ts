// Browsers and everything else: compiled while it is downloaded. Bundlers see the URL and copy the file.
export async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL('../core.wasm', import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: HTTP ${response.status}`);
  // compileStreaming refuses any other type, and not every server knows this one.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  if (streams) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
