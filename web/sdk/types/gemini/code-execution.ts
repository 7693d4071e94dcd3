// Defines the Parts of the tool codeExecution.
import type { OpenEnum } from './open-enum.js';

/**
 * Code that the model wrote and the API ran. Send it back unchanged.
 *
 * @see https://ai.google.dev/api/caching#ExecutableCode
 */
export interface ExecutableCode {
  id?: string;
  language?: OpenEnum<'LANGUAGE_UNSPECIFIED' | 'PYTHON'>;
  code?: string;
}

/**
 * The result of an `ExecutableCode`. Send it back unchanged.
 *
 * @see https://ai.google.dev/api/caching#CodeExecutionResult
 */
export interface CodeExecutionResult {
  /** The `id` of the ExecutableCode. */
  id?: string;
  outcome?: OpenEnum<
    'OUTCOME_UNSPECIFIED' | 'OUTCOME_OK' | 'OUTCOME_FAILED' | 'OUTCOME_DEADLINE_EXCEEDED'
  >;
  /** What the code printed, or why it failed. */
  output?: string;
}
