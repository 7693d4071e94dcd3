// Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) from bytes that may be split
// at arbitrary positions.
import type { BodyReader } from '../sdk/client/http.js';
import { joinBytes, decodeUtf8 } from '../sdk/internal/bytes.js';

/** One event: its id, '' without one, and its data. A comment has neither, and an id may come alone. */
export interface ReceivedMessage {
  id: string;
  data?: string;
}

const lineFeed = 10;

/** Splits bytes into lines. */
class LineSplitter {
  #rest: Uint8Array[] = [];

  *push(bytes: Uint8Array): Generator<string, void, void> {
    let start = 0;
    for (let end; (end = bytes.indexOf(lineFeed, start)) >= 0; start = end + 1) {
      const line = joinBytes([...this.#rest, bytes.subarray(start, end)]);
      this.#rest = [];
      yield decodeUtf8(line).replace(/\r$/, '');
    }
    if (start < bytes.length) this.#rest.push(bytes.slice(start));
  }
}

/** Collects the fields of one event. */
class FieldCollector {
  #id = '';
  #data: string[] = [];

  /** Takes one line. Returns the event or the id that an empty line completes, or a comment. */
  take(line: string): ReceivedMessage | undefined {
    if (line === '') return this.#complete();
    if (line.startsWith(':')) return { id: '' };
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'id') this.#id = value;
    if (name === 'data') this.#data.push(value);
    return undefined;
  }

  #complete(): ReceivedMessage | undefined {
    if (this.#data.length === 0) return this.#id === '' ? undefined : { id: this.#id };
    const data = this.#data.join('\n');
    this.#data = [];
    return { id: this.#id, data };
  }
}

/** Yields the events, comments and ids of a body. An event that the end of the body cuts off is left out. */
export async function* serverSentEvents(
  reader: BodyReader,
): AsyncGenerator<ReceivedMessage, void, void> {
  const lines = new LineSplitter();
  const fields = new FieldCollector();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const line of lines.push(value)) {
      const event = fields.take(line);
      if (event) yield event;
    }
  }
}
