// One random conversation: its options, the network, the stores and the tools that fail, and its sends one by one.
import { FaultyStore, StoreError } from './store.mjs';
import { Ledger, turnsOf } from './ledger.mjs';
import { Model } from './model.mjs';
import { Network } from './network.mjs';
import { Send } from './send.mjs';
import { Tools } from './tools.mjs';

const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const id = 'one';
const rules = 'Be kind, be brief and name your sources. '.repeat(600);
const maxSends = 7;

/** Options of a conversation that shorten its history or add to it. */
function historyOptions(choices) {
  const compression = choices.weighted([
    [4, undefined],
    [1, { contextTokens: 700, threshold: 0.5 }],
    [1, { form: 'budget', contextTokens: 900, reserve: 100 }],
  ]);
  const masking = choices.unlikely(0.15) ? { protect: 0, least: 0 } : undefined;
  return { ...(compression && { compression }), ...(masking && { masking }) };
}

function pluginOptions(world, choices) {
  const plugin = {
    name: 'slow',
    async beforeRequest() {
      await world.gate('plugin: beforeRequest');
      if (choices.unlikely(0.1)) throw new Error('the plugin is not there');
    },
    async afterAnswer() {
      await world.gate('plugin: afterAnswer');
    },
  };
  return {
    ...(choices.unlikely(0.2) && { caching: true, static: { text: rules } }),
    ...(choices.unlikely(0.15) && { plugins: [plugin] }),
    ...(choices.unlikely(0.1) && { prompt: { profile: 'minimal' } }),
  };
}

function dynamicLayer(world, choices) {
  return async () => {
    await world.gate('dynamic layer');
    if (choices.unlikely(0.1)) throw new Error('the dynamic layer is not there');
    return { text: `It is ${world.now()}.` };
  };
}

/** One conversation with everything around it. */
export class Talk {
  #world;
  #choices;
  #strata;
  #core;
  #options;
  #ledger;
  #model;
  #tools;
  #network;
  #upstream;
  #records = [];
  #store;
  #process;
  #chat;
  #client;
  #sent = 0;
  #send;
  /** The end of a send that was started during another one. */
  #second;
  #hadSecond = false;
  #hasGateway = false;
  /** How often the user acts, per step. */
  #impatience;
  /** Threads that the conversation does not own. */
  #threads = [];

  /** `parts`: what `prepareRuns` returns. */
  constructor(world, choices, parts) {
    const { strata, core, server: checker, runs } = parts;
    [this.#world, this.#choices, this.#strata] = [world, choices, strata];
    this.#core = core;
    this.#model = new Model(choices, String(runs).padStart(7, '0'));
    this.#tools = new Tools(world, choices, strata);
    this.#options = this.#newOptions();
    const { model, compression, masking } = this.#options;
    const rewrites = compression !== undefined || masking !== undefined;
    this.#ledger = new Ledger(world, this.#model, core, { checker, model, rewrites });
    this.#connect(parts);
    this.#impatience = choices.pick([0.001, 0.008, 0.05]);
    if (choices.unlikely(0.5)) this.#store = new strata.MemoryStore();
  }

  #newOptions() {
    const [world, choices] = [this.#world, this.#choices];
    return {
      model: choices.pick(['gemini-3.8-flash', 'gemini-3.5-flash']),
      now: world.now,
      tools: this.#tools.list(),
      confirmTool: this.#tools.confirm,
      maxParallelTools: choices.pick([8, 1, 2]),
      toolTimeoutMs: 30_000,
      answerRetry: choices.pick([false, { attempts: 3, initialMs: 100 }, {}]),
      ...(choices.unlikely(0.3) && { concurrent: 'queue' }),
      ...(choices.unlikely(0.3) && { maxResultChars: 100 }),
      ...(choices.unlikely(0.1) && { continue: { maxTurns: 3 } }),
      ...(choices.unlikely(0.15) && { cachedHistory: 'text', bufferTokens: 150 }),
      ...(choices.unlikely(0.2) && { dynamic: dynamicLayer(world, choices) }),
      ...(choices.unlikely(0.1) && { maxToolRounds: 2 }),
      ...(choices.unlikely(0.15) && { loopDetection: { onText: 'end' } }),
      ...historyOptions(choices),
      ...pluginOptions(world, choices),
    };
  }

  #connect(parts) {
    const { createEmulator, GeminiClient } = this.#strata;
    const [world, choices] = [this.#world, this.#choices];
    const emulator = createEmulator({
      ...{ checker: parts.server, now: world.now, respond: this.#model.respond },
      record: (request) => this.#records.push(request),
    });
    this.#upstream = new Network(world, choices, emulator);
    this.#network = this.#upstream;
    this.#hasGateway = choices.unlikely(0.15);
    if (this.#hasGateway) {
      parts.upstream = this.#upstream.fetch;
      this.#network = new Network(world, choices, parts.gateway.fetch, { label: 'gateway' });
    }
    world.isBusy = () => this.#upstream.isBusy || this.#network.isBusy;
    const retry = choices.pick([false, { attempts: 3, initialMs: 100 }, {}]);
    const apiKey = 'AIzaSyFault-test-key_0123456789abcdef';
    this.#client = new GeminiClient({
      fetch: this.#network.fetch,
      apiKey,
      retry,
      timeoutMs: 60_000,
    });
  }

