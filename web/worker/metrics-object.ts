// Sums the counts of all isolates of a deployment in a Durable Object.
import { countsText, maxLabels, rowNames, type CountRow } from '../gateway/counts.js';
import { sinceRow } from '../gateway/metrics.js';
import { workerFamilies, type Report } from './reporter.js';
import type { SqlDatabase } from './sql.js';

const tables = `
CREATE TABLE IF NOT EXISTS counts (
  name TEXT, labels TEXT, value REAL NOT NULL, PRIMARY KEY (name, labels)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reports (
  isolate TEXT PRIMARY KEY, number INTEGER NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
`;

const known = rowNames(workerFamilies);
const since = sinceRow(0);

// An isolate repeats a report for an hour. The newest isolates are remembered.
const forgetAfterMs = 2 * 60 * 60_000;
const maxIsolates = 10_000;

/** The Durable Object that sums what isolates count. Only the Worker calls it. */
export class MetricsObject {
  readonly #database: SqlDatabase;

  constructor(state: { storage: SqlDatabase }) {
    this.#database = state.storage;
    this.#database.sql.exec(tables);
  }

  /** Adds the report of an isolate (POST), or returns the sums in Prometheus' text form. */
  async fetch(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response(this.#text());
    const report: Report = await request.json();
    this.#database.transactionSync(() => this.#add(report, Date.now()));
    return new Response(null, { status: 204 });
  }

  #add({ isolate, number, rows }: Report, now: number): void {
    const last = this.#numberOf(isolate);
    if (last === undefined) this.#makeRoom(now);
    else if (number <= last) return;
    const { sql } = this.#database;
    sql.exec('INSERT OR REPLACE INTO reports VALUES (?, ?, ?)', isolate, number, now);
    sql.exec('INSERT OR IGNORE INTO counts VALUES (?, ?, ?)', since[0], '', now / 1000);
    for (const row of rows) this.#addRow(row);
  }

  #numberOf(isolate: string): number | undefined {
    const query = 'SELECT number FROM reports WHERE isolate = ?';
    return this.#database.sql.exec<{ number: number }>(query, isolate).toArray()[0]?.number;
  }

  #makeRoom(now: number): void {
    const { sql } = this.#database;
    sql.exec('DELETE FROM reports WHERE at < ?', now - forgetAfterMs);
    const newest = `SELECT isolate FROM reports ORDER BY at DESC LIMIT -1 OFFSET ${maxIsolates - 1}`;
    sql.exec(`DELETE FROM reports WHERE isolate IN (${newest})`);
  }

  #addRow([name, labels, amount]: CountRow): void {
    if (!known.has(name) || !(amount > 0) || !Number.isFinite(amount)) return;
    const { sql } = this.#database;
    const update = 'UPDATE counts SET value = value + ? WHERE name = ? AND labels = ? RETURNING 1';
    if (sql.exec(update, amount, name, labels).toArray().length > 0) return;
    const query = 'SELECT count(*) AS size FROM counts WHERE name = ?';
    const [{ size } = { size: 0 }] = sql.exec<{ size: number }>(query, name).toArray();
    if (size < maxLabels) sql.exec('INSERT INTO counts VALUES (?, ?, ?)', name, labels, amount);
  }

  #text(): string {
    const query = 'SELECT name, labels, value FROM counts ORDER BY name, labels';
    const rows = this.#database.sql
      .exec<{ name: string; labels: string; value: number }>(query)
      .toArray();
    return countsText(
      workerFamilies,
      rows.map(({ name, labels, value }) => [name, labels, value] as const),
    );
  }
}
