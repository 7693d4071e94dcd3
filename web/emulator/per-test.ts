// Gives each test of a program an emulator of its own, with answers and faults that the test writes.
import * as must from '../sdk/internal/options.js';
import type { Part } from '../sdk/types/gemini/contents.js';
import type { Fetch, FetchHandler } from '../sdk/types/platform.js';
import { matchRoute } from '../server/match-route.js';
import { checkEmulatorOptions, checkFault } from './check-options.js';
import { createEmulator } from './emulator.js';
import { groupOf } from './faults.js';
import { sign } from './signatures.js';
import { SeededRandom } from './wire.js';
import type {
  EmulatorOptions,
  Fault,
  FaultKind,
  RecordedRequest,
  ScriptedAnswer,
} from './types.js';

/** Registers what runs before or after each test, as `beforeEach` of a test runner does. */
export type TestHook = (run: () => void) => unknown;

/** What `emulatorPerTest` takes: besides these, the options of `createEmulator` that no test writes itself. */
export interface TestEmulatorOptions extends Omit<
  EmulatorOptions,
  'faults' | 'record' | 'respond'
> {
  /** The function of the test runner. Default: the global one, as in Jest, Mocha, and Vitest with `globals`. */
  beforeEach?: TestHook;
  /** As `beforeEach`. */
  afterEach?: TestHook;
  /** Whether a test may pass although the rules refused one of its requests. Default: false. */
  allowRefusals?: boolean;
}

/**
 * A `fetch` that answers like the Gemini API and starts anew with each test. What it has belongs to the test that runs.
 *
 * @example
 * const gemini = emulatorPerTest();
 * test('retries', async () => {
 *   gemini.fail('http503');
 *   gemini.answer('It is sunny.');
 *   // … your program, with `fetch: gemini`
 *   expect(gemini.requests).toHaveLength(2);
 * });
 */
export type TestEmulator = Fetch &
  FetchHandler & {
    /**
     * Says what the next generation request gets for which the test wrote nothing yet: a text, a Part, or all of an
     * answer. A functionCall without a signature gets one, unless it stands in all of an answer. Requests without one get an answer that the emulator composes.
     */
    answer: (answer: string | Part | ScriptedAnswer) => void;
    /** Lets the next generation request fail for which the test wrote nothing yet. `on` and `at` name other requests. */
    fail: (fault: FaultKind | Fault) => void;
    /** What this test asked for, in the order of the answers. */
    readonly requests: readonly RecordedRequest[];
    /** The last of `requests`. Throws if there is none. */
    readonly lastRequest: RecordedRequest;
  };

/** Whether the emulator counts a request among those that ask for an answer. */
function isGeneration({ method, path }: RecordedRequest): boolean {
  const route = matchRoute(method, new URL(path, 'https://generativelanguage.googleapis.com'));
  return route !== undefined && groupOf(route) === 'generate';
}

/** What one test wrote, and what it asked for. */
class TestRun {
  readonly requests: RecordedRequest[] = [];
  readonly fetch: FetchHandler;
  readonly #answers = new Map<number, ScriptedAnswer>();
  readonly #faults: Fault[] = [];
  readonly #refusals: string[] = [];
  #written = 0;

  constructor(options: EmulatorOptions) {
    const emulator = createEmulator({
      ...options,
      faults: this.#faults,
      record: (request) => this.requests.push(request),
      respond: ({ index }) => this.#answers.get(index),
    });
    this.fetch = async (input, init) => {
      const response = await emulator(input, init);
      if (response.status === 400) this.#noteRefusal(await response.clone().text());
      return response;
    };
  }

  answer(answer: ScriptedAnswer): void {
    this.#answers.set(this.#nextIndex(), answer);
  }

  fail(fault: Fault): void {
    const isPlaced = fault.at !== undefined || (fault.on ?? 'generate') !== 'generate';
    this.#faults.push(isPlaced ? fault : { ...fault, at: this.#nextIndex() });
  }