  /** Runs the conversation to its end. */
  async run() {
    this.#world.actions = () => this.#actions();
    await this.#open();
    const sends = this.#choices.between(1, maxSends);
    for (let i = 0; i < sends; i++) {
      await this.#sendOne();
      await this.#betweenSends();
    }
    await this.#end();
  }

  /** Opens the conversation, as each process does. */
  async #open(thread) {
    const { Conversation } = this.#strata;
    const options = { ...this.#options, ...(thread && { thread }) };
    this.#network.isUp = this.#upstream.isUp = true;
    if (!this.#store) {
      this.#chat = new Conversation(this.#core, this.#client, options);
    } else {
      this.#process = new FaultyStore(this.#world, this.#choices, this.#store);
      this.#chat = await this.#opened(() =>
        Conversation.open(this.#core, this.#client, { ...options, store: this.#process, id }),
      );
    }
    const chat = this.#chat;
    this.#tools.reenter = () => chat.rewind(0).catch((error) => Promise.reject(busy(error)));
  }

  async #opened(open) {
    for (;;) {
      try {
        return await this.#world.until(open(), 'open');
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
      }
    }
  }

  // The text of a message that has no answer resumes the thread.
  #input() {
    const last = this.#ledger.messages.get(partsOf(this.#ledger.turns.at(-1)));
    if (last && this.#choices.unlikely(0.3)) return last;
    const fresh = `Message ${++this.#sent}`;
    const parts = [{ text: fresh }, { text: 'and more' }];
    const inputs = [
      [6, () => [fresh, [{ text: fresh }]]],
      [1, () => ['', undefined]],
      [1, () => [[fresh, { text: 'and more' }], parts]],
      [1, () => [{ role: 'user', parts }, parts]],
      [1, () => [new TextEncoder().encode(JSON.stringify({ role: 'user', parts })), parts]],
      [0.3, () => [{ role: 'model', parts }, undefined]],
    ];
    const [input, asParts] = this.#choices.weighted(inputs)();
    if (asParts)
      this.#ledger.messages.set(JSON.stringify(asParts), asParts.length === 1 ? fresh : undefined);
    return input;
  }

  async #sendOne() {
    const chat = this.#chat;
    const before = this.#ledger.turns.length;
    const mayStayOpen = this.#hasOpenCalls(chat);
    const { pauses } = this.#tools;
    const send = new Send(this.#world, this.#choices, chat, this.#input());
    this.#send = send;
    send.onEvent = (event) => this.#onEvent(event, chat);
    await this.#world.until(send.run(), 'a send');
    const second = this.#second;
    if (second) await this.#world.until(second, 'a second send');
    this.#second = undefined;
    this.#hadSecond = second !== undefined;
    this.#checkQuiet(send);
    this.#checkAcknowledged(send, before);
    const isOpen = this.#hasOpenCalls(chat) && !mayStayOpen && pauses === this.#tools.pauses;
    if (isOpen) this.#world.fail('calls stay open that no tool has paused');
    this.#ledger.rest(chat.thread);
    await this.#checkStore(send);
    this.#world.throwFailure();
  }

  #hasOpenCalls({ thread }) {
    return thread.tail.openCalls.length > 0;
  }

  #onEvent(event, chat) {
    if (event.type === 'toolResult') this.#onResult(event);
    if (event.type === 'turn' && this.#store) this.#checkStored(event, chat);
  }

  #onResult({ call, response }) {
    this.#ledger.results.set(call.args.n, response);
    this.#tools.finished.add(call.args.n);
  }

  // A turn is acknowledged after the store has it.
  async #checkStored({ content }) {
    const lines = await this.#store.read(id);
    const turn = new TextDecoder().decode(content);
    const isThere = lines.some((line) => line.includes(turn));
    if (!isThere && !this.#options.compression) this.#world.fail(`the store lacks ${turn}`);
  }

  #checkQuiet(send) {
    const problem = send.problem();
    if (problem) this.#world.fail(problem, send.error);
    const isOld = send.error instanceof StoreError && !this.#process.errors.delete(send.error);
    if (isOld) this.#world.fail('a send fails with the error of an earlier one', send.error);
    // The gateway still works on requests that the network has taken from it.
    const delays = this.#hasGateway ? [] : this.#world.delays;
    if (delays.length > 0) this.#world.fail(`timers stay: ${delays}`);
    const open = [...this.#network.open].map(({ url }) => url);
    if (open.length > 0) this.#world.fail(`responses are neither read nor canceled: ${open}`);
    for (const { status, path, body } of this.#records.splice(0)) {
      if (status === 400) this.#world.fail(`the API refuses ${path}: ${JSON.stringify(body)}`);
    }
  }

  // Events name turns of the thread by their index and bytes.
  #checkAcknowledged(send, before) {
    if (this.#options.compression || this.#options.masking) return;
    const turns = turnsOf(this.#chat.thread);
    let next = before;
    for (const { type, index, content } of send.events) {
      if (type !== 'turn') continue;
      if (index !== next++) this.#world.fail(`turn ${index} comes after turn ${next - 2}`);
      const text = new TextDecoder().decode(content);
      if (turns[index] !== text) this.#world.fail(`turn ${index} is ${turns[index]}, said ${text}`);
    }
    if (!send.isAnswered || this.#hadSecond) return;
    const mayStay = !send.isRead || send.events.some(({ type }) => ends.has(type));
    if (this.#chat.unanswered && !mayStay) this.#world.fail('an answered send is not answered');
  }

  // After a send without an error the store has what the thread has.
  async #checkStore(send) {
    if (!this.#store || send.state !== 'done' || this.#hadSecond) return;
    const lines = await this.#store.read(id);
    this.#ledger.checkLines(lines.join('\n'), this.#ledger.turns, 'the store');
  }

  /** What the user does while a send runs, with the chance of each at a step. */
  #actions() {
    const send = this.#send;
    if (send?.state !== 'open') return [];
    const chat = this.#chat;
    const isQueue = this.#options.concurrent === 'queue';
    const look = [this.#impatience / 2, 'look', () => this.#look(chat)];
    // Others may have ended before their reader notices it.
    if (!send.isDirect)
      return [...(send.canAbort ? [[this.#impatience, 'abort', () => send.abort()]] : []), look];
    return [
      look,
      ...(send.canAbort ? [[this.#impatience, 'abort', () => send.abort()]] : []),
      [isQueue ? 0.03 : this.#impatience / 2, 'second send', () => this.#sendSecond(chat)],
      [this.#impatience / 2, 'rewind', () => this.#expectBusy(chat.rewind(0))],
      [this.#impatience / 2, 'closeCalls', () => this.#expectBusy(chat.closeCalls())],
    ];
  }

  #look(chat) {
    const { thread } = chat;
    this.#ledger.look(thread);
    thread.fork(Math.min(1, thread.length))[dispose]();
    if (chat.history.length !== thread.length) this.#world.fail('history is not the thread');
  }

  async #expectBusy(work) {
    try {
      await work;
      if (this.#send.state === 'open') this.#world.fail('a change during a send was accepted');
    } catch (error) {
      if (error.code !== 'conversation.busy') this.#world.fail('not busy', error);
    }
  }

  #sendSecond(chat) {
    if (this.#second) return;
    const text = `Message ${++this.#sent}`;
    this.#ledger.messages.set(JSON.stringify([{ text }]), text);
    if (this.#options.concurrent !== 'queue') {
      this.#expectBusy(chat.send(text).next());
      return;
    }
    // It is aborted before its turn comes, or runs after the other.
    const second = new Send(this.#world, this.#choices, chat, text);
    const isAborted = this.#choices.unlikely(0.5);
    this.#second = second.run();
    if (isAborted) second.abort();
  }

  async #betweenSends() {
    const rows = [
      [5, () => undefined],
      [1, () => this.#rewind()],
      [1, () => this.#crash()],
      [1, () => this.#continueElsewhere()],
      [1, () => this.#closeCalls()],
    ];
    await this.#choices.weighted(rows)();
    this.#world.throwFailure();
  }

  async #change(name, work) {
    this.#world.note(name);
    await this.#world.until(work(), name).catch((error) => {
      if (!(error instanceof StoreError)) throw error;
    });
  }

  async #rewind() {
    const { turns } = this.#ledger;
    const length = this.#choices.between(0, turns.length);
    await this.#change(`rewind(${length})`, () => this.#chat.rewind(length));
    this.#ledger.rewind(length);
    this.#tools.finished.clear();
    if (this.#chat.thread.length !== length) this.#world.fail('rewind has another length');
    this.#ledger.rest(this.#chat.thread);
  }

  async #closeCalls() {
    const error = 'The user did not answer.';
    await this.#change('closeCalls()', () => this.#chat.closeCalls(error));
    this.#ledger.rest(this.#chat.thread);
  }

  // The process ends, with or without a running send, and another one opens what the store has.
  async #crash() {
    if (!this.#store) return;
    const chat = this.#chat;
    const send = new Send(this.#world, this.#choices, chat, this.#input());
    send.onEvent = (event) => this.#onEvent(event, chat);
    const run = send.run();
    const steps = this.#choices.between(0, 25);
    let left = steps;
    await this.#world.drive(() => --left < 0 || send.state !== 'open', 'a process');
    const acknowledged = send.events.filter(({ type }) => type === 'turn').length;
    const turns = turnsOf(chat.thread);
    this.#world.note('the process ends');
    this.#world.counts.crashes++;
    this.#process.isUp = this.#network.isUp = this.#upstream.isUp = false;
    if (send.state === 'open') send.abort();
    await this.#world.until(run, 'a send of a process that ended');
    chat[dispose]();
    this.#records.length = 0;
    const known = this.#ledger.turns;
    const reported = new Set(this.#ledger.results.keys());
    this.#tools.finished = await this.#storedCalls(reported);
    this.#ledger.rewind(0);
    await this.#open();
    const found = this.#ledger.rest(this.#chat.thread);
    this.#checkCrash({ found, turns, known, acknowledged });
  }

  // The calls whose results the store has, while others of their step are open.
  async #storedCalls(reported) {
    const lines = (await this.#store.read(id)).map((line) => JSON.parse(line));
    const last = lines.findLastIndex(({ kind }) => kind !== 'result' && kind !== 'started');
    const parts = lines[last]?.content?.parts ?? [];
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const records = lines.slice(last + 1).filter(({ kind }) => kind === 'result');
    const stored = new Set(records.map(({ index }) => calls[index].args.n));
    const lost = calls.filter(({ args: { n } }) => reported.has(n) && !stored.has(n));
    // The last result of a step is stored with the turn.
    const isLast = calls.every(({ args: { n } }) => reported.has(n));
    if (lost.length > (isLast ? 1 : 0))
      this.#world.fail('the store lacks results that were reported');
    return stored;
  }

  // The store may lack what nobody was told of, and nothing else.
  #checkCrash({ found, turns, known, acknowledged }) {
    if (this.#options.compression || this.#options.masking) return;
    const least = acknowledged > 0 ? known.length + acknowledged : 0;
    if (found.length < least) {
      this.#world.fail(`${found.length} turns after a crash, ${least} were acknowledged`);
    }
    const differs = found.findIndex((turn, i) => turns[i] !== undefined && turns[i] !== turn);
    if (differs >= 0) this.#world.fail(`turn ${differs} differs after a crash: ${found[differs]}`);
  }

  // Continues with a fork or with the saved thread, in another conversation.
  async #continueElsewhere() {
    if (this.#store) return;
    const { thread } = this.#chat;
    const { model } = this.#options;
    const isFork = this.#choices.unlikely(0.5);
    this.#world.note(isFork ? 'fork' : 'save and load');
    const options = { model, sequencing: 'api', policy: 'repair' };
    const from = thread.length > 0 ? { from: thread.save() } : {};
    const copy = isFork ? thread.fork() : this.#core.thread({ ...options, ...from });
    this.#threads.push(copy);
    // The results of an open step are the conversation's, not the thread's.
    this.#tools.finished.clear();
    this.#ledger.results.clear();
    this.#chat[dispose]();
    await this.#open(copy);
    this.#ledger.rest(copy);
  }

  // Some conversations are disposed while a send runs.
  async #end() {
    const chat = this.#chat;
    if (this.#choices.unlikely(0.4)) {
      const send = new Send(this.#world, this.#choices, chat, this.#input());
      const run = send.run();
      let left = this.#choices.between(0, 25);
      await this.#world.drive(() => --left < 0 || send.state !== 'open', 'a send');
      this.#world.note('dispose');
      chat[dispose]();
      await this.#world.until(run, 'a send of a disposed conversation');
    }
    chat[dispose]();
    for (const thread of this.#threads) thread[dispose]();
    await this.#world.settle();
    this.#checkDisposed(chat);
  }

  #checkDisposed(chat) {
    if (this.#threads.length > 0) return;
    const uses = [() => chat.thread.length, () => chat.unanswered, () => chat.history];
    for (const use of uses) {
      try {
        use();
        this.#world.fail(`a disposed conversation answers ${use}`);
      } catch (error) {
        if (error.name !== 'ReferenceError') throw error;
      }
    }
  }
}

const partsOf = (turn) => turn && JSON.stringify(JSON.parse(turn).parts);

/** Events after which an answered send may leave results unanswered. */
const ends = new Set(['empty', 'limit', 'loop']);

function busy(error) {
  return error.code === 'conversation.busy' ? error : new Error('not busy', { cause: error });
}
