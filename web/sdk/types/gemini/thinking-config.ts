// Defines how much a model thinks.
import type { ThinkingLevel } from '../model.js';
import type { OpenEnum } from './open-enum.js';

/**
 * How much a model thinks. Set `thinkingLevel` or `thinkingBudget`, whichever the model takes: docs/models.md.
 *
 * @see https://ai.google.dev/api/generate-content#ThinkingConfig
 */
export interface ThinkingConfig {
  /** Whether the answer has summaries of the thoughts, as Parts with `thought: true`. */
  includeThoughts?: boolean;
  /** The maximum number of tokens of thoughts. 0: none; -1: the model decides. Gemini 2.5. */
  thinkingBudget?: number;
  /** Gemini 3 and newer. */
  thinkingLevel?: OpenEnum<ThinkingLevel>;
}
