// The entry prompt-strata/citations: what an answer cites, as places in its text with their sources.
export { citations } from './citations.js';
export type {
  Citation,
  CitationSource,
  CitedAnswer,
  Citations,
  UnplacedCitation,
} from './citations.js';
