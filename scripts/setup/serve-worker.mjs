// Runs the bundled Worker in workerd locally, with a caller key.
import { randomBytes } from 'node:crypto';
import { SetupError } from './run.mjs';
import { miniflareOptions } from './worker.mjs';

function callerKey({ CALLER_KEY: key }) {
  if (!key) return randomBytes(24).toString('base64url');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new SetupError('CALLER_KEY may hold printable ASCII characters only, and no space');
}

/**
 * Returns the variables and secrets of a local Worker. The Gemini API answers if the environment has its key,
 * otherwise the emulator.
 * @param {Record<string, string | undefined>} env
 */
export function bindingsFor(env) {
  const { GEMINI_API_KEY } = env;
  const upstream = GEMINI_API_KEY
    ? { GEMINI_API_KEY }
    : // With the emulator, requests contain nothing private.
      { EMULATOR: 'true', SHOW_REQUESTS: 'true' };
  return { CALLER_KEY: callerKey(env), ...upstream };
}

/**
 * Starts the Worker and returns its Miniflare.
 * @param {Record<string, string>} bindings
 * @param {{port: number, chats: string}} place `chats` is the folder where threads are stored
 */
export async function serveWorker(bindings, { port, chats }) {
  const { Miniflare } = await import('miniflare');
  const options = await miniflareOptions(bindings);
  return new Miniflare({ ...options, durableObjectsPersist: chats, port });
}

const shellQuoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the text to print for a Worker at this origin: who answers, the key, and commands to try. */
export function instructions(origin, bindings) {
  const { CALLER_KEY: key, EMULATOR: emulator } = bindings;
  const headers = `-H ${shellQuoted(`authorization: Bearer ${key}`)} -H 'content-type: application/json'`;
  const answers = emulator
    ? 'The emulator answers: no Gemini key needed. Events show whole requests (SHOW_REQUESTS).'
    : 'The Gemini API answers. Events show only the sizes of requests.';
  return `
A conversation runs in workerd at ${origin}
${answers}

key: ${key}

Try:

  curl -N ${origin}/chat ${headers} -d '{"message":"What is the weather in Oslo?"}'
  curl -N ${origin}/chat/my-thread ${headers} -d '{"message":"And in Rome?"}'

The second command stores its thread here.

This is also a gateway: use ${origin} as the base URL of a Gemini client, with this key.

Press Ctrl-C to stop.`;
}
