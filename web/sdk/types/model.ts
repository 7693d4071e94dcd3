// The limits of a model.

/** What a model's row of the catalogue says. */
export interface ModelLimits {
  contextTokens: number;
  outputTokens: number;
  cacheMinimum: number;
  explicitCache: boolean;
  bufferTokens: number;
}
