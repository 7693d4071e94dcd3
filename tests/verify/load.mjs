// The part "load": many streams at once against one workerd.
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { bundleWorker } from '../../scripts/setup/worker.mjs';
import { ms } from '../support/table.mjs';
import { runLoad } from './threads/load-trial.mjs';

const seconds = 60;

async function prepare() {
  await preparePackage('package');
  await bundleWorker();
  const folders = ['web', 'dist', 'tests/verify/threads'];
  const files = [...folders.flatMap((each) => filesBelow(each)), 'tests/support/thread-client.mjs'];
  return { key: hashFiles(files).slice(0, 12), context: undefined };
}

const megabytes = (kilobytes) => `${Math.round(kilobytes / 1024)} MB`;

async function run(streams) {
  const result = await runLoad({ streams, seconds });
  const { threads, sends, left, unread, events, firstEvent, thirds } = result;
  const counts = [streams, threads, sends, left, unread, events].map(String);
  return [...counts, ...firstEvent.map(ms), ...thirds.map(megabytes)];
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Load',
  about:
    `Streams of conversations with one workerd for ${seconds} seconds, after 30 seconds in which they begin. A tenth of the readers leave in the middle of an ` +
    'answer, a tenth never read answers of 3 MB; the others read to the end. Every chunk of an answer repeats the ' +
    'marker of its question. No request failed, every answer and every stored turn had the marker of its own question ' +
    'only, and every thread was free afterwards, also those whose readers had left. Memory: the resident set of ' +
    'workerd, the median of each third of the minute; that of the last third may be at most 10 % above that of the middle third. ' +
    'The model and the readers ran on the same machine.',
  head: [
    ...['Streams', 'Threads', 'Sends', 'of these left', 'never read', 'Events read'],
    ...['First event, median', '95 %'],
    ...['Memory, first third', 'middle third', 'last third'],
  ],
  cases: [50, 200].map((streams) => ({ name: `${streams} streams`, run: () => run(streams) })),
  prepare,
};
