// The two services that answer requests.

/** Which service answers: the Gemini API (`generativelanguage`) or Vertex AI. They differ in rules and texts. */
export type Backend = 'gemini' | 'vertex';
