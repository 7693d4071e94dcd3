// Uses the package with the types of a browser.
import { GeminiClient, load, type Fetch } from 'prompt-strata';
import { IndexedDbStore } from 'prompt-strata/stores';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';
import { fetchReader, loadTemplates } from 'prompt-strata/templates';

const logged: Fetch = (input, init) => {
  console.log(String(input));
  return fetch(input, init);
};
export const clients = [
  new GeminiClient({ fetch }),
  new GeminiClient({ fetch: logged }),
  new GeminiClient({ fetch: (input, init) => fetch(input, init) }),
  new GeminiClient({ fetch: createEmulator() }),
];
export const standIn: typeof fetch = createEmulator();
export const store = new IndexedDbStore('x');
export const reader = fetchReader(new URL('https://example.com/'), fetch);

export async function generate(signal: AbortSignal): Promise<string> {
  const response: Response = await new GeminiClient().generate('m', new Uint8Array(), { signal });
  const timed = await new GeminiClient().stream('m', new Uint8Array(), {
    signal: AbortSignal.timeout(1000),
  });
  return (await response.text()) + timed.headers.get('content-type');
}
export const loaded = [
  load({ wasm: fetch('/talk.wasm') }),
  loadTemplates({ wasm: new URL('https://example.com/templates.wasm') }),
  loadChecker({ wasm: new Response() }),
  load({ wasm: new Uint8Array(1) }),
  load({ wasm: new ArrayBuffer(1) }),
  load({ wasm: new WebAssembly.Module(new Uint8Array(1)) }),
];
