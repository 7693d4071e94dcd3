// Orders byte sequences so that those that are alike are close, where gzip finds what they have in common.

// A match of gzip saves bytes from about this length on.
const runLength = 6;
// gzip looks back 32 kB; the sizes of functions still change a little.
const windowSize = 30_000;

/** Returns the different runs of `runLength` bytes, as numbers. */
function runsOf(bytes) {
  const buffer = Buffer.from(bytes);
  const runs = new Set();
  for (let at = 0; at + runLength <= buffer.length; at++)
    runs.add(buffer.readUIntBE(at, runLength));
  return runs;
}

/** Returns which sequences have a run: `[...positions]` by run, without those that only one sequence has. */
function findOwners(runsByPosition) {
  const owners = new Map();
  runsByPosition.forEach((runs, position) => {
    for (const run of runs) {
      const list = owners.get(run);
      if (list) list.push(position);
      else owners.set(run, [position]);
    }
  });
  for (const [run, positions] of owners) if (positions.length === 1) owners.delete(run);
  return owners;
}

/** The runs of the last sequences that were placed, and how many of them each sequence has. */
class Window {
  constructor(sequences) {
    this.sequences = sequences;
    this.runs = sequences.map(runsOf);
    this.owners = findOwners(this.runs);
    this.shared = new Float64Array(sequences.length);
    this.counts = new Map();
    this.placed = [];
    this.size = 0;
  }

  add(position) {
    this.placed.push(position);
    this.size += this.sequences[position].length;
    for (const run of this.runs[position]) this.count(run, 1);
    while (this.size > windowSize && this.placed.length > 1) this.dropFirst();
  }

  dropFirst() {
    const position = this.placed.shift();
    this.size -= this.sequences[position].length;
    for (const run of this.runs[position]) this.count(run, -1);
  }

  // Runs that few sequences have say more than those of many.
  count(run, change) {
    const owners = this.owners.get(run);
    if (!owners) return;
    const count = (this.counts.get(run) ?? 0) + change;
    this.counts.set(run, count);
    if (count !== (change > 0 ? 1 : 0)) return;
    const weight = change / Math.sqrt(owners.length);
    for (const position of owners) this.shared[position] += weight;
  }

  // A long sequence shares more than a short one, even if they are not alike.
  likeness(position) {
    return this.shared[position] / (this.sequences[position].length + 8) ** 0.75;
  }
}

/**
 * Returns the positions of the sequences in their new order: each is followed by the one that is most like the 30 kB
 * before it.
 * @param {Uint8Array[]} sequences
 */
export function similarOrder(sequences) {
  const window = new Window(sequences);
  const left = new Set(sequences.keys());
  const order = [];
  while (left.size > 0) {
    let best = -1;
    for (const position of left)
      if (best < 0 || window.likeness(position) > window.likeness(best)) best = position;
    left.delete(best);
    order.push(best);
    window.add(best);
  }
  return order;
}
