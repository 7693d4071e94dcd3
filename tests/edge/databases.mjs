// Wraps the SQLite storage of a Durable Object for tests: counts the rows written, or fails at a statement.

/** Returns a database that runs `exec` in place of the storage's own, in the storage's transactions. */
const withExec = (storage, exec) => ({
  sql: { exec },
  transactionSync: (work) => storage.transactionSync(work),
});

/** Returns a database that throws in place of running its `count`th statement, from 1. */
export function failingAt(storage, count) {
  let statements = 0;
  return withExec(storage, (...query) => {
    if (++statements === count) throw new Error('disk');
    return storage.sql.exec(...query);
  });
}

/** Returns a database, and a function that returns how many rows it wrote, as Cloudflare bills them. */
export function countingRows(storage) {
  let cursors = [];
  const database = withExec(storage, (...query) => {
    const cursor = storage.sql.exec(...query);
    cursors.push(cursor);
    return cursor;
  });
  const rows = () => cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
  return { database, rows };
}
