// Counts what one isolate of the Worker does, and reports it to the object that sums the counts of all isolates.
import { Counts, countsText } from '../gateway/counts.js';
import { GatewayError } from '../gateway/gateway-error.js';
import {
  countedUsage,
  countRequest as addRequest,
  countTokens,
  createMetrics,
  sinceRow,
  type Metrics,
} from '../gateway/metrics.js';
import type { UsageEvent } from '../index.js';
import type { Env } from './env.js';
import {
  failures,
  sends,
  sendSeconds,
  workerFamilies,
  metricsObject,
  Reporter,
  type ReportScope,
} from './reporter.js';

// The requests and objects of an isolate share these.
const counts = new Counts();
const reporter = new Reporter(counts);

/** What keeps a request or an object alive: the third argument of `fetch`, or the state of an object. */
export interface Keeper {
  waitUntil?(work: Promise<unknown>): void;
}

const scopeOf = (env: Env, keeper: Keeper): ReportScope => ({
  namespace: env.METRICS,
  waitUntil: (work) => keeper.waitUntil?.(work),
});

/** One send of a thread that has ended or waits for its caller. */
export interface SendCount {
  /** `waiting`: calls of the caller are open. */
  outcome: 'completed' | 'waiting' | 'aborted' | 'failed';
  /** The code of the error of a failed send. */
  code?: string | undefined;
  /** How long it ran, without the time in which it waited. */
  seconds: number;
  /** The `usage` events since the last count. */
  usage: readonly Pick<UsageEvent, 'usage' | 'model'>[];
}

/** Counts a send of a thread. */
export function countSend(env: Env, keeper: Keeper, send: SendCount): void {
  const { outcome, code, seconds, usage } = send;
  counts.add(sends.name, 1, { outcome });
  if (outcome === 'failed') counts.add(failures.name, 1, { code: code ?? 'internal' });
  counts.observe(sendSeconds, seconds);
  for (const each of usage) {
    const { model } = each;
    const counted = countedUsage(each.usage, { model });
    if (counted) countTokens(counts, counted);
  }
  reportCounts(env, keeper);
}

/** Counts a request of a route. `route` is one of a fixed list of names, never a path. */
export function countRequest(env: Env, keeper: Keeper, route: string, status: number): void {
  addRequest(counts, route, status);
  reportCounts(env, keeper);
}

/** Has the counts of this isolate reported within 5 seconds. */
export function reportCounts(env: Env, keeper: Keeper): void {
  reporter.soon(scopeOf(env, keeper));
}

/** Creates the metrics of the gateway in this isolate. Their text sums the counts of all isolates. */
export function isolateMetrics({ METRICS: namespace }: Env): Metrics {
  const start = Date.now();
  const ownText = () => countsText(workerFamilies, [...counts.rows, sinceRow(start)]);
  return createMetrics(counts, namespace ? () => sumsText(namespace) : ownText);
}

async function sumsText(namespace: NonNullable<Env['METRICS']>): Promise<string> {
  try {
    await reporter.report(namespace);
    const response = await metricsObject(namespace).fetch(new Request('https://metrics/'));
    if (response.ok) return await response.text();
  } catch (error) {
    console.error(error);
  }
  const message = 'The object with the counts gave no answer. Please retry.';
  throw new GatewayError(503, 'metrics.unavailable', message, { retryAfterMs: 1000 });
}
