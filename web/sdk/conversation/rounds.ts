// Why this file exists: the agent loop: ask, run what is called, ask again, until the model is done or a
// limit is met.
import type { ToolCall } from '../types/tool.js';
import { answerStep } from './answer-step.js';
import { callsIn, textContent } from '../base/content.js';
import type { KeptAnswer } from './keep-answer.js';
import { CallLoops, TextWatch } from './loop-detection.js';
import { nextSpeaker } from './next-speaker.js';
import type { SendContext } from './request.js';
import type { Events } from './event-queue.js';
import { refuseCalls, runCalls } from './tool-step.js';

/** What one send has spent. */
class Budget {
  readonly #context: SendContext;
  readonly #loops: CallLoops | undefined;
  #detections = 0;
  #rounds = 0;
  #answers = 0;

  constructor(context: SendContext) {
    const { loopDetection } = context.options;
    this.#context = context;
    this.#loops = loopDetection === false ? undefined : new CallLoops(loopDetection);
  }

  /** Takes the calls of an answer: runs them, or answers them with why not. False: the send is over. */
  async *spend(calls: ToolCall[]): Events<boolean> {
    const { maxToolRounds = 16 } = this.#context.options;
    if (this.#rounds >= maxToolRounds) {
      const reason = `Not run: tools ran ${this.#rounds} times for this request, its limit.`;
      yield* refuseCalls(calls, reason, this.#context);
      yield { type: 'limit', rounds: this.#rounds };
      return false;
    }
    this.#rounds++;
    // Each is counted, also behind one that completes a cycle.
    const repeated = calls.filter((call) => this.#loops?.add(call));
    if (repeated.length === 0) yield* runCalls(calls, this.#context);
    else return yield* this.#stopLoop(calls);
    return true;
  }

  /** Whether the conversation may go on by itself. */
  async *mayContinue(): Events<boolean> {
    const { continue: goOn = false } = this.#context.options;
    this.#answers++;
    if (goOn === false) return false;
    const { text = 'Please continue.', maxTurns = 100 } = goOn;
    if (this.#answers >= maxTurns) return false;
    const next = await nextSpeaker(this.#context, goOn);
    if (next) yield { type: 'nextSpeaker', ...next };
    if (next?.speaker !== 'model') return false;
    yield* this.#context.live.append(textContent(text));
    return true;
  }

  // The first time the model is told, and may find another way.
  async *#stopLoop(calls: ToolCall[]): Events<boolean> {
    const count = ++this.#detections;
    const reason =
      'Not run: the same calls come again and again. Do something else, or say what is missing.';
    yield* refuseCalls(calls, reason, this.#context);
    yield { type: 'loop', kind: 'calls', calls, count };
    return count === 1;
  }
}

/** Answers until no more tools are asked for and nobody wants the model to go on. */
export async function* runRounds(context: SendContext): Events {
  const budget = new Budget(context);
  const watch = new TextWatch(context.options.loopDetection);
  for (;;) {
    const answer: KeptAnswer = yield* answerStep(context, watch);
    const calls = callsIn(answer.readable);
    const goesOn = calls.length > 0 ? yield* budget.spend(calls) : yield* budget.mayContinue();
    if (goesOn) continue;
    const { finishReason, usage } = answer;
    yield { type: 'done', finishReason, usage };
    return;
  }
}
