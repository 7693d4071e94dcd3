// What the content of a response is compared with, for tests.
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** Returns the Content that finish returns, or throws as `partial`, for these bytes. */
export function finishedContent(strata, bytes) {
  const response = strata.response();
  response.push(bytes);
  try {
    return response.finish().content ?? undefined;
  } catch (error) {
    return error.partial ?? undefined;
  } finally {
    response[dispose]();
  }
}
