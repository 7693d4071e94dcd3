// Counts what the gateway does, and writes the counts in Prometheus' text form.

/** Tokens of one answer. */
export interface TokenCounts {
  input: number;
  /** The part of the input that came from a cache. */
  cached: number;
  output: number;
}

// Labels come from fixed lists; this bounds the table even so.
const maxRows = 1000;

/** The counts of one name, one for each set of labels. */
class Counter {
  readonly name: string;
  readonly #help: string;
  readonly #rows = new Map<string, number>();

  constructor(name: string, help: string) {
    this.name = name;
    this.#help = help;
  }

  add(amount: number, labels: Readonly<Record<string, string | number>> = {}): void {
    if (!(amount > 0)) return;
    const text = labelsText(labels);
    const before = this.#rows.get(text);
    if (before === undefined && this.#rows.size >= maxRows) return;
    this.#rows.set(text, (before ?? 0) + amount);
  }

  text(): string {
    const { name } = this;
    const rows = this.#rows.size === 0 ? [['', 0] as const] : [...this.#rows];
    const lines = rows.map(([labels, value]) => `${name}${labels} ${value}`);
    return [`# HELP ${name} ${this.#help}`, `# TYPE ${name} counter`, ...lines].join('\n');
  }
}

function labelsText(labels: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/[^\w.:/ -]/g, '_')}"`,
  );
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}

/** Numbers counted by size. */
class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    if (!(value >= 0)) return;
    this.#sum += value;
    this.#count++;
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    });
  }

  text(): string {
    const name = this.#name;
    const buckets = this.#bounds.map(
      (bound, index) => `${name}_bucket{le="${bound}"} ${this.#counts[index]}`,
    );
    return [
      `# HELP ${name} ${this.#help}`,
      `# TYPE ${name} histogram`,
      ...buckets,
      `${name}_bucket{le="+Inf"} ${this.#count}`,
      `${name}_sum ${this.#sum}`,
      `${name}_count ${this.#count}`,
    ].join('\n');
  }
}

// Models answer within seconds to minutes.
const latencyBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** The counts of one gateway, from its start on. */
export interface Metrics {
  /** One request. `route` is the name of a route, never a path. */
  request(route: string, status: number): void;
  findings(codes: readonly string[]): void;
  repaired(codes: readonly string[]): void;
  /** A 400 of the upstream. */
  upstreamBadRequest(): void;
  /** A request that the upstream answered and that it would have refused as it came. */
  avoided(): void;
  restored(signatures: number): void;
  placeholders(signatures: number): void;
  tokens(counts: TokenCounts): void;
  /** The time until the upstream's head arrived. */
  upstreamSeconds(seconds: number): void;
  /** Returns all counts in Prometheus' text form. */
  text(): string;
}

/** Creates the counts of a gateway. */
export function createMetrics(): Metrics {
  const counter = (name: string, help: string) => new Counter(`prompt_strata_${name}`, help);
  const counters = {
    requests: counter('requests_total', 'Requests by route and status.'),
    findings: counter('findings_total', 'Findings in requests by code.'),
    repaired: counter('repaired_total', 'Findings that were repaired by code.'),
    badRequests: counter('upstream_bad_requests_total', 'Answers of the upstream with status 400.'),
    avoided: counter(
      'avoided_bad_requests_total',
      'Requests that the upstream answered after a repair or with restored signatures.',
    ),
    restored: counter('restored_signatures_total', 'Signatures restored from the memory.'),
    placeholders: counter('placeholder_signatures_total', 'Placeholders set for signatures.'),
    tokens: counter('tokens_total', 'Tokens that answers report by kind.'),
  };
  const latency = new Histogram(
    'prompt_strata_upstream_seconds',
    'Seconds until the head of the answer of the upstream.',
    latencyBounds,
  );
  const countCodes = (target: Counter, codes: readonly string[]) => {
    for (const code of codes) target.add(1, { code });
  };
  return {
    request: (route, status) => counters.requests.add(1, { route, status }),
    findings: (codes) => countCodes(counters.findings, codes),
    repaired: (codes) => countCodes(counters.repaired, codes),
    upstreamBadRequest: () => counters.badRequests.add(1),
    avoided: () => counters.avoided.add(1),
    restored: (signatures) => counters.restored.add(signatures),
    placeholders: (signatures) => counters.placeholders.add(signatures),
    tokens({ input, cached, output }) {
      counters.tokens.add(input, { kind: 'input' });
      counters.tokens.add(cached, { kind: 'cached' });
      counters.tokens.add(output, { kind: 'output' });
    },
    upstreamSeconds: (seconds) => latency.add(seconds),
    text: () =>
      [...Object.values(counters).map((each) => each.text()), latency.text(), ''].join('\n'),
  };
}
