// Names what the Worker counts: what its gateway does, and the sends of threads.
import type { CountFamily } from '../gateway/counts.js';
import { gatewayFamilies, latency } from '../gateway/metrics.js';

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
