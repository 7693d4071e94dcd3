// Defines the sources of an answer that searched.

/**
 * The sources of an answer that used a search tool.
 *
 * @see https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export interface GroundingMetadata {
  groundingChunks?: GroundingChunk[];
  groundingSupports?: GroundingSupport[];
  webSearchQueries?: string[];
  imageSearchQueries?: string[];
  /** HTML that must be shown with an answer of `googleSearch`. */
  searchEntryPoint?: { renderedContent?: string; sdkBlob?: string };
  /** A token for a map widget, with `enableWidget`. */
  googleMapsWidgetContextToken?: string;
  retrievalMetadata?: { googleSearchDynamicRetrievalScore?: number };
}

/**
 * One source. One member is set.
 *
 * @see https://ai.google.dev/api/generate-content#GroundingChunk
 */
export interface GroundingChunk {
  web?: { uri?: string; title?: string; domain?: string };
  image?: { sourceUri?: string; imageUri?: string; title?: string; domain?: string };
  retrievedContext?: {
    uri?: string;
    title?: string;
    text?: string;
    fileSearchStore?: string;
    pageNumber?: number;
  };
  maps?: { uri?: string; title?: string; text?: string; placeId?: string };
}

/**
 * Which sources support a piece of the answer.
 *
 * @see https://ai.google.dev/api/generate-content#GroundingSupport
 */
export interface GroundingSupport {
  /** Indexes in `groundingChunks`. */
  groundingChunkIndices?: number[];
  confidenceScores?: number[];
  /** The piece: byte offsets within a Part. */
  segment?: { partIndex?: number; startIndex?: number; endIndex?: number; text?: string };
}
