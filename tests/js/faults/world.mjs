// Runs a program in virtual time: timers fire, and everything that waits at a gate continues, when the choices say so.
// Each wait of a program can thereby take any time, in any order, and a run can be repeated.

/** A property that does not hold. */
export class Violation extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'Violation';
  }
}

const realTimeout = globalThis.setTimeout;
const realClear = globalThis.clearTimeout;
const realRandom = Math.random;
const pause = (ms) => new Promise((resolve) => realTimeout(resolve, ms));
const macrotask = () => new Promise((resolve) => setImmediate(resolve));

/** How long a program may do what the world does not see, such as loading a module, in milliseconds. */
const patienceMs = 3000;
const maxSteps = 30_000;
/** Timers up to this delay are as likely as any other step. */
const shortMs = 5000;

/** A timer as Node has it, or a number as browsers have it. */
class Timer {
  constructor(world, callback, ms) {
    Object.assign(this, { world, callback, ms: Math.max(0, Number(ms) || 0), isActive: false });
  }
  refresh() {
    this.at = this.world.ms + this.ms;
    this.isActive = true;
    this.world.timers.add(this);
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

/** Virtual time, the gates of a run, and the list of its steps. */
export class World {
  /** Milliseconds since 1970. */
  ms = Date.parse('2026-11-21T10:00:00Z');
  timers = new Set();
  gates = [];
  log = [];
  /** How often things happened. */
  counts = { sends: 0, requests: 0, faults: 0, aborts: 0, toolRuns: 0, crashes: 0 };
  /** Returns whether something goes on that has neither a timer nor a gate. */
  isBusy = () => false;
  /** Returns rows `[weight, label, action]`: what the user may do at any time. */
  actions = () => [];
  #choices;
  #failure;
  #numbers = new Map();

  constructor(choices) {
    this.#choices = choices;
    this.usesNumbers = choices.unlikely(0.3);
  }

  now = () => new Date(this.ms).toISOString();

  /** Notes a step for the report of a failure. */
  note(text) {
    this.log.push(text);
  }

  /** Records the first violation. The driver throws it. */
  fail(message, cause) {
    this.#failure ??= new Violation(message, cause === undefined ? {} : { cause });
  }

  check(holds, message) {
    if (!holds) this.fail(message());
  }

  throwFailure() {
    if (this.#failure) throw this.#failure;
  }

  /** Waits until the driver continues here. With `isLast`, only if nothing else can happen. */
  gate(label, isLast = false) {
    return new Promise((resolve) => this.gates.push({ label, resolve, isLast }));
  }

  /** The delays of the timers that run. */
  get delays() {
    return [...this.timers].map(({ ms }) => ms);
  }

  /** Replaces what makes runs differ: timers, and the random part of delays. */
  install() {
    Math.random = () => 0.5;
    globalThis.setTimeout = (callback, ms, ...args) => {
      const timer = new Timer(this, () => callback(...args), ms).refresh();
      if (!this.usesNumbers) return timer;
      const number = this.#numbers.size + 1;
      this.#numbers.set(number, timer);
      return number;
    };
    globalThis.clearTimeout = (timer) => {
      if (timer === undefined || timer === null) return;
      const mine = typeof timer === 'number' ? this.#numbers.get(timer) : timer;
      if (!(mine instanceof Timer)) return realClear(timer);
      mine.isActive = false;
      this.timers.delete(mine);
    };
  }

  uninstall() {
    globalThis.setTimeout = realTimeout;
    globalThis.clearTimeout = realClear;
    Math.random = realRandom;
  }

  /** Waits until everything that can run has run. */
  async settle() {
    for (let i = 0; i < 3; i++) await macrotask();
    this.throwFailure();
  }

  /** Continues the program, step by step, until `isDone`. */
  async drive(isDone, what) {
    for (let steps = 0; ; steps++) {
      await this.settle();
      if (isDone()) return;
      if (steps > maxSteps) throw new Violation(`${what} does not end`);
      if (!this.#step()) await this.#beIdle(isDone, what);
    }
  }

  /** Continues until a promise settles; returns it. */
  async until(promise, what) {
    let isDone = false;
    const done = () => (isDone = true);
    promise.then(done, done);
    await this.drive(() => isDone, what);
    return promise;
  }

  /** Lets everything that is left come to its end. */
  async drain() {
    this.actions = () => [];
    const isEmpty = () => this.gates.length === 0 && this.timers.size === 0;
    await this.drive(() => isEmpty() && !this.isBusy(), 'the rest');
  }

  #step() {
    const timer = [...this.timers].reduce((a, b) => (a && a.at <= b.at ? a : b), undefined);
    const gates = this.gates.filter(({ isLast }) => !isLast);
    const weight = timer && timer.at - this.ms <= shortMs ? 1 : 0.004;
    const rows = [
      ...gates.map((gate) => [1, () => this.#open(gate)]),
      ...(timer ? [[weight, () => this.#fire(timer)]] : []),
    ];
    if (rows.length === 0) return this.#lastResort();
    for (const [chance, label, action] of this.actions()) {
      rows.push([chance * rows.length, () => this.#act(label, action)]);
    }
    this.#choices.weighted(rows)();
    return true;
  }

  #lastResort() {
    const last = this.gates.find(({ isLast }) => isLast);
    if (last) this.#open(last);
    return last !== undefined;
  }

  #open(gate) {
    this.gates.splice(this.gates.indexOf(gate), 1);
    this.note(gate.label);
    gate.resolve();
  }

  #fire(timer) {
    this.timers.delete(timer);
    timer.isActive = false;
    this.note(`timer of ${timer.ms} ms`);
    this.ms = Math.max(this.ms, timer.at);
    timer.callback();
  }

  #act(label, action) {
    this.note(label);
    action();
  }

  // Loading a module takes real time.
  async #beIdle(isDone, what) {
    const end = performance.now() + patienceMs;
    while (performance.now() < end) {
      await pause(1);
      await this.settle();
      if (isDone() || this.gates.length > 0 || this.timers.size > 0) return;
    }
    throw new Violation(`${what} hangs: no timer, no gate, and no end`);
  }
}
