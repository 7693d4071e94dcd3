// Defines the limits of a model.

/** The limits of a model, from its row in the catalogue. Sizes are in tokens. */
export interface ModelLimits {
  contextTokens: number;
  outputTokens: number;
  /** The minimum size of a CachedContent. */
  cacheMinimum: number;
  /** Whether the model supports CachedContents. */
  explicitCache: boolean;
  /** The default of `AssembleInput.bufferTokens`. */
  bufferTokens: number;
}