  /** Throws if the test wrote more than it asked for, and for a request that the rules refused. */
  end(allowRefusals: boolean): void {
    const [refusal] = this.#refusals;
    if (refusal !== undefined && !allowRefusals)
      throw new Error(`The emulator refused a request of this test, as Gemini would: ${refusal}`);
    const asked = this.#asked();
    if (this.#written > asked)
      throw new Error(
        `This test wrote what its generation request ${asked + 1} gets, and sent ${asked}.`,
      );
  }

  #asked(): number {
    return this.requests.filter(isGeneration).length;
  }

  #nextIndex(): number {
    return (this.#written = Math.max(this.#written, this.#asked()) + 1);
  }

  /** Notes a refusal, unless it is an answer that the test wrote. */
  #noteRefusal(text: string): void {
    const isWritten = [...this.#answers.values()].some(
      (answer) => 'error' in answer && text.includes(JSON.stringify(answer.error.message)),
    );
    if (!isWritten) this.#refusals.push(text);
  }
}

function hookOf(name: 'beforeEach' | 'afterEach', given: TestHook | undefined): TestHook {
  const hook = given ?? (globalThis as { [key in typeof name]?: TestHook })[name];
  if (typeof hook === 'function') return hook;
  throw must.invalidOption(`/${name}`, 'the function of your test runner, where it is not global');
}

// A conversation asks again for an answer whose call has no signature. The fault `unsigned` tests that.
const signed = (part: Part): Part =>
  part.functionCall && part.thoughtSignature === undefined
    ? { ...part, thoughtSignature: sign(new SeededRandom(JSON.stringify(part))) }
    : part;

const answerOf = (answer: string | Part | ScriptedAnswer): ScriptedAnswer => {
  if (typeof answer === 'string') return { parts: [{ text: answer }] };
  const isWhole = 'parts' in answer || 'chunks' in answer || 'error' in answer;
  return isWhole ? answer : { parts: [signed(answer)] };
};

/**
 * Returns an emulator for the tests of one file, in Vitest, Jest, Mocha, `bun:test` or `node:test`. Before each test, its
 * caches, files, answers, faults and requests are new. A test fails if it wrote an answer or a fault that no request
 * got, and if the rules refused one of its requests, even if the program caught the error.
 *
 * Tests that run at the same time (`test.concurrent`) need one `createEmulator` each instead.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
 * @example
 * import { afterEach, beforeEach, test } from 'node:test';
 * const gemini = emulatorPerTest({ beforeEach, afterEach });
 */
export function emulatorPerTest(options: TestEmulatorOptions = {}): TestEmulator {
  const { beforeEach, afterEach, allowRefusals = false, ...others } = options;
  must.boolean(allowRefusals, '/allowRefusals');
  checkEmulatorOptions(others);
  let current: TestRun | undefined;
  const run = (): TestRun => {
    if (current) return current;
    throw new Error('The emulator of emulatorPerTest answers within a test only.');
  };
  const before = hookOf('beforeEach', beforeEach);
  const after = hookOf('afterEach', afterEach);
  before(() => void (current = new TestRun(others)));
  after(() => {
    const ended = current;
    current = undefined;
    ended?.end(allowRefusals);
  });
  const fetch: FetchHandler = async (input, init) => run().fetch(input, init);
  return Object.defineProperties(
    Object.assign(fetch, {
      answer: (answer: string | Part | ScriptedAnswer) => run().answer(answerOf(answer)),
      fail: (fault: FaultKind | Fault) => run().fail(checkFault(fault)),
    }),
    {
      requests: { get: () => run().requests },
      lastRequest: { get: () => lastOf(run().requests) },
    },
  ) as TestEmulator;
}

function lastOf(requests: readonly RecordedRequest[]): RecordedRequest {
  const last = requests.at(-1);
  if (last === undefined) throw new Error('This test has sent no request yet.');
  return last;
}
