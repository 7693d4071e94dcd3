// Names what the Worker counts: what its gateway does, and the sends of threads.
import type { CountFamily, Counts, CountRow } from '../gateway/counts.js';
import { gatewayFamilies, latency } from '../gateway/metrics.js';
import { sleep } from '../sdk/internal/lifetime.js';
import type { ObjectNamespace } from './env.js';

/** The sends of threads by outcome. */
export const sends: CountFamily = {
  ...{ name: 'prompt_strata_sends_total', type: 'counter', labels: ['outcome'] },
  help: 'Sends of threads by outcome.',
};

/** The failed sends of threads by code. */
export const failures: CountFamily = {
  ...{ name: 'prompt_strata_send_failures_total', type: 'counter', labels: ['code'] },
  help: 'Failed sends of threads by code.',
};

export const sendSeconds = latency('send', 'Seconds that a send of a thread ran.');

/** What the Worker counts. */
export const workerFamilies: readonly CountFamily[] = [
  ...gatewayFamilies,
  sends,
  failures,
  sendSeconds,
];

/** What an isolate has counted since its last report. */
export interface Report {
  /** The id of the isolate. */
  isolate: string;
  /** Counts up. The object ignores a number that it has seen, so that a report can be sent again. */
  number: number;
  rows: CountRow[];
}

/** What keeps a request or an object alive until its counts are reported. */
export interface ReportScope {
  /** Absent: the counts stay in the isolate. */
  namespace: ObjectNamespace | undefined;
  waitUntil: (work: Promise<unknown>) => void;
}

/** The clock, for tests. */
interface ReporterClock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The time between two reports of an isolate. */
export const reportEveryMs = 5000;

// The runtime ends work of waitUntil 30 s after the response. Another request takes over what was not done by then.
const patienceMs = 15_000;
const maxRounds = 3;

// The object remembers the numbers of reports for longer than this.
const maxAgeMs = 60 * 60_000;

/** The object that sums the counts of a deployment. */
export const metricsObject = (namespace: ObjectNamespace) =>
  namespace.get(namespace.idFromName('metrics'));

async function send(namespace: ObjectNamespace, report: Report): Promise<void> {
  const init = { method: 'POST', body: JSON.stringify(report) };
  const request = new Request('https://metrics/report', init);
  const response = await metricsObject(namespace).fetch(request);
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The object answered ${response.status}`);
}

/**
 * Reports the counts of an isolate at most every 5 seconds. Requests share it, but no promise: a Worker cannot await
 * what another request has started.
 */
export class Reporter {
  readonly #counts: Counts;
  readonly #clock: ReporterClock;
  /** Random, but only requests may ask for randomness. */
  #isolate = '';
  #number = 0;
  /** What was sent and not acknowledged. It is sent again, unchanged. */
  #sent: { report: Report; at: number } | undefined;
  #reportedAt = -Infinity;
  /** Until then, a request is on its way to report. */
  #claimedUntil = -Infinity;

  constructor(counts: Counts, clock: ReporterClock = { now: Date.now, sleep }) {
    this.#counts = counts;
    this.#clock = clock;
  }

  /** Has the counts reported within 5 seconds. Call it after counting. */
  soon({ namespace, waitUntil }: ReportScope): void {
    if (!namespace || this.#clock.now() < this.#claimedUntil) return;
    this.#claim();
    waitUntil(this.#rounds(namespace));
  }

  /**
   * Reports the counts now. Another request may be doing so; then the same report is sent twice and counts once.
   *
   * @throws Error if the object does not answer; the report is sent again later
   */
  async report(namespace: ObjectNamespace): Promise<void> {
    const now = this.#clock.now();
    // What may have arrived long ago could count twice.
    if (this.#sent && now - this.#sent.at > maxAgeMs) this.#sent = undefined;
    this.#sent ??= this.#next(now);
    if (!this.#sent) return;
    const { report } = this.#sent;
    this.#reportedAt = now;
    await send(namespace, report);
    if (this.#sent?.report === report) this.#sent = undefined;
  }

  async #rounds(namespace: ObjectNamespace): Promise<void> {
    try {
      for (let round = 0; round < maxRounds && this.#hasMore; round++) {
        this.#claim();
        const wait = this.#waitMs;
        if (wait > 0) await this.#clock.sleep(wait);
        await this.report(namespace);
      }
    } catch (error) {
      console.error('The counts could not be reported yet:', error);
    } finally {
      this.#claimedUntil = -Infinity;
    }
  }

  get #hasMore(): boolean {
    return this.#sent !== undefined || !this.#counts.isEmpty;
  }

  get #waitMs(): number {
    return Math.max(0, this.#reportedAt + reportEveryMs - this.#clock.now());
  }

  #claim(): void {
    this.#claimedUntil = this.#clock.now() + this.#waitMs + patienceMs;
  }

  #next(at: number): { report: Report; at: number } | undefined {
    if (this.#counts.isEmpty) return undefined;
    this.#isolate ||= crypto.randomUUID();
    this.#number++;
    const rows = this.#counts.take();
    return { report: { isolate: this.#isolate, number: this.#number, rows }, at };
  }
}
