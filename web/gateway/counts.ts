// Counts events by name and labels, and writes counts in Prometheus' text form.

/** What is counted under one name. */
export interface CountFamily {
  name: string;
  help: string;
  /** `gauge`: a value that whoever writes the text supplies. */
  type: 'counter' | 'histogram' | 'gauge';
  /** The names of its labels. Only counters have labels. */
  labels?: readonly string[];
  /** The upper bounds of a histogram's buckets. */
  bounds?: readonly number[];
}

/** One number: its name, its labels as Prometheus writes them, and its value. */
export type CountRow = readonly [name: string, labels: string, value: number];

/** The values of labels. */
export type Labels = Readonly<Record<string, string | number>>;

/** The most sets of labels of one name. Labels come from fixed lists; this bounds the table even so. */
export const maxLabels = 1000;

function labelsText(labels: Labels): string {
  const entries = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/[^\w.:/ -]/g, '_')}"`,
  );
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}

/** A table of counts, which only grow. */
export class Counts {
  readonly #table = new Map<string, Map<string, number>>();

  /** Adds to a counter. An amount that is not positive adds nothing. */
  add(name: string, amount = 1, labels: Labels = {}): void {
    if (amount > 0) this.#add(name, labelsText(labels), amount);
  }

  /** Adds a value to a histogram. A negative value adds nothing. */
  observe({ name, bounds = [] }: CountFamily, value: number): void {
    if (!(value >= 0)) return;
    for (const bound of bounds.filter((each) => value <= each))
      this.#add(`${name}_bucket`, labelsText({ le: bound }), 1);
    this.#add(`${name}_sum`, '', value);
    this.#add(`${name}_count`, '', 1);
  }

  get isEmpty(): boolean {
    return this.#table.size === 0;
  }

  get rows(): CountRow[] {
    return [...this.#table].flatMap(([name, values]) =>
      [...values].map(([labels, value]) => [name, labels, value] as const),
    );
  }

  /** Returns the rows and starts again from nothing. */
  take(): CountRow[] {
    const { rows } = this;
    this.#table.clear();
    return rows;
  }

  #add(name: string, labels: string, amount: number): void {
    const values = this.#table.get(name) ?? new Map<string, number>();
    this.#table.set(name, values);
    const before = values.get(labels);
    if (before === undefined && values.size >= maxLabels) return;
    values.set(labels, (before ?? 0) + amount);
  }
}

type Table = ReadonlyMap<string, readonly CountRow[]>;

function tableOf(rows: Iterable<CountRow>): Table {
  const table = new Map<string, CountRow[]>();
  for (const row of rows) {
    const known = table.get(row[0]);
    if (known) known.push(row);
    else table.set(row[0], [row]);
  }
  return table;
}

const valueIn = (table: Table, name: string, labels = ''): number =>
  table.get(name)?.find(([, known]) => known === labels)?.[2] ?? 0;

function histogramLines({ name, bounds = [] }: CountFamily, table: Table): string[] {
  const buckets = bounds.map((bound) => {
    const labels = labelsText({ le: bound });
    return `${name}_bucket${labels} ${valueIn(table, `${name}_bucket`, labels)}`;
  });
  const count = valueIn(table, `${name}_count`);
  return [
    ...buckets,
    `${name}_bucket{le="+Inf"} ${count}`,
    `${name}_sum ${valueIn(table, `${name}_sum`)}`,
    `${name}_count ${count}`,
  ];
}

function linesOf(family: CountFamily, table: Table): string[] {
  const { name, type, labels = [] } = family;
  if (type === 'histogram') return histogramLines(family, table);
  // A counter with labels has no row before its first count: nobody knows which.
  if (labels.length === 0) return [`${name} ${valueIn(table, name)}`];
  return (table.get(name) ?? []).map(([, text, value]) => `${name}${text} ${value}`);
}

/** Returns rows in Prometheus' text form. Rows of other families are left out. */
export function countsText(families: readonly CountFamily[], rows: Iterable<CountRow>): string {
  const table = tableOf(rows);
  const lines = families.flatMap((family) => [
    `# HELP ${family.name} ${family.help}`,
    `# TYPE ${family.name} ${family.type}`,
    ...linesOf(family, table),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Returns the names of the rows that families have. */
export function rowNames(families: readonly CountFamily[]): Set<string> {
  const names = families.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}
