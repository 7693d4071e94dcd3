// Runs a script in a worker inside a frame of an opaque origin. Call it only after the user asked for it.
import { isFrom, loadFrame } from './load-frame.js';
import type { FrameMessage, SandboxCall, SandboxFailure, SandboxOutcome } from './messages.js';
import { usesNetwork, workerSource } from './worker-source.js';

/** After this time, a script is ended. */
export const timeLimitMs = 5000;
// The largest result, in UTF-16 units of JSON text.
const maxResult = 100_000;
// How long the frame may take to answer after the time limit.
const patienceMs = 5000;

export interface ScriptCall {
  script: string;
  name: string;
  args: unknown;
}

const failed = (reason: SandboxFailure, message: string): SandboxOutcome => ({
  ok: false,
  reason,
  message,
});

const notLoaded = failed(
  'load',
  'The sandbox did not load, so nothing ran. It needs a connection to the server of this page, ' +
    'unless the browser keeps the page for use offline. You can answer by hand.',
);
const silent = failed('time', 'The sandbox did not answer and was removed.');
const stopped = failed('stopped', 'The script was stopped.');

const messageFor = ({ script, name, args }: ScriptCall): SandboxCall => ({
  ...{ source: workerSource(script), name, args: JSON.stringify(args), timeLimitMs, maxResult },
});

// The browsers describe a refused request in different words.
function withHint(outcome: SandboxOutcome, script: string): SandboxOutcome {
  if (outcome.ok || outcome.reason !== 'error' || !usesNetwork(script)) return outcome;
  return { ...outcome, message: `${outcome.message} (The sandbox has no network.)` };
}

// Sends a call to a frame and returns its answer.
function askFrame(frame: HTMLIFrameElement, call: ScriptCall, signal: AbortSignal) {
  return new Promise<SandboxOutcome>((resolve) => {
    const finish = (outcome: SandboxOutcome) => {
      clearTimeout(timer);
      removeEventListener('message', receive);
      signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    const stop = () => finish(stopped);
    const receive = (event: MessageEvent<FrameMessage>) => {
      if (isFrom(frame, event) && event.data.type === 'outcome') finish(event.data.outcome);
    };
    const timer = setTimeout(() => finish(silent), timeLimitMs + patienceMs);
    addEventListener('message', receive);
    signal.addEventListener('abort', stop);
    frame.contentWindow?.postMessage(messageFor(call), '*');
  });
}

/** Runs a script once. Never rejects: what goes wrong is an outcome, too. */
export async function runScript(call: ScriptCall, signal: AbortSignal): Promise<SandboxOutcome> {
  if (signal.aborted) return stopped;
  const frame = await loadFrame(signal);
  if (signal.aborted) {
    frame?.remove();
    return stopped;
  }
  if (!frame) return notLoaded;
  const outcome = await askFrame(frame, call, signal);
  frame.remove();
  return withHint(outcome, call.script);
}
