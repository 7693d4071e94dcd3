// Kills workerd at random moments of conversations with tools, and checks after each kill that nothing was lost or
// done twice.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { persist, ThreadClient } from '../../support/thread-client.mjs';
import {
  answerText,
  callerTools,
  callsOf,
  createOutbound,
  questionText,
  RunCounter,
} from './model.mjs';
import { PersistentSend } from './persistent-send.mjs';
import { callerKey, startWorkerd, storageFolder } from './workerd.mjs';

/** The module with the deployment of the trial. */
export const deployment = 'tests/verify/threads/logged-tools.mjs';

const both = [
  ['log', 'look_up'],
  ['look_up', 'log'],
];

/** The tools that the steps of a question call, and the deployment's configuration, by the name of the scenario. */
export const scenarios = {
  'tools of the deployment': { rounds: [['log', 'log'], ['log']] },
  'tools of the caller': { rounds: [['look_up'], ['look_up', 'look_up']] },
  'both in one step': { rounds: both },
  'no tools': { rounds: [] },
  'both, Interactions API': { rounds: both, configuration: 'interactions' },
  'both, its history at Google': { rounds: both, configuration: 'stateful' },
};

// A thread has as many questions before another one begins.
const questionsInThread = 10;

/** The Worker, which `restart` kills and starts again with the same storage. */
class RestartedWorker {
  #settings;
  #client;
  #running;

  constructor(settings, client) {
    this.#settings = settings;
    this.#client = client;
    this.connected = () => this.#running;
    this.#running = this.#start();
  }

  async #start() {
    const worker = await startWorkerd(this.#settings);
    this.#client.origin = worker.origin;
    return worker;
  }

  async restart() {
    const { kill } = await this.#running;
    this.#running = kill().then(() => this.#start());
    await this.#running;
  }

