// Sends a message until its last event has arrived, whatever happens to the connection or the server, and runs the
// caller's tools on the way. Checks what the events promise.
import assert from 'node:assert/strict';
import { eventsOf, persist } from '../../support/thread-client.mjs';

const numbersOf = (id) => id.split('.').map(Number);

/** Asserts that an id follows another one: no event was left out, none came twice. */
function assertNext(last, id) {
  if (last === undefined) return;
  const [send, attempt, n] = numbersOf(id);
  const [lastSend, lastAttempt, lastN] = numbersOf(last);
  const follows = attempt === lastAttempt ? n === lastN + 1 : attempt > lastAttempt && n === 1;
  assert.ok(send === lastSend && follows, `event ${id} after ${last}`);
}

/** One send of a client. */
export class PersistentSend {
  /** The model turns and the results that were received: what a client may rely on. */
  turns = new Map();
  results = new Map();
  text = '';
  resumed = 0;
  isAcknowledged = false;
  isEnded = false;
  #last;
  #events = new Map();
  #running = new Set();
  #answered = new Set();
  #posted = new Map();
  #isPosting = false;
  #waiting = [];

  /**
   * @param {object} options
   * @param {import('../../support/thread-client.mjs').ThreadClient} options.client
   * @param {string} options.id the thread
   * @param {string} options.message
   * @param {string} options.key the Idempotency-Key
   * @param {(args: object) => object} options.runTool runs the caller's tools
   * @param {() => number} options.random
   */
  constructor({ client, id, message, key, runTool, random }) {
    Object.assign(this, { client, id, message, key, runTool, random });
  }

  /** What the send was doing when its last event arrived. */
  get phase() {
    if (this.isEnded) return 'ended';
    if (!this.isAcknowledged) return 'sending';
    if (this.#isPosting) return 'posting';
    return this.#running.size > 0 ? 'tools' : 'answering';
  }

  /** Returns after the last event. `connected` resolves when the server may be asked again. */
  async run(connected) {
    while (!this.isEnded) await persist(connected, async () => this.#read(await this.#open()));
  }

  async #open() {
    // Nothing follows `waiting` until the results are there.
    if (this.#unanswered(this.#waiting).length > 0)
      return this.#post(this.#unanswered(this.#waiting));
    // A client that has received an event may repeat its message, or ask for the events that it lacks.
    const repeats = this.#last === undefined || this.random() < 0.5;
    if (!repeats) return this.client.events(this.id, this.#last);
    const { client, id, message, key } = this;
    const response = await client.send(id, message, { key });
    this.isAcknowledged = true;
    return response;
  }

  async #read(response) {
    for await (const { id, event } of eventsOf(response)) {
      this.#receive(id, event);
      const open = event.type === 'waiting' ? this.#unanswered(event.calls) : [];
      if (open.length > 0) return this.#read(await this.#post(open));
      if (this.isEnded) return;
    }
  }

  #receive(id, event) {
    const json = JSON.stringify(event);
    if (this.#events.has(id)) {
      assert.equal(json, this.#events.get(id), `event ${id} differs when it is read again`);
      return;
    }
    assertNext(this.#last, id);
    this.#events.set(id, json);
    this.#last = id;
    this.#note(event);
  }

  #note(event) {
    switch (event.type) {
      case 'text':
        this.text += event.text;
        break;
      case 'turn':
        this.turns.set(event.index, event.content);
        if (event.kind === 'model') this.#running.clear();
        break;
      case 'toolCall':
        this.text = '';
        this.#running.add(event.callId);
        break;
      case 'toolResult':
        this.#running.delete(event.callId);
        this.results.set(event.callId, event.response);
        break;
      case 'resumed':
        this.text = '';
        this.#running.clear();
        this.resumed++;
        break;
      case 'failed':
        assert.fail(`the send failed: ${JSON.stringify(event.error)}`);
        break;
      case 'waiting':
        this.#waiting = event.calls;
        break;
      case 'stored':
        this.isEnded = true;
        break;
    }
  }

  #unanswered(calls) {
    return calls.filter(({ callId }) => !this.#answered.has(callId));
  }

  async #post(calls) {
    const results = calls.map(({ callId, args }) => {
      // A result that was sent before and may be stored is sent again, not made again.
      const response = this.#posted.get(callId) ?? this.runTool(args);
      this.#posted.set(callId, response);
      return { callId, response };
    });
    this.#isPosting = true;
    try {
      const response = await this.client.results(this.id, results);
      for (const { callId } of calls) this.#answered.add(callId);
      // Events between `waiting` and this answer may be missing if the results were stored before.
      await response.body.cancel();
      return await this.client.events(this.id, this.#last);
    } finally {
      this.#isPosting = false;
    }
  }
}
