// Defines what the page of a rule shows.
import type { Backend } from '../../../index.js';

/** An input that yields the rule, and the same input fixed. */
export interface RuleExample {
  /** Whether the view Lint shows the finding. Otherwise the texts may be shortened. */
  isLive: boolean;
  /** What the input is: `A generateContent body`. */
  kind: string;
  /** The function that reads it. */
  reads: string;
  model: string;
  backend: Backend;
  /** The model of the fixed input, if it is another one. */
  fixedModel?: string;
  failing: string;
  fixed: string;
}

export interface Rule {
  code: string;
  scope: string;
  /** What a finding says. `{arg1}` and others stand for its details. */
  message: string;
  why: string;
  /** Google's error messages, with placeholders. */
  google: string[];
  fix?: string;
  example: RuleExample | { without: string };
}
