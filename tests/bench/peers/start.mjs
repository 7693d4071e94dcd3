// Measures the time from importing a client until its first request, in fresh processes.
import { join } from 'node:path';
import { run } from '../../../scripts/setup/run.mjs';
import { spread } from '../measure.mjs';
import { withSpread } from '../../support/table.mjs';
import { names, namesWithout, reference } from './candidates.mjs';
import { filesIn } from './pool.mjs';

const rounds = 21;
const clients = Object.keys(namesWithout('thread', 'google-genai-models'));

async function measureOnce(folder, client) {
  const file = join(filesIn(folder), 'fresh.mjs');
  const output = await run(process.execPath, [file, client], { cwd: folder });
  return JSON.parse(/^result (.*)$/m.exec(output)[1]);
}

/** Starts each client in turns. Returns one result for each. */
export async function measureStart({ folder }) {
  const samples = Object.fromEntries(clients.map((key) => [key, []]));
  // The first round fills the caches of the file system.
  for (let round = -1; round < rounds; round++) {
    for (let i = 0; i < clients.length; i++) {
      const key = clients.at((round + i) % clients.length);
      const sample = await measureOnce(folder, key);
      if (round >= 0) samples[key].push(sample);
    }
  }
  return clients.map((key) => ({
    key,
    opened: spread(samples[key].map(({ opened }) => opened)),
    requested: spread(samples[key].map(({ requested }) => requested)),
  }));
}

/** Returns the table. */
export function startTable(measured) {
  const timeOf = (key) => measured.find((each) => each.key === key).requested.median;
  const [own, other] = [timeOf('prompt-strata'), timeOf(reference)];
  return {
    title: 'Peers: import to first request',
    about:
      'In a fresh process of Node, from `import` until the conversation is there, and until the first request is ' +
      'handed to `fetch`: median of 21 processes, in brackets the middle half. The time that Node needs to start ' +
      'is not in it.',
    head: ['client', 'imported and opened', 'first request'],
    rows: measured.map(({ key, opened, requested }) => [
      names[key],
      withSpread(opened),
      withSpread(requested),
    ]),
    verdicts: [
      {
        ok: own < other,
        text: `${names['prompt-strata']}: ${own.toFixed(0)} ms, @google/genai ${other.toFixed(0)} ms`,
      },
    ],
  };
}
