// Runs the agent loop: request an answer, run its functionCalls, and repeat until the model is done or a limit is
// reached.
import type { ToolCall } from '../types/tool.js';
import { answerStep } from './answer-step.js';
import { functionCallsIn, textContent } from '../base/content.js';
import type { AcceptedAnswer } from './accept-answer.js';
import { CallLoopDetector, TextWatch } from './loop-detection.js';
import { nextSpeaker } from './next-speaker.js';
import type { SendContext } from './send-request.js';
import type { Events } from './event-queue.js';
import { refuseCalls, runCalls } from './tool-step.js';

/** Counts what one send uses and enforces its limits. */
class Budget {
  readonly #context: SendContext;
  readonly #loops: CallLoopDetector | undefined;
  #detections = 0;
  #rounds = 0;
  #answers = 0;

  constructor(context: SendContext) {
    const { loopDetection } = context.options;
    this.#context = context;
    this.#loops = loopDetection === false ? undefined : new CallLoopDetector(loopDetection);
  }

  /** Runs the calls of an answer, or answers them with the reason why not. Returns false if the send is over. */
  async *handleCalls(calls: ToolCall[]): Events<boolean> {
    const { maxToolRounds = 16 } = this.#context.options;
    if (this.#rounds >= maxToolRounds) {
      const reason = `Not run: tools ran ${this.#rounds} times for this request, its limit.`;
      yield* refuseCalls(calls, reason, this.#context);
      yield { type: 'limit', rounds: this.#rounds };
      return false;
    }
    this.#rounds++;
    // Count every call, also those after one that completes a cycle.
    const repeated = calls.filter((call) => this.#loops?.add(call));
    if (repeated.length === 0) yield* runCalls(calls, this.#context);
    else return yield* this.#stopLoop(calls);
    return true;
  }

  /** Returns whether the conversation continues without a new user message; appends the text for it. */
  async *shouldContinue(): Events<boolean> {
    const { continue: continuation = false } = this.#context.options;
    this.#answers++;
    if (continuation === false) return false;
    const { text = 'Please continue.', maxTurns = 100 } = continuation;
    if (this.#answers >= maxTurns) return false;
    const next = await nextSpeaker(this.#context, continuation);
    if (next) yield { type: 'nextSpeaker', ...next };
    if (next?.speaker !== 'model') return false;
    yield* this.#context.live.append(textContent(text));
    return true;
  }

  // After the first loop the model gets another turn with the reason; the second one ends the send.
  async *#stopLoop(calls: ToolCall[]): Events<boolean> {
    const count = ++this.#detections;
    const reason =
      'Not run: the same calls come again and again. Do something else, or say what is missing.';
    yield* refuseCalls(calls, reason, this.#context);
    yield { type: 'loop', kind: 'calls', calls, count };
    return count === 1;
  }
}

/** Requests answers until the model calls no more tools and `continue` does not resume it. */
export async function* runRounds(context: SendContext): Events {
  const budget = new Budget(context);
  const watch = new TextWatch(context.options.loopDetection);
  for (;;) {
    const answer: AcceptedAnswer = yield* answerStep(context, watch);
    const calls = functionCallsIn(answer.readable);
    const continues =
      calls.length > 0 ? yield* budget.handleCalls(calls) : yield* budget.shouldContinue();
    if (continues) continue;
    const { finishReason, usage } = answer;
    yield { type: 'done', finishReason, usage };
    return;
  }
}
