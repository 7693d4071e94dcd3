// One random conversation with a thread of a Worker, over a network that fails.
import { ThreadServer } from '../portable/remote-server.mjs';
import { Network } from './network.mjs';
import { Send } from './send.mjs';

const url = 'https://threads.example/';
const maxSends = 5;
const ofThread = {
  ends: ['stored'],
  read: ['send'],
  readers: [
    [5, 'send'],
    [1, 'ask'],
    [1, 'text'],
    [1, 'readEvents'],
    [1, 'response'],
  ],
};

/** A thread, its server, and what was done. */
export class RemoteTalk {
  #world;
  #choices;
  #remote;
  #server;
  #network;
  /** How often each call ran. */
  #runs = new Map();
  #sent = 0;

  constructor(world, choices, { strata: { remote } }) {
    [this.#world, this.#choices, this.#remote] = [world, choices, remote];
    this.#server = new ThreadServer((message, thread) => this.#script(message, thread));
    this.#network = new Network(world, choices, this.#server.fetch, { label: 'worker' });
  }

  async run() {
    const [world, choices] = [this.#world, this.#choices];
    const { fetch } = this.#network;
    const retry = { attempts: choices.pick([10, 3]), initialMs: 100 };
    this.#network.isCalm = true;
    const options = { url, key: 'caller-key_0123456789', fetch, retry, tools: [this.#tool()] };
    const connecting = this.#remote.connectThread(options).catch(lostOnly);
    const thread = await world.until(connecting, 'connectThread');
    if (!thread) return;
    this.#network.isCalm = false;
    const sends = choices.between(1, maxSends);
    for (let i = 0; i < sends; i++) await this.#sendOne(thread);
    await world.until(thread.state().catch(lostOnly), 'state');
  }

  #tool() {
    const run = async ({ n }) => {
      this.#runs.set(n, (this.#runs.get(n) ?? 0) + 1);
      await this.#world.gate(`tool ${n}`);
      if (this.#choices.unlikely(0.2)) throw new Error(`tool ${n} failed`);
      return n;
    };
    const properties = { n: { type: 'string' } };
    return { name: 'add', parametersJsonSchema: { type: 'object', properties }, run };
  }

  /** What the Worker does with a message. */
  async *#script(message) {
    const [world, choices] = [this.#world, this.#choices];
    const content = JSON.stringify({ role: 'user', parts: [{ text: message }] });
    yield { type: 'turn', index: 0, content };
    for (
      let round = choices.weighted([
        [3, 0],
        [2, 1],
        [1, 2],
      ]);
      round > 0;
      round--
    ) {
      await world.gate('worker');
      yield* this.#callRound(`${message}.${round}`);
    }
    if (choices.unlikely(0.15)) yield { type: 'resumed', attempt: 2 };
    for (const word of ['It ', 'is ', 'fine.']) {
      await world.gate('worker');
      yield { type: 'text', text: word };
    }
    if (choices.unlikely(0.15)) {
      yield { type: 'failed', error: { code: 'answer.blocked', message: 'No' } };
      return;
    }
    yield { type: 'done', text: 'It is fine.', finishReason: 'STOP', usage: {} };
  }

  async *#callRound(name) {
    const calls = this.#choices.times(this.#choices.between(1, 3), (i) => {
      const callId = `${name}.${i}`;
      return { callId, name: 'add', args: { n: callId } };
    });
    for (const { callId, ...call } of calls) {
      yield { type: 'toolCall', call, callId, runsAt: 'caller' };
    }
    const results = yield { type: 'waiting', calls };
    for (const [i, { callId, ...call }] of calls.entries()) {
      const { response, error } = results[i];
      const shown = error === undefined ? { output: response } : { error };
      yield { type: 'toolResult', call, response: shown, callId, runsAt: 'caller' };
    }
  }

  async #sendOne(thread) {
    const message = `Message ${++this.#sent}`;
    const send = new Send(this.#world, this.#choices, thread, message, ofThread);
    const impatience = this.#choices.pick([0.004, 0.02, 0.06]);
    this.#world.actions = () => (send.canAbort ? [[impatience, 'abort', () => send.abort()]] : []);
    const before = this.#server.thread.sends.length;
    await this.#world.until(send.run(), 'a send');
    this.#world.actions = () => [];
    this.#checkSend(send, message, before);
    await this.#finish();
    this.#world.throwFailure();
  }

  #checkSend(send, message, before) {
    const problem = send.problem();
    if (problem) this.#world.fail(problem, send.error);
    const { delays } = this.#world;
    this.#world.check(delays.length === 0, () => `timers stay: ${delays}`);
    const open = [...this.#network.open].map((each) => each.url);
    this.#world.check(open.length === 0, () => `connections stay open: ${open}`);
    const { sends, log } = this.#server.thread;
    this.#world.check(sends.length <= before + 1, () => `${message} was sent twice`);
    if (sends.length > before) this.#checkEvents(send, log, sends.at(-1).number);
    for (const [call, runs] of this.#runs) {
      this.#world.check(runs === 1, () => `call ${call} ran ${runs} times`);
    }
  }

  // Each event once, in order; all of them if the send was read to its end.
  #checkEvents(send, log, number) {
    const all = log.filter((each) => each.send === number).map(({ id }) => id);
    const seen = send.events.flatMap(({ eventId }) => eventId ?? []);
    const isEnd = send.reader === 'send' && send.state === 'done';
    const expected = isEnd ? all : all.slice(0, seen.length);
    if (send.reader !== 'send' || JSON.stringify(seen) === JSON.stringify(expected)) return;
    this.#world.fail(`events ${seen} were received of ${all}`);
  }

  // What the server still does ends before the next send.
  async #finish() {
    const { thread } = this.#server;
    await this.#world.drive(() => thread.state !== 'running', 'the server');
    if (thread.state === 'waiting') thread.abort();
  }
}

function lostOnly(error) {
  if (!/^(network|timeout|http_|api|answer\.invalid)/.test(error.code)) throw error;
}
