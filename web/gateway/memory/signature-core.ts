// Defines what the signature memory needs from the core.

/** A part of the model in a request that has, or could have, a signature. */
export interface SignatureSite {
  content: number;
  part: number;
  after?: boolean;
  key: string;
  callKey?: string;
  partKey?: string;
  signature?: string;
  signatureKey?: string;
}
export interface SignatureSites {
  sites: SignatureSite[];
  chain: string;
}
export interface AnswerSignature {
  key: string;
  callKey?: string;
  partKey: string;
  signature: string;
  signatureKey: string;
  after: boolean;
}
export interface SignatureEdit {
  content: number;
  part: number;
  signature?: string;
  after?: boolean;
}
export interface SignatureCore {
  sites(body: Uint8Array, scopeSecret: Uint8Array, callerSecret: Uint8Array): SignatureSites;
  answerSignatures(
    content: Uint8Array,
    chain: string,
    scopeSecret: Uint8Array,
    callerSecret: Uint8Array,
  ): AnswerSignature[];
  editSignatures(body: Uint8Array, edits: readonly SignatureEdit[]): Uint8Array;
}
