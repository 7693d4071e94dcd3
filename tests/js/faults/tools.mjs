// Tools that answer at any time, twice, never, after an abort, or not with JSON, and remember what they did.
import { toolNames } from './model.mjs';

const behaviors = [
  [8, 'answers'],
  [4, 'answersLater'],
  [1, 'throws'],
  [1, 'throwsLater'],
  [0.7, 'hangs'],
  [0.7, 'hangsUntilAbort'],
  [0.7, 'answersAfterAbort'],
  [0.7, 'answersTwice'],
  [0.7, 'isNoJson'],
  [0.7, 'pauses'],
  [0.7, 'isLong'],
  [0.5, 'callsTheConversation'],
];

const never = new Promise(() => {});

export class Tools {
  /** How often each call ran without a pause. */
  runs = new Map();
  /** The calls that have a result, which must not run again. */
  finished = new Set();
  /** Called by the tool that uses its own conversation. */
  reenter = async () => {};
  /** How often a tool left its call open. */
  pauses = 0;
  #world;
  #choices;
  #PausedCall;

  constructor(world, choices, { PausedCall }) {
    [this.#world, this.#choices, this.#PausedCall] = [world, choices, PausedCall];
  }

  /** Returns the tools of a conversation, some of them from a source that may fail. */
  list() {
    const tools = toolNames.map((name) => this.#tool(name));
    if (!this.#choices.unlikely(0.3)) return tools;
    const discover = async () => {
      await this.#world.gate('tools: discover');
      if (this.#choices.unlikely(0.2)) throw new Error('the source is not there');
      return tools.slice(2);
    };
    return [...tools.slice(0, 2), { discover }];
  }

  #tool(name) {
    return {
      name,
      description: `The tool ${name}`,
      parameters: { type: 'OBJECT', properties: { n: { type: 'INTEGER' } } },
      ...(name === 'once' && { idempotent: false }),
      ...(name === 'gamma' && { confirm: true }),
      run: (args, context) => this.#run(name, args, context),
    };
  }

  confirm = async ({ args }) => {
    await this.#world.gate(`tools: confirm ${args.n}`);
    return this.#choices.weighted([
      [5, true],
      [1, false],
      [1, 'Not now'],
    ]);
  };

  #run(name, { n }, context) {
    const behavior = this.#choices.weighted(behaviors);
    this.#world.note(`${name} ${n} ${behavior}`);
    this.#world.counts.toolRuns++;
    if (this.finished.has(n)) this.#world.fail(`${name} ${n} has a result and runs again`);
    if (behavior === 'pauses') {
      this.pauses++;
      throw new this.#PausedCall();
    }
    this.runs.set(n, (this.runs.get(n) ?? 0) + 1);
    return this[behavior](n, context);
  }

  answers(n) {
    return { result: n };
  }

  async answersLater(n) {
    await this.#world.gate(`tool ${n}`);
    return { result: n };
  }

  throws(n) {
    throw new Error(`tool ${n} failed`);
  }

  async throwsLater(n) {
    await this.#world.gate(`tool ${n}`);
    throw new Error(`tool ${n} failed`);
  }

  hangs() {
    return never;
  }

  hangsUntilAbort(n, { signal }) {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  async answersAfterAbort(n, { signal }) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return { result: n };
  }

  answersTwice(n) {
    const then = (resolve, reject) => {
      resolve({ result: n });
      resolve({ result: 'twice' });
      reject(new Error('twice'));
    };
    return { then };
  }

  isNoJson(n) {
    const cyclic = { n };
    cyclic.self = cyclic;
    return this.#choices.pick([10n, cyclic, new Map([[n, n]]), undefined, Symbol('s')]);
  }

  isLong(n) {
    return `${n} `.repeat(400);
  }

  async callsTheConversation(n) {
    await this.reenter();
    return { result: n };
  }
}
