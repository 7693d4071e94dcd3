// Names the APIs of Gemini that a conversation can be sent to.

/** An API of Gemini: `generateContent`, or the Interactions API. docs/interactions.md compares them. */
export type Wire = 'generateContent' | 'interactions';
