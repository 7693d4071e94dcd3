// Runs the bundled Worker in workerd locally, with a caller key and an admin key.
import { randomBytes } from 'node:crypto';
import { SetupError } from './run.mjs';
import { assetOptions, miniflareOptions } from './worker.mjs';

function keyIn(env, name) {
  const key = env[name];
  if (!key) return randomBytes(24).toString('base64url');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new SetupError(`${name} may hold printable ASCII characters only, and no space`);
}

/**
 * Returns the variables and secrets of a local Worker. The Gemini API answers if the environment has its key,
 * otherwise the emulator.
 * @param {Record<string, string | undefined>} env
 */
export function bindingsFor(env) {
  const { GEMINI_API_KEY, ALLOWED_ORIGINS } = env;
  const upstream = GEMINI_API_KEY
    ? { GEMINI_API_KEY }
    : // With the emulator, requests contain nothing private.
      { EMULATOR: 'true', SHOW_REQUESTS: 'true' };
  const keys = {
    CALLER_KEY: keyIn(env, 'CALLER_KEY'),
    GATEWAY_ADMIN_KEY: keyIn(env, 'GATEWAY_ADMIN_KEY'),
  };
  return { ...keys, ...upstream, ...(ALLOWED_ORIGINS && { ALLOWED_ORIGINS }) };
}

/**
 * Starts the Worker and returns its Miniflare.
 * @param {Record<string, string>} bindings
 * @param {{port: number, threads: string}} place `threads` is the folder where threads are stored
 */
export async function serveWorker(bindings, { port, threads }) {
  const { Miniflare } = await import('miniflare');
  const options = { ...(await miniflareOptions(bindings)), ...(await assetOptions()) };
  return new Miniflare({ ...options, durableObjectsPersist: threads, port });
}

const shellQuoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// The lines depend on one another: they are for one shell.
const commands = (origin, key) => `
  url=${shellQuoted(origin)} key=${shellQuoted(key)}
  call() { curl -sN -H "authorization: Bearer $key" -H 'content-type: application/json' "$@"; }
  id=$(call "$url/threads" -d '{}' | grep -o 'thread_[A-Za-z0-9_-]*' | head -n 1)
  call "$url/threads/$id/messages" -d '{"message":"What is the weather in Oslo?"}'
  call "$url/threads/$id/events?until=end"
  call "$url/threads/$id/turns"`;

/** Returns the text to print for a Worker at this origin: who answers, the keys, and commands to try. */
export function instructions(origin, bindings) {
  const { CALLER_KEY: key, GATEWAY_ADMIN_KEY: adminKey, EMULATOR: emulator } = bindings;
  const answers = emulator
    ? 'The emulator answers: no Gemini key needed. Events show whole requests (SHOW_REQUESTS).'
    : 'The Gemini API answers. Events show only the sizes of requests.';
  return `
Conversations run in workerd at ${origin}
${answers}

key: ${key}
admin key: ${adminKey}, for ${origin}/dashboard

Paste into one shell: create a thread, send a message, read the events again, read the turns.
${commands(origin, key)}

This is also a gateway: use ${origin} as the base URL of a Gemini client, with this key.

Press Ctrl-C to stop.`;
}
