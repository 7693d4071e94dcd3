// Estimates quantiles from the buckets of a histogram.
import type { Sample } from './samples.js';

/** How many values lie between two bounds. */
export interface Bucket {
  above: number;
  /** Infinity for the last bucket. */
  upTo: number;
  count: number;
}

/** The times that something took. */
export interface Latency {
  count: number;
  /** The mean in seconds; undefined without a value. */
  mean: number | undefined;
  buckets: Bucket[];
}

/** Returns the histogram of a name. */
export function latencyOf(samples: readonly Sample[], name: string): Latency {
  const valueOf = (suffix: string) =>
    samples.find((sample) => sample.name === name + suffix)?.value ?? 0;
  const bounds = samples
    .filter((sample) => sample.name === `${name}_bucket`)
    .map(({ labels, value }) => ({ upTo: boundOf(labels['le']), total: value }))
    .sort((a, b) => a.upTo - b.upTo);
  const buckets = bounds.map(({ upTo, total }, index) => {
    const before = bounds[index - 1] ?? { upTo: 0, total: 0 };
    return { above: before.upTo, upTo, count: total - before.total };
  });
  const count = valueOf('_count');
  return { count, mean: count > 0 ? valueOf('_sum') / count : undefined, buckets };
}

const boundOf = (text = '') => (text === '+Inf' ? Infinity : Number(text));

/**
 * Returns an estimate of a quantile in seconds, as Prometheus' histogram_quantile: values are taken to lie evenly in
 * their bucket. Infinity if it lies above the last bound, undefined without a value.
 */
export function quantile({ count, buckets }: Latency, share: number): number | undefined {
  if (count === 0) return undefined;
  let left = share * count;
  for (const bucket of buckets) {
    if (bucket.count > 0 && left <= bucket.count) {
      if (bucket.upTo === Infinity) return Infinity;
      return bucket.above + (left / bucket.count) * (bucket.upTo - bucket.above);
    }
    left -= bucket.count;
  }
  return Infinity;
}
