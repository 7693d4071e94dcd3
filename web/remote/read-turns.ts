// Reads the turns of a thread, page by page.
import { readText } from '../sdk/client/response-body.js';
import type { Signals } from './options.js';
import { notUnderstood } from './remote-error.js';
import type { RemoteTurn } from './remote-state.js';
import type { ThreadRequests } from './thread-requests.js';

interface Page {
  lines: string[];
  /** The number of turns before the next page; undefined after the last one. */
  next: number | undefined;
}

// A Content that one line cannot hold as it is stands there as a text.
function turnOf(line: string, index: number): RemoteTurn {
  try {
    const { kind, content, contentText, meta } = JSON.parse(line);
    const turn = { index, kind, content: content ?? JSON.parse(contentText) };
    return meta ? { ...turn, meta } : turn;
  } catch {
    throw notUnderstood('The server at `url` sent a turn that is not a line of a saved thread');
  }
}

async function readPage(
  requests: ThreadRequests,
  after: number,
  { signal }: Signals,
): Promise<Page> {
  const request = requests.to('GET', `/turns?after=${after}`, { signal });
  return requests.worker.send(request, async (response) => {
    const text = await readText(response);
    const next = response.headers.get('x-next');
    return { lines: text.split('\n').filter(Boolean), next: next ? Number(next) : undefined };
  });
}

/** Yields the turns after the first `after`. */
export async function* readTurns(
  requests: ThreadRequests,
  after: number,
  signals: Signals,
): AsyncGenerator<RemoteTurn, void, void> {
  for (let start: number | undefined = after; start !== undefined;) {
    const { lines, next }: Page = await readPage(requests, start, signals);
    for (const [offset, line] of lines.entries()) yield turnOf(line, start + offset);
    start = next !== undefined && next > start ? next : undefined;
  }
}
