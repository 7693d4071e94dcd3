// Adds a field that is newer than the package to an interface, as docs/typescript.md shows.
import type { GenerationConfig, UsageMetadata } from 'prompt-strata';

declare module 'prompt-strata' {
  interface GenerationConfig {
    fieldOfNextYear?: string;
  }
  interface UsageMetadata {
    countOfNextYear?: number;
  }
}

export const config: GenerationConfig = { temperature: 1, fieldOfNextYear: 'x' };
export const count = ({ countOfNextYear = 0 }: UsageMetadata): number => countOfNextYear;
// @ts-expect-error Still closed
export const typo: GenerationConfig = { fieldOfNextYaer: 'x' };
