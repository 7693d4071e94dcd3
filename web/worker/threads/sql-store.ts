// Stores the conversation of one thread in the SQLite storage of its Durable Object.
import type { ConversationStore } from '../../index.js';
import { joinBytes, decodeUtf8 } from '../../sdk/internal/bytes.js';
import { piecesOf, type SqlDatabase } from '../sql.js';

interface Piece extends Record<string, ArrayBuffer | number> {
  line: number;
  bytes: ArrayBuffer;
}

/**
 * A store of one conversation, for the thread of one Durable Object. The object is the conversation and its only writer,
 * so neither ids nor the number of lines that a writer expects are looked at. The tables must exist (`createTables`).
 */
export class SqlStore implements ConversationStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async read(): Promise<string[]> {
    const { sql } = this.#database;
    const query = 'SELECT line, bytes FROM turn_pieces ORDER BY line, piece';
    const lines: Uint8Array[][] = [];
    for (const { line, bytes } of sql.exec<Piece>(query)) {
      (lines[line] ??= []).push(new Uint8Array(bytes));
    }
    return lines.map((pieces) => decodeUtf8(joinBytes(pieces)));
  }

  /** Returns the lines that record calls of the step that has begun: which have started, and results. */
  async readRecords(): Promise<string[]> {
    return recordsIn(await this.read());
  }

  /** Adds such lines. */
  async addRecords(records: string[]): Promise<void> {
    const { length } = await this.read();
    await this.write('', length, records);
  }

  // Lines that are stored already are not written again: a send that pauses rewrites all lines with the same turns, and
  // rows written cost a thousand times what rows read cost.
  async write(_id: string, at: number, lines: string[]): Promise<void> {
    const { sql } = this.#database;
    const encoded = lines.map((line) => piecesOf(new TextEncoder().encode(line)));
    const insert = 'INSERT INTO turn_pieces (line, piece, bytes) VALUES (?, ?, ?)';
    this.#database.transactionSync(() => {
      const different = encoded.findIndex((pieces, index) => !this.#isStored(at + index, pieces));
      const same = different < 0 ? encoded.length : different;
      sql.exec('DELETE FROM turn_pieces WHERE line >= ?', at + same);
      for (const [index, pieces] of encoded.slice(same).entries()) {
        for (const [piece, bytes] of pieces.entries())
          sql.exec(insert, at + same + index, piece, bytes);
      }
    });
  }

  async store(_id: string, name: string, bytes: Uint8Array): Promise<void> {
    const { sql } = this.#database;
    const insert = 'INSERT INTO stored_pieces (name, piece, bytes) VALUES (?, ?, ?)';
    this.#database.transactionSync(() => {
      sql.exec('DELETE FROM stored_pieces WHERE name = ?', name);
      for (const [piece, part] of piecesOf(bytes).entries()) sql.exec(insert, name, piece, part);
    });
  }

  async readStored(_id: string, name: string): Promise<Uint8Array | undefined> {
    const { sql } = this.#database;
    const query = 'SELECT bytes FROM stored_pieces WHERE name = ? ORDER BY piece';
    const pieces = sql.exec<{ bytes: ArrayBuffer }>(query, name).toArray();
    if (pieces.length === 0) return undefined;
    return joinBytes(pieces.map(({ bytes }) => new Uint8Array(bytes)));
  }

  async delete(): Promise<void> {
    this.#database.transactionSync(() => {
      this.#database.sql.exec('DELETE FROM turn_pieces; DELETE FROM stored_pieces;');
    });
  }

  #isStored(line: number, pieces: readonly Uint8Array[]): boolean {
    const query = 'SELECT bytes FROM turn_pieces WHERE line = ? ORDER BY piece';
    const stored = this.#database.sql.exec<{ bytes: ArrayBuffer }>(query, line).toArray();
    return (
      stored.length === pieces.length && stored.every(({ bytes }, i) => isSame(bytes, pieces[i]))
    );
  }
}

/** Returns the records after the last turn of a saved conversation: src/thread/saved_form.h. */
export function recordsIn(lines: readonly string[]): string[] {
  const kindOf = (line: string) => /^\{"strata":1,"kind":"(started|result|note)"/.exec(line)?.[1];
  const last = lines.findLastIndex((line) => kindOf(line) === undefined);
  return lines.slice(last + 1).filter((line) => kindOf(line) !== 'note');
}

const isSame = (stored: ArrayBuffer, piece: Uint8Array | undefined): boolean => {
  const bytes = new Uint8Array(stored);
  return bytes.length === piece?.length && bytes.every((byte, index) => byte === piece[index]);
};
