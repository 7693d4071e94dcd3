// Detects repeated calls by counting, as loop-detection.ts does with repeated text.
import type { ToolCall } from '../sdk/types/tool.js';
import type { LoopDetectionOptions } from './loop-detection.js';

/** Detects cycles of calls. Arguments are equal if their JSON is, including the order of keys. */
export class CallLoopDetector {
  readonly #times: number;
  readonly #maxCycle: number;
  #calls: string[] = [];

  constructor({ calls = 5, cycle = 5 }: LoopDetectionOptions = {}) {
    this.#times = calls;
    this.#maxCycle = cycle;
  }

  /** Counts a call. Returns true, and resets the count, if it completes the last allowed cycle. */
  add({ name, args }: Pick<ToolCall, 'name' | 'args'>): boolean {
    const historyLength = this.#times * this.#maxCycle;
    this.#calls = [...this.#calls, `${name} ${JSON.stringify(args)}`].slice(-historyLength);
    for (let length = 1; length <= this.#maxCycle; length++) {
      if (!this.#endsInCycle(length)) continue;
      this.#calls = [];
      return true;
    }
    return false;
  }

  #endsInCycle(length: number): boolean {
    const tail = this.#calls.slice(-length * this.#times);
    if (tail.length < length * this.#times) return false;
    return tail.every((call, index) => call === tail[index % length]);
  }
}
