// Defines what the gateway's core offers.
import type { Strata } from './strata.js';

/** One instance of the gateway's core. */
export type GatewayCore = Pick<
  Strata,
  'version' | 'lint' | 'repair' | 'response' | 'modelLimits' | 'estimateTokens'
>;
