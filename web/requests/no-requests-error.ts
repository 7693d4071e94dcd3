// Says why a text holds no request.

/** A text has no requests that can be read. The message says why. */
export class NoRequestsError extends Error {
  override name = 'NoRequestsError';
}
