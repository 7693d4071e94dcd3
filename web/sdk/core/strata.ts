// Implements `LiteStrata`, the base of `Strata`.
import { BaseStrata } from './base-strata.js';
import { OpenThread } from './thread.js';
import type { LiteStrata, LiteThreadOptions } from '../types/lite.js';

/** Implements `LiteStrata`. */
export class OpenStrata extends BaseStrata implements LiteStrata {
  thread(options: LiteThreadOptions): OpenThread {
    return OpenThread.open(this.instance, options);
  }
}