  async stop() {
    await (await this.#running).stop();
  }
}

// Far beyond any question: who waits as long waits for ever.
const hangingMs = 120_000;

/** Settles as `work` does, or rejects if the send hangs. */
async function endsInTime(work, send) {
  let timer;
  const timeout = new Promise((_, reject) => {
    const fail = () => reject(new Error(`the send hangs: ${send.phase}`));
    timer = setTimeout(fail, hangingMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** One thread, its questions, and what was received of them. */
class Conversation {
  #client;
  #connected;
  #counter;
  #random;
  #configuration;
  #id;
  #names = [];
  #lines = [];

  constructor({ client, connected, counter, random, configuration }) {
    this.#client = client;
    this.#connected = connected;
    this.#counter = counter;
    this.#random = random;
    this.#configuration = configuration;
  }

  get length() {
    return this.#names.length;
  }

  async open() {
    await this.#connected();
    this.#id = await this.#client.create({
      tools: callerTools,
      configuration: this.#configuration,
    });
  }

  /** Begins to ask a question. `done` resolves when its answer is there and has been checked. */
  ask(name, rounds) {
    const send = new PersistentSend({
      ...{ client: this.#client, id: this.#id, random: this.#random },
      ...{ message: questionText(name, rounds), key: `key-of-${name}` },
      runTool: ({ marker }) => this.#counter.run(marker),
    });
    this.#names.push(name);
    const done = send.run(this.#connected).then(() => this.#check(send, name, rounds));
    return { send, done: endsInTime(done, send) };
  }

  async #check(send, name, rounds) {
    assert.equal(send.text, answerText(name), `the text of ${name} in its events`);
    const lines = await persist(this.#connected, () => this.#client.turns(this.#id));
    assert.deepEqual(lines.slice(0, this.#lines.length), this.#lines, 'turns before this question');
    this.#lines = lines;
    const turns = lines.map((line) => JSON.parse(line)).filter(({ content }) => content);
    this.#checkQuestions(turns);
    for (const [index, content] of send.turns)
      assert.deepEqual(
        JSON.parse(lines[index]).content,
        JSON.parse(content),
        `turn ${index}, which was received`,
      );
    this.#checkResults(turns, send, name, rounds);
  }

  #checkQuestions(turns) {
    const texts = turns
      .filter(({ content }) => content.role === 'user' && content.parts[0].text !== undefined)
      .map(({ content }) => /^Question (\w+):/.exec(content.parts[0].text)[1]);
    assert.deepEqual(texts, this.#names, 'the questions in the thread');
    const last = turns.at(-1).content.parts.map(({ text = '' }) => text);
    assert.equal(last.join(''), answerText(this.#names.at(-1)), 'the answer in the thread');
  }

  #checkResults(turns, send, name, rounds) {
    const outputs = turns
      .flatMap(({ content }) => content.parts)
      .flatMap(({ functionResponse }) => functionResponse?.response.output ?? [])
      .filter(({ marker }) => marker.startsWith(`${name}.`));
    const expected = callsOf(name, rounds).map(({ marker }) => ({
      marker,
      // A stored result is the last: a later run would have a higher number.
      run: this.#counter.runs.get(marker),
    }));
    assert.deepEqual(outputs, expected, `the results of ${name}`);
    const received = [...send.results.values()].map((response) => response.output);
    assert.deepEqual(sorted(received), sorted(expected), `the results in the events of ${name}`);
  }
}

const sorted = (results) => results.map((result) => JSON.stringify(result)).sort();

/**
 * Kills workerd `kills` times during questions of a scenario. Returns what it was doing at each kill, how many sends
 * went on, and how many runs of tools had no stored result and were repeated.
 * @param {object} options
 * @param {typeof import('prompt-strata/testing').createEmulator} options.createEmulator
 * @param {{ rounds: string[][], configuration?: string }} options.scenario one of `scenarios`
 * @param {number} options.kills
 * @param {() => number} options.random
 */
export async function runKills({ createEmulator, scenario, kills, random }) {
  const { rounds, configuration } = scenario;
  const counter = new RunCounter();
  const { outbound, refused } = createOutbound(createEmulator, counter, random);
  const { folder, remove } = storageFolder();
  const client = new ThreadClient('', callerKey);
  const worker = new RestartedWorker({ deployment, folder, outbound }, client);
  const context = { client, connected: worker.connected, counter, random, configuration };
  const trial = new Trial({ worker, context, rounds, random });
  try {
    await trial.run(kills);
    assert.deepEqual(refused, [], 'requests that the model refused');
    return { ...trial.counts, ...countRuns(counter) };
  } finally {
    await worker.stop();
    remove();
  }
}

function countRuns({ runs }) {
  const counts = [...runs.values()];
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { runs: total, repeated: total - counts.length };
}

/** Questions with and without kills. */
class Trial {
  counts = { phases: {}, questions: 0, resumed: 0 };
  #worker;
  #context;
  #rounds;
  #random;
  #conversation;

  constructor({ worker, context, rounds, random }) {
    this.#worker = worker;
    this.#context = context;
    this.#rounds = rounds;
    this.#random = random;
  }

  async run(kills) {
    // The first question finds out how long one takes.
    await this.#ask();
    const start = performance.now();
    await this.#ask();
    const typicalMs = performance.now() - start;
    for (let i = 0; i < kills; i++) await this.#askAndKill(typicalMs * this.#random());
    await this.#ask();
  }

  async #begin() {
    if (!this.#conversation || this.#conversation.length >= questionsInThread) {
      this.#conversation = new Conversation(this.#context);
      await this.#conversation.open();
    }
    return this.#conversation.ask(`q${++this.counts.questions}`, this.#rounds);
  }

  async #ask() {
    await (
      await this.#begin()
    ).done;
  }

  async #askAndKill(afterMs) {
    const { send, done } = await this.#begin();
    const killed = sleep(afterMs).then(() => {
      const { phases } = this.counts;
      phases[send.phase] = (phases[send.phase] ?? 0) + 1;
      return this.#worker.restart();
    });
    // Both have ended before an error of one is thrown.
    await Promise.allSettled([done, killed]);
    await Promise.all([done, killed]);
    this.counts.resumed += send.resumed;
  }
}
