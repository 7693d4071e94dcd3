// The part "fuzz": searches for hours with the fuzz targets of tests/fuzz/cpp. Each slice of a search is logged, so
// that an interrupted run continues where it stopped.
import { join } from 'node:path';
import {
  corpusSize,
  describeFinding,
  minimize,
  repeatFindings,
  search,
} from '../fuzz/cpp/libfuzzer.mjs';
import { searchesOfOthers, storeSearches } from '../fuzz/cpp/searches.mjs';
import { crashesOf, namesWith, sourceKey, targets } from '../fuzz/cpp/targets.mjs';
import { prepare as prepareBuild } from '../../scripts/setup/prepare.mjs';
import { SetupError, inParallel, jobs, root } from '../../scripts/setup/run.mjs';
import { openLog } from './log.mjs';

const sliceSeconds = 120;
const defaultMinutes = 60;
const folder = join(root, 'build', 'verify', 'fuzz');
const folderOf = (name) => join(folder, name);

const sum = (searches, member) => searches.reduce((total, search) => total + search[member], 0);

/** Returns the searches after the last one that found something. */
const sinceFinding = (searches) =>
  searches.slice(searches.findLastIndex(({ finding }) => finding) + 1);

// All searches of a target, those of other machines first.
function searchesOf(name, { log, others }) {
  return [...others.filter((each) => each.name === name), ...log.all(name)];
}

async function prepare() {
  await prepareBuild('fuzz');
  const keys = Object.fromEntries(Object.keys(targets).map((name) => [name, sourceKey(name)]));
  const log = openLog(join(folder, 'slices.jsonl'));
  const others = searchesOfOthers(log.results());
  // Results of a target are those of its own sources, whatever other targets run.
  return { key: '', context: { keys, log, others } };
}

// Searches with the target that has the least time so far, until each has `goal` seconds without a finding. The last
// targets are searched by several processes at once, so that no processor is idle.
class Schedule {
  constructor(context, names, goal, since) {
    Object.assign(this, { context, names, goal, since });
    /** The seconds that processes search a target now. */
    this.running = new Map();
    this.failed = new Set();
    this.findings = [];
  }

  secondsOf(name) {
    const searches = sinceFinding(searchesOf(name, this.context));
    return sum(
      searches.filter(({ date = '' }) => date >= this.since),
      'seconds',
    );
  }

  leftOf(name) {
    return this.goal - this.secondsOf(name) - (this.running.get(name) ?? 0);
  }

  next() {
    return this.names
      .filter((name) => !this.failed.has(name) && this.leftOf(name) > 0)
      .sort((a, b) => this.leftOf(b) - this.leftOf(a))[0];
  }

  async runSlice(name) {
    const seconds = Math.ceil(Math.min(sliceSeconds, this.leftOf(name)));
    this.running.set(name, (this.running.get(name) ?? 0) + seconds);
    const result = await search(name, { seconds, folder: folderOf(name) });
    this.running.set(name, this.running.get(name) - seconds);
    const logged = { ...result, output: undefined };
    const { keys, log } = this.context;
    log.append({ name, key: keys[name], date: new Date().toISOString(), ...logged });
    const minutes = (this.secondsOf(name) / 60).toFixed(1);
    console.log(`  ${`${name} `.padEnd(60, '.')} ${result.finding ? 'FAILED' : `${minutes} min`}`);
    return result;
  }

  async work() {
    for (let name = this.next(); name !== undefined; name = this.next()) {
      const result = await this.runSlice(name);
      if (!result.finding) continue;
      // It would only fail again.
      this.failed.add(name);
      this.findings.push(describeFinding(name, result));
    }
  }
}

/** Searches until each target has `minutes` without a finding, then minimizes the corpora. */
async function work(context, { only, fresh, minutes = defaultMinutes }) {
  const names = namesWith(only);
  const since = fresh ? new Date().toISOString() : '';
  const schedule = new Schedule(context, names, minutes * 60, since);
  const searched = names.filter((name) => schedule.secondsOf(name) < schedule.goal);
  await Promise.all(Array.from({ length: jobs }, () => schedule.work()));
  await inParallel(searched, (name) => minimize(name, folderOf(name)));
  storeSearches(context.log.results());
  for (const finding of schedule.findings) console.log(`\n${finding}`);
}

const hours = (seconds) => (seconds / 3600).toFixed(2);
const count = (number) => number.toLocaleString('en-US');

function rowOf(name, context) {
  const searches = searchesOf(name, context);
  const present = searches.filter(({ key }) => key === context.keys[name]);
  return [
    `\`${name}\``,
    targets[name].checks,
    hours(sum(searches, 'seconds')),
    hours(sum(sinceFinding(searches), 'seconds')),
    hours(sum(present, 'seconds')),
    count(sum(searches, 'executions')),
    count(corpusSize(folderOf(name))),
    String(crashesOf(name).length),
  ];
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Fuzzing',
  about:
    'Each row: one target, a program with libFuzzer, the address and the undefined-behaviour sanitizer and the checks of ' +
    'the standard library. Hours are those of one processor, on all machines (`tests/fuzz/cpp/searches.jsonl`). ' +
    'Present sources: the rooms of `src/` that a target links, and its own files in `tests/fuzz/cpp`. ' +
    'The corpus is what is left of all inputs without those that reach nothing new. Findings are inputs that failed; ' +
    'each is stored in `tests/fuzz/cpp/crashes` and runs in the sanitized suite. A case passes if no ' +
    'input that was ever found fails with the present sources.',
  head: [
    ...['Target', 'Checks', 'Hours', 'since the last finding', 'with the present sources'],
    ...['Executions', 'Corpus', 'Findings, all repaired'],
  ],
  cases: Object.keys(targets).map((name) => ({
    name,
    async run(context) {
      const failing = await repeatFindings(name, folderOf(name));
      const texts = failing.map((each) => describeFinding(name, each));
      if (texts.length > 0) throw new SetupError(texts.join('\n\n'));
      return rowOf(name, context);
    },
  })),
  prepare,
  work,
};
