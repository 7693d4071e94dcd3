// Cases of thread-random.test.mjs: sends, results, aborts and readers of one thread at random moments.
import { compareEventIds, parseEventId } from '../../web/worker/threads/event-log.ts';
import { deepEqual, equal, ok } from '../js/portable/assert.mjs';
import { Random } from '../fuzz/random.mjs';
import { answerOf, ask, createThread, linesOf, network } from './thread-parts.mjs';

const accept = 'application/x-ndjson';
const calls = [
  { functionCall: { name: 'measure', args: {} }, thoughtSignature: 'c2lnbmVk' },
  { functionCall: { name: 'ask_user', args: {} } },
];
const refused = () =>
  Response.json(
    { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No' } },
    { status: 400 },
  );

/** Answers by the first word of the question: `call`, `refuse`, or anything else. */
async function scriptedApi(_, { body }) {
  await network();
  const { contents } = JSON.parse(await new Response(body).text());
  const { text = '' } = contents.at(-1).parts.at(-1);
  if (text.startsWith('call')) return answerOf(calls);
  if (text.startsWith('refuse')) return refused();
  return answerOf(Array.from({ length: 5 }, (_, i) => ({ text: `Word ${i}, ` })));
}

const measure = { name: 'measure', run: async () => (await network(), { celsius: 4 }) };

/** One thread, and all that was done to it. */
class Run {
  texts = new Map();
  readers = [];
  #thread;
  #random;
  #keys = [];

  constructor(storage, random) {
    this.#thread = createThread(storage, [measure]);
    this.#random = random;
  }

  ask(operation, body, headers = {}) {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    return ask(this.#thread, operation, { ...init, headers: { accept, ...headers } });
  }

  async json(operation, body, headers) {
    const response = await this.ask(operation, body, headers);
    ok(response.ok, `${operation}: ${response.status}`);
    return response.json();
  }

  /** Reads events until their stream ends, or `stop` is called. */
  read(response, after) {
    const reader = response.body.getReader();
    const each = { after, events: [], stop: () => reader.cancel() };
    each.ended = (async () => {
      let rest = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const lines = (rest + new TextDecoder().decode(value)).split('\n');
        rest = lines.pop();
        each.events.push(...lines.filter(Boolean).map((line) => JSON.parse(line)));
      }
    })();
    this.readers.push(each);
    return each;
  }

  async send() {
    if (this.texts.size >= 28) return;
    const kind = this.#random.pick(['say', 'call', 'refuse', 'say']);
    const repeated = this.#random.chance(0.25) ? this.#random.pick(this.#keys) : undefined;
    const number = this.#keys.length;
    const one = repeated ?? { key: `key-${number}`, message: `${kind} ${number}` };
    if (!repeated) this.#keys.push(one);
    const isAsync = this.#random.chance(0.3);
    const headers = { 'idempotency-key': one.key, ...(isAsync && { prefer: 'respond-async' }) };
    const response = await this.ask('messages', { message: one.message }, headers);
    if (response.status === 429)
      return void (repeated ?? this.#keys.splice(this.#keys.indexOf(one), 1));
    ok(response.ok, `messages: ${response.status}`);
    const sent = Number(response.headers.get('x-send'));
    equal(this.texts.get(sent) ?? one.message, one.message, 'a key of another send');
    this.texts.set(sent, one.message);
    if (!isAsync) this.read(response, `${sent}.0.0`);
  }

  async answer() {
    const { openCalls } = await this.json('state');
    const chosen = openCalls.filter(() => this.#random.chance(0.7));
    if (chosen.length > 0) await this.answerAll(chosen);
  }

  async answerAll(open) {
    const results = open.map(({ callId }) => ({ callId, response: { callId } }));
    const response = await this.ask('results', { results }, { prefer: 'respond-async' });
    // An abort may have closed the calls meanwhile.
    ok([202, 409].includes(response.status), `results: ${response.status}`);
  }

  async abort() {
    const send = this.#random.chance(0.5)
      ? undefined
      : this.#random.between(1, this.texts.size + 1);
    await this.json('abort', send === undefined ? {} : { send });
  }

  async watch() {
    const known = this.readers.flatMap(({ events }) => events);
    const { eventId: after = '0.0.0' } = this.#random.pick(known) ?? {};
    const until = this.#random.chance(0.5) ? '&until=end' : '';
    this.read(await this.ask(`events?after=${after}${until}`), after);
  }

  async leave() {
    await this.#random.pick(this.readers)?.stop();
  }

  /** Answers all calls until nothing runs. */
  async settle() {
    for (let turn = 0; turn < 5000; turn++) {
      const { state, openCalls } = await this.json('state');
      if (state === 'idle') return;
      if (state === 'waiting') await this.answerAll(openCalls);
      await network();
    }
    throw new Error('The thread did not come to rest');
  }
}

/** Checks that a reader got each event after its place, in order, up to where it stopped. */
function checkReader({ after, events }, all) {
  const place = parseEventId(after);
  const expected = all.filter(({ eventId }) => compareEventIds(parseEventId(eventId), place) > 0);
  deepEqual(events, expected.slice(0, events.length));
}

async function checkSends(run) {
  const all = [];
  for (const [send] of [...run.texts].sort(([a], [b]) => a - b)) {
    const events = linesOf(await (await run.ask(`events?send=${send}`)).text());
    const types = events.map(({ type }) => type);
    deepEqual([types[0], types.at(-1)], ['sent', 'stored'], `send ${send}`);
    for (const type of ['sent', 'stored', 'resumed']) {
      equal(types.filter((each) => each === type).length, type === 'resumed' ? 0 : 1, type);
    }
    equal(types.includes('done'), !types.includes('failed'), `send ${send}: ${types}`);
    all.push(...events);
  }
  return all;
}

async function checkTurns(run, all) {
  const turns = linesOf(await (await run.ask('turns')).text());
  const users = turns.flatMap(({ kind, content }) =>
    kind === 'user' ? content.parts.map(({ text }) => text) : [],
  );
  for (const [send, text] of run.texts) {
    const own = all.filter(({ eventId }) => parseEventId(eventId).send === send);
    const isDone = own.some(({ type }) => type === 'done');
    const count = users.filter((each) => each === text).length;
    ok(isDone ? count === 1 : count <= 1, `send ${send} has ${count} turns`);
  }
  // Each call has one response, in the next turn.
  for (const [index, { content }] of turns.entries()) {
    const named = content.parts.filter(({ functionCall }) => functionCall);
    const responses = turns[index + 1]?.content.parts.filter((part) => part.functionResponse) ?? [];
    if (named.length > 0) equal(responses.length, named.length, `turn ${index}`);
  }
}

async function checkRandomRun(storage, seed) {
  await storage.deleteAll();
  const random = new Random(String(seed));
  const run = new Run(storage, random);
  await run.json('create', { tools: [{ name: 'ask_user' }] });
  const steps = ['send', 'send', 'send', 'answer', 'answer', 'abort', 'watch', 'watch', 'leave'];
  const pending = [];
  for (let step = 0; step < 60; step++) {
    const work = run[random.pick(steps)]();
    // Some requests wait for each other, others come at the same time.
    if (random.chance(0.5)) await work;
    else pending.push(work);
    for (let wait = random.between(0, 5); wait > 0; wait--) await network();
  }
  await Promise.all(pending);
  await run.settle();
  const all = await checkSends(run);
  for (const reader of run.readers) await reader.stop();
  for (const reader of run.readers) await reader.ended;
  for (const reader of run.readers) checkReader(reader, all);
  await checkTurns(run, all);
  const last = linesOf(await (await run.ask('messages', { message: 'say the end' })).text());
  equal(last.at(-2).type, 'done');
}

export default [1, 2, 3, 4].map((share) => ({
  name: `sends, results, aborts and readers at random moments, ${share}`,
  async run(storage) {
    globalThis.fetch = scriptedApi;
    const { error } = console;
    // The Worker logs what the API refuses.
    console.error = (first, ...rest) =>
      String(first).startsWith('api.INVALID_ARGUMENT') || error(first, ...rest);
    for (let seed = share; seed <= 40; seed += 4) {
      try {
        await checkRandomRun(storage, seed);
      } catch (error) {
        throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
      }
    }
  },
}));
