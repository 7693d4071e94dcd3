// Measures the memory that each client holds for a long conversation.
import { join } from 'node:path';
import { run } from '../../../scripts/setup/run.mjs';
import { median } from '../measure.mjs';
import { bytes } from '../../support/table.mjs';
import { names } from './candidates.mjs';
import { history } from './history.mjs';
import { filesIn } from './pool.mjs';

const lengths = { short: 0, long: 5000 };
const rounds = 3;
const kinds = ['heap', 'external', 'rss'];

async function measureOnce(folder, client, turns) {
  const file = join(filesIn(folder), 'hold.mjs');
  const args = ['--expose-gc', file, client, String(turns)];
  const output = await run(process.execPath, args, { cwd: folder });
  return JSON.parse(/^result (.*)$/m.exec(output)[1]);
}

// The difference of two processes, for 1,000 turns.
async function measureGrowth(folder, client) {
  const short = await measureOnce(folder, client, lengths.short);
  const long = await measureOnce(folder, client, lengths.long);
  const growth = (kind) => ((long[kind] - short[kind]) / lengths.long) * 1000;
  return Object.fromEntries(kinds.map((kind) => [kind, growth(kind)]));
}

/** Returns the bytes that each client holds for 1,000 turns. */
export async function measureMemory({ folder }) {
  const samples = Object.fromEntries(Object.keys(names).map((key) => [key, []]));
  for (let round = 0; round < rounds; round++)
    for (const key of Object.keys(names)) samples[key].push(await measureGrowth(folder, key));
  return Object.entries(samples).map(([key, all]) => ({
    key,
    ...Object.fromEntries(kinds.map((kind) => [kind, median(all.map((each) => each[kind]))])),
  }));
}

/** Returns the table. */
export function memoryTable(measured) {
  const json = Buffer.byteLength(JSON.stringify(history(lengths.long)));
  const shown = (value) => bytes(Math.max(0, Math.round(value)));
  return {
    title: 'Peers: memory per 1,000 turns',
    about:
      `What a process holds after one request in a conversation of ${lengths.long.toLocaleString('en-US')} turns, ` +
      'less what another one holds after a first request, for 1,000 turns; they are ' +
      `${bytes(Math.round((json / lengths.long) * 1000))} as JSON. Garbage was collected before. "Outside the heap" ` +
      'is WebAssembly memory, which grows in steps and never shrinks, and ArrayBuffers. V8 stores a text with a ' +
      'character beyond Latin-1, as these have, with two bytes a character. The resident set is what the system has ' +
      'given the process, free memory included.',
    head: ['client', 'JavaScript heap', 'outside the heap', 'both', 'resident set'],
    rows: measured.map(({ key, heap, external, rss }) => [
      names[key],
      ...[heap, external, heap + external, rss].map(shown),
    ]),
  };
}
