// Writes events as JSON and as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
import { decodeUtf8 } from './utf8.js';

// Bytes in events are JSON, such as a body or a Content. As a string they lose nothing.
const bytesToText = (_: string, value: unknown) =>
  value instanceof Uint8Array ? decodeUtf8(value) : value;

/** Returns the JSON text of an event, with bytes as text. What a tool threw is left out: it is private to the process. */
export function eventJson(event: { type?: string; error?: unknown }): string {
  const { error: _, ...others } = event;
  return JSON.stringify(event.type === 'toolResult' ? others : event, bytesToText);
}

/** Returns an event as a server-sent event, named by its `type`. */
export const serverSentEvent = (event: { type: string }): string =>
  `event: ${event.type}\ndata: ${eventJson(event)}\n\n`;
