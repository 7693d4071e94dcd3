// Defines an interaction, the answer of the Interactions API, as far as the package reads it.
import type { Json } from '../json.js';
import type { Step } from './steps.js';

/** How far an interaction is, or how it ended. `requires_action`: function calls wait for their results. */
export type InteractionStatus =
  | 'queued'
  | 'in_progress'
  | 'completed'
  | 'requires_action'
  | 'incomplete'
  | 'failed'
  | 'cancelled'
  | 'budget_exceeded'
  | (string & {});

/** The settings of an agent, `agent_config`: https://ai.google.dev/api/interactions-api. */
export interface AgentConfig {
  /** Such as `deep-research`, `antigravity` or `dynamic`. */
  type?: string;
  [field: string]: Json | undefined;
}

/** An interaction: https://ai.google.dev/api/interactions-api. */
export interface Interaction {
  /** Missing or empty if it was not stored. */
  id?: string;
  status: InteractionStatus;
  model?: string;
  agent?: string;
  steps?: Step[];
  usage?: { [field: string]: Json };
  errors?: { code: string; message: string }[];
  [field: string]: unknown;
}
