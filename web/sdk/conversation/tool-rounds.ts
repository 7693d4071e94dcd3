// Runs the agent loop: request an answer, run its functionCalls, and repeat until the model is done or a limit is
// reached.
import type { Answer } from '../types/response.js';
import type { ToolCall } from '../types/tool.js';
import { answerStep } from './answer-step.js';
import { textContent } from '../base/content.js';
import { loadedToolUse, loadToolUse, type ToolUse } from './load-tool-use.js';
import { CallLoopDetector, TextWatch } from './loop-detection.js';
import type { SendContext } from './send-request.js';

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

  /**
   * Runs the calls of an answer, or answers them with the reason why not. Returns whether the model gets another turn,
   * or `paused` if calls stay open.
   */
  async handleCalls(calls: ToolCall[]): Promise<boolean | 'paused'> {
    const { maxToolRounds = 16 } = this.#context.options;
    const toolUse = loadedToolUse() ?? (await loadToolUse());
    if (this.#rounds >= maxToolRounds) {
      const reason = `Not run: tools ran ${this.#rounds} times for this request, its limit.`;
      await toolUse.refuseCalls(calls, reason, this.#context);
      await this.#context.events.put([{ type: 'limit', rounds: this.#rounds }]);
      return false;
    }
    this.#rounds++;
    // Count every call, also those after one that completes a cycle.
    const repeated = calls.filter((call) => this.#loops?.add(call));
    if (repeated.length > 0) return this.#stopLoop(calls, toolUse);
    return (await toolUse.runCalls(calls, this.#context)) || 'paused';
  }

  /** Returns whether the conversation continues without a new user message; appends the text for it. */
  async shouldContinue(): Promise<boolean> {
    const { live, options, events } = this.#context;
    const { continue: continuation = false } = options;
    this.#answers++;
    if (continuation === false) return false;
    const { text = 'Please continue.', maxTurns = 100 } = continuation;
    if (this.#answers >= maxTurns) return false;
    const { nextSpeaker } = await import('./next-speaker.js');
    const next = await nextSpeaker(this.#context, continuation);
    if (next) await events.put([{ type: 'nextSpeaker', ...next }]);
    if (next?.speaker !== 'model') return false;
    await events.put(await live.commit(textContent(text)));
    return true;
  }

  // After the first loop the model gets another turn with the reason; the second one ends the send.
  async #stopLoop(
    calls: ToolCall[],
    { refuseCalls }: Pick<ToolUse, 'refuseCalls'>,
  ): Promise<boolean> {
    const count = ++this.#detections;
    const reason =
      'Not run: the same calls come again and again. Do something else, or say what is missing.';
    await refuseCalls(calls, reason, this.#context);
    await this.#context.events.put([{ type: 'loop', kind: 'calls', calls, count }]);
    return count === 1;
  }
}

/**
 * Requests answers until the model calls no more tools and `continue` does not resume it. Returns the last one, or
 * undefined if a tool paused its call.
 */
export async function runRounds(context: SendContext): Promise<Answer | undefined> {
  const budget = new Budget(context);
  const watch = new TextWatch(context.options.loopDetection);
  for (;;) {
    const answer = await answerStep(context, watch);
    const { calls } = answer;
    const next = calls.length > 0 ? budget.handleCalls(calls) : budget.shouldContinue();
    const continues = await next;
    if (continues === 'paused') return undefined;
    if (!continues) return answer;
  }
}
