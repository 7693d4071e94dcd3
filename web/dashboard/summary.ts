// Reads Prometheus' text form, as the gateway writes it.

/** One number with its labels. */
interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const unescaped = (text: string) =>
  text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));

function labelsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries(
    Array.from(pairs, ([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

/** Returns the samples of a text. Lines that are none are skipped. */
export function parseSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined || line.startsWith('#')) return [];
    return [{ name, labels: labelsOf(labels), value: Number(value) }];
  });
}

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

/** Returns the bucket in which a quantile lies; undefined without a value. More is not known about it. */
export function quantile({ count, buckets }: Latency, share: number): Bucket | undefined {
  let left = share * count;
  return buckets.find((bucket) => {
    const isHere = bucket.count > 0 && left <= bucket.count;
    left -= bucket.count;
    return isHere;
  });
}

/** What is known about one model. */
export interface ModelSummary {
  /** `other`: models whose price is not known. */
  model: string;
  input: number;
  /** The part of the input that came from a cache. */
  cached: number;
  output: number;
  /** USD; undefined if the price is not known. */
  cost: number | undefined;
}

/** What the page shows. */
export interface Summary {
  /** undefined if nothing was counted yet. */
  since: Date | undefined;
  /** Requests of callers: without those for health and metrics. */
  requests: number;
  routes: { route: string; status: string; count: number }[];
  findings: { code: string; found: number; repaired: number }[];
  repaired: number;
  avoided: number;
  badRequests: number;
  restored: number;
  placeholders: number;
  models: ModelSummary[];
  /** USD, without the tokens of `other`. */
  cost: number;
  upstream: Latency;
  /** undefined where threads are not served. */
  threads: ThreadSummary | undefined;
}

/** What is known about the sends of threads. */
export interface ThreadSummary {
  sends: { outcome: string; count: number }[];
  failures: { code: string; count: number }[];
  latency: Latency;
}

/** The routes that callers do not ask for answers. */
export const ownRoutes: readonly string[] = ['health', 'metrics'];

const prefix = 'prompt_strata_';
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The samples by name, without the prefix that all share. */
class Samples {
  readonly all: readonly Sample[];

  constructor(text: string) {
    this.all = parseSamples(text);
  }

  of(name: string): Sample[] {
    return this.all.filter((sample) => sample.name === prefix + name);
  }

  total(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels);
    const isMeant = (sample: Sample) =>
      wanted.every(([key, value]) => sample.labels[key] === value);
    return sum(
      this.of(name)
        .filter(isMeant)
        .map(({ value }) => value),
    );
  }

  /** The different values of a label. */
  values(name: string, label: string): string[] {
    return [...new Set(this.of(name).map(({ labels }) => labels[label] ?? ''))];
  }

  /** The values of a label with their totals, the largest first. */
  totals(name: string, label: string): { label: string; count: number }[] {
    return this.values(name, label)
      .map((value) => ({ label: value, count: this.total(name, { [label]: value }) }))
      .sort((a, b) => b.count - a.count || byText(a.label, b.label));
  }
}

function routesIn(samples: Samples): Summary['routes'] {
  return samples
    .of('requests_total')
    .map(({ labels, value }) => ({
      ...{ route: labels['route'] ?? '', status: labels['status'] ?? '' },
      count: value,
    }))
    .sort((a, b) => byText(a.route, b.route) || byText(a.status, b.status));
}

function findingsIn(samples: Samples): Summary['findings'] {
  return samples.totals('findings_total', 'code').map(({ label: code, count: found }) => ({
    ...{ code, found },
    repaired: samples.total('repaired_total', { code }),
  }));
}

function modelsIn(samples: Samples): ModelSummary[] {
  const tokens = (kind: string, model: string) => samples.total('tokens_total', { kind, model });
  const priced = samples.values('cost_usd_total', 'model');
  const models = samples.values('tokens_total', 'model').map((model) => ({
    ...{ model, input: tokens('input', model), cached: tokens('cached', model) },
    output: tokens('output', model),
    cost: priced.includes(model) ? samples.total('cost_usd_total', { model }) : undefined,
  }));
  return models.sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1) || byText(a.model, b.model));
}

function threadsIn(samples: Samples): ThreadSummary | undefined {
  const latency = latencyOf(samples.all, `${prefix}send_seconds`);
  // A gateway without threads has no such histogram.
  if (latency.buckets.length === 0) return undefined;
  const sends = samples.totals('sends_total', 'outcome');
  const failures = samples.totals('send_failures_total', 'code');
  return {
    sends: sends.map(({ label: outcome, count }) => ({ outcome, count })),
    failures: failures.map(({ label: code, count }) => ({ code, count })),
    latency,
  };
}

/** Sums up a text of `/metrics`. */
export function summaryOf(text: string): Summary {
  const samples = new Samples(text);
  const since = samples.total('counting_since_seconds');
  const routes = routesIn(samples);
  const asked = routes.filter(({ route }) => !ownRoutes.includes(route));
  return {
    since: since > 0 ? new Date(since * 1000) : undefined,
    requests: sum(asked.map(({ count }) => count)),
    routes,
    findings: findingsIn(samples),
    repaired: samples.total('repaired_total'),
    avoided: samples.total('avoided_bad_requests_total'),
    badRequests: samples.total('upstream_bad_requests_total'),
    restored: samples.total('restored_signatures_total'),
    placeholders: samples.total('placeholder_signatures_total'),
    models: modelsIn(samples),
    cost: samples.total('cost_usd_total'),
    upstream: latencyOf(samples.all, `${prefix}upstream_seconds`),
    threads: threadsIn(samples),
  };
}
