// A Worker with threads, in memory, for tests of its client: the contract of docs/threads.md, scripted sends, and
// connections that break where a test wants.

const json = (value, status = 200, headers = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Returns the response of a Worker that refuses a request. */
export const refused = (status, code, headers) =>
  json({ error: { code, message: `refused: ${code}` } }, status, headers);

const compareIds = (a, b) => {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  const index = left.findIndex((number, i) => number !== right[i]);
  return index < 0 ? 0 : left[index] - right[index];
};

/** One thread: its sends, their events, and the results of calls. */
class Thread {
  constructor(id, server) {
    Object.assign(this, { id, server, sends: [], log: [], results: new Map(), state: 'idle' });
    this.queue = [];
    this.changed = () => {};
    this.change = new Promise((resolve) => (this.changed = resolve));
  }

  push(send, attempt, event) {
    const n = this.log.filter(({ id }) => id.startsWith(`${send}.${attempt}.`)).length + 1;
    this.log.push({ id: `${send}.${attempt}.${n}`, send, event });
    this.notify();
  }

  notify() {
    const { changed } = this;
    this.change = new Promise((resolve) => (this.changed = resolve));
    changed();
  }

  /** Adds a send, which starts when the others have ended. */
  add(number, message) {
    this.queue.push({ number, message });
    this.startNext();
  }

  startNext() {
    if (this.state !== 'idle') return;
    const next = this.queue.shift();
    if (next) this.start(next.number, next.message);
  }

  end(send, last) {
    this.state = 'idle';
    for (const event of [...last, { type: 'stored', turns: 2 * send.number }])
      this.push(send.number, send.attempt, event);
    this.startNext();
  }

  /** The calls of the send that waits which have no result. */
  get openCalls() {
    if (this.state !== 'waiting') return [];
    return this.current.calls.filter(({ callId }) => !this.results.has(callId));
  }

  /** Starts a send: its script yields events, and gets the results of calls from `waiting`. */
  start(number, message) {
    this.state = 'running';
    const send = {
      number,
      message,
      attempt: 1,
      calls: [],
      script: this.server.script(message, this),
    };
    this.push(number, 1, { type: 'sent', send: number, thread: this.id });
    this.current = send;
    void this.run(send);
    return send;
  }

  async run(send, results) {
    for (let next = await send.script.next(results); ; next = await send.script.next()) {
      if (this.aborted >= send.number || this.isDeleted) return;
      if (next.done) break;
      const event = next.value;
      if (event.type === 'resumed') send.attempt++;
      if (event.type === 'waiting') [this.state, send.calls] = ['waiting', event.calls];
      this.push(send.number, send.attempt, event);
      if (event.type === 'waiting') return;
    }
    this.end(send, []);
  }

  answer(results) {
    const open = this.current?.calls ?? [];
    for (const result of results) {
      const known = this.results.get(result.callId);
      if (known && known !== JSON.stringify(result)) return refused(409, 'call.answered');
      if (!known && !open.some(({ callId }) => callId === result.callId))
        return refused(404, 'call.unknown');
      this.results.set(result.callId, JSON.stringify(result));
    }
    if (this.state === 'waiting' && open.every(({ callId }) => this.results.has(callId))) {
      this.state = 'running';
      const given = open.map(({ callId }) => JSON.parse(this.results.get(callId)));
      void this.run(this.current, given);
    }
    return json({ send: this.current?.number }, 202);
  }

  abort(send = this.current?.number) {
    const runs = this.state !== 'idle' && send === this.current?.number;
    const isQueued = this.queue.some(({ number }) => number === send);
    this.queue = this.queue.filter(({ number }) => number !== send);
    this.aborted = runs ? send : this.aborted;
    const error = { code: 'send.aborted', message: 'aborted' };
    if (runs) this.end(this.current, [{ type: 'failed', error }]);
    return json({ aborted: runs || isQueued ? 1 : 0 });
  }

  /** Returns the events after an id as a stream, which ends with the end of send `until`. */
  stream(after, until, fault, more) {
    let last = after;
    const encoder = new TextEncoder();
    const thread = this;
    let room = fault?.bytes ?? Infinity;
    const cut = (controller) => {
      if (fault.how === 'close') controller.close();
      else controller.error(new TypeError('connection lost'));
    };
    // A stream that stays open says where it begins.
    let opening = until === undefined && !fault ? `id: ${after}\n\n` : '';
    const pull = async (controller) => {
      if (opening) {
        controller.enqueue(encoder.encode(opening));
        opening = '';
        return;
      }
      for (;;) {
        const next = thread.log.find(({ id }) => compareIds(id, last) > 0);
        if (next && (until === undefined || next.send <= until)) {
          last = next.id;
          const bytes = encoder.encode(`id: ${next.id}\ndata: ${JSON.stringify(next.event)}\n\n`);
          if (bytes.length > room) {
            if (room > 0) controller.enqueue(bytes.slice(0, room));
            return cut(controller);
          }
          room -= bytes.length;
          return controller.enqueue(bytes);
        }
        const end = thread.log.findLast(({ send }) => send === until);
        if (
          end?.event.type === 'stored' ||
          (end?.event.type === 'waiting' && thread.state !== 'running')
        )
          return controller.close();
        await thread.change;
      }
    };
    const cancel = () => void thread.server.canceled++;
    const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', ...more };
    return new Response(body, { headers });
  }
}

/**
 * A server. `script` is an async generator of the events of a send, from the message; `waiting` yields the results of
 * its calls. `faults` are used up one by one: for each request, the first whose `on` its path ends with. A fault is
 * `before` (no response, nothing happened), `after` (no response, but it happened), a `status`, or a stream that breaks
 * after `bytes` with an error, or as if it had ended (`how: 'close'`).
 */
export class ThreadServer {
  constructor(script) {
    this.script = script;
    this.threads = new Map();
    this.requests = [];
    /** The streams that their reader has canceled. */
    this.canceled = 0;
    this.faults = [];
    this.fetch = (url, init) => this.handle(String(url), init);
  }

  /** Returns the requests whose path ends with `end`, with their bodies. */
  to(end, method) {
    return this.requests.filter(
      (request) => request.path.endsWith(end) && (!method || request.method === method),
    );
  }

  get thread() {
    return [...this.threads.values()].at(-1);
  }

  async handle(url, { method, headers, body, signal }) {
    signal?.throwIfAborted();
    const { pathname, searchParams: query } = new URL(url);
    const path = pathname.replace(/^\/base/, '');
    const text = body === undefined ? undefined : new TextDecoder().decode(body);
    const request = { method, path, query, headers, body: text && JSON.parse(text), text, signal };
    this.requests.push(request);
    const fault = this.takeFault(request);
    if (fault?.before) throw new TypeError('connection refused');
    if (fault?.status) return refused(fault.status, fault.code ?? 'test.fault', fault.headers);
    if (fault?.response) return fault.response();
    const response = await this.route(request, fault);
    if (fault?.after) throw new TypeError('connection lost');
    return observing(response, signal);
  }

  takeFault({ path, method }) {
    const fits = ({ on = '', method: only }) => path.endsWith(on) && (!only || only === method);
    const index = this.faults.findIndex(fits);
    if (index < 0) return undefined;
    const [fault] = this.faults.splice(index, 1);
    return fault;
  }

  route(request, fault) {
    const { method, path, body } = request;
    const [, id, operation = ''] = /^\/threads(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(path) ?? [];
    if (!id) return this.create(request, body);
    const thread = this.threads.get(id);
    if (!thread) return refused(404, 'thread.unknown');
    if (operation === '' && method === 'DELETE') return this.delete(thread);
    return this.operations[operation](thread, request, fault);
  }

  create({ headers, text }, body) {
    const key = headers['idempotency-key'];
    const earlier = [...this.threads.values()].find((each) => key && each.key === key);
    if (earlier && earlier.text !== text) return refused(422, 'idempotency.mismatch');
    if (earlier) return json(this.stateOf(earlier), 201);
    const thread = new Thread(`thread_${'x'.repeat(20)}${10 + this.threads.size}`, this);
    this.threads.set(thread.id, Object.assign(thread, { created: body, key, text }));
    return json(this.stateOf(thread), 201);
  }

  delete(thread) {
    this.threads.delete(thread.id);
    const error = { code: 'thread.deleted', message: 'The thread was deleted' };
    thread.isDeleted = true;
    thread.push(thread.current?.number ?? 1, 9, { type: 'failed', error });
    return new Response(null, { status: 204 });
  }

  stateOf({ id, state, openCalls, sends, log }) {
    const lastEvent = log.at(-1)?.id;
    return { id, configuration: 'assistant', turns: 2 * sends.length, state, openCalls, lastEvent };
  }

  operations = {
    '': (thread) => json(this.stateOf(thread)),
    messages: (thread, { headers, body, text, query }, fault) => {
      const key = headers['idempotency-key'];
      let send = thread.sends.find((each) => each.key === key);
      if (send && send.text !== text) return refused(422, 'idempotency.mismatch');
      const number = send?.number ?? thread.sends.length + 1;
      if (!send && thread.state === 'waiting' && query.get('waiting') === 'refuse')
        return refused(409, 'conversation.waiting');
      if (!send) {
        send = { key, text, number };
        thread.sends.push(send);
        thread.add(number, body.message);
      }
      return thread.stream(`${number}.0.0`, number, fault, { 'x-send': String(number) });
    },
    events: (thread, { headers, query }, fault) => {
      const after = headers['last-event-id'] ?? query.get('after');
      const until = query.get('until') === 'end' ? Number(query.get('send')) : undefined;
      return thread.stream(after ?? `${thread.sends.length}.0.0`, until, fault);
    },
    results: (thread, { body }) => thread.answer(body.results),
    abort: (thread, { body, headers }) => {
      const key = headers['idempotency-key'];
      if (key === undefined) return thread.abort(body.send);
      return thread.abort(thread.sends.find((each) => each.key === key)?.number ?? 0);
    },
    fork: (thread, request) => this.create(request, { fork: thread.id, ...request.body }),
    rewind: (thread, { body }) => {
      thread.rewound = body.turns;
      return json(this.stateOf(thread));
    },
    export: () => new Response(savedLines.join('')),
    turns: (thread, { query }) => {
      const after = Number(query.get('after'));
      const page = savedLines.slice(after, after + 2);
      const next = after + page.length;
      const more = next < savedLines.length ? { 'x-next': String(next) } : {};
      const type = { 'content-type': 'application/x-ndjson; charset=utf-8' };
      return new Response(page.join(''), { headers: { ...type, ...more } });
    },
  };
}

/** The lines of a saved thread. */
export const savedLines = ['Hello', 'Hi', 'How?', 'Fine', 'Bye'].map((text, index) => {
  const kind = index % 2 === 0 ? 'user' : 'model';
  const content = { role: kind, parts: [{ text }] };
  return `${JSON.stringify({ strata: 1, kind, content })}\n`;
});

// As fetch does: the body fails when the signal aborts.
function observing(response, signal) {
  if (!signal || !response.body) return response;
  const reader = response.body.getReader();
  const aborted = new Promise((_, reject) => {
    const abort = () => {
      reject(signal.reason);
      reader.cancel().catch(() => {});
    };
    signal.addEventListener('abort', abort, { once: true });
  });
  aborted.catch(() => {});
  const pull = async (controller) => {
    const { done, value } = await Promise.race([reader.read(), aborted]);
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const body = new ReadableStream(
    { pull, cancel: (reason) => reader.cancel(reason) },
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

/** The events of an answer with this text. */
export function* answerOf(text) {
  yield { type: 'request', manifest: { version: 1 } };
  for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word };
  const content = JSON.stringify({ role: 'model', parts: [{ text }] });
  yield { type: 'turn', index: 1, content };
  yield { type: 'done', text, finishReason: 'STOP', usage: { totalTokenCount: 9 } };
}
