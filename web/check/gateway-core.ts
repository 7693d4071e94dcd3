// Defines what the gateway asks of the module check besides the public methods. Not exported.
import type { Report } from '../sdk/types/diagnostic.js';
import type { RepairOptions } from './lint.js';
import type { OpenAiDialect } from './openai-types.js';
import type { Checker } from './checker.js';

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
  /** With a signature: names the empty text behind what `key` names. */
  afterKey?: string;
  /** With a signature: names what is said here. Of a text, that is all from its beginning through this part. */
  partKey?: string;
  /** With a signature: names it. */
  signatureKey?: string;
}

/** What is to be looked up for a request. */
export interface SignatureLookup {
  /**
   * The keys under which signatures are known for its places, if they are: `key` and `callKey` where a part has no
   * signature or a placeholder, `afterKey` and `signatureKey` where it has one. Some may be there twice.
   */
  keys: string[];
  /** Names all that the request says. The parts of its answer follow it. */
  chain: string;
}

/** A signature of an answer, and the keys of its place, as in `SignatureSite`. */
export interface AnswerSignature {
  key: string;
  callKey?: string;
  afterKey: string;
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

/** What signature keys are computed with. */
export interface SignatureSecrets {
  /** Of all keys that depend on caller, service and model family. */
  scope: Uint8Array;
  /** Of the keys that depend on the caller only: `partKey`, `signatureKey`. */
  caller: Uint8Array;
}

/** How a request is prepared. */
export interface PrepareOptions extends Omit<RepairOptions, 'positions'> {
  /** The signatures to set and remove before the request is validated. All other bytes stay as they are. */
  edits?: readonly SignatureEdit[];
  /** Whether errors are repaired. Default: they are only reported. */
  repair?: boolean;
}

/** A request that is ready to be sent. */
export interface Prepared extends Report {
  /** The changed body; undefined if nothing was changed. */
  body?: Uint8Array;
}

/**
 * One request. Its body is copied into the core with the first call, and parsed once; dispose the request when no
 * further call follows.
 */
export interface GatewayRequest extends Disposable {
  /**
   * Finds the places of signatures, at most the newest 5,000.
   *
   * @throws HistoryError for a body that is not JSON, StrataError `field.invalid` for an empty secret
   */
  lookup(secrets: SignatureSecrets): SignatureLookup;
  /** Returns the places that `lookup` has found. */
  sites(): SignatureSite[];
  /**
   * Returns the `chain` of `lookup`.
   *
   * @throws HistoryError for a body that is not JSON, StrataError `field.invalid` for an empty secret
   */
  chain(secrets: SignatureSecrets): string;
  /**
   * Edits signatures, validates what results, and repairs it.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an option, also for the edit of a place that the body lacks
   *   or that is named twice; `repair.too_much`
   */
  prepare(options: PrepareOptions): Prepared;
}

/** The module check, as the gateway uses it. */
export interface GatewayCore extends OpenAiDialect, Checker {
  /**
   * Opens a request. A body with more commas and opening brackets outside of strings than `maxValues` is not read: each
   * method then throws StrataError `size.too_many_values`.
   */
  request(body: Uint8Array, maxValues: number): GatewayRequest;
  /**
   * Returns the signatures of an answer's Content. `chain` is that of its request.
   *
   * @throws HistoryError for a Content that is not JSON, StrataError `field.invalid` for an empty secret or another chain
   */
  answerSignatures(
    content: Uint8Array,
    chain: string,
    secrets: SignatureSecrets,
  ): AnswerSignature[];
}
