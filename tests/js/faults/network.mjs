// A network that fails: requests and their bodies break, stall, repeat, and arrive cut anywhere or after an abort.

const encoder = new TextEncoder();

const retryInfo = (seconds) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: `${seconds}s`,
});

const refusals = [
  [429, 'RESOURCE_EXHAUSTED', [retryInfo(2)]],
  [429, 'RESOURCE_EXHAUSTED', []],
  [500, 'INTERNAL', []],
  [503, 'UNAVAILABLE', [retryInfo(1)]],
];

const errorText = ([code, status, details]) =>
  JSON.stringify({ error: { code, status, message: `refused: ${status}`, details } });

/** Faults of a whole request, the likely one first. */
const requestFaults = [
  [14, 'none'],
  [1, 'refused'],
  [1, 'lost'],
  [1, 'status'],
  [0.4, 'page'],
  [0.4, 'hangs'],
  [0.6, 'twice'],
  [0.6, 'late'],
];

/** Faults of a body, the likely one first. */
const bodyFaults = [
  [10, 'none'],
  [1, 'cut'],
  [1, 'breaks'],
  [0.5, 'stalls'],
  [0.7, 'error'],
  [0.7, 'extra'],
];

const frameEnd = '\r\n\r\n';

// A second copy of an event without an id would repeat its Parts, which is another answer.
function withExtras(text, choices) {
  const [end, extra] = /^id: /.test(text) ? ['\n\n', undefined] : [frameEnd, ': ping'];
  const frames = text.split(end).slice(0, -1);
  const all = frames.flatMap((frame, index) =>
    choices.unlikely(0.4) ? [frame, extra ?? frames[choices.between(0, index)]] : [frame],
  );
  return all.map((frame) => frame + end).join('');
}

function withError(text, choices) {
  const frames = text.split(frameEnd).slice(0, -1);
  const count = choices.between(0, Math.max(0, frames.length - 1));
  const error = errorText(choices.pick(refusals));
  const form = choices.pick([`data: ${error}${frameEnd}`, error, `error: ${error}${frameEnd}`]);
  return (
    frames
      .slice(0, count)
      .map((frame) => frame + frameEnd)
      .join('') + form
  );
}

/** Rejects with the reason of an abort. */
function abortOf(signal) {
  const aborted = new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  return aborted;
}

/** A `fetch` in front of a server. */
export class Network {
  /** The requests whose responses are not read to their end, canceled or aborted. */
  open = new Set();
  /** What the server works on. */
  #works = new Set();
  /** Set to false: every request fails, as after the end of a process. */
  isUp = true;
  #world;
  #choices;
  #server;
  #label;

  /** @param {(url: string, init: object) => Promise<Response>} server */
  constructor(world, choices, server, { label = 'fetch', isCalm = false } = {}) {
    [this.#world, this.#choices, this.#server, this.#label] = [world, choices, server, label];
    this.isCalm = isCalm;
    this.fetch = (url, init) => this.#fetch(String(url), init);
  }

  async #fetch(url, init) {
    const { signal } = init;
    signal?.throwIfAborted();
    const request = { url, signal };
    this.open.add(request);
    signal?.addEventListener('abort', () => this.open.delete(request), { once: true });
    try {
      return await this.#exchange(url, init, request);
    } catch (error) {
      this.open.delete(request);
      throw error;
    }
  }

  async #exchange(url, init, request) {
    const { signal, ...unobserved } = init;
    const fault = this.isCalm ? 'none' : this.#choices.weighted(requestFaults);
    const name = `${this.#label} ${/[^/]*$/.exec(url.split('?')[0])[0]}`;
    this.#world.counts.requests++;
    if (fault !== 'none') this.#fault(`${name}: ${fault}`);
    const aborted = abortOf(signal);
    const wait = (work) => (fault === 'late' ? work : Promise.race([work, aborted]));
    await wait(this.#world.gate(`${name}: request`));
    if (fault === 'refused' || !this.isUp) throw new TypeError('connection refused');
    if (fault === 'status') return this.#refusal(request);
    if (fault === 'page') return this.#finished(request, '<html>Bad gateway</html>', 502);
    if (fault === 'hangs') return await aborted;
    // A server learns that its client has left, unless the network keeps it.
    const sent = fault === 'late' ? unobserved : init;
    if (fault === 'twice') await this.#answer(url, sent);
    const answer = await this.#answer(url, sent);
    await wait(this.#world.gate(`${name}: response`));
    if (fault === 'lost' || !this.isUp) throw new TypeError('connection lost');
    return this.#passOn(answer, request, { name, wait, aborted });
  }

  // The server's answer is read to its end, whether or not somebody waits for it.
  async #answer(url, init) {
    const { status, headers, body } = await this.#track(this.#server(url, init));
    const text = body ? this.#track(new Response(body).text()) : undefined;
    text?.catch(() => {});
    return { status, headers, text };
  }

  #fault(text) {
    this.#world.counts.faults++;
    this.#world.note(text);
  }

  /** Whether the server still works on a request. */
  get isBusy() {
    return this.#works.size > 0;
  }

  #track(work) {
    const end = () => this.#works.delete(work);
    this.#works.add(work);
    work.then(end, end);
    return work;
  }

  #refusal(request) {
    const refusal = this.#choices.pick(refusals);
    return this.#finished(request, errorText(refusal), refusal[0]);
  }

  #finished(request, text, status) {
    this.open.delete(request);
    return new Response(text, { status });
  }

  async #passOn(answer, request, how) {
    const { status, headers } = answer;
    if (!answer.text) {
      this.open.delete(request);
      return new Response(null, { status, headers });
    }
    const isStream = /event-stream/.test(headers.get('content-type') ?? '');
    const fault = this.isCalm ? 'none' : this.#choices.weighted(bodyFaults);
    if (fault !== 'none') this.#fault(`${how.name}: body ${fault}`);
    let text = await how.wait(answer.text);
    if (isStream && fault === 'extra') text = withExtras(text, this.#choices);
    if (isStream && fault === 'error' && text.includes(frameEnd))
      text = withError(text, this.#choices);
    const body = this.#body(encoder.encode(text), fault, request, how);
    return new Response(body, { status, headers });
  }

  #body(bytes, fault, request, { name, wait, aborted }) {
    const cuts = this.#cutsOf(bytes.length);
    const end = ['cut', 'breaks', 'stalls'].includes(fault)
      ? this.#choices.between(0, bytes.length)
      : bytes.length;
    const pieces = piecesOf(bytes.subarray(0, end), cuts);
    const close = () => this.open.delete(request);
    const pull = async (controller) => {
      await wait(this.#world.gate(`${name}: bytes`));
      const piece = pieces.shift();
      if (piece) return controller.enqueue(piece);
      if (fault === 'stalls') await aborted;
      close();
      if (fault === 'breaks' || !this.isUp) throw new TypeError('connection lost');
      controller.close();
    };
    return new ReadableStream({ pull, cancel: close }, { highWaterMark: 0 });
  }

  #cutsOf(length) {
    const count = this.#choices.weighted([
      [3, 2],
      [2, 0],
      [1, 7],
    ]);
    return this.#choices.times(count, () => this.#choices.between(0, length)).sort((a, b) => a - b);
  }
}

function piecesOf(bytes, cuts) {
  const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length];
  return ends
    .map((end, i) => bytes.slice(ends[i - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
}
