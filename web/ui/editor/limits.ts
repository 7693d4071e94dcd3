// Bounds what editors draw.

/** The longest text that is highlighted: longer ones would keep the page busy for seconds. */
export const maxHighlighted = 2_000_000;
