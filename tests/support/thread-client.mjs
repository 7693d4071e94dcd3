// Calls the routes of threads, and reads their events with ids.
import assert from 'node:assert/strict';
import http from 'node:http';
import { Readable } from 'node:stream';

/**
 * Sends a request over a connection of its own: one that is kept alive may be closed by the server at the moment in
 * which it is used again.
 */
function fetchOnce(url, { method = 'GET', headers, body, signal }) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, signal, agent: false });
    request.once('error', reject);
    request.once('response', (answer) => {
      const { statusCode: status } = answer;
      const isEmpty = status === 204;
      if (isEmpty) answer.resume();
      const web = isEmpty ? null : Readable.toWeb(answer);
      resolve(new Response(web, { status, headers: answer.headers }));
    });
    request.end(body);
  });
}

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
const keyHeader = (key) => (key === undefined ? {} : { 'idempotency-key': key });

/** A client of one Worker and one caller. The origin may change: after a restart. */
export class ThreadClient {
  constructor(origin, key) {
    this.origin = origin;
    this.key = key;
  }

  async request(path, { headers, ...init } = {}) {
    const authorization = `Bearer ${this.key}`;
    const url = `${this.origin}/threads${path}`;
    return accepted(await fetchOnce(url, { ...init, headers: { authorization, ...headers } }));
  }

  post(path, body, { headers, signal } = {}) {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { ...json, ...headers } };
    return this.request(path, { ...init, signal });
  }

  /** Creates a thread and returns its id. */
  async create(body = {}, { key } = {}) {
    return (await (await this.post('', body, { headers: keyHeader(key) })).json()).id;
  }

  /** Copies a thread and returns the id of the copy. */
  async fork(id, body = {}, { key } = {}) {
    return (await (await this.post(`/${id}/fork`, body, { headers: keyHeader(key) })).json()).id;
  }

  /** Sends a message. The response streams the events. */
  send(id, message, { key, signal } = {}) {
    return this.post(`/${id}/messages`, { message }, { headers: keyHeader(key), signal });
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
