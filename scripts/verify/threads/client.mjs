// Calls the routes of threads, and reads their events with ids.
import assert from 'node:assert/strict';

async function* linesOf(body) {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

/** Reads server-sent events: their ids and what their data says. Comments such as `: ping` are left out. */
export async function* eventsOf(response) {
  let id;
  for await (const line of linesOf(response.body)) {
    if (line.startsWith('id: ')) id = line.slice(4);
    if (line.startsWith('data: ')) yield { id, event: JSON.parse(line.slice(6)) };
  }
}

/** An answer with an error. */
export class RefusedError extends Error {
  constructor(status, code, text) {
    super(`${status} ${code}: ${text.slice(0, 500)}`);
    this.status = status;
    this.code = code;
  }
}

/** Does `work` until the connection lasts. `connected` resolves when the server may be asked again. */
export async function persist(connected, work) {
  for (;;) {
    await connected();
    try {
      return await work();
    } catch (error) {
      // The server's own errors and failed assertions are faults. Anything else is a lost connection.
      const isFault = error instanceof RefusedError || error instanceof assert.AssertionError;
      if (isFault) throw error;
    }
  }
}

/** Returns the response, or throws its error. */
async function accepted(response) {
  if (response.ok) return response;
  const text = await response.text();
  let code = '';
  try {
    code = JSON.parse(text).error.code;
  } catch {
    // The text is in the message.
  }
  throw new RefusedError(response.status, code, text);
}

const json = { 'content-type': 'application/json' };

/** A client of one Worker and one caller. The origin may change: after a restart. */
export class ThreadClient {
  constructor(origin, key) {
    this.origin = origin;
    this.key = key;
  }

  async request(path, { headers, ...init } = {}) {
    const authorization = `Bearer ${this.key}`;
    const url = `${this.origin}/threads${path}`;
    return accepted(await fetch(url, { ...init, headers: { authorization, ...headers } }));
  }

  post(path, body, { headers, signal } = {}) {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { ...json, ...headers } };
    return this.request(path, { ...init, signal });
  }

  /** Creates a thread and returns its id. */
  async create(body = {}) {
    return (await (await this.post('', body)).json()).id;
  }

  /** Sends a message. The response streams the events. */
  send(id, message, { key, signal } = {}) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return this.post(`/${id}/messages`, { message }, { headers, signal });
  }

  /** Posts results of the caller's tools. The response streams the events that follow. */
  results(id, results) {
    return this.post(`/${id}/results`, { results });
  }

  /** Reads the events after an id. */
  events(id, after, query = '') {
    const headers = after === undefined ? {} : { 'last-event-id': after };
    return this.request(`/${id}/events${query}`, { headers });
  }

  async state(id) {
    return (await this.request(`/${id}`)).json();
  }

  /** Returns the lines of the stored turns, all pages of them. */
  async turns(id) {
    const lines = [];
    for (;;) {
      const response = await this.request(`/${id}/turns?after=${lines.length}`);
      lines.push(...(await response.text()).split('\n').filter(Boolean));
      const next = response.headers.get('x-next');
      if (next === null) return lines;
    }
  }

  async delete(id) {
    await this.request(`/${id}`, { method: 'DELETE' });
  }
}
