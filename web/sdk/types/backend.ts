// Names the two services that serve Gemini models.

/** The service that answers: the Gemini API (`generativelanguage`) or Vertex AI. They differ in rules and error messages. */
export type Backend = 'gemini' | 'vertex';
