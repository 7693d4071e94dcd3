// Bounds what the view Lint takes and draws, so that no input stops the page.

/** The longest text, in UTF-16 units. */
export const maxTextLength = 6_000_000;

/** The longest text that is shown before the editor is loaded. */
export const maxPlainLength = 100_000;

/** How many findings the list shows at once. */
export const shownFindings = 60;

/** How many underlines the editor draws. */
export const shownMarks = 500;

/** How many characters of a change are shown. */
export const shownChange = 4_000;

/** How many characters around a change are shown. */
export const shownContext = 160;

/** How long the user must not type before the text is analyzed. */
export const restMs = 150;

/** How many Contents of a history are drawn at once, around the selected one. */
export const shownContents = 120;
