// Runs the lint engine in a worker, so that the page never waits for it.
import { loadChecker, StrataError, type Checker } from '../../check/index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { analyze } from './lint-analysis.js';
import type { LintCall, LintReply } from './lint-messages.js';

// The types of `lib.dom` take this for a window, whose postMessage has other arguments.
const port = globalThis as unknown as {
  postMessage(reply: LintReply): void;
  onmessage: ((event: MessageEvent<LintCall>) => void) | null;
};

const core: Promise<Checker> = loadChecker();
// Each call reports the failure.
core.catch(() => {});

function failure(id: number, error: unknown): LintReply {
  const code = error instanceof StrataError ? error.code : 'error';
  // After a trap, or if the core did not load, only another worker can answer.
  const isFatal = /^(?:instance|wasm)\./.test(code);
  return { id, type: 'failed', code, message: messageOf(error), isFatal };
}

async function receive({ id, text, options }: LintCall): Promise<void> {
  try {
    port.postMessage({ id, type: 'analysis', result: analyze(await core, text, options) });
  } catch (error) {
    port.postMessage(failure(id, error));
  }
}

port.onmessage = ({ data }) => void receive(data);
