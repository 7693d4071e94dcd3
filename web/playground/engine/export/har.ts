// Writes a request as a HAR file without an answer. It holds no credentials.
import { version } from '../../../sdk/internal/version.js';
import { urlOf, type ExportedRequest } from './exported-request.js';

/** Returns the file. `now` is when the request is said to have started. */
export function harCode(request: ExportedRequest, now: Date): string {
  const text = request.body;
  const headers = [{ name: 'Content-Type', value: 'application/json' }];
  const unknown = { headersSize: -1, cookies: [], httpVersion: 'HTTP/1.1' };
  const sent = {
    ...unknown,
    method: 'POST',
    url: urlOf(request, 'PROJECT'),
    headers,
    queryString: [],
    bodySize: new TextEncoder().encode(text).length,
    postData: { mimeType: 'application/json', text },
  };
  const answer = {
    ...unknown,
    status: 0,
    statusText: '',
    headers: [],
    content: { size: 0, mimeType: 'x-unknown' },
    redirectURL: '',
    bodySize: -1,
  };
  const entry = {
    startedDateTime: now.toISOString(),
    time: 0,
    request: sent,
    response: answer,
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
  const creator = { name: 'prompt-strata', version };
  const log = { version: '1.2', creator, entries: [entry] };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}
