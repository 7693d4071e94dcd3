// Takes one change of a document back, and keeps what was changed since.

type Fields = { readonly [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value without a change. `replaced`: the paths of what was changed since and had to give way, as JSON Pointers. */
export interface TakenBack<Value> {
  value: Value;
  replaced: string[];
}

// Returns the index for an item beside its nearest neighbour that is still there.
function placeOf(index: number, before: unknown[], current: unknown[]): number {
  for (let distance = 1; distance <= before.length; distance += 1) {
    const left = index >= distance ? current.indexOf(before[index - distance]) : -1;
    if (left >= 0) return left + 1;
    const right = index + distance < before.length ? current.indexOf(before[index + distance]) : -1;
    if (right >= 0) return right;
  }
  return Math.min(index, current.length);
}

// Takes what the change added out of a list, and inserts what it removed where it was.
function listWithout(before: unknown[], after: unknown[], current: unknown[]): unknown[] {
  const list = current.filter((item) => before.includes(item) || !after.includes(item));
  for (const [index, item] of before.entries())
    if (!after.includes(item)) list.splice(placeOf(index, before, list), 0, item);
  return list;
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
    return { value: listWithout(before, after, current) as Value, replaced: [] };
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
