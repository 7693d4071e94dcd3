// Names the anchors of headings as GitHub does, so that a link works there and on the site.

/** Returns the anchor of a heading, from the text that it shows. */
export const anchorOf = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
