// Names and recognizes the documented placeholders of thought signatures.

/** The placeholder that repairs write. https://ai.google.dev/gemini-api/docs/thought-signatures */
export const placeholderSignature = 'skip_thought_signature_validator';

/** All placeholders, raw and in base64: clients send both. */
const placeholders = ['context_engineering_is_the_way_to_go', placeholderSignature].flatMap(
  (text) => [text, btoa(text)],
);

/** Returns whether a signature is a documented placeholder, which no model gave. */
export const isPlaceholder = (signature: string): boolean => placeholders.includes(signature);
