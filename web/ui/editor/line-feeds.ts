// Ends all lines as editors do, so that texts can be compared with what an editor holds.

/** Returns a text whose lines end with a line feed. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');
