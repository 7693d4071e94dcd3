// Many streams at once against one workerd: most readers read, some leave, some never read. Checks each answer and
// the memory of the process.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOf, ThreadClient } from '../../support/thread-client.mjs';
import { answer, lengthOf, questionText, saysOnly } from './load-model.mjs';
import { callerKey, memoryOf, startWorkerd, storageFolder } from './workerd.mjs';

const sendsInThread = 3;
// Until as many threads are in memory as will be, and the first ones have left it.
const warmUpSeconds = 30;
const markerOf = () => `m${crypto.randomUUID().replaceAll('-', '')}`;

/** What all streams share. */
class Load {
  counts = { sends: 0, events: 0, left: 0, unread: 0, threads: 0 };
  firstEventMs = [];
  #client;
  #until;

  constructor(client, seconds) {
    this.#client = client;
    this.#until = performance.now() + (warmUpSeconds + seconds) * 1000;
  }

  get isOver() {
    return performance.now() >= this.#until;
  }

  /** Uses one thread after the other. `use` asks its questions and returns their markers. */
  async repeat(use) {
    while (!this.isOver) {
      const id = await this.#client.create();
      this.counts.threads++;
      const markers = await use(id);
      await this.#checkThread(id, markers);
      await this.#client.delete(id);
    }
  }

  async #send(id, marker, { isLarge, signal } = {}) {
    this.counts.sends++;
    return this.#client.send(id, questionText(marker, isLarge), { signal });
  }

  /** Reads all of an answer. */
  async read(id) {
    const marker = markerOf();
    const start = performance.now();
    const response = await this.#send(id, marker);
    let text = '';
    let last;
    for await (const { event } of eventsOf(response)) {
      if (last === undefined) this.firstEventMs.push(performance.now() - start);
      this.counts.events++;
      if (event.type === 'text') text += event.text;
      assert.notEqual(event.type, 'failed', JSON.stringify(event));
      last = event;
    }
    assert.equal(last?.type, 'stored', 'the last event');
    assert.ok(saysOnly(text, marker), `another answer than that to ${marker}: ${text}`);
    assert.equal(text.length, lengthOf(marker, false), 'the length of the answer');
    return marker;
  }

  /** Reads a part of an answer, and leaves. */
  async leave(id) {
    const marker = markerOf();
    const controller = new AbortController();
    const response = await this.#send(id, marker, controller);
    let events = 1 + Math.floor(Math.random() * 20);
    for await (const { event } of eventsOf(response)) {
      this.counts.events++;
      if (event.type === 'text') assert.ok(saysOnly(event.text, marker), 'the text of another');
      if (--events === 0) break;
    }
    controller.abort();
    this.counts.left++;
    return marker;
  }

  /** Begins a send, and reads nothing of its answer until it has ended. */
  async ignore(id) {
    const marker = markerOf();
    const response = await this.#send(id, marker, { isLarge: true });
    await this.#untilIdle(id);
    await response.body.cancel();
    this.counts.unread++;
    return marker;
  }

  async #untilIdle(id) {
    while ((await this.#client.state(id)).state !== 'idle') await sleep(500);
  }

  async #checkThread(id, markers) {
    await this.#untilIdle(id);
    const turns = (await this.#client.turns(id)).map((line) => JSON.parse(line));
    const texts = turns
      .filter(({ content }) => content)
      .map(({ content }) => content.parts.map((part) => part.text).join(''));
    assert.equal(texts.length, 2 * markers.length, 'the turns of the thread');
    markers.forEach((marker, index) => {
      assert.match(texts[2 * index], new RegExp(`^Question ${marker} `));
      assert.ok(saysOnly(texts[2 * index + 1], marker), `a turn is not the answer to ${marker}`);
    });
  }
}

async function readAll(load, id) {
  const markers = [];
  for (let i = 0; i < sendsInThread; i++) markers.push(await load.read(id));
  return markers;
}

// The second send waits for the first, whose reader has left: it shows that the thread is not locked.
const leaveOnce = async (load, id) => [await load.leave(id), await load.read(id)];
const ignoreOnce = async (load, id) => [await load.ignore(id)];

/** Every tenth stream leaves, every tenth never reads. */
const useOf = (stream) => {
  if (stream % 10 === 0) return leaveOnce;
  return stream % 10 === 1 ? ignoreOnce : readAll;
};

async function sampleMemory(pid, load) {
  const samples = [];
  await sleep(warmUpSeconds * 1000);
  while (!load.isOver) {
    samples.push(await memoryOf(pid));
    await sleep(1000);
  }
  return samples;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.floor(values.length * q)];

/** Returns the median of each third of the samples. */
const thirdsOf = (samples) =>
  [0, 1, 2].map((third) =>
    median(
      samples.slice((third * samples.length) / 3, ((third + 1) * samples.length) / 3 || undefined),
    ),
  );

// What a steady process may vary by: garbage is collected now and then.
const tolerance = 1.1;

/**
 * Runs the streams: for some seconds until the memory is measured, then for `seconds`. Returns the counts, the quantiles of the time to the first event, and the memory in KB. Throws if
 * an answer is wrong or missing, a thread stays busy, or the memory grows: the median of its last third may be 10 %
 * above that of the middle third.
 */
export async function runLoad({ streams, seconds }) {
  const { folder, remove } = storageFolder();
  const bindings = { MAX_RUNNING_SENDS: '100000', MAX_THREADS: '100000' };
  const worker = await startWorkerd({ bindings, folder, outbound: answer });
  try {
    const load = new Load(new ThreadClient(worker.origin, callerKey), seconds);
    const memory = sampleMemory(worker.pid, load);
    const running = Array.from({ length: streams }, (_, stream) =>
      load.repeat((id) => useOf(stream)(load, id)),
    );
    await Promise.all(running);
    const thirds = thirdsOf(await memory);
    const [, middle, last] = thirds;
    assert.ok(last <= middle * tolerance, `the memory grows: ${thirds.join(', ')} KB`);
    const firstEvent = [0.5, 0.95].map((q) => quantile(load.firstEventMs, q));
    return { ...load.counts, firstEvent, thirds };
  } finally {
    await worker.stop();
    remove();
  }
}
