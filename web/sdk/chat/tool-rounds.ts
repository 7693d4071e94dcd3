// Runs the agent loop: request an answer, run its functionCalls, and repeat until the model is done or a limit is
// reached.
import type { AnswerSummary } from '../types/core-response.js';
import type { ToolCall } from '../types/tool.js';
import { answerStep } from './answer-step.js';
import { textContent } from '../internal/content.js';
import type { CallRounds, RoundsEnd } from './call-rounds.js';
import { loadedToolUse, loadToolUse, type ToolUse } from './load-tool-use.js';
import { TextWatch } from '../../agent/loop-detection.js';
import type { SendContext } from './send-request.js';

/** Counts what one send uses and enforces its limits. */
class Budget {
  readonly #context: SendContext;
  #callRounds: CallRounds | undefined;
  #answers = 0;

  constructor(context: SendContext) {
    this.#context = context;
  }

  /** Runs or refuses the calls of an answer; see `CallRounds.handle`. */
  handleCalls(calls: ToolCall[]): Promise<RoundsEnd> {
    const toolUse = loadedToolUse();
    return toolUse
      ? this.#handle(calls, toolUse)
      : loadToolUse().then((loaded) => this.#handle(calls, loaded));
  }

  #handle(calls: ToolCall[], { CallRounds }: ToolUse): Promise<RoundsEnd> {
    this.#callRounds ??= new CallRounds(this.#context);
    return this.#callRounds.handle(calls);
  }

  /** Returns whether the conversation continues without a new user message; appends the text for it. */
  async shouldContinue(): Promise<boolean> {
    const { live, options, events } = this.#context;
    const { continue: continuation = false } = options;
    this.#answers++;
    if (continuation === false) return false;
    const { text = 'Please continue.', maxTurns = 100 } = continuation;
    if (this.#answers >= maxTurns) return false;
    const { nextSpeaker } = await import('../../agent/next-speaker.js');
    const next = await nextSpeaker(this.#context, continuation);
    if (next) await events.put([{ type: 'nextSpeaker', ...next }]);
    if (next?.speaker !== 'model') return false;
    await events.put(await live.commit(textContent(text)));
    return true;
  }
}

/**
 * Requests answers until the model calls no more tools and `continue` does not resume it. Returns the last one, with
 * the limit as its finishReason if one ended the rounds, or undefined if a tool paused its call.
 */
export async function runRounds(context: SendContext): Promise<AnswerSummary | undefined> {
  const budget = new Budget(context);
  const watch = new TextWatch(context.options.loopDetection);
  for (;;) {
    const answer = await answerStep(context, watch);
    const { calls } = answer;
    const next = calls.length > 0 ? budget.handleCalls(calls) : budget.shouldContinue();
    const end = await next;
    if (end === 'paused') return undefined;
    if (end === false) return answer;
    if (end !== true) return { ...answer, finishReason: end };
  }
}
