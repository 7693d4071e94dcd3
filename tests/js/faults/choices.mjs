// Records the choices of a run, so that it can be repeated with fewer of them. A choice that is missing is 0, which
// selects the first row of `weighted`: put the harmless one there.
import { Random } from '../../fuzz/random.mjs';

const range = 4096;

/** Seeded choices, or those of an earlier run. */
export class Choices extends Random {
  /** The choices made so far, each below 4,096. */
  made = [];
  given;

  /** @param {string | readonly number[]} from a seed, or the choices to repeat */
  constructor(from) {
    super(typeof from === 'string' ? from : '');
    if (typeof from !== 'string') this.given = from;
  }

  // The constructor of Random draws numbers before this class has its fields.
  next() {
    const { given, made } = this;
    const choice = given ? (given[made.length] ?? 0) : Math.floor(super.next() * range);
    made?.push(choice);
    return choice / range;
  }

  /** Returns whether an unlikely thing happens. */
  unlikely(probability) {
    return this.next() >= 1 - probability;
  }
}
