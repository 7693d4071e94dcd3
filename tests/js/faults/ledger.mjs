// What a conversation must hold: every turn that was acknowledged, once, with its bytes, and nothing of unknown origin.
import { mergedParts } from './model.mjs';

const text = (utf8) => new TextDecoder().decode(utf8);

/** The bytes of all turns of a thread, as texts. */
export const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, index) => text(thread.content(index)));

/** What a call may have as its response if its tool gave none. */
const documentedErrors = [
  /^Stopped before it finished\.$/,
  /^\w+ took longer than \d+ ms\.$/,
  /^Not run: /,
  /^There is no tool named nowhere\.$/,
  /^The process ended while this call ran; nobody knows/,
  /^The user declined this call\.$/,
  /^Not now$/,
  /^The user did not answer\.$/,
  /^tool \d+ failed$/,
  /JSON|BigInt|circular|cyclic|Symbol|Map/,
  /^Another send is still running\./,
];

const notes = [/^Please continue\.$/, /^The answer does not match the schema\. /];
const summaries = [/<state_snapshot>|^What happened so far/, /^I have read the summary/];

export class Ledger {
  /** The turns that the thread has, as far as it was looked at. */
  turns = [];
  /** The messages that were sent, by their JSON. */
  messages = new Map();
  /** The results that were reported, by the number of their call. */
  results = new Map();
  #world;
  #model;
  #core;
  #options;
  /** The bytes of each turn that was ever seen, by its origin. */
  #bytes = new Map();

  /** `checker` judges the requests; `rewrites`: the history may be shortened. */
  constructor(world, model, core, options) {
    [this.#world, this.#model, this.#core, this.#options] = [world, model, core, options];
  }

  fail(message, cause) {
    this.#world.fail(message, cause);
  }

  /** Takes the first turns as the known ones. The tools may run again for the others. */
  rewind(length) {
    for (const [origin, bytes] of this.#bytes) {
      if (this.turns.indexOf(bytes) >= length) this.#bytes.delete(origin);
    }
    this.turns = this.turns.slice(0, length);
    this.results.clear();
  }

  /** Checks a thread at any time: known turns, in order, with their bytes. */
  look(thread) {
    const turns = turnsOf(thread);
    this.#checkPrefix(turns);
    this.#checkOrigins(turns);
    return turns;
  }

  /** Checks a thread when nothing runs, and takes its turns as the known ones. */
  rest(thread) {
    const turns = this.look(thread);
    this.turns = turns;
    this.#checkSequence(turns, thread);
    this.#checkSaved(turns, thread);
    return turns;
  }

  #checkPrefix(turns) {
    if (this.#options.rewrites) return;
    const lost = this.turns.findIndex((turn, index) => turns[index] !== turn);
    if (lost >= 0) {
      this.fail(`turn ${lost} was ${this.turns[lost]} and is ${turns[lost]}`);
    }
  }

  #checkOrigins(turns) {
    const seen = new Set();
    let calls = [];
    for (const [index, turn] of turns.entries()) {
      const content = JSON.parse(turn);
      const origin = this.#originOf(content, calls, turns[index - 1]);
      if (origin === undefined)
        this.fail(`turn ${index} has no origin: ${turn}`, this.#model.usable);
      else if (origin !== 'note') this.#checkOnce(origin, turn, seen);
      calls = content.parts.filter(({ functionCall }) => functionCall);
    }
  }

  #checkOnce(origin, turn, seen) {
    if (seen.has(origin)) this.fail(`doubled: ${turn}`);
    seen.add(origin);
    const known = this.#bytes.get(origin) ?? turn;
    if (known !== turn && !this.#options.rewrites) {
      this.fail(`the bytes of ${origin} were ${known} and are ${turn}`);
    }
    this.#bytes.set(origin, known);
  }

  #originOf({ role, parts }, calls, before) {
    this.#checkSignatures(parts);
    if (role === 'model') return this.#answerOf(parts);
    const [first] = parts;
    if (first.functionResponse) return this.#resultsOf(parts, calls, before);
    const key = JSON.stringify(parts);
    if (this.messages.has(key)) return `message ${key}`;
    const isNote = [...notes, ...summaries].some((pattern) => pattern.test(first.text));
    return isNote ? 'note' : undefined;
  }

  #answerOf(parts) {
    const merged = JSON.stringify(mergedParts(parts));
    if (this.#model.usable.has(merged)) return `answer ${merged}`;
    return summaries.some((pattern) => pattern.test(parts[0]?.text)) ? 'note' : undefined;
  }

  #checkSignatures(parts) {
    for (const part of parts) {
      const { thoughtSignature } = part;
      if (thoughtSignature === undefined) continue;
      const issued = this.#model.signatures.get(thoughtSignature);
      if (issued !== JSON.stringify(part)) {
        this.fail(`a signature of ${issued} is on ${JSON.stringify(part)}`);
      }
    }
  }

  // Each call has one response, in order, with its name and its id.
  #resultsOf(parts, calls, before) {
    const responses = parts.map(({ functionResponse }) => functionResponse);
    const matches =
      responses.length === calls.length &&
      calls.every(({ functionCall: { name, id } }, i) => {
        return responses[i]?.name === name && responses[i].id === id;
      });
    if (!matches) return undefined;
    for (const [i, { functionCall }] of calls.entries()) {
      this.#checkResult(functionCall, responses[i].response);
    }
    return `results of ${before}`;
  }

  #checkResult({ name, args: { n } }, response) {
    const reported = this.results.get(n);
    const isEdited = this.#options.rewrites;
    if (reported && !isEdited && JSON.stringify(reported) !== JSON.stringify(response)) {
      this.fail(`${name} ${n} gave ${JSON.stringify(reported)}, sent ${JSON.stringify(response)}`);
    }
    const { output, error } = response;
    const isOwn =
      output?.result === n || output === null || String(output).startsWith(`${n} `) || isEdited;
    const isDocumented = documentedErrors.some((pattern) => pattern.test(error));
    if (!isOwn && !isDocumented) this.fail(`${name} ${n} has ${JSON.stringify(response)}`);
  }

  // The API takes the history: with a further question, unless calls are open.
  #checkSequence(turns, thread) {
    if (turns.length === 0 || thread.tail.openCalls.length > 0) return;
    const question = '{"role":"user","parts":[{"text":"And?"}]}';
    const contents = JSON.parse(turns.at(-1)).role === 'model' ? [...turns, question] : turns;
    const body = `{"contents":[${contents.join()}]}`;
    const { checker, model } = this.#options;
    const { ok, diagnostics } = checker.lint(body, { model });
    if (!ok) this.fail(`the history is invalid: ${JSON.stringify(diagnostics)} in ${body}`);
  }

  #checkSaved(turns, thread) {
    const lines = text(thread.save());
    this.checkLines(lines, turns, 'save');
  }

  /** Checks that saved lines are these turns. */
  checkLines(lines, turns, what) {
    const loaded = this.#load(lines);
    try {
      const found = turnsOf(loaded);
      if (JSON.stringify(found) !== JSON.stringify(turns)) {
        this.fail(`${what} has ${found.length} turns of ${turns.length}: ${lines}`);
      }
    } finally {
      loaded[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
    }
  }

  #load(from) {
    const { model } = this.#options;
    return this.#core.thread({ model, sequencing: 'api', ...(from !== '' && { from }) });
  }
}
