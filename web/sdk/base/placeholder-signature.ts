// Recognizes the documented placeholders of thought signatures.

/**
 * The placeholders, raw and in base64: clients send both.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const placeholders = [
  'context_engineering_is_the_way_to_go',
  'skip_thought_signature_validator',
].flatMap((text) => [text, btoa(text)]);

/** Returns whether a signature is a documented placeholder, which no model gave. */
export const isPlaceholder = (signature: string): boolean => placeholders.includes(signature);
