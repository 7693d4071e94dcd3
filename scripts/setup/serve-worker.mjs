// Runs the bundled Worker in workerd on this machine, with a key for its callers.
import { randomBytes } from 'node:crypto';
import { SetupError } from './run.mjs';
import { miniflareOptions } from './worker.mjs';

function callerKey({ CALLER_KEY: key }) {
  if (!key) return randomBytes(24).toString('base64url');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new SetupError('CALLER_KEY may hold printable ASCII characters only, and no space');
}

/**
 * The variables and secrets of a local Worker: the Gemini API answers if the environment has its key, else the
 * emulator.
 * @param {Record<string, string | undefined>} env
 */
export function bindingsFor(env) {
  const { GEMINI_API_KEY } = env;
  const upstream = GEMINI_API_KEY
    ? { GEMINI_API_KEY }
    : // There is nothing to hide, and much to learn.
      { EMULATOR: 'true', SHOW_REQUESTS: 'true' };
  return { CALLER_KEY: callerKey(env), ...upstream };
}

/**
 * Starts the Worker.
 * @param {Record<string, string>} bindings
 * @param {{port: number, chats: string}} place `chats` is the folder that keeps threads from run to run
 */
export async function serveWorker(bindings, { port, chats }) {
  const { Miniflare } = await import('miniflare');
  const options = await miniflareOptions(bindings);
  return new Miniflare({ ...options, durableObjectsPersist: chats, port });
}

const inQuotes = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** What to paste into a shell, for a Worker at this origin. */
export function instructions(origin, bindings) {
  const { CALLER_KEY: key, EMULATOR: emulator } = bindings;
  const headers = `-H ${inQuotes(`authorization: Bearer ${key}`)} -H 'content-type: application/json'`;
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

The second one keeps its thread here. Ctrl-C ends it.`;
}
