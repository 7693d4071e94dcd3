// Recognizes links that hold a document.

/** Whether a fragment claims to hold a document. */
export const isLink = (fragment: string): boolean => /^#d\d+\./.test(fragment);
