// Runs a script in a worker inside a frame of an opaque origin. Call it only after the user asked for it.
import { element } from '../dom.js';
import type { FrameMessage, SandboxCall, SandboxFailure, SandboxOutcome } from './messages.js';
import { usesNetwork, workerSource } from './worker-source.js';

/** After this time, a script is ended. */
export const timeLimitMs = 5000;
// The largest result, in UTF-16 units of JSON text.
const maxResult = 100_000;
// How long the frame may take to load, and to answer after the time limit.
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
  'The sandbox did not load, so nothing ran. It needs a connection to the server of this page.',
);
const silent = failed('time', 'The sandbox did not answer and was removed.');
const stopped = failed('stopped', 'The script was stopped.');

function createFrame(): HTMLIFrameElement {
  const frame = element('iframe', { src: new URL('sandbox.html', document.baseURI).href });
  frame.sandbox.add('allow-scripts');
  frame.hidden = true;
  frame.title = 'Sandbox';
  return frame;
}

const messageFor = ({ script, name, args }: ScriptCall): SandboxCall => ({
  ...{ source: workerSource(script), name, args: JSON.stringify(args), timeLimitMs, maxResult },
});

// The browsers describe a refused request in different words.
function withHint(outcome: SandboxOutcome, script: string): SandboxOutcome {
  if (outcome.ok || outcome.reason !== 'error' || !usesNetwork(script)) return outcome;
  return { ...outcome, message: `${outcome.message} (The sandbox has no network.)` };
}

/** Runs a script once. Never rejects: what goes wrong is an outcome, too. */
export function runScript(call: ScriptCall, signal?: AbortSignal): Promise<SandboxOutcome> {
  if (signal?.aborted) return Promise.resolve(stopped);
  return new Promise((resolve) => {
    const frame = createFrame();
    const finish = (outcome: SandboxOutcome) => {
      clearTimeout(timer);
      removeEventListener('message', receive);
      signal?.removeEventListener('abort', stop);
      frame.remove();
      resolve(outcome);
    };
    const stop = () => finish(stopped);
    const receive = ({ source, origin, data }: MessageEvent<FrameMessage>) => {
      if (source !== frame.contentWindow || origin !== 'null') return;
      if (data.type === 'outcome') return finish(withHint(data.outcome, call.script));
      clearTimeout(timer);
      timer = setTimeout(() => finish(silent), timeLimitMs + patienceMs);
      frame.contentWindow?.postMessage(messageFor(call), '*');
    };
    let timer = setTimeout(() => finish(notLoaded), patienceMs);
    addEventListener('message', receive);
    signal?.addEventListener('abort', stop);
    document.body.append(frame);
  });
}
