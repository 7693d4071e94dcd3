// Builds the headers of an answer that is passed on.
import { forwardedHeaders } from './headers.js';
import { answersArray, type GoogleRoute } from './route.js';

const eventStream = 'text/event-stream';
const unknown = 'application/octet-stream';

// Nothing that a browser would run or show is passed on under its own type.
const isData = /^(?:application\/(?:json|octet-stream|x-ndjson)|text\/event-stream)\b/i;

/** Returns the headers of the upstream's response that travel, with a type that fits the method. */
export function answerHeaders(response: Response, route: GoogleRoute): Headers {
  const headers = forwardedHeaders(response.headers);
  if (isData.test(headers.get('content-type') ?? '')) return headers;
  const isStream = route.kind === 'generate' && route.stream && !answersArray(route);
  headers.set('content-type', isStream && response.ok ? eventStream : unknown);
  return headers;
}
