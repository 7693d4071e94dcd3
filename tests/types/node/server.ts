// Uses the package with the types of Node, with or without those of a browser.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:http2';
import { Conversation, GeminiClient, load, type FunctionTool } from 'prompt-strata';
import { createEmulator } from 'prompt-strata/testing';
import { FileStore, serve, toNodeHandler } from 'prompt-strata/node';

const page: FunctionTool = {
  name: 'page',
  parameters: { type: 'OBJECT', properties: { url: { type: 'STRING' } } },
  run: async ({ url }, { signal }) => (await fetch(String(url), { signal })).text(),
};

export async function main(): Promise<void> {
  const wasm = await readFile(new URL('talk.wasm', import.meta.url));
  const client = new GeminiClient({ apiKey: process.env['GEMINI_API_KEY'], fetch });
  const other = new GeminiClient({ fetch: createEmulator() });
  const place = { store: new FileStore('chats'), id: 'today' };
  const strata = await load({ wasm });
  const chat = await Conversation.open(strata, client, { model: 'm', tools: [page], ...place });
  const signal = AbortSignal.timeout(1000);
  for await (const event of chat.send('Hi', { signal }))
    if (event.type === 'text') process.stdout.write(event.text);
  const response = await other.stream('m', new Uint8Array(), {
    signal: new AbortController().signal,
  });
  using assembler = strata.response();
  for await (const bytes of response.body ?? []) assembler.push(bytes);
  console.log(response.status, assembler.finish().usage.totalTokenCount);
}

export async function servers(): Promise<void> {
  const emulator = createEmulator({ record: true });
  createServer(toNodeHandler(emulator)).listen(8080);
  createSecureServer(toNodeHandler(emulator)).listen(8081);
  const handler = async (request: Request) => new Response(request.body);
  const server = await serve(handler, { port: 0, onError: () => Response.error() });
  console.log(server.url, emulator.requests[0]?.path);
  await server.close();
}
