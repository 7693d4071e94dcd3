// Cases of thread-seams.test.mjs: what the parts of a thread do together when much happens at once.
import { LiveThread } from '../../web/worker/threads/live-thread.ts';
import { createTables } from '../../web/worker/threads/tables.ts';
import { deepEqual, equal, ok } from '../js/portable/assert.mjs';
import { countingRows } from './databases.mjs';
import { answerOf, ask, createThread, requestFor } from './thread-parts.mjs';

const post = (body) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { accept: 'application/x-ndjson' },
});

/** An answer that has begun and does not end. */
const unfinished = () =>
  new Response(
    new ReadableStream({
      start(out) {
        const content = { role: 'model', parts: [{ text: 'Once' }] };
        const chunk = `data: ${JSON.stringify({ candidates: [{ content }] })}\r\n\r\n`;
        out.enqueue(new TextEncoder().encode(chunk));
      },
    }),
  );

async function create(storage, api) {
  globalThis.fetch = api;
  const thread = createThread(storage);
  equal((await ask(thread, 'create', post({}))).status, 200);
  return thread;
}

/** Starts a send, and returns a reader of its events, of which some have arrived. */
async function begin(thread) {
  const response = await ask(thread, 'messages', post({ message: 'Tell me a story' }));
  const reader = response.body.getReader();
  let text = '';
  while (!text.includes('Once')) text += new TextDecoder().decode((await reader.read()).value);
  return reader;
}

async function restOf(reader) {
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += new TextDecoder().decode(value);
  }
}

const tablesIn = ({ sql }) =>
  sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray();

export default [
  {
    name: 'aborts that come together are all answered',
    async run(storage) {
      const thread = await create(storage, async () => unfinished());
      await begin(thread);
      for (const message of ['Two', 'Three', 'Four']) {
        const init = post({ message });
        init.headers.prefer = 'respond-async';
        equal((await ask(thread, 'messages', init)).status, 202);
      }
      const bodies = [{ send: 1 }, { send: 3 }, { send: 4 }, { send: 1 }, {}];
      const responses = await Promise.all(
        bodies.map((body) => thread.fetch(requestFor('abort', post(body)))),
      );
      const counts = await Promise.all(responses.map((response) => response.json()));
      deepEqual(
        counts.map(({ aborted }) => aborted),
        [1, 1, 1, 0, 1],
      );
      equal((await (await ask(thread, 'state')).json()).state, 'idle');
    },
  },
  {
    name: 'a deletion ends the send and its readers, and leaves nothing behind',
    async run(storage) {
      const thread = await create(storage, async () => unfinished());
      const readers = [await begin(thread)];
      readers.push((await ask(thread, 'events')).body.getReader());
      const deletions = [1, 2].map(() => ask(thread, 'delete', post({})));
      for (const response of await Promise.all(deletions)) ok([204, 404].includes(response.status));
      for (const reader of readers) ok((await restOf(reader)).includes('thread.deleted'));
      deepEqual(tablesIn(storage), []);
      // Longer than events wait to be stored.
      await scheduler.wait(1500);
      deepEqual(tablesIn(storage), []);
      equal((await ask(thread, 'state')).status, 404);
      equal(await storage.getAlarm(), null);
    },
  },
  {
    name: 'a reader after a crash waits for the next attempt, even if the last event was waiting',
    async run(storage) {
      createTables(storage);
      const before = new LiveThread({ storage });
      before.sends.add({ key: undefined, bodyHash: '', message: 'Hi', leftMs: 9999 }, 1);
      before.log.begin(1, 1);
      before.log.push({ type: 'sent', send: 1, thread: 'x' });
      before.log.push({ type: 'waiting', calls: [] });
      // The results came, and the process ended.
      before.sends.begin(1, 1, 9999);
      const { log, watchers } = new LiveThread({ storage });
      const reader = watchers.open({ after: log.last, until: 1 }).body.getReader();
      const next = reader.read();
      equal(await Promise.race([next, scheduler.wait(20)]), undefined);
      log.begin(1, 2);
      log.push({ type: 'resumed', attempt: 2 });
      ok(new TextDecoder().decode((await next).value).includes('"resumed"'));
      await reader.cancel();
    },
  },
  {
    name: 'readers at any time get the same events',
    async run(storage) {
      const { promise, resolve } = Promise.withResolvers();
      const api = async () => {
        await promise;
        return answerOf(['One', ' two', ' three'].map((text) => ({ text })));
      };
      const thread = await create(storage, api);
      const first = await ask(thread, 'messages', post({ message: 'Count' }));
      const accept = { headers: { accept: 'application/x-ndjson' } };
      const early = await ask(thread, 'events?until=end', accept);
      resolve();
      const texts = await Promise.all([first.text(), early.text()]);
      const late = await ask(thread, 'events?until=end', accept);
      texts.push(await late.text());
      ok(texts[0].includes('"stored"') && texts[0].includes(' two'));
      deepEqual(new Set(texts).size, 1);
    },
  },
  {
    name: 'a send writes few rows, however many pieces its answer has',
    async run(storage) {
      const { database, rows } = countingRows(storage);
      const thread = await create(
        { ...database, setAlarm: async () => {}, deleteAlarm: async () => {} },
        async () => answerOf(Array.from({ length: 300 }, () => ({ text: 'Some words, ' }))),
      );
      for (const message of ['Hello', 'Again']) {
        const before = rows();
        const response = await ask(thread, 'messages', post({ message }));
        ok((await response.text()).includes('"stored"'));
        // docs/deploy.md says how many.
        equal(rows() - before, 13);
      }
    },
  },
];
