// Writes events as JSON. It imports nothing, because it is loaded on use: what it shared with the rest would become a file
// of its own, which every page had to load.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

// Bytes in events are JSON, such as a body or a Content. As a string they lose nothing.
const bytesToText = (_: string, value: unknown) =>
  value instanceof Uint8Array ? decoder.decode(value) : value;

/** Returns the JSON text of an event, with bytes as text. What a tool threw is left out: it is private to the process. */
export function eventJson(event: { type?: string; error?: unknown }): string {
  const { error: _, ...others } = event;
  return JSON.stringify(event.type === 'toolResult' ? others : event, bytesToText);
}

/** Returns an event as a server-sent event, named by its `type`. */
export const serverSentEvent = (event: { type: string }): string =>
  `event: ${event.type}\ndata: ${eventJson(event)}\n\n`;
