// Runs in the frame of the sandbox: starts one worker, forwards its first reply, and ends it after the time limit.
// The build puts this file into sandbox.html, because a frame of an opaque origin cannot load scripts of the page.
import type { FrameMessage, SandboxCall, SandboxFailure, SandboxOutcome } from './messages.js';

const maxMessage = 1000;

const post = (message: FrameMessage) => parent.postMessage(message, '*');

const failed = (reason: SandboxFailure, message: string): SandboxOutcome => ({
  ok: false,
  reason,
  message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message,
});

// Reads what a worker posted. A script can post anything.
function outcomeOf(reply: unknown, { maxResult }: SandboxCall): SandboxOutcome {
  const { ok, result, message, length } = Object(reply) as Record<string, unknown>;
  const size = typeof result === 'string' ? result.length : length;
  if (typeof size === 'number' && size > maxResult)
    return failed(
      'size',
      `The result has ${size.toLocaleString('en-US')} characters; at most ${maxResult.toLocaleString('en-US')} are allowed.`,
    );
  if (ok === true && typeof result === 'string') return { ok, result };
  return failed('error', typeof message === 'string' ? message : 'The script posted a message.');
}

function start(source: string): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  return new Worker(url);
}

function run(call: SandboxCall): void {
  let worker: Worker | undefined;
  const end = (outcome: SandboxOutcome) => {
    if (!worker) return;
    worker.terminate();
    worker = undefined;
    clearTimeout(timer);
    post({ type: 'outcome', outcome });
  };
  const seconds = call.timeLimitMs / 1000;
  const timer = setTimeout(
    () => end(failed('time', `The script was ended after ${seconds} seconds.`)),
    call.timeLimitMs,
  );
  worker = start(call.source);
  worker.onmessage = ({ data }) => end(outcomeOf(data, call));
  worker.onmessageerror = () =>
    end(failed('error', 'The script posted a value that cannot be copied.'));
  worker.onerror = (event) => {
    event.preventDefault();
    const line = event.lineno > 0 ? ` (line ${event.lineno})` : '';
    const reason = event.message || 'it has a syntax error';
    end(failed('error', `The script failed: ${reason}${line}`));
  };
  const { name, args, maxResult } = call;
  worker.postMessage({ name, args, maxResult });
}

// With the origin of the page, a script could reach the page: then nothing listens.
if (self.origin === 'null') {
  addEventListener(
    'message',
    ({ source, data }) => {
      if (source === parent) run(data as SandboxCall);
    },
    { once: true },
  );
  post({ type: 'ready' });
}
