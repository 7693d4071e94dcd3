// Defines the service tiers.
import type { OpenEnum } from './open-enum.js';

/**
 * How a request is served and priced.
 *
 * @see https://ai.google.dev/gemini-api/docs/pricing
 */
export type ServiceTier = OpenEnum<'unspecified' | 'flex' | 'standard' | 'priority'>;
