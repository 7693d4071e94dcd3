// Runs the functionCalls of one answer after another, and refuses them at the limit or in a loop.
import type { LimitReason } from '../types/conversation-event.js';
import type { ToolCall } from '../types/tool.js';
import { CallLoopDetector } from '../../agent/call-loops.js';
import type { SendContext } from './send-request.js';
import { refuseCalls, runCalls } from './tool-step.js';

type Call = Pick<ToolCall, 'name' | 'args'>;

/** Returns the calls of the rounds that a longer send had before the last turn. */
function earlierRounds({ live: { thread }, firstTurn }: SendContext): Call[][] {
  if (firstTurn === undefined) return [];
  const { turns } = thread.timeline({ from: firstTurn });
  return turns.slice(0, -1).flatMap(({ calls }) => (calls.length > 0 ? [calls] : []));
}

/**
 * Whether the model gets another turn. `paused`: calls stay open. A finishReason: the send ends there, and the calls
 * were answered with an error.
 */
export type RoundsEnd = boolean | 'paused' | LimitReason;

/** The tool rounds of one send. */
export class CallRounds {
  readonly #context: SendContext;
  readonly #loops: CallLoopDetector | undefined;
  #detections = 0;
  #rounds = 0;

  constructor(context: SendContext) {
    const { loopDetection } = context.options;
    this.#context = context;
    this.#loops = loopDetection === false ? undefined : new CallLoopDetector(loopDetection);
    for (const calls of earlierRounds(context)) if (this.#count(calls)) this.#detections++;
  }

  /**
   * Runs the calls of an answer, or answers them with the reason why not.
   */
  async handle(calls: ToolCall[]): Promise<RoundsEnd> {
    const { maxToolRounds = 16 } = this.#context.options;
    if (this.#rounds >= maxToolRounds) {
      const reason = `Not run: tools ran ${this.#rounds} times for this request, its limit.`;
      await refuseCalls(calls, reason, this.#context);
      await this.#context.events.put([{ type: 'limit', rounds: this.#rounds }]);
      return 'MAX_TOOL_ROUNDS';
    }
    if (this.#count(calls)) return this.#stopLoop(calls);
    return (await runCalls(calls, this.#context)) || 'paused';
  }

  // Counts every call, also those after one that completes a cycle. Returns whether one does.
  #count(calls: readonly Call[]): boolean {
    this.#rounds++;
    return calls.filter((call) => this.#loops?.add(call)).length > 0;
  }

  // After the first loop the model gets another turn with the reason; the second one ends the send.
  async #stopLoop(calls: ToolCall[]): Promise<RoundsEnd> {
    const count = ++this.#detections;
    const reason =
      'Not run: the same calls come again and again. Do something else, or say what is missing.';
    await refuseCalls(calls, reason, this.#context);
    await this.#context.events.put([{ type: 'loop', kind: 'calls', calls, count }]);
    return count === 1 || 'TOOL_CALL_LOOP';
  }
}
