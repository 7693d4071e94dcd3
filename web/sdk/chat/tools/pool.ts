// Runs asynchronous work in parallel with a limit on how many items run at once.

interface Finished<Item, Result> {
  item: Item;
  result: Result;
}

/** Runs `work` for each item, at most `limit` at once. Yields results in the order in which they finish. */
export async function* inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Finished<Item, Result>, void, void> {
  const running = new Map<Item, Promise<Finished<Item, Result>>>();
  const waiting = [...items];
  const start = (item: Item) => {
    const finished = work(item).then((result) => ({ item, result }));
    // The caller may stop iterating before this one rejects.
    finished.catch(() => {});
    running.set(item, finished);
  };
  waiting.splice(0, Math.max(1, limit)).forEach(start);
  while (running.size > 0) {
    const finished = await Promise.race(running.values());
    running.delete(finished.item);
    waiting.splice(0, 1).forEach(start);
    yield finished;
  }
}
