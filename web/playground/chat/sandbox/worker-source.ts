// Makes the source of the worker that runs a script: the body of an async function of `args` and `name`.

// The script comes first, so that the lines of its errors are its own lines.
const before = "'use strict'; const run = async (args, name) => { ";

// Replies once, with JSON text or with an error in words. What the script itself posts counts as its reply.
const after = `
};
const describe = (value) => {
  if (value && value.message) return 'The script threw ' + value.name + ': ' + String(value.message).trim();
  return 'The script threw ' + String(value);
};
const reply = (value, { maxResult }) => {
  if (value === undefined) return { ok: false, message: 'The script returned no value. End it with return.' };
  const result = JSON.stringify(value);
  if (result === undefined)
    return { ok: false, message: 'The script returned a ' + typeof value + ', which is not JSON.' };
  return result.length > maxResult ? { ok: false, length: result.length } : { ok: true, result };
};
self.onmessage = async ({ data }) => {
  try {
    self.postMessage(reply(await run(JSON.parse(data.args), data.name), data));
  } catch (error) {
    self.postMessage({ ok: false, message: describe(error) });
  }
};
`;

/** Returns the source of a worker that runs `script`. */
export const workerSource = (script: string): string => before + script + after;

const network =
  /\b(fetch|XMLHttpRequest|WebSocket|EventSource|WebTransport|importScripts|import)\s*\(/;

/** Whether a script tries to use the network, which the policy of the sandbox refuses. */
export const usesNetwork = (script: string): boolean => network.test(script);
