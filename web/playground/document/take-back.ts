// Takes one change of a document back, and keeps what was changed since.

type Fields = { readonly [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value without a change. `replaced`: the paths of what was changed since and had to give way, as JSON Pointers. */
export interface TakenBack<Value> {
  value: Value;
  replaced: string[];
}

/**
 * Returns `current` without what a change made of `before` when it made `after`. Lists keep what was added to them since;
 * any other value that was changed since becomes that of `before`.
 */
export function takeBack<Value>(
  before: Value,
  after: Value,
  current: Value,
  path = '',
): TakenBack<Value> {
  if (before === after) return { value: current, replaced: [] };
  if (current === after) return { value: before, replaced: [] };
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(current)) {
    const removed = after.filter((item) => !current.includes(item));
    const added = current.filter((item) => !after.includes(item));
    const value = [...before.filter((item) => !removed.includes(item)), ...added];
    return { value: value as Value, replaced: [] };
  }
  if (!isFields(before) || !isFields(after) || !isFields(current))
    return { value: before, replaced: [path] };
  const names = new Set([...Object.keys(before), ...Object.keys(current)]);
  const fields = [...names].map(
    (name) =>
      [name, takeBack(before[name], after[name], current[name], `${path}/${name}`)] as const,
  );
  const entries = fields.filter(([, { value }]) => value !== undefined);
  return {
    value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])) as Value,
    replaced: fields.flatMap(([, { replaced }]) => replaced),
  };
}
