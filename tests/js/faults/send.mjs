// One send of a run: how it is started and read, what the user does meanwhile, and which ends are documented.
import { StoreError } from './store.mjs';

const schema = {
  type: 'object',
  properties: { sky: { type: 'string' }, n: { type: 'integer' } },
  required: ['sky'],
};

/** Why a user aborts. */
class UserAbort extends Error {}

/** Counts the listeners of a signal. */
function countListeners(signal) {
  let count = 0;
  const { addEventListener, removeEventListener } = signal;
  const listeners = new Set();
  signal.addEventListener = (type, listener, options) => {
    listeners.add(listener);
    addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type, listener, options) => {
    listeners.delete(listener);
    removeEventListener.call(signal, type, listener, options);
  };
  signal.addEventListener('abort', () => (count = -1), { once: true });
  return () => (count < 0 ? 0 : listeners.size - 1);
}

/** The ways to read a send of a conversation, and which events are the last. */
export const ofConversation = {
  ends: ['done', 'waiting'],
  read: ['send', 'readEvents', 'object'],
  readers: [
    [5, 'send'],
    [2, 'ask'],
    [1, 'text'],
    [1, 'readEvents'],
    [1, 'response'],
    [1, 'object'],
  ],
};

export class Send {
  /** The events that were read. */
  events = [];
  /** `open`, `done`, `left` or `failed`. */
  state = 'open';
  error;
  #world;
  #form;
  #chat;
  #input;
  #controller = new AbortController();
  #reason = new UserAbort('enough');
  #listeners;
  #isLeaving = false;
  #isAborted = false;

  constructor(world, choices, chat, input, form = ofConversation) {
    [this.#world, this.#chat, this.#input, this.#form] = [world, chat, input, form];
    this.#listeners = countListeners(this.#controller.signal);
    this.reader = choices.weighted(form.readers);
    this.isSlow = choices.unlikely(0.3);
    this.leavesAt = choices.unlikely(0.12) ? choices.between(0, 9) : Infinity;
  }

  /** Called with each event that `send` or `stream` yields. */
  onEvent = () => {};

  abort() {
    this.#world.counts.aborts++;
    this.#isAborted = true;
    this.#controller.abort(this.#reason);
  }

  /** Whether all events are seen. */
  get isRead() {
    return this.#form.read.includes(this.reader);
  }

  /** Whether the end of the send is noticed at once. */
  get isDirect() {
    return !this.isSlow && ['send', 'ask', 'object'].includes(this.reader);
  }

  get canAbort() {
    return this.state === 'open' && !this.#isAborted;
  }

  /** Runs the send to its end; never rejects. */
  async run() {
    this.#world.counts.sends++;
    this.#world.note(`${this.reader}(${JSON.stringify(this.#input)})`);
    try {
      await this[this.reader]({ signal: this.#controller.signal });
      this.state = this.#isLeaving ? 'left' : 'done';
    } catch (error) {
      this.state = 'failed';
      this.error = error;
    }
    this.#world.note(`${this.reader}: ${this.state} ${this.error?.code ?? this.error ?? ''}`);
  }

  async #read(events) {
    for await (const event of events) {
      this.#take(event);
      if (this.events.length > this.leavesAt) {
        this.#isLeaving = true;
        return;
      }
      if (this.isSlow) await this.#world.gate('reader');
    }
  }

  #take(event) {
    const last = this.events.at(-1)?.type;
    if (this.#form.ends.includes(last)) this.#world.fail(`${event.type} after ${last}`);
    this.events.push(event);
    this.onEvent(event);
  }

  async send(options) {
    const events = this.#chat.send(this.#input, options);
    try {
      await this.#read(events);
    } finally {
      const { done } = await events.next();
      if (!done) this.#world.fail('an event after the end');
    }
  }

  async ask(options) {
    const { text } = await this.#chat.ask(this.#input, options);
    if (typeof text !== 'string') this.#world.fail('ask without a text');
  }

  async text(options) {
    const stream = this.#chat.stream(this.#input, options);
    for await (const piece of stream.textStream) {
      if (piece === '') this.#world.fail('an empty text');
      if (this.isSlow) await this.#world.gate('reader');
    }
    await stream.result;
  }

  async readEvents(options) {
    const stream = this.#chat.stream(this.#input, options);
    await this.#read(stream);
    await stream.result.catch((error) => {
      if (!this.#isLeaving) throw error;
    });
  }

  async response(options) {
    const response = this.#chat.stream(this.#input, options).toResponse();
    const text = await response.text();
    const ends = text.match(/^event: (done|failed)$/gm) ?? [];
    if (ends.length !== 1) this.#world.fail(`a response with ${ends.length} ends: ${text}`);
    if (!/event: (done|failed)\ndata: .*\n\n$/.test(text)) {
      this.#world.fail(`an event after the end of a response: ${text}`);
    }
    if (ends[0].endsWith('failed')) throw new ResponseFailed(/"code":"([^"]*)"/.exec(text)[1]);
  }

  async object(options) {
    const onEvent = (event) => this.#take(event);
    const { object } = await this.#chat.object(schema, this.#input, { ...options, onEvent });
    if (typeof object.sky !== 'string') this.#world.fail('an object that does not match');
  }

  /** Returns what is wrong with how the send ended. */
  problem() {
    if (this.#listeners() > 0) return `${this.#listeners()} listeners stay on the signal`;
    if (this.state === 'done') return this.#doneProblem();
    if (this.state === 'left') return undefined;
    return isDocumented(this.error, this.#reason, this.#isAborted)
      ? undefined
      : `an undocumented error: ${this.error?.stack ?? this.error}`;
  }

  #doneProblem() {
    if (!this.isRead) return undefined;
    const ends = this.events.filter(({ type }) => this.#form.ends.includes(type));
    return ends.length === 1 ? undefined : `${ends.length} events are an end`;
  }

  /** Whether the send ended with an answer. */
  get isAnswered() {
    return this.state === 'done' && (!this.isRead || this.events.at(-1)?.type === 'done');
  }
}

/** The error of a response that says `failed`. */
class ResponseFailed extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

const codes =
  /^(api\.|answer\.|network$|timeout$|aborted$|conversation\.(busy|waiting)$|object\.invalid$|stream\.|context\.too_large$|trigger\.missing$)/;

function isDocumented(error, reason, isAborted) {
  if (error === reason) return isAborted;
  if (error instanceof StoreError) return true;
  if (/^the (source|dynamic layer|plugin) is not there$/.test(error?.message)) return true;
  if (error instanceof ResponseFailed) return codes.test(error.code) || error.code === '';
  const names = ['GeminiError', 'RemoteError', 'HistoryError', 'StrataError', 'ObjectError'];
  return names.includes(error?.name) && codes.test(error.code);
}
