// Names and recognizes signatures that no model gave: the documented placeholders, and those of the emulator.

/** The placeholder that repairs write. https://ai.google.dev/gemini-api/docs/thought-signatures */
export const placeholderSignature = 'skip_thought_signature_validator';

/** All placeholders, raw and in base64: clients send both. */
const placeholders = ['context_engineering_is_the_way_to_go', placeholderSignature].flatMap(
  (text) => [text, btoa(text)],
);

/** Returns whether a signature is a documented placeholder, which no model gave. */
export const isPlaceholder = (signature: string): boolean => placeholders.includes(signature);

/** What the bytes of the emulator's signatures begin with. */
export const emulatedMarker = 'prompt-strata emulated signature:';

// The marker has a multiple of three bytes, so that its base64 is the start of every such signature.
const emulatedStart = btoa(emulatedMarker);

/** Returns whether the emulator made a signature, which Google refuses. */
export const isEmulated = (signature: string): boolean => signature.startsWith(emulatedStart);
