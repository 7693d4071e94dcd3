// Defines what the gateway's core offers.
import type { OpenAiDialect } from './openai.js';
import type { Strata } from './strata.js';

/**
 * A part of a model's Content that has or could have a signature: any part except thoughts.
 *
 * Keys are 22 characters of base64url. They depend on what was said, not on how it is written: JSON is compared as
 * values, and signatures, ids, thoughts and empty texts do not count. Texts that follow each other are one text.
 */
export interface SignatureSite {
  /** The index in `contents`. */
  content: number;
  /** The index in `parts`. */
  part: number;
  /** The part is an empty text. Its `key` is the one of the part that it follows, because clients drop empty texts. */
  after?: true;
  /** Names what is said here and all that was said before it. */
  key: string;
  /** Names a functionCall and its id, whatever was said before it. */
  callKey?: string;
  /** The signature that the part carries. */
  signature?: string;
  /** With a signature: names what is said here. Of a text, that is all from its beginning through this part. */
  partKey?: string;
  /** With a signature: names it. */
  signatureKey?: string;
}

/** The places of a request's signatures. */
export interface SignatureSites {
  sites: SignatureSite[];
  /** Names all that the request says. The parts of its answer follow it. */
  chain: string;
}

/** A signature of an answer, and the keys of its place, as in `SignatureSite`. */
export interface AnswerSignature {
  key: string;
  callKey?: string;
  partKey: string;
  signature: string;
  signatureKey: string;
  /** Whether an empty text carries it, behind the part that `key` names. */
  after: boolean;
}

/** A signature to set or, without `signature`, to remove. */
export interface SignatureEdit {
  content: number;
  part: number;
  /** For an empty text behind the part. It is inserted if there is none. With `part` -1, in front of the first part. */
  after?: boolean;
  signature?: string;
}

/** One instance of the gateway's core. */
export interface GatewayCore
  extends
    OpenAiDialect,
    Pick<Strata, 'version' | 'lint' | 'repair' | 'response' | 'modelLimits' | 'estimateTokens'> {
  /**
   * Finds the places of a request's signatures.
   *
   * @param scopeSecret of all keys that depend on caller, service and model family
   * @param callerSecret of the keys that depend on the caller only: `partKey`, `signatureKey`
   * @throws HistoryError for a body that is not JSON, StrataError `field.invalid` for an empty secret
   */
  sites(body: Uint8Array, scopeSecret: Uint8Array, callerSecret: Uint8Array): SignatureSites;
  /**
   * Returns the signatures of an answer's Content. `chain` is that of its request.
   *
   * @throws HistoryError for a Content that is not JSON, StrataError `field.invalid` for an empty secret or another chain
   */
  answerSignatures(
    content: Uint8Array,
    chain: string,
    scopeSecret: Uint8Array,
    callerSecret: Uint8Array,
  ): AnswerSignature[];
  /**
   * Sets and removes signatures. All other bytes stay as they are.
   *
   * @throws HistoryError for a body that is not JSON, StrataError `field.invalid` for a place that the body lacks or
   *   that is named twice
   */
  editSignatures(body: Uint8Array, edits: readonly SignatureEdit[]): Uint8Array;
}
