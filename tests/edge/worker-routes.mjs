// Lists the routes of threads for tests that hold for all of them.

/** An id of the right form that nobody has. */
export const guessedId = `thread_${'A'.repeat(22)}`;

const body = (value) => ({ method: 'POST', body: JSON.stringify(value) });

/** Returns a valid request for each route of a thread, as `[path, init]`. */
export const threadRequests = (path) => [
  [path, {}],
  [`${path}/turns`, {}],
  [`${path}/turns?after=1&limit=1`, {}],
  [`${path}/messages`, body({ message: 'Hello' })],
  [`${path}/events`, {}],
  [`${path}/events?send=1&until=end`, {}],
  [`${path}/results`, body({ results: [{ callId: '1.0', response: 'seen' }] })],
  [`${path}/abort`, { method: 'POST' }],
  [`${path}/fork`, body({})],
  [`${path}/rewind`, body({ turns: 0 })],
  [`${path}/export`, {}],
  [path, { method: 'DELETE' }],
];

/** A valid request for each route. */
export const allRequests = [['/threads', body({})], ...threadRequests(`/threads/${guessedId}`)];
