// Reads the turns of a thread: in pages, or as a whole. A send that runs adds only complete turns.
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { turnsQueryOf } from '../requests.js';
import { visibleLines, visibleThread } from '../visible.js';
import type { Operation } from './operation.js';

const type = 'application/x-ndjson; charset=utf-8';

// A page ends with the turn that makes it as long as this.
const pageCharacters = 1_000_000;
const pageTurns = 1000;

/** Returns the number of lines of the next page. */
function pageLength(lines: readonly string[], limit: number): number {
  let characters = 0;
  const index = lines.findIndex((line) => (characters += line.length) >= pageCharacters);
  return Math.min(index < 0 ? lines.length : index + 1, limit);
}

/** Answers with turns as lines of the saved thread. */
export async function turns({ live, request, call }: Operation): Promise<Response> {
  const { after, limit = pageTurns } = turnsQueryOf(request);
  const { conversation } = live;
  const saved = await conversation.use(({ conversation: { thread } }) =>
    after < thread.length ? decodeUtf8(thread.save(after)) : '',
  );
  const lines = saved.split('\n').slice(0, -1);
  const length = pageLength(lines, Math.min(limit, pageTurns));
  const page = lines.slice(0, length).map((line) => `${line}\n`);
  const headers = new Headers({ 'content-type': type, 'cache-control': 'no-store' });
  if (length < lines.length) {
    const next = String(after + length);
    const size = turnsQueryOf(request).limit === undefined ? '' : `&limit=${limit}`;
    headers.set('x-next', next);
    headers.set('link', `</threads/${call.id}/turns?after=${next}${size}>; rel="next"`);
  }
  return new Response(visibleLines(page.join(''), conversation.visibility), { headers });
}

/** Answers with the whole thread as `Thread.save` writes it. */
export async function exported({ live: { conversation } }: Operation): Promise<Response> {
  const text = await conversation.use(({ conversation: { thread } }) =>
    visibleThread(thread, conversation.visibility),
  );
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
}
